//! The files and the text of a tuning.
//!
//! In: steps, the space, the verdict of the confirming match. Out: CSV, TOML, JSON and text. Must not: compute a step.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::cell::Cell;
use super::faults::{self, columns_of_both, insert_kinds};
use super::files::{ReportError, write_atomically};
use super::number::{ELO_DECIMALS, signed};
use super::plot;
use super::sheet::Sheet;
use super::summary::Summary;
use super::surface;
use super::table::{Align, table, wrapped};
use crate::experiment::{TuningFindings, TuningSpec};
use crate::standing::Verdict;
use crate::stats::Estimate;

/// A tuning, finished or not.
pub struct TuningReport<'a> {
    found: &'a TuningFindings,
    /// What the confirming match says, A being the tuned player.
    summary: Option<Summary>,
}

impl<'a> TuningReport<'a> {
    /// Of what a tuning found.
    pub fn new(found: &'a TuningFindings) -> TuningReport<'a> {
        let summary = found.confirmation.as_ref();
        TuningReport {
            found,
            summary: summary.map(|found| Summary::new(&found.standing, &found.labels)),
        }
    }
}

impl TuningReport<'_> {
    /// Writes `tuned.toml`, `spsa.svg` and `summary.csv` into `folder`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let (spec, path) = (&self.found.spec, folder.join("tuned.toml"));
        let tuned = spec.player_toml(&self.found.tuned());
        let tuned = tuned.map_err(|error| ReportError::Write {
            path: path.clone(),
            source: io::Error::other(error),
        })?;
        write_atomically(&path, |output| output.write_all(tuned.as_bytes()))?;
        let svg = plot::tuning::svg(spec.label(), &spec.plan, &spec.space, &self.found.trajectory);
        if let Some(surface) = &self.found.trajectory.surface {
            surface::write(surface, &spec.space, folder)?;
        }
        write_atomically(&folder.join("spsa.svg"), |output| {
            output.write_all(svg?.as_bytes())
        })?;
        let csv = sheet().csv([self]);
        write_atomically(&folder.join("summary.csv"), |output| output.write_all(&csv?))
    }

    /// Start, now and change of every parameter, then the verdict.
    pub fn describe(&self) -> String {
        let mut rows = vec![
            ["parameter", "start", "now", "change", "in c"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (parameter, now) in self.found.spec.space.parameters().iter().zip(self.found.tuned()) {
            let change = now - parameter.start;
            rows.push(vec![
                parameter.name.clone(),
                parameter.text(parameter.start),
                parameter.text(now),
                if change == 0.0 {
                    "0".to_owned()
                } else {
                    format!("{change:+}")
                },
                signed(Some(change / parameter.c_end), 2),
            ]);
        }
        let surface = self.surface_text();
        let about = format!(
            "tuned    {} parameters of {} by {}, {} of {} iterations, {} games\nresult   {}\n",
            self.found.spec.space.parameters().len(),
            self.found.spec.label(),
            self.found.spec.plan.method.name(),
            self.found.trajectory.applied,
            self.found.spec.plan.iterations,
            2 * self.found.pairs(),
            self.verdict_text()
        );
        let about = about + &faults::lines(&self.found.faults, &TuningSpec::SIDES.map(str::to_owned));
        table(&rows, Align::Right) + &surface + &wrapped(&about)
    }

    /// The result as one object.
    pub fn json(&self) -> Value {
        let parameters = self.found.spec.space.parameters().iter().zip(self.found.tuned());
        let parameters = parameters.map(|(parameter, now)| {
            json!({"name": parameter.name, "start": parameter.start, "now": now, "c_end": parameter.c_end})
        });
        let parameters: Vec<Value> = parameters.collect();
        let mut object = sheet().object(self);
        object.insert("parameters".to_owned(), Value::Array(parameters));
        insert_kinds(&mut object, &self.found.faults);
        Value::Object(object)
    }

    fn verdict_text(&self) -> String {
        if let Some(invalid) = self.found.invalid() {
            return format!("INVALID: {invalid}; nothing is said about strength");
        }
        if !self.found.is_finished() {
            return "not known: the tuning is not finished".to_owned();
        }
        if self.found.has_no_signal() {
            return "NO SIGNAL: keep your values; the games show nothing to gain beyond their noise"
                .to_owned();
        }
        let Some(summary) = &self.summary else {
            if self.found.tuned() == self.found.spec.space.start() {
                return "nothing: every parameter is where it started".to_owned();
            }
            return "not confirmed: no match of tuned against start was played to its end".to_owned();
        };
        let (estimate, basis) = match &summary.estimates.stopped {
            Some(stopped) => (stopped.elo, ", allowing for the test's stop,"),
            None => (summary.estimates.elo, ""),
        };
        let elo = format!(
            "{} Elo [{}, {}]{basis} after {} pairs on other openings",
            signed(estimate.value, 1),
            signed(estimate.low, 1),
            signed(estimate.high, 1),
            summary.tally.pairs()
        );
        match summary.verdict {
            Verdict::AcceptedH1 => format!("CONFIRMED: tuned is stronger than start, {elo}"),
            Verdict::AcceptedH0 => format!("FAILED: tuned is not stronger than start, {elo}"),
            Verdict::Interrupted => format!("not known: the confirming match was stopped, {elo}"),
            Verdict::Identical => format!("FAILED: tuned plays the same games as start, {elo}"),
            Verdict::LimitReached | Verdict::FixedLength | Verdict::Invalid => format!("UNDECIDED: {elo}"),
        }
    }

    /// The optimum of a surface with its interval.
    fn surface_text(&self) -> String {
        let surface = self.found.trajectory.surface.as_ref();
        surface.map_or_else(String::new, |found| {
            surface::describe(found, &self.found.spec.space)
        })
    }

    /// What the confirming match says, or why there is none.
    fn verdict(&self) -> &'static str {
        self.found.verdict_name()
    }

    fn confirmed(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }
}

/// The columns of a tuning's `summary.csv`.
pub(super) fn sheet<'a>() -> Sheet<'a, TuningReport<'a>> {
    let sheet = Sheet::new()
        .column("player", "label of the player", |report: &TuningReport<'_>| {
            report.found.spec.label().into()
        })
        .column("method", "how it was tuned", |report| {
            report.found.spec.plan.method.name().into()
        })
        .column(
            "verdict",
            "the verdict of the confirming match; `no_signal` if the values are those of the start, `unconfirmed` without a match",
            |report| report.verdict().into(),
        )
        .column("iterations", "iterations applied", |report| {
            report.found.trajectory.applied.into()
        })
        .column("pairs", "pairs of the tuning", |report| {
            report.found.pairs().into()
        })
        .column("confirm_pairs", "pairs of the confirming match", |report| {
            report.confirmed().map(|summary| summary.tally.pairs()).into()
        })
        .estimate(
            ["elo", "elo_low", "elo_high"],
            "Elo of the tuned player against the start, as if the length had been fixed",
            ELO_DECIMALS,
            |report| {
                report
                    .confirmed()
                    .map_or(Estimate::UNKNOWN, |summary| summary.estimates.elo)
            },
        );
    let sides = ["the side of plus", "the side of minus"];
    columns_of_both(sheet, sides, |report: &TuningReport<'_>| {
        report.found.faults.of_both()
    })
    .column("verdict_reason", "why the verdict is `invalid`", |report| {
        report.found.invalid().map(|invalid| invalid.to_string()).into()
    })
    .column(
        "kept",
        "the share of its movement that the method kept against noise, 0 for no signal; empty for a method that does not ask",
        |report| Cell::fixed(report.found.trajectory.kept, 3),
    )
    .estimate(
        ["stopped_elo", "stopped_low", "stopped_high"],
        "that Elo, allowing for the stop of a sequential test",
        ELO_DECIMALS,
        |report| {
            let stopped = report.confirmed().and_then(|summary| summary.estimates.stopped);
            stopped.map_or(Estimate::UNKNOWN, |stopped| stopped.elo)
        },
    )
}
