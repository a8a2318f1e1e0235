//! What any run found: its document, its files, its text, its JSON.

use std::path::Path;

use serde_json::Value;

use crate::document::answer::State;
use crate::document::file::{FileError, write_text};
use crate::document::summary::Summary;
use crate::document::table::named_lines;
use crate::kinds::ablate::AblationFindings;
use crate::kinds::match_::MatchFindings;
use crate::kinds::match_::report;
use crate::ledger::{Ledger, is_being_written};
use crate::report::output::note;
use crate::session::found::Found;
use crate::session::outcome::Outcome;

pub fn write_files(folder: &Path, ledger: Option<&Ledger>, found: &dyn Found) -> Result<(), FileError> {
    if let Some(ledger) = ledger.filter(|_| found.has_run_file()) {
        write_text(&folder.join("run.toml"), &ledger.manifest()?.spec_toml)?;
    }
    if !found.write_bulk(folder, ledger)? {
        return Ok(());
    }
    found.document(None).write(folder)
}

/// The answer, and what it rests on.
pub fn describe(found: &dyn Found) -> String {
    found.document(None).text()
}

/// As [`describe`], with all details or without, and the files to look at.
pub fn describe_with_files(outcome: &Outcome, has_details: bool) -> String {
    let (found, folder) = (&*outcome.findings, &outcome.folder);
    let files = found.files().iter();
    let files = named_lines(files.map(|(name, file)| (*name, folder.join(file).display().to_string())));
    let blank = if files.is_empty() { "" } else { "\n" };
    let mut document = found.document(None);
    if document.answer.state == State::Undecided && is_being_written(folder) {
        document.answer.state = State::Running;
    }
    format!("{}{blank}{files}", document.text_with(has_details))
}

/// As [`describe_with_files`], and how fast a match was played, which a run tells when it ends.
pub fn describe_again(outcome: &Outcome, has_details: bool) -> String {
    let found = outcome.findings.of::<MatchFindings>();
    let speed = found.and_then(|found| found.match_state.games_per_second());
    let speed = speed.map(|speed| ("Speed", format!("{speed:.1} games/s")));
    describe_with_files(outcome, has_details) + &named_lines(speed)
}

pub fn json(found: &dyn Found) -> Value {
    found.document(None).json()
}

/// Ablations, all of one base, as one.
pub(crate) fn pooled<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> Option<AblationFindings> {
    let parts = outcomes.map(|outcome| outcome.findings.of::<AblationFindings>());
    let parts = parts
        .collect::<Option<Vec<_>>>()
        .filter(|parts| parts.len() > 1)?;
    AblationFindings::pooled(&parts)
        .map_err(|why| note(&format!("the ablations are not pooled: {why}")))
        .ok()
}

/// Several results: matches side by side, one line each; ablations pooled; what else there is one after the other.
pub fn describe_all(outcomes: &[Outcome]) -> String {
    let name = |outcome: &Outcome| outcome.folder.display().to_string();
    let summaries = outcomes.iter().map(|outcome| {
        let found = outcome.findings.of::<MatchFindings>()?;
        Some((name(outcome), Summary::new(&found.match_state, &found.labels)))
    });
    if let Some(summaries) = summaries.collect::<Option<Vec<(String, Summary)>>>() {
        return report::compare(summaries.into_iter());
    }
    if let Some(pooled) = pooled(outcomes.iter()) {
        return describe(&pooled);
    }
    let parts = outcomes
        .iter()
        .map(|outcome| format!("{}\n\n{}", name(outcome), describe(&*outcome.findings)));
    parts.collect::<Vec<_>>().join("\n")
}
