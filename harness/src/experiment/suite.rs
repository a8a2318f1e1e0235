//! The positions that an experiment starts from.
//!
//! In: where they are. Out: a suite, with a warning if it repeats itself; the check of a suite as a job of its own.

use std::path::PathBuf;

use tanren_engine::game::{Game, Position};

use super::ExperimentError;
use super::findings::SuiteFindings;
use super::game::with_game;
use super::news::{Audience, News};
use super::outcome::{Ending, Findings, Outcome};
use crate::config::{Conditions, OpeningSource};
use crate::event::Warning;
use crate::openings::{self, OpeningError, OpeningSuite};

/// The openings of games under `conditions`.
pub(super) fn load_openings<P: Position>(
    conditions: &Conditions,
    audience: &mut dyn Audience,
) -> Result<OpeningSuite<P>, ExperimentError> {
    let suite = match &conditions.openings {
        OpeningSource::BuiltIn => openings::parse(openings::built_in(conditions.game), "the built-in suite"),
        OpeningSource::File(path) => openings::load(path),
    }?;
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.len();
        audience.hear(News::Warning(Warning::RepeatedOpenings { lines }))?;
    }
    Ok(suite)
}

/// The positions for counting nodes, those in `file` or the built-in ones.
pub(crate) fn load_positions<P: Position>(file: Option<&PathBuf>) -> Result<OpeningSuite<P>, OpeningError> {
    match file {
        None => openings::parse(
            openings::built_in_nodes(P::GAME),
            "the built-in positions for counting nodes",
        ),
        Some(path) => openings::load(path),
    }
}

/// The check of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSpec {
    /// Of which game.
    pub game: Game,
    /// The file; the built-in suite if there is none.
    pub file: Option<PathBuf>,
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
    /// The text of the suite, and what messages call it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn text(&self) -> Result<(String, String), ExperimentError> {
        let Some(path) = &self.file else {
            return Ok((
                openings::built_in(self.game).to_owned(),
                "the built-in suite".to_owned(),
            ));
        };
        let text = std::fs::read_to_string(path).map_err(|source| OpeningError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Ok((text, format!("'{}'", path.display())))
    }
}

fn check_lines<P: Position>(spec: &SuiteSpec) -> Result<SuiteFindings, ExperimentError> {
    let (text, origin) = spec.text()?;
    let wrong = openings::wrong_lines::<P>(&text, &origin);
    if !wrong.is_empty() {
        let lines: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        return Err(ExperimentError::Input(lines.join("\n")));
    }
    let suite: OpeningSuite<P> = openings::parse(&text, &origin)?;
    Ok(SuiteFindings {
        origin,
        positions: suite.openings.len(),
        duplicates: suite.duplicates,
    })
}
