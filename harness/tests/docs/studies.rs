//! Studies below `results/`: what each was made with, whether the engine is still that one, and who quotes those that are not.
//!
//! `TANREN_REWRITE_DOCS=1 cargo test --workspace --test docs` says in the first line of a study of another engine that it is one. What a document
//! quotes of it has to be looked at by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tanren_engine::config::Config;
use tanren_engine::game::Game;

use crate::generated::rewriting;
use crate::links::PICTURES;
use crate::markdown::{files_below, manual, repository, shown};

/// What the first line of a study says that was made with another engine, and whoever quotes it.
const EARLIER: &str = "of an earlier engine";

const HEADER: [&str; 4] = ["engine", "command", "machine", "date"];

/// The nodes of a configuration at the signature's depth, by `GAME CONFIGURATION`: what an engine that plays otherwise changes.
type Signatures = BTreeMap<String, u64>;

fn signatures() -> Signatures {
    let text = fs::read_to_string(repository().join("engine/signatures.csv")).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let (name, nodes) = line.rsplit_once(',').unwrap();
        let (game, configuration) = name.split_once(',').unwrap();
        let configuration = configuration.trim_matches('"');
        (format!("{game} {configuration}"), nodes.parse().unwrap())
    });
    rows.collect()
}

/// The header of a study: a table of two columns below the title.
#[derive(Debug)]
struct Study {
    name: String,
    title: String,
    header: BTreeMap<String, String>,
}

impl Study {
    fn parse(name: &str, text: &str) -> Result<Study, String> {
        let title = text.lines().next().unwrap_or_default();
        let title = title
            .strip_prefix("# ")
            .ok_or("the first line is no title")?
            .to_owned();
        let rows = text.lines().skip(1).skip_while(|line| !line.starts_with('|'));
        let header: BTreeMap<String, String> = rows
            .take_while(|line| line.starts_with('|'))
            .filter_map(|row| {
                let (key, value) = row.trim_matches('|').split_once('|')?;
                Some((key.trim().to_owned(), value.trim().to_owned()))
            })
            .collect();
        for key in HEADER {
            if header.get(key).is_none_or(String::is_empty) {
                return Err(format!("the table below the title has no `{key}`"));
            }
        }
        let name = name.to_owned();
        Ok(Study { name, title, header })
    }

    /// Whether an engine of the study plays otherwise than today's, or is known by an older measure alone.
    ///
    /// # Errors
    ///
    /// An entry that is neither `none` nor `GAME SIGNATURE` (of `base`) nor `GAME CONFIGURATION SIGNATURE` nor `GAME bench NODES`.
    fn is_stale(&self, today: &Signatures) -> Result<bool, String> {
        let engine = &self.header["engine"];
        if engine.starts_with("none") {
            return Ok(false);
        }
        let mut stale = false;
        for part in engine.split(", ") {
            let words: Vec<&str> = part.split(' ').collect();
            let (name, signature) = match words[..] {
                [game, "bench", nodes] => (format!("{game} base"), Err(nodes)),
                [game, signature] => (format!("{game} base"), Ok(signature)),
                [game, configuration, signature] => (format!("{game} {configuration}"), Ok(signature)),
                _ => return Err(format!("engine: {part}: neither a signature nor a bench")),
            };
            let expected = today
                .get(&name)
                .ok_or_else(|| format!("engine: {part}: no such game or configuration"))?;
            stale |= match signature {
                Ok(signature) => signature.parse().map(|nodes: u64| nodes != *expected),
                Err(bench) => bench.parse::<u64>().map(|_| true),
            }
            .map_err(|error| format!("engine: {part}: {error}"))?;
        }
        Ok(stale)
    }

    /// The first line as it should be.
    fn first_line(&self, stale: bool) -> String {
        let title = self.title.trim_end_matches(&format!(" ({EARLIER})")).to_owned();
        if stale {
            format!("# {title} ({EARLIER})")
        } else {
            format!("# {title}")
        }
    }
}

/// Studies, and not what somebody plays: runs go to this folder too, with a ledger that is never committed.
fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("results")).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    let is_study = |folder: &PathBuf| {
        folder.join("README.md").exists() || files_below(folder, &["ledger.sqlite"]).is_empty()
    };
    let mut folders: Vec<PathBuf> = folders.filter(is_study).collect();
    folders.sort();
    folders
}

fn read(folder: &Path) -> Study {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let path = folder.join("README.md");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", shown(&path)));
    Study::parse(name, &text).unwrap_or_else(|error| panic!("{}: {error}", shown(&path)))
}

fn stale_studies() -> Vec<String> {
    let today = signatures();
    let studies = folders().into_iter().map(|folder| read(&folder));
    studies
        .filter(|study| {
            study
                .is_stale(&today)
                .unwrap_or_else(|error| panic!("results/{}: {error}", study.name))
        })
        .map(|study| study.name)
        .collect()
}

/// A paragraph or the row of a table, where it stands, and what is around it: the text between the blank lines before and after the neighbours.
struct Part<'text> {
    line: usize,
    text: &'text str,
    /// The paragraph before, which a table is introduced by.
    before: &'text str,
    around: String,
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut pieces: Vec<(usize, &str)> = Vec::new();
    let mut line = 1;
    for piece in text.split("\n\n") {
        pieces.push((line + piece.len() - piece.trim_start_matches('\n').len(), piece));
        line += piece.matches('\n').count() + 2;
    }
    let of_piece = |place: usize| {
        let neighbours = &pieces[place.saturating_sub(2)..(place + 3).min(pieces.len())];
        let around: Vec<&str> = neighbours.iter().map(|(_, text)| *text).collect();
        let around = around.join("\n\n");
        let (line, text) = pieces[place];
        let before = place.checked_sub(1).map_or("", |place| pieces[place].1);
        let rows: Vec<&str> = if text.starts_with('|') {
            text.lines().collect()
        } else {
            vec![text]
        };
        let numbered = rows.into_iter().enumerate();
        numbered.map(move |(row, text)| Part {
            line: line + row,
            text,
            before,
            around: around.clone(),
        })
    };
    (0..pieces.len()).flat_map(of_piece).collect()
}

/// Parts of `text` that name one of `stale`, or show a picture of it, and keep silent about it. What belongs to a picture may stand around it.
fn silent_quotes(text: &str, stale: &[String]) -> Vec<(usize, String)> {
    let pictured = |name: &str, text: &str| {
        let mut pictures = PICTURES.iter();
        pictures.any(|(picture, source)| source.starts_with(&format!("{name}/")) && text.contains(picture))
    };
    let quotes = parts(text).into_iter().filter_map(|part| {
        let (named, saying) = stale.iter().find_map(|name| {
            if part.text.contains(&format!("results/{name}")) {
                Some((name, part.text))
            } else {
                pictured(name, part.text).then_some((name, part.around.as_str()))
            }
        })?;
        let says_so = saying.contains("earlier engine");
        (!says_so).then(|| (part.line, named.clone()))
    });
    quotes.collect()
}

/// Whether prose gives an interval: a number, a comma, a number, in brackets of either kind, each with a sign or a point.
fn has_interval(text: &str) -> bool {
    text.split(['[', '(']).skip(1).any(|rest| {
        let Some((inside, _)) = rest.split_once([']', ')']) else {
            return false;
        };
        let is_number = |word: &str| {
            let digits = word.trim_start_matches(['+', '-', '−']);
            word.contains(['+', '-', '−', '.']) && digits.parse::<f64>().is_ok()
        };
        inside
            .split_once(", ")
            .is_some_and(|(low, high)| is_number(low) && is_number(high))
    })
}

fn documents() -> Vec<PathBuf> {
    let mut pages = files_below(&manual(), &[".md"]);
    pages.extend(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(|name| repository().join(name)));
    pages
}

#[test]
fn every_study_says_with_what_it_was_made_and_its_first_line_whether_the_engine_is_another_one() {
    let today = signatures();
    assert!(today.contains_key("chess base") && today.contains_key("shogi soppo=dynamic,soppo.root=off"));
    for folder in folders() {
        let study = read(&folder);
        assert!(
            study.name.starts_with(&study.header["date"]),
            "results/{}: date: {}",
            study.name,
            study.header["date"]
        );
        let stale = study
            .is_stale(&today)
            .unwrap_or_else(|error| panic!("results/{}: {error}", study.name));
        let first = study.first_line(stale);
        let path = folder.join("README.md");
        let text = fs::read_to_string(&path).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        let is_true = text.starts_with(&format!("{first}\n"));
        if rewriting() && !is_true {
            fs::write(&path, format!("{first}\n{rest}")).unwrap();
        } else {
            assert!(
                is_true,
                "{}: the first line should be `{first}` (TANREN_REWRITE_DOCS=1 writes it)",
                shown(&path)
            );
        }
    }
}

#[test]
fn no_document_quotes_a_study_of_an_earlier_engine_without_saying_so() {
    let stale = stale_studies();
    let silent: Vec<String> = documents()
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let quotes = silent_quotes(&text, &stale);
            quotes
                .into_iter()
                .map(|(line, name)| format!("{}:{line}: results/{name} is {EARLIER}", shown(path)))
        })
        .collect();
    assert!(
        silent.is_empty(),
        "say `{EARLIER}` beside these, or make the study again:\n{}",
        silent.join("\n")
    );
}

#[test]
fn every_interval_in_a_document_names_the_study_that_it_comes_from_or_says_that_it_is_of_an_earlier_engine() {
    let mut nameless = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        for part in parts(&text) {
            let is_old = [part.text, part.before]
                .iter()
                .any(|text| text.contains("earlier engine"));
            if has_interval(part.text) && !is_old && !part.around.contains("results/2") {
                nameless.push(format!("{}:{}", shown(&path), part.line));
            }
        }
    }
    assert!(
        nameless.is_empty(),
        "an interval without its folder of results/ beside it, and not said to be {EARLIER}:\n{}",
        nameless.join("\n")
    );
}

/// The `studies/NAME.toml` that a text names.
fn study_files(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == '`');
    let files = words.filter(|word| word.starts_with("studies/") && word.ends_with(".toml"));
    files.map(str::to_owned).collect()
}

#[test]
fn every_study_file_made_a_study_that_names_it_and_none_is_named_that_is_not_there() {
    let named: BTreeSet<String> = folders()
        .iter()
        .flat_map(|folder| study_files(&read(folder).header["command"]))
        .collect();
    let files = files_below(&repository().join("studies"), &[".toml"]);
    let there: BTreeSet<String> = files.iter().map(|path| shown(path)).collect();
    assert!(there.len() > 9, "{there:?}");
    assert_eq!(named, there);
}

#[test]
fn every_study_file_is_a_queue_that_would_run_where_its_programs_are_installed() {
    let folder = tempfile::tempdir().unwrap();
    let present = env!("CARGO_BIN_EXE_tanren");
    for path in files_below(&repository().join("studies"), &[".toml"]) {
        let mut text = fs::read_to_string(&path).unwrap();
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
        let run = Command::new(present)
            .args(["run", "--dry-run"])
            .arg(&queue)
            .current_dir(repository())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{}: {said}", shown(&path));
    }
}

#[test]
fn a_quote_turns_silent_when_the_engine_changes() {
    let text = "# Study, 2026-01-02\n\n| | |\n|---|---|\n| engine | shogi 10, chess 20 |\n| command | `x` |\n| machine | m |\n| date | 2026-01-02 |\n";
    let study = Study::parse("2026-01-02-study", text).unwrap();
    let engines = |shogi, chess| {
        let names = ["shogi base", "chess base", "chess sayuri"].map(str::to_owned);
        names.into_iter().zip([shogi, chess, 30]).collect()
    };
    assert_eq!(study.is_stale(&engines(10, 20)), Ok(false));
    assert_eq!(study.is_stale(&engines(10, 21)), Ok(true));
    let of_preset = text.replace("chess 20", "chess 20, chess sayuri 31");
    let of_preset = Study::parse("2026-01-02-study", &of_preset).unwrap();
    assert_eq!(of_preset.is_stale(&engines(10, 20)), Ok(true));
    assert_eq!(study.first_line(false), "# Study, 2026-01-02");
    assert_eq!(
        study.first_line(true),
        "# Study, 2026-01-02 (of an earlier engine)"
    );

    let stale = ["2026-01-02-study".to_owned()];
    let quote = "Text.\n\nB is worth +3.1 [+1.0, +5.2] (`results/2026-01-02-study`).\n";
    assert_eq!(silent_quotes(quote, &stale), [(3, stale[0].clone())]);
    assert!(silent_quotes(quote, &[]).is_empty());
    let table = "| a | `results/2026-01-02-study`, an earlier engine |\n| b | `results/2026-01-02-study` |\n";
    assert_eq!(silent_quotes(table, &stale), [(2, stale[0].clone())]);
    let honest = quote.replace("worth", "worth, of an earlier engine,");
    assert!(silent_quotes(&honest, &stale).is_empty());
    assert!(has_interval(quote) && has_interval("+216 (+191, +243)"));
    assert!(!has_interval("see [a, b] and (1, 2)"));
}

#[test]
fn a_header_that_lacks_something_is_refused() {
    let header = |engine: &str| {
        format!(
            "# T\n\n| | |\n|---|---|\n| engine | {engine} |\n| command | `x` |\n| machine | m |\n| date | d |\n"
        )
    };
    let refused = |engine: &str| {
        let study = Study::parse("d-t", &header(engine)).unwrap();
        study.is_stale(&signatures()).unwrap_err()
    };
    assert!(refused("go 12").contains("no such game"));
    assert!(refused("shogi tacos 12").contains("no such game or configuration"));
    assert!(refused("shogi").contains("neither"));
    assert!(refused("shogi many").contains("invalid digit"));
    assert!(refused("shogi bench many").contains("invalid digit"));
    let error = Study::parse("d-t", "# T\n\nText.\n").unwrap_err();
    assert!(error.contains("`engine`"), "{error}");
    assert!(Study::parse("d-t", "T\n").unwrap_err().contains("title"));
}

/// Both ends of every line of the evaluation of chess: `eval.NAME.opening` or `eval.NAME`, and `eval.NAME.ending`.
fn ends_of_lines(base: &Config) -> Vec<[(&'static str, i32); 2]> {
    let value = |name: &str| base.get(Game::Chess, name).and_then(|text| text.parse().ok());
    let names: Vec<&'static str> = Config::settings(Game::Chess)
        .map(|setting| setting.name)
        .collect();
    let lines = names.iter().filter_map(|&ending| {
        let line = ending
            .strip_suffix(".ending")
            .filter(|line| *line != "eval.phase")?;
        let openings = names
            .iter()
            .filter(|name| name.strip_suffix(".opening").unwrap_or(name) == line);
        let opening = openings.filter_map(|&name| Some((name, value(name)?))).next()?;
        Some([opening, (ending, value(ending)?)])
    });
    lines.collect()
}

#[test]
fn the_flat_weights_that_are_asked_about_are_the_means_of_todays_lines() {
    let text = fs::read_to_string(repository().join("studies/chess-questions.toml")).unwrap();
    let asked = text
        .lines()
        .filter_map(|line| line.strip_prefix("b = \"base,eval."));
    let asked: BTreeSet<&str> = asked.collect();
    let [flat] = asked.iter().collect::<Vec<_>>()[..] else {
        panic!("flat weights that differ from limit to limit: {asked:#?}");
    };
    let flat = format!("base,eval.{}", flat.trim_end_matches('"'));
    let flat = Config::parse(Game::Chess, &flat).unwrap();
    let lines = ends_of_lines(&Config::base(Game::Chess));
    assert!(lines.len() > 30, "{} lines", lines.len());
    for ends in lines {
        let sum = ends[0].1 + ends[1].1;
        for (name, _) in ends {
            let asked: i32 = flat.get(Game::Chess, name).unwrap().parse().unwrap();
            assert!(
                (2 * asked - sum).abs() <= 1,
                "{name}={asked}: the mean of both ends is {}",
                f64::from(sum) / 2.0
            );
        }
    }
}
