//! The files and the text of a tuning.
//!
//! In: steps, the space, the verdict of the confirming match. Out: CSV, TOML, JSON and text. Must not: compute a step.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::files::{ReportError, write_atomically};
use super::number::{ELO_DECIMALS, signed};
use super::plot;
use super::sheet::Sheet;
use super::summary::{NOTHING, Summary};
use super::table::{Align, table, wrapped};
use super::tuning_history::TuningHistory;
use crate::standing::Verdict;
use crate::tune::{Plan, Space};

/// The match of start against tuned.
pub struct Confirmation {
    /// Its result, A being the tuned player.
    pub summary: Summary,
}

/// A tuning, finished or not.
pub struct TuningReport<'a> {
    /// What the player is called.
    pub label: &'a str,
    /// What was tuned.
    pub space: &'a Space,
    /// How.
    pub plan: &'a Plan,
    /// What happened.
    pub history: &'a TuningHistory,
    /// The confirming match, if it was played.
    pub confirmation: Option<&'a Confirmation>,
}

impl TuningReport<'_> {
    /// Writes `tuned.toml`, `spsa.svg` and `summary.csv` into `folder`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path, tuned_toml: &str) -> Result<(), ReportError> {
        write_atomically(&folder.join("tuned.toml"), |output| {
            output.write_all(tuned_toml.as_bytes())
        })?;
        let svg = plot::tuning::svg(self.label, self.plan, self.space, self.history);
        write_atomically(&folder.join("spsa.svg"), |output| {
            output.write_all(svg?.as_bytes())
        })?;
        let csv = sheet().csv([self]);
        write_atomically(&folder.join("summary.csv"), |output| output.write_all(&csv?))
    }

    /// The values found, as the parameters take them.
    pub fn tuned(&self) -> Vec<f64> {
        self.space.nearest(&self.history.estimate)
    }

    /// Start, now and change of every parameter, then the verdict.
    pub fn describe(&self) -> String {
        let mut rows = vec![
            ["parameter", "start", "now", "change", "in c"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (parameter, now) in self.space.parameters().iter().zip(self.tuned()) {
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
        let about = format!(
            "tuned    {} parameters of {} by {}, {} of {} iterations, {} games\nresult   {}\n",
            self.space.parameters().len(),
            self.label,
            self.plan.method.name(),
            self.history.applied,
            self.plan.iterations,
            2 * self.history.applied * self.plan.pairs_per_iteration,
            self.verdict_text()
        );
        table(&rows, Align::Right) + &wrapped(&about)
    }

    /// The result as one object.
    pub fn json(&self) -> Value {
        let parameters = self.space.parameters().iter().zip(self.tuned());
        let parameters = parameters.map(|(parameter, now)| {
            json!({"name": parameter.name, "start": parameter.start, "now": now, "c_end": parameter.c_end})
        });
        let parameters: Vec<Value> = parameters.collect();
        let mut object = sheet().object(self);
        object.insert("parameters".to_owned(), Value::Array(parameters));
        Value::Object(object)
    }

    fn is_finished(&self) -> bool {
        self.history.applied == self.plan.iterations
    }

    fn verdict_text(&self) -> String {
        if !self.is_finished() {
            return "not known: the tuning is not finished".to_owned();
        }
        let Some(Confirmation { summary }) = self.confirmation else {
            if self.tuned() == self.space.start() {
                return "nothing: every parameter is where it started".to_owned();
            }
            return "not confirmed: no match of tuned against start was played to its end".to_owned();
        };
        let elo = format!(
            "{} Elo [{}, {}] after {} pairs on other openings",
            signed(summary.elo.value, 1),
            signed(summary.elo.low, 1),
            signed(summary.elo.high, 1),
            summary.tally.pairs()
        );
        match summary.verdict {
            Verdict::AcceptedH1 => format!("CONFIRMED: tuned is stronger than start, {elo}"),
            Verdict::AcceptedH0 => format!("FAILED: tuned is not stronger than start, {elo}"),
            Verdict::Interrupted => format!("not known: the confirming match was stopped, {elo}"),
            Verdict::Identical => format!("FAILED: tuned plays the same games as start, {elo}"),
            Verdict::LimitReached | Verdict::FixedLength => format!("UNDECIDED: {elo}"),
        }
    }

    /// What the confirming match says, or why there is none.
    fn verdict(&self) -> &'static str {
        match self.confirmation {
            Some(confirmation) => confirmation.summary.verdict.name(),
            None if self.is_finished() => "unconfirmed",
            None => Verdict::Interrupted.name(),
        }
    }

    fn confirmed(&self) -> Option<&Summary> {
        self.confirmation.map(|confirmation| &confirmation.summary)
    }
}

/// The columns of a tuning's `summary.csv`.
pub(super) fn sheet<'a>() -> Sheet<'a, TuningReport<'a>> {
    Sheet::new()
        .column("player", "label of the player", |report: &TuningReport<'_>| {
            report.label.into()
        })
        .column("method", "how it was tuned", |report| {
            report.plan.method.name().into()
        })
        .column(
            "verdict",
            "the verdict of the confirming match, or `unconfirmed`",
            |report| report.verdict().into(),
        )
        .column("iterations", "iterations applied", |report| {
            report.history.applied.into()
        })
        .column("pairs", "pairs of the tuning", |report| {
            (report.history.applied * report.plan.pairs_per_iteration).into()
        })
        .column("confirm_pairs", "pairs of the confirming match", |report| {
            report.confirmed().map(|summary| summary.tally.pairs()).into()
        })
        .estimate(
            ["elo", "elo_low", "elo_high"],
            "Elo of the tuned player against the start, as if the length had been fixed",
            ELO_DECIMALS,
            |report| report.confirmed().map_or(NOTHING, |summary| summary.elo),
        )
}
