//! Studies below `results/`: dated reports, and the figures that documents quote of them.
//!
//! A figure that is tied to its study stands before a comment, `+4.0 [−3.8, +11.8]<!-- results/DATE-NAME/summary.csv 1 elo -->`: a CSV
//! file, a row and the column of the first number. `-elo` takes the other side's view; `%ratio` is what a ratio saves, in percent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::generated::table;
use crate::markdown::{files_below, repository, shown};

/// The report of a study, with the values of its front matter.
struct Study {
    folder: String,
    title: String,
    values: BTreeMap<String, String>,
}

impl Study {
    fn parse(folder: String, text: &str) -> Option<Study> {
        let (front, body) = text.strip_prefix("---\n")?.split_once("\n---\n\n# ")?;
        let lines = front.lines().filter_map(|line| line.split_once(": "));
        let values = lines.map(|(key, value)| (key.to_owned(), value.trim_matches('"').to_owned()));
        let values: BTreeMap<String, String> = values.collect();
        let is_whole = ["engine", "date", "machine", "command"]
            .iter()
            .all(|&key| values.contains_key(key));
        let title = body.lines().next()?.to_owned();
        let is_dated = is_whole && folder.starts_with(&format!("results/{}-", values["date"]));
        is_dated.then_some(Study {
            folder,
            title,
            values,
        })
    }

    /// The signatures of the built-in engine; those of its variants are in the report.
    fn engines(&self) -> String {
        let all = &self.values["engine"];
        let is_plain = |name: &&str| name.matches(' ').count() == 1;
        let plain: Vec<&str> = all.split(", ").filter(is_plain).collect();
        if plain.is_empty() {
            all.clone()
        } else {
            plain.join(", ")
        }
    }

    /// The queue files that played it.
    fn queues(&self) -> String {
        let files = files_below(&repository().join(&self.folder), &[".toml"]);
        let queues = files.iter().filter(|path| is_queue(path));
        let names: Vec<String> = queues
            .map(|path| format!("`{}`", path.file_name().unwrap().display()))
            .collect();
        names.join(", ")
    }
}

/// Is this file a queue, and not the specification of one run?
fn is_queue(path: &Path) -> bool {
    fs::read_to_string(path).unwrap().contains("[[job]]")
}

/// All studies, the oldest first.
fn studies() -> Vec<Study> {
    let reports = files_below(&repository().join("results"), &["README.md"]);
    let read = |path: &PathBuf| {
        let folder = shown(path.parent().unwrap());
        let study = Study::parse(folder, &fs::read_to_string(path).unwrap());
        study.unwrap_or_else(|| {
            panic!(
                "{}: it does not begin with engine, date, machine, command and a title",
                shown(path)
            )
        })
    };
    reports.iter().map(read).collect()
}

pub(crate) fn by_age() -> String {
    let all = studies();
    let rows = all.iter().map(|study| {
        let (folder, title) = (&study.folder, &study.title);
        format!("`{folder}` | {title} | {} | {}", study.engines(), study.queues())
    });
    table("folder | study | engine | queue", rows)
}

/// `text` with every figure that is tied to a study as the study has it.
pub(crate) fn with_figures(text: &str) -> String {
    let mut renewed = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!-- results/") {
        let (source, after) = after.split_once(" -->").expect("a comment ends");
        let interval = before.ends_with(']').then(|| before.rfind(" [")).flatten();
        let value = &before[..interval.unwrap_or(before.trim_end_matches(" %").len())];
        let start = value.rfind([' ', '(']).map_or(0, |space| space + 1);
        renewed += &format!(
            "{}{}<!-- results/{source} -->",
            &before[..start],
            as_measured(&before[start..], source)
        );
        rest = after;
    }
    renewed + rest
}

/// The numbers of `figure` by `FILE ROW COLUMN`, each written as the old one is.
fn as_measured(figure: &str, source: &str) -> String {
    let [file, row, column] = source.split(' ').collect::<Vec<_>>()[..] else {
        panic!("results/{source}: not FILE ROW COLUMN");
    };
    let text = fs::read_to_string(repository().join("results").join(file));
    let text = text.unwrap_or_else(|error| panic!("results/{source}: {error}"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let name = column.trim_start_matches(['-', '%']);
    let first = reader.headers().unwrap().iter().position(|one| one == name);
    let first = first.unwrap_or_else(|| panic!("results/{source}: no such column"));
    let row = reader.records().nth(row.parse::<usize>().unwrap() - 1);
    let row = row
        .unwrap_or_else(|| panic!("results/{source}: no such row"))
        .unwrap();
    let columns = if name == column { [0, 1, 2] } else { [0, 2, 1] };
    let mut values = columns.into_iter().map(|offset| {
        let value: f64 = row[first + offset].parse().unwrap();
        match &column[..1] {
            "-" => -value,
            "%" => 100.0 * (1.0 - value),
            _ => value,
        }
    });
    let mut measured = String::new();
    let mut rest = figure;
    let is_part = |symbol: char| symbol.is_ascii_digit() || "+−.".contains(symbol);
    while let Some(start) = rest.find(is_part) {
        let end = rest[start..]
            .find(|symbol| !is_part(symbol))
            .map_or(rest.len(), |length| start + length);
        measured += &rest[..start];
        measured += &written_as(&rest[start..end], values.next().expect("at most three numbers"));
        rest = &rest[end..];
    }
    measured + rest
}

/// `value` with the decimals of `old`, and with a sign if that has one.
fn written_as(old: &str, value: f64) -> String {
    let decimals = old.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let number = format!("{value:+.decimals$}").replace('-', "−");
    let is_zero = number.trim_matches(['+', '−', '0', '.']).is_empty();
    let is_plain = is_zero || (number.starts_with('+') && !old.starts_with(['+', '−']));
    if is_plain {
        number.trim_start_matches(['+', '−']).to_owned()
    } else {
        number
    }
}

#[test]
fn every_study_is_a_dated_report() {
    assert!(studies().len() > 20);
    let text = "---\nengine: e\ndate: 2026-01-02\nmachine: m\ncommand: c\n---\n\n# T\n";
    let parse = |text: &str| Study::parse("results/2026-01-02-a".to_owned(), text);
    assert_eq!(parse(text).unwrap().title, "T");
    assert!(parse(&text.replace("machine: m\n", "")).is_none());
    assert!(parse(&text.replace("01-02", "01-03")).is_none());
}

/// A queue that cannot be played any more goes together with the setting or option that it needs.
#[test]
fn every_queue_of_a_study_would_run_where_its_programs_are_installed() {
    let folder = tempfile::tempdir().unwrap();
    let present = env!("CARGO_BIN_EXE_tanren");
    let mut queues = files_below(&repository().join("results"), &[".toml"]);
    queues.retain(|path| is_queue(path));
    assert!(queues.len() > 10, "{queues:?}");
    for path in &queues {
        // Values of three pieces are in no ordinary build.
        let mut text = fs::read_to_string(path).unwrap().replace("three_piece", "off");
        for program in [
            "/usr/games/fairy-stockfish",
            "/usr/games/gpsusi",
            "/usr/games/stockfish",
            "target/release/tanren-engine",
        ] {
            text = text.replace(program, present);
        }
        let queue = folder.path().join(path.file_name().unwrap());
        fs::write(&queue, text).unwrap();
        let mut command = Command::new(present);
        let run = command
            .args(["run", "--dry-run"])
            .arg(&queue)
            .current_dir(repository())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{}: {said}", shown(path));
    }
}

#[test]
fn a_figure_that_differs_from_its_study_is_replaced() {
    let source = "<!-- results/2026-11-23-soppo/endgame-ss-n/summary.csv 1 elo -->";
    let theirs = source.replace(" elo", " -elo");
    let text = format!("Worth +4.1 [−3.8, +11.8]{source}, or (+4{theirs}).");
    let expected = format!("Worth +4.0 [−3.8, +11.8]{source}, or (−4{theirs}).");
    assert_eq!(with_figures(&text), expected);
    assert_eq!(written_as("+0.1", -0.04), "0.0");
}

#[test]
fn the_readme_is_short() {
    for name in ["README.md", "README.ja.md"] {
        let text = fs::read_to_string(repository().join(name)).unwrap();
        assert!(text.len() <= 5120, "{name}: {} bytes", text.len());
    }
}
