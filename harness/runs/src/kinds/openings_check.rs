//! The positions that an experiment starts from.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use clap::Args;
use serde::Deserialize;
use serde_json::json;
use tanren_engine::game::Position;
use tanren_engine::search::Searchable;

use crate::config::{Mistakes, OpeningSource};
use crate::document::Document;
use crate::document::file::write_atomically;
use crate::document::gathered::Gathered;
use crate::document::number::plural;
use crate::openings::{Book, Figures, Opening, OpeningSuite};
use crate::session::Needs;
use crate::session::error::{ExperimentError, Result};
use crate::session::folder::check_out;
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::kind::{Holds, Keys, KeysInfo, Kind, KindInfo, Workload};
use crate::session::observer::RunObserver;
use crate::session::openings::SuiteSpec;
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, RunEnding};
use crate::session::stored::{Run, StoredSeats};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFindings {
    pub origin: String,
    pub positions: usize,
    pub duplicates: Vec<(u32, u32)>,
}

impl Found for SuiteFindings {
    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        let (positions, repeating) = (self.positions, self.duplicates.len());
        let mut lines = format!(
            "{}: {} distinct, {} repeated\n",
            self.origin,
            plural(positions as u64, "position"),
            plural(repeating as u64, "line")
        );
        for (line, first) in &self.duplicates {
            lines += &format!("line {line} repeats line {first}\n");
        }
        let values = json!({ "positions": positions, "duplicates": repeating });
        Document::of_text(lines, values)
    }

    fn files(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}

impl SuiteFindings {
    fn of<P: Position>(book: &Book, suite: OpeningSuite<P>) -> SuiteFindings {
        SuiteFindings {
            origin: book.origin().to_owned(),
            positions: suite.openings.len(),
            duplicates: suite.duplicates,
        }
    }
}

pub(crate) static KIND: KindInfo = KindInfo {
    name: "openings-check",
    holds: Holds::Parts,
    workload: Workload::Nothing,
    pauses: false,
    keys: KeysInfo::of::<SuiteKeys>(),
};

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub struct SuiteKeys {
    /// The game: shogi or chess (shogi).
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The suite, or random:PLIES for a thousand of its openings; the built-in one if absent.
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Plies taken from each game (all; from a book of moves 16).
    #[arg(long, value_name = "N", requires = "file")]
    plies: Option<u32>,
}

impl Keys for SuiteKeys {
    type Spec = SuiteSpec;

    fn spec(&self, _: Option<&Path>) -> Result<SuiteSpec> {
        let mut wrong = Mistakes::default();
        let game = wrong.game(self.game.as_ref(), []);
        let source = OpeningSource::of_key("file", self.file.as_ref(), 1, &mut wrong);
        wrong.unless(
            self.plies.is_none() || matches!(source, OpeningSource::File(_)),
            "plies",
            || "plies are those of the games of a file: give file, or leave plies out".to_owned(),
        );
        wrong.check()?;
        Ok(SuiteSpec {
            game,
            source,
            plies: self.plies,
        })
    }
}

impl Kind for SuiteSpec {
    fn needs(&self) -> Needs<'_> {
        Needs {
            suite: Some(self),
            ..Needs::nothing(self.game)
        }
    }

    fn run(&self, _: &RunOptions, _: &mut dyn RunObserver) -> Result<Outcome> {
        let found = with_game!(self.game, check_lines(self))?;
        Ok(Outcome {
            folder: self.source.text(Path::new("")).unwrap_or_default().into(),
            ending: RunEnding::Complete,
            findings: Box::new(found),
        })
    }

    fn recount(&self, _: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        Ok((Box::new(with_game!(self.game, check_lines(self))?), true))
    }

    fn seats(&self, _: &Path) -> Result<StoredSeats, String> {
        Err("a check of openings; it holds no games".to_owned())
    }
}

/// So many random openings are looked at.
const RANDOM_OPENINGS: u64 = 1_000;

impl SuiteSpec {
    fn book<P: Searchable>(&self) -> Result<Book> {
        Ok(match &self.source {
            OpeningSource::BuiltIn => Book::built_in(self.game),
            OpeningSource::File(path) => Book::read(path, self.plies)?,
            OpeningSource::Random(random) => {
                let openings = random.suite::<P>(RANDOM_OPENINGS).openings;
                let lines: Vec<String> = openings
                    .iter()
                    .map(Opening::position)
                    .map(|position| position.to_string())
                    .collect();
                Book::of_lines(
                    &lines.join("\n"),
                    &format!("the first {RANDOM_OPENINGS} of {random}"),
                )
            }
        })
    }
}

fn check_lines<P: Searchable>(spec: &SuiteSpec) -> Result<SuiteFindings> {
    let book = spec.book::<P>()?;
    let wrong = book.wrong::<P>();
    if !wrong.is_empty() {
        let lines: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        return Err(ExperimentError::Input(lines.join("\n")));
    }
    Ok(SuiteFindings::of(&book, book.suite::<P>()?))
}

#[derive(Debug, Clone, PartialEq)]
pub struct SuiteStatistics {
    pub origin: String,
    pub figures: Figures,
    pub sha256: String,
}

pub fn suite_statistics(spec: &SuiteSpec) -> Result<SuiteStatistics> {
    with_game!(spec.game, statistics(spec))
}

fn statistics<P: Searchable>(spec: &SuiteSpec) -> Result<SuiteStatistics> {
    let book = spec.book::<P>()?;
    let suite: OpeningSuite<P> = book.suite()?;
    Ok(SuiteStatistics {
        figures: Figures::of(&suite),
        sha256: suite.sha256,
        origin: book.origin().to_owned(),
    })
}

/// Writes to `out` every line of a suite but those that repeat a position; of games, or a book of moves, the positions.
pub fn deduplicate(spec: &SuiteSpec, out: &Path, replaces: bool) -> Result<SuiteFindings> {
    check_out(out, replaces)?;
    with_game!(spec.game, write_distinct(spec, out))
}

fn write_distinct<P: Searchable>(spec: &SuiteSpec, out: &Path) -> Result<SuiteFindings> {
    let book = spec.book::<P>()?;
    let suite: OpeningSuite<P> = book.suite()?;
    let repeated: HashSet<u32> = suite.duplicates.iter().map(|&(line, _)| line).collect();
    let lines: Vec<String> = match book.lines() {
        Some(lines) if spec.plies.is_none() => {
            let numbered = (1..).zip(lines);
            let kept = numbered.filter(|(line, _)| !repeated.contains(line));
            kept.map(|(_, content)| content).collect()
        }
        _ => {
            let openings = suite.openings.iter();
            openings.map(|opening| opening.position().to_string()).collect()
        }
    };
    write_atomically(out, |output| {
        lines.iter().try_for_each(|content| writeln!(output, "{content}"))
    })?;
    Ok(SuiteFindings::of(&book, suite))
}
