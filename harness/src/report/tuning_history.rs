//! `spsa.csv`, and the way that a tuning went.
//!
//! In: steps. Out: a file with a row a step, and the points that a picture needs. Must not: compute a step.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::files::ReportError;
use super::sheet::{Sheet, SheetWriter};
use crate::tune::{Plan, Space, Step};

/// Points of a trajectory in the picture.
const POINTS_MAX: u64 = 400;
const DECIMALS: usize = 4;

/// The columns of `spsa.csv` for parameters of these names.
pub(super) fn sheet<'s>(names: Vec<String>) -> Sheet<'s, Step> {
    let text = |value: f64| format!("{value:.DECIMALS$}").into();
    let mut sheet = Sheet::new()
        .column("iteration", "iterations applied", |step: &Step| {
            (step.trial.iteration + 1).into()
        })
        .column(
            "balance",
            "games that A won in this iteration less those that B won",
            |step| step.balance.into(),
        );
    for (index, name) in names.iter().enumerate() {
        sheet = sheet.column(name.clone(), "the parameter after the iteration", move |step| {
            text(step.state[index])
        });
    }
    for (index, name) in names.iter().enumerate() {
        let about = "what the tuning would end with";
        sheet = sheet.column(format!("{name}:tuned"), about, move |step| {
            text(step.estimate[index])
        });
    }
    sheet
}

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
    rows: Option<SheetWriter<'static, Step, File>>,
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
            rows: None,
            points: Vec::new(),
            every: plan.iterations.div_ceil(POINTS_MAX),
            estimate: space.start(),
            applied: 0,
            failure: None,
        };
        if writes {
            let output = File::create(&history.path).map_err(|source| history.fail(source))?;
            let names = space.parameters().iter().map(|parameter| parameter.name.clone());
            let rows = sheet(names.collect()).writer(output);
            let rows = rows.map_err(|error| history.fail(error.into()))?;
            history.rows = Some(rows);
            history.flush();
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
        let written = self.rows.as_mut().map(|rows| rows.write(step));
        if let Some(Err(error)) = written {
            self.failure.get_or_insert(error.into());
        }
        self.flush();
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
    fn flush(&mut self) {
        if let Some(Err(error)) = self.rows.as_mut().map(SheetWriter::flush) {
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
