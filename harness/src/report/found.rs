//! What any run found: its document, its files, its text, its JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::document::{Block, Document, Section};
use super::gathered::Gathered;
use super::summary::Summary;
use super::text::Text;
use super::{ablation, game_files, matches, nodes, odds, queue, suite, tournament, tuning};
use crate::experiment::{FileError, Findings, Found, Outcome, write_text};
use crate::ledger::{Ledger, LedgerError};

/// `games` is what only the games tell, which a page shows.
pub(super) fn document<'a>(found: Found<'a>, games: Option<&Gathered>) -> Document<'a> {
    match found {
        Found::Match(found) => matches::document(found, games),
        Found::Tournament(found) => tournament::document(found, games),
        Found::Tuning(found) => tuning::document(found),
        Found::Odds(found) => odds::document(found),
        Found::Ablation(found) => ablation::document(found),
        Found::Nodes(found) => nodes::document(found),
        Found::Night(found) => queue::document(found),
        Found::Suite(found) => Document {
            title: found.origin.clone(),
            headline: Text::plain(found.positions.to_string()),
            sections: vec![Section::new(
                "result",
                Text::plain(""),
                vec![
                    Block::Lines(suite::describe_suite(found)),
                    Block::values(
                        json!({ "positions": found.positions, "duplicates": found.duplicates.len() }),
                    ),
                ],
            )],
        },
    }
}

pub(super) fn gathered(found: Found<'_>, ledger: &Ledger) -> Result<Option<Gathered>, LedgerError> {
    match found {
        Found::Match(found) => Gathered::of(ledger, found.standing.tally().pairs(), false).map(Some),
        Found::Tournament(found) => Gathered::of(ledger, found.counted, true).map(Some),
        _ => Ok(None),
    }
}

/// Writes the files of `found` into `folder`.
pub fn write_files(folder: &Path, ledger: Option<&Ledger>, found: Found<'_>) -> Result<(), FileError> {
    // The specification of a queue is its own file, which is elsewhere; a count of nodes has none.
    if let (Some(ledger), false) = (ledger, matches!(found, Found::Nodes(_) | Found::Night(_))) {
        write_text(&folder.join("run.toml"), &ledger.about()?.spec_toml)?;
    }
    match (found, ledger) {
        (Found::Match(found), Some(ledger)) => {
            let counted = found.standing.tally().pairs();
            game_files::write_games(folder, ledger, found.game, counted, &found.labels, false)?;
            matches::write_steps(folder, found)?;
        }
        (Found::Tournament(found), Some(ledger)) => {
            game_files::write_games(folder, ledger, found.game, found.counted, &found.labels, true)?;
        }
        (Found::Tuning(found), _) => tuning::write_tuned(folder, found)?,
        (Found::Nodes(found), _) => nodes::write_searches(folder, found)?,
        // What is not counted from a ledger has no files.
        (Found::Match(_) | Found::Tournament(_), None) => return Ok(()),
        _ => {}
    }
    document(found, None).write(folder)
}

pub fn describe(findings: &Findings) -> String {
    document(findings.found(), None).text()
}

/// As [`describe`], and where the files are.
pub fn describe_with_files(outcome: &Outcome) -> String {
    let (text, folder) = (describe(&outcome.findings), outcome.folder.display());
    match &outcome.findings {
        Findings::Match(_) | Findings::Tuning(_) | Findings::Odds(_) => format!("{text}files    {folder}\n"),
        Findings::Tournament(_) | Findings::Ablation(_) | Findings::Nodes(_) => {
            format!("{text}\nfiles  {folder}\n")
        }
        Findings::Night(_) => format!("\n{text}files  {folder}\n"),
        Findings::Suite(_) => text,
    }
}

pub fn json(findings: &Findings) -> Value {
    document(findings.found(), None).json()
}

/// Several results: matches side by side, one line each; what else there is one after the other.
pub fn describe_all(outcomes: &[Outcome]) -> String {
    let name = |outcome: &Outcome| outcome.folder.display().to_string();
    let summaries = outcomes.iter().map(|outcome| match &outcome.findings {
        Findings::Match(found) => Some((name(outcome), Summary::new(&found.standing, &found.labels))),
        _ => None,
    });
    if let Some(summaries) = summaries.collect::<Option<Vec<(String, Summary)>>>() {
        return matches::compare(summaries.into_iter());
    }
    let parts = outcomes
        .iter()
        .map(|outcome| format!("{}\n\n{}", name(outcome), describe(&outcome.findings)));
    parts.collect::<Vec<_>>().join("\n")
}
