//! What any run found: its files, its text, its JSON.
//!
//! In: an outcome, or what is found so far. Out: the files of its folder, lines for a reader, one JSON value.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use tanren_engine::game::Position;

use super::ablation::{ablation_json, describe_ablation, write_ablation};
use super::engines;
use super::files::{ReportError, write_atomically, write_engines, write_hosts, write_match};
use super::hosts;
use super::night::{NightRow, describe_night, night_csv, night_json, night_rows};
use super::nodes::NodesReport;
use super::odds::OddsReport;
use super::suite::describe_suite;
use super::summary::Summary;
use super::text::{compare, describe as describe_match};
use super::tournament::TournamentReport;
use super::tuning::TuningReport;
use crate::experiment::{
    Findings, Found, NightFindings, NodesFindings, OddsFindings, Outcome, TournamentFindings, with_game,
    write_text,
};
use crate::ledger::Ledger;

/// Writes the files of `found` into `folder`.
///
/// # Errors
/// The ledger cannot be read or a file not written.
pub fn write_files(folder: &Path, ledger: Option<&Ledger>, found: Found<'_>) -> Result<(), ReportError> {
    // A night's specification is the file of its queue, which stands elsewhere; a count of nodes has none.
    if let (Some(ledger), false) = (ledger, matches!(found, Found::Nodes(_) | Found::Night(_))) {
        write_text(&folder.join("run.toml"), &ledger.about()?.spec_toml)?;
    }
    match (found, ledger) {
        (Found::Match(found), Some(ledger)) => with_game!(found.game, write_match(folder, ledger, found)),
        (Found::Tournament(found), Some(ledger)) => {
            with_game!(found.game, write_tournament(folder, ledger, found))
        }
        (Found::Tuning(found), _) => {
            write_hosts(folder, &found.hosts)?;
            TuningReport::new(found).write(folder)
        }
        (Found::Odds(found), _) => odds(found).write(folder),
        (Found::Ablation(found), _) => write_ablation(folder, &found.rows),
        (Found::Nodes(found), _) => {
            write_hosts(folder, &found.hosts)?;
            nodes(found).write(folder)
        }
        (Found::Night(found), _) => {
            let csv = night_csv(&night(found));
            write_atomically(&folder.join("night.csv"), |output| output.write_all(&csv?))
        }
        // What is not counted from a ledger has no files.
        (Found::Match(_) | Found::Tournament(_) | Found::Suite(_), _) => Ok(()),
    }
}

fn write_tournament<P: Position>(
    folder: &Path,
    ledger: &Ledger,
    found: &TournamentFindings,
) -> Result<(), ReportError> {
    write_engines(folder, &found.engines)?;
    write_hosts(folder, &found.hosts)?;
    tournament(found).write::<P>(folder, ledger, found.counted)
}

/// The result in a few lines or a table.
pub fn describe(findings: &Findings) -> String {
    match findings.found() {
        Found::Match(found) => {
            let result = describe_match(&Summary::new(&found.standing, &found.labels), &found.standing);
            let (engines, hosts) = (engines::lines(&found.engines), hosts::lines(&found.hosts));
            format!("{result}{engines}{hosts}")
        }
        Found::Tournament(found) => {
            let table = tournament(found).describe();
            match engines::lines(&found.engines) + &hosts::lines(&found.hosts) {
                lines if lines.is_empty() => table,
                lines => format!("{table}\n{lines}"),
            }
        }
        Found::Tuning(found) => {
            let report = TuningReport::new(found).describe();
            format!("{report}{}", hosts::lines(&found.hosts))
        }
        Found::Odds(found) => odds(found).describe(),
        Found::Ablation(found) => describe_ablation(found),
        Found::Nodes(found) => match hosts::lines(&found.hosts) {
            lines if lines.is_empty() => nodes(found).describe(),
            lines => format!("{}\n{lines}", nodes(found).describe()),
        },
        Found::Night(found) => describe_night(&night(found)),
        Found::Suite(found) => describe_suite(found),
    }
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

/// The result as one JSON value.
pub fn json(findings: &Findings) -> Value {
    match findings.found() {
        Found::Match(found) => {
            let summary = Summary::new(&found.standing, &found.labels).json();
            hosts::within(engines::within(summary, &found.engines), &found.hosts)
        }
        Found::Tournament(found) => {
            let table = tournament(found).json();
            hosts::within(engines::within(table, &found.engines), &found.hosts)
        }
        Found::Tuning(found) => hosts::within(TuningReport::new(found).json(), &found.hosts),
        Found::Odds(found) => odds(found).json(),
        Found::Ablation(found) => ablation_json(&found.rows),
        Found::Nodes(found) => nodes(found).json(),
        Found::Night(found) => night_json(&night(found)),
        Found::Suite(found) => {
            json!({ "positions": found.positions, "duplicates": found.duplicates.len() })
        }
    }
}

/// Several results: matches side by side, one line each; what else there is one after the other.
pub fn describe_all(outcomes: &[Outcome]) -> String {
    let name = |outcome: &Outcome| outcome.folder.display().to_string();
    let summaries = outcomes.iter().map(|outcome| match &outcome.findings {
        Findings::Match(found) => Some((name(outcome), Summary::new(&found.standing, &found.labels))),
        _ => None,
    });
    if let Some(summaries) = summaries.collect::<Option<Vec<(String, Summary)>>>() {
        return compare(summaries.iter().map(|(name, summary)| (name.clone(), summary)));
    }
    let parts = outcomes
        .iter()
        .map(|outcome| format!("{}\n\n{}", name(outcome), describe(&outcome.findings)));
    parts.collect::<Vec<_>>().join("\n")
}

fn tournament(found: &TournamentFindings) -> TournamentReport<'_> {
    TournamentReport::new(&found.labels, &found.crosstable, found.invalid()).anchored(found.anchor)
}

pub(super) fn odds(found: &OddsFindings) -> OddsReport<'_> {
    OddsReport {
        labels: &found.labels,
        unit: found.unit,
        resource: found.resource,
        limit_b: found.limit_b,
        steps: &found.steps,
        faults: &found.faults,
        invalid: found.invalid.as_ref(),
    }
}

pub(super) fn nodes(found: &NodesFindings) -> NodesReport<'_> {
    NodesReport {
        labels: &found.labels,
        lines: &found.lines,
        searches: &found.searches,
        summary: &found.summary,
    }
}

pub(super) fn night(found: &NightFindings) -> Vec<NightRow<'_>> {
    night_rows(found.jobs.iter().map(|(job, entry)| (job, entry.as_ref())))
}
