//! Studies below `results/`: dated reports, and the figures that documents quote of them.
//!
//! A figure that is tied to its study stands before a comment, `+4.0 [−3.8, +11.8]<!-- results/DATE-NAME/summary.csv 1 elo -->`: a CSV
//! file, a row and the column of the first number. `-elo` takes the other side's view; `%ratio` is what a ratio saves, in percent.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::markdown::{files_below, manual, repository, shown};

const KEYS: [&str; 4] = ["engine", "date", "machine", "command"];

/// The report of a study, with the values of its front matter.
struct Study {
    folder: String,
    title: String,
    values: BTreeMap<String, String>,
}

impl Study {
    fn parse(folder: String, text: &str) -> Result<Study, String> {
        let front = text
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"));
        let (front, body) = front.ok_or("it does not begin with front matter")?;
        let lines = front.lines().filter_map(|line| line.split_once(": "));
        let values: BTreeMap<String, String> = lines
            .map(|(key, value)| (key.to_owned(), value.trim_matches('"').to_owned()))
            .collect();
        if let Some(key) = KEYS.iter().find(|&&key| !values.contains_key(key)) {
            return Err(format!("the front matter has no `{key}`"));
        }
        if !folder.starts_with(&format!("results/{}-", values["date"])) {
            return Err(format!("the folder's date is not {}", values["date"]));
        }
        let title = body
            .trim_start()
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "));
        let title = title.ok_or("no title follows the front matter")?.to_owned();
        Ok(Study {
            folder,
            title,
            values,
        })
    }

    /// The names of its queue files.
    fn queues(&self) -> Vec<String> {
        let files = files_below(&repository().join(&self.folder), &[".toml"]);
        let names = files.iter().filter(|path| is_queue(path));
        names
            .map(|path| format!("`{}`", path.file_name().unwrap().to_str().unwrap()))
            .collect()
    }
}

/// Is this file a queue, and not the specification of one run?
fn is_queue(path: &Path) -> bool {
    fs::read_to_string(path).unwrap().contains("[[job]]")
}

/// All studies, the oldest first.
fn studies() -> Vec<Study> {
    let entries = fs::read_dir(repository().join("results")).unwrap();
    let folders = entries.map(|entry| shown(&entry.unwrap().path()).replace('\\', "/"));
    // What somebody plays goes to this folder too.
    let is_study = |folder: &String| repository().join(folder).join("README.md").exists();
    let mut folders: Vec<String> = folders.filter(is_study).collect();
    folders.sort();
    let read = |folder: String| {
        let path = repository().join(&folder).join("README.md");
        let text = fs::read_to_string(&path).unwrap();
        Study::parse(folder, &text).unwrap_or_else(|error| panic!("{}: {error}", shown(&path)))
    };
    folders.into_iter().map(read).collect()
}

pub(crate) fn by_age() -> String {
    let mut table = "| date | study | folder | engine | played by |\n|---|---|---|---|---|\n".to_owned();
    for study in studies() {
        let (values, queues) = (&study.values, study.queues().join(", "));
        table += &format!(
            "| {} | {} | `{}` | {} | {queues} |\n",
            values["date"], study.title, study.folder, values["engine"]
        );
    }
    table
}

/// The studies that a page names.
pub(crate) fn quoted(page: &str) -> String {
    let (text, _) = page.split_once("<!-- studies: ").unwrap_or((page, ""));
    let mut table =
        "*Studies quoted on this page, the oldest first:*\n\n| date | study | engine |\n|---|---|---|\n"
            .to_owned();
    for study in studies().iter().filter(|study| text.contains(&study.folder)) {
        table += &format!(
            "| {} | {} (`{}`) | {} |\n",
            study.values["date"], study.title, study.folder, study.values["engine"]
        );
    }
    table
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
    let error = |text: &str| {
        Study::parse("results/2026-01-02-a".to_owned(), text)
            .err()
            .unwrap()
    };
    assert!(error("# T\n").contains("front matter"));
    assert!(error("---\nengine: e\n---\n# T\n").contains("`date`"));
}

/// A queue that cannot be played any more goes together with the setting or option that it needs.
#[test]
fn every_queue_of_a_study_would_run_where_its_programs_are_installed() {
    let folder = tempfile::tempdir().unwrap();
    let present = env!("CARGO_BIN_EXE_tanren");
    for path in files_below(&repository().join("results"), &[".toml"])
        .iter()
        .filter(|path| is_queue(path))
    {
        let mut text = fs::read_to_string(path).unwrap();
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
fn every_page_of_the_manual_that_names_a_study_lists_it_with_its_date() {
    for path in files_below(&manual(), &[".md"]) {
        let text = fs::read_to_string(&path).unwrap();
        let names_one = studies().iter().any(|study| text.contains(&study.folder));
        assert!(
            !names_one || text.contains("<!-- studies: "),
            "{}: end it with `<!-- studies: quoted -->` and `<!-- end -->`",
            shown(&path)
        );
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
fn the_readme_quotes_at_most_five_figures() {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    let figures = text.matches("<!-- results/").count();
    assert!(figures <= 5, "{figures} figures");
}
