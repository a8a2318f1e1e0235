//! The positions that an experiment starts from.
//!
//! In: where they are. Out: a suite, with a warning if it repeats itself; the check of a suite as a job of its own.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use tanren_engine::game::{Game, Position};

use super::ExperimentError;
use super::file::write_atomically;
use super::findings::SuiteFindings;
use super::game::with_game;
use super::news::{Audience, News};
use super::out::check_out;
use super::outcome::{Ending, Findings, Outcome};
use crate::config::{Conditions, Identity, OpeningOrder, OpeningSource};
use crate::event::Warning;
use crate::openings::{self, Book, Figures, OpeningError, OpeningSuite, Relatives};

/// What an identity calls the digest of openings.
const OPENINGS: &str = "openings (SHA-256)";

/// The openings of games under `conditions`.
pub(super) fn load_openings<P: Position>(
    conditions: &Conditions,
    audience: &mut dyn Audience,
) -> Result<OpeningSuite<P>, ExperimentError> {
    let suite: OpeningSuite<P> = match &conditions.openings {
        OpeningSource::BuiltIn => openings::built_in(),
        OpeningSource::File(path) => openings::load(path, conditions.book_plies)?,
    };
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.len();
        audience.hear(News::Warning(Warning::RepeatedOpenings { lines }))?;
    }
    if conditions.order == OpeningOrder::Sequential {
        let texts: Vec<String> = suite
            .openings
            .iter()
            .map(|opening| opening.position().to_string())
            .collect();
        if let Some(found) = Relatives::of(&texts).filter(Relatives::are_neighbours) {
            audience.hear(News::Warning(Warning::RelatedOpenings {
                neighbours: found.neighbours,
                far_apart: found.far_apart,
            }))?;
        }
    }
    Ok(suite)
}

/// Does `identity` say that the openings were those of this digest?
pub(super) fn has_openings(identity: &Identity, digest: &str) -> bool {
    let stored = identity.get(OPENINGS);
    // A part of a suite names the whole.
    stored.is_some_and(|stored| stored.contains(digest))
}

/// The positions for counting nodes, those in `file` or the built-in ones.
pub(crate) fn load_positions<P: Position>(file: Option<&PathBuf>) -> Result<OpeningSuite<P>, OpeningError> {
    match file {
        None => Ok(openings::built_in_nodes()),
        Some(path) => openings::load(path, None),
    }
}

/// The check of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSpec {
    /// Of which game.
    pub game: Game,
    /// The file; the built-in suite if there is none.
    pub file: Option<PathBuf>,
    /// Moves of each of its games at most.
    pub plies: Option<u32>,
}

/// Checks every line of a suite.
pub(super) fn check(spec: &SuiteSpec) -> Result<Outcome, ExperimentError> {
    let findings = with_game!(spec.game, check_lines(spec))?;
    Ok(Outcome {
        folder: spec.file.clone().unwrap_or_default(),
        ending: Ending::Complete,
        findings: Findings::Suite(findings),
    })
}

impl SuiteSpec {
    /// The suite as it was read.
    ///
    /// # Errors
    /// The file cannot be read.
    fn book(&self) -> Result<Book, ExperimentError> {
        Ok(match &self.file {
            Some(path) => Book::read(path, self.plies)?,
            None => Book::built_in(self.game),
        })
    }
}

fn check_lines<P: Position>(spec: &SuiteSpec) -> Result<SuiteFindings, ExperimentError> {
    let book = spec.book()?;
    let wrong = book.wrong::<P>();
    if !wrong.is_empty() {
        let lines: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        return Err(ExperimentError::Input(lines.join("\n")));
    }
    let suite: OpeningSuite<P> = book.suite()?;
    Ok(SuiteFindings {
        origin: book.origin().to_owned(),
        positions: suite.openings.len(),
        duplicates: suite.duplicates,
    })
}

/// A suite in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct SuiteStatistics {
    /// The file, or what stands for it.
    pub origin: String,
    /// The numbers.
    pub figures: Figures,
    /// SHA-256 of its text.
    pub sha256: String,
}

/// Counts what a suite is like.
///
/// # Errors
/// Unreadable, or a line that is no position.
pub fn suite_statistics(spec: &SuiteSpec) -> Result<SuiteStatistics, ExperimentError> {
    with_game!(spec.game, statistics(spec))
}

fn statistics<P: Position>(spec: &SuiteSpec) -> Result<SuiteStatistics, ExperimentError> {
    let book = spec.book()?;
    let suite: OpeningSuite<P> = book.suite()?;
    Ok(SuiteStatistics {
        figures: Figures::of(&suite),
        sha256: suite.sha256,
        origin: book.origin().to_owned(),
    })
}

/// Writes to `out` every line of a suite but those that repeat a position; of games, or a book of moves, the positions.
///
/// # Errors
/// Unreadable, a line that is no position, or `out` exists and is not to be replaced, or cannot be written.
pub fn deduplicate(spec: &SuiteSpec, out: &Path, replaces: bool) -> Result<SuiteFindings, ExperimentError> {
    check_out(out, replaces)?;
    with_game!(spec.game, write_distinct(spec, out))
}

fn write_distinct<P: Position>(spec: &SuiteSpec, out: &Path) -> Result<SuiteFindings, ExperimentError> {
    let book = spec.book()?;
    let suite: OpeningSuite<P> = book.suite()?;
    let repeated: HashSet<u32> = suite.duplicates.iter().map(|&(line, _)| line).collect();
    let lines = match book.lines() {
        Some(lines) if spec.plies.is_none() => {
            let numbered = (1..).zip(lines);
            let kept = numbered.filter(|(line, _)| !repeated.contains(line));
            kept.map(|(_, content)| content).collect()
        }
        _ => positions_of(&suite),
    };
    write_atomically(out, |output| {
        lines.iter().try_for_each(|content| writeln!(output, "{content}"))
    })?;
    Ok(SuiteFindings {
        origin: book.origin().to_owned(),
        positions: suite.openings.len(),
        duplicates: suite.duplicates,
    })
}

fn positions_of<P: Position>(suite: &OpeningSuite<P>) -> Vec<String> {
    suite
        .openings
        .iter()
        .map(|opening| opening.position().to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_without_repeated_lines_keeps_its_comments_and_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in.sfen");
        let start = "startpos";
        let other = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        std::fs::write(&file, format!("# mine\n{other}\n{start}\n{other}\n")).unwrap();
        let spec = SuiteSpec {
            game: Game::Shogi,
            file: Some(file),
            plies: None,
        };
        let out = folder.path().join("out.sfen");
        let found = deduplicate(&spec, &out, false).unwrap();
        assert_eq!((found.positions, found.duplicates), (2, vec![(4, 2)]));
        let written = std::fs::read_to_string(&out).unwrap();
        assert_eq!(written, format!("# mine\n{other}\n{start}\n"));
        assert_eq!(suite_statistics(&spec).unwrap().figures.duplicates, 1);
        let nowhere = deduplicate(&spec, Path::new("no/such/folder/x.sfen"), false);
        assert!(nowhere.unwrap_err().is_input());
    }
}
