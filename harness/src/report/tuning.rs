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
use crate::experiment::TuningFindings;
use crate::standing::Verdict;
use crate::tune::{Space, Step};

const DECIMALS: usize = 4;

/// `spsa.csv`, written step by step, so that it can be watched.
pub(super) struct StepsFile {
    path: PathBuf,
    output: BufWriter<File>,
}

impl StepsFile {
    /// Begins the file in `folder`.
    pub(super) fn begin(folder: &Path, space: &Space) -> Result<StepsFile, ReportError> {
        let path = folder.join("spsa.csv");
        let output = match File::create(&path) {
            Ok(file) => BufWriter::new(file),
            Err(source) => return Err(ReportError::Write { path, source }),
        };
        let mut file = StepsFile { path, output };
        let names = space.parameters().iter().map(|parameter| parameter.name.as_str());
        let states: Vec<&str> = names.collect();
        let estimates: Vec<String> = states.iter().map(|name| format!("{name}:tuned")).collect();
        let header = format!("iteration,balance,{},{}", states.join(","), estimates.join(","));
        file.line(&header)?;
        Ok(file)
    }

    /// Adds a step.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), ReportError> {
        let mut line = format!("{},{}", step.trial.iteration + 1, step.balance);
        for value in step.state.iter().chain(&step.estimate) {
            line += &format!(",{value:.DECIMALS$}");
        }
        self.line(&line)
    }

    /// A whole line at a time reaches the file.
    fn line(&mut self, text: &str) -> Result<(), ReportError> {
        let written = writeln!(self.output, "{text}").and_then(|()| self.output.flush());
        written.map_err(|source| ReportError::Write {
            path: self.path.clone(),
            source,
        })
    }
}

/// A tuning, finished or not.
pub struct TuningReport<'a> {
    pub(super) found: &'a TuningFindings,
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
        let path = folder.join("tuned.toml");
        let tuned = self.found.spec.player_toml(&self.found.tuned());
        let tuned = tuned.map_err(|error| ReportError::Write {
            path: path.clone(),
            source: io::Error::other(error),
        })?;
        write_atomically(&path, |output| output.write_all(tuned.as_bytes()))?;
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

    /// Start, now and change of every parameter, then the verdict.
    pub fn describe(&self) -> String {
        let mut rows = vec![
            ["parameter", "start", "now", "change", "in c"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (parameter, now) in self.space().parameters().iter().zip(self.found.tuned()) {
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
            self.space().parameters().len(),
            self.found.spec.label(),
            self.found.spec.plan.method.name(),
            self.found.trajectory.applied,
            self.found.spec.plan.iterations,
            2 * self.found.pairs(),
            self.verdict_text()
        )
    }

    /// The result as one object.
    pub fn json(&self) -> Value {
        let parameters = self.space().parameters().iter().zip(self.found.tuned());
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

    pub(super) fn space(&self) -> &Space {
        &self.found.spec.space
    }

    fn verdict_text(&self) -> String {
        if !self.found.is_finished() {
            return "not known: the tuning is not finished".to_owned();
        }
        let Some(summary) = &self.summary else {
            if self.found.tuned() == self.space().start() {
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
        let summary = self.summary.as_ref();
        let elo = |pick: fn(&Summary) -> Option<f64>| number(summary.and_then(pick), ELO_DECIMALS);
        let verdict = match summary {
            Some(summary) => summary.verdict.name(),
            None if self.found.is_finished() => "unconfirmed",
            None => Verdict::Interrupted.name(),
        };
        vec![
            ("player", Value::from(self.found.spec.label())),
            ("method", Value::from(self.found.spec.plan.method.name())),
            ("verdict", Value::from(verdict)),
            ("iterations", Value::from(self.found.trajectory.applied)),
            ("pairs", Value::from(self.found.pairs())),
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
