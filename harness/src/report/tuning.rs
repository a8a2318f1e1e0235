//! The files and the text of a tuning.
//!
//! In: steps, the space, the verdict of the confirming match. Out: CSV, TOML, JSON and text. Must not: compute a step.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::files::{ReportError, write_atomically};
use super::number::{ELO_DECIMALS, cell, number, signed};
use super::summary::Summary;
use super::table::{Align, table};
use super::tuning_plot;
use crate::standing::Verdict;
use crate::tune::{Plan, Space, Step};

/// Points of a trajectory in the picture.
const POINTS_MAX: u64 = 400;
const DECIMALS: usize = 4;

/// One point of the trajectories.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// Iterations applied.
    pub(super) iteration: u64,
    pub(super) state: Vec<f64>,
    pub(super) widths: Vec<f64>,
}

/// Writes `spsa.csv` step by step and keeps what the picture needs.
pub struct TuningHistory {
    path: PathBuf,
    output: Option<BufWriter<File>>,
    pub(super) points: Vec<Point>,
    every: u64,
    /// The values that the tuning would end with.
    pub(super) estimate: Vec<f64>,
    /// Iterations applied.
    pub(super) applied: u64,
    failure: Option<io::Error>,
}

impl TuningHistory {
    /// Begins `spsa.csv` in `folder`, or only keeps points if no file is to be written.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(folder: &Path, space: &Space, plan: &Plan, writes: bool) -> Result<Self, ReportError> {
        let path = folder.join("spsa.csv");
        let mut history = TuningHistory {
            path,
            output: None,
            points: Vec::new(),
            every: plan.iterations.div_ceil(POINTS_MAX),
            estimate: space.start(),
            applied: 0,
            failure: None,
        };
        if writes {
            let output = File::create(&history.path).map(BufWriter::new);
            history.output = Some(output.map_err(|source| history.fail(source))?);
            let names = space.parameters().iter().map(|parameter| parameter.name.as_str());
            let states: Vec<&str> = names.collect();
            let estimates: Vec<String> = states.iter().map(|name| format!("{name}:tuned")).collect();
            let header = format!("iteration,balance,{},{}", states.join(","), estimates.join(","));
            history.line(&header);
        }
        Ok(history)
    }

    /// Takes in a step.
    pub fn step(&mut self, step: &Step) {
        self.applied = step.trial.iteration + 1;
        self.estimate.clone_from(&step.estimate);
        if self.applied == 1 || self.applied.is_multiple_of(self.every) {
            self.points.push(Point {
                iteration: self.applied,
                state: step.state.clone(),
                widths: step.trial.widths.clone(),
            });
        }
        let mut line = format!("{},{}", self.applied, step.balance);
        for value in step.state.iter().chain(&step.estimate) {
            line += &format!(",{value:.DECIMALS$}");
        }
        self.line(&line);
    }

    /// Is everything written?
    ///
    /// # Errors
    /// What went wrong first.
    pub fn end(&mut self) -> Result<(), ReportError> {
        match self.failure.take() {
            Some(source) => Err(self.fail(source)),
            None => Ok(()),
        }
    }

    /// A whole line at a time reaches the file, so that it can be watched.
    fn line(&mut self, text: &str) {
        let Some(output) = &mut self.output else { return };
        let written = writeln!(output, "{text}").and_then(|()| output.flush());
        if let Err(error) = written {
            self.failure.get_or_insert(error);
        }
    }

    fn fail(&self, source: io::Error) -> ReportError {
        ReportError::Write {
            path: self.path.clone(),
            source,
        }
    }
}

/// The match of start against tuned.
pub struct Confirmation {
    /// Its result, A being the tuned player.
    pub summary: Summary,
}

/// A tuning, finished or not.
pub struct TuningReport<'a> {
    /// What the player is called.
    pub label: &'a str,
    /// The game's name.
    pub player: &'a str,
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
        let svg = tuning_plot::svg(self);
        write_atomically(&folder.join("spsa.svg"), |output| {
            output.write_all(svg?.as_bytes())
        })?;
        let columns = self.columns();
        write_atomically(&folder.join("summary.csv"), |output| {
            let mut writer = csv::Writer::from_writer(output);
            writer.write_record(columns.iter().map(|(name, _)| name))?;
            writer.write_record(columns.iter().map(|(_, value)| cell(value)))?;
            writer.flush()
        })
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
        format!(
            "{}tuned    {} parameters of {} by {}, {} of {} iterations, {} games\nresult   {}\n",
            table(&rows, Align::Right),
            self.space.parameters().len(),
            self.label,
            self.plan.method.name(),
            self.history.applied,
            self.plan.iterations,
            2 * self.history.applied * self.plan.pairs_per_iteration,
            self.verdict_text()
        )
    }

    /// The result as one object.
    pub fn json(&self) -> Value {
        let parameters = self.space.parameters().iter().zip(self.tuned());
        let parameters = parameters.map(|(parameter, now)| {
            json!({"name": parameter.name, "start": parameter.start, "now": now, "c_end": parameter.c_end})
        });
        let parameters: Vec<Value> = parameters.collect();
        let columns = self.columns().into_iter();
        let mut object: serde_json::Map<String, Value> =
            columns.map(|(name, value)| (name.to_owned(), value)).collect();
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
            signed(summary.estimates.elo.value, 1),
            signed(summary.estimates.elo.low, 1),
            signed(summary.estimates.elo.high, 1),
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

    fn columns(&self) -> Vec<(&'static str, Value)> {
        let summary = self.confirmation.map(|confirmation| &confirmation.summary);
        let elo = |pick: fn(&Summary) -> Option<f64>| number(summary.and_then(pick), ELO_DECIMALS);
        let verdict = match summary {
            Some(summary) => summary.verdict.name(),
            None if self.is_finished() => "unconfirmed",
            None => Verdict::Interrupted.name(),
        };
        vec![
            ("player", Value::from(self.player)),
            ("method", Value::from(self.plan.method.name())),
            ("verdict", Value::from(verdict)),
            ("iterations", Value::from(self.history.applied)),
            (
                "pairs",
                Value::from(self.history.applied * self.plan.pairs_per_iteration),
            ),
            (
                "confirm_pairs",
                summary.map_or(Value::Null, |summary| Value::from(summary.tally.pairs())),
            ),
            ("elo", elo(|summary| summary.estimates.elo.value)),
            ("elo_low", elo(|summary| summary.estimates.elo.low)),
            ("elo_high", elo(|summary| summary.estimates.elo.high)),
        ]
    }
}
