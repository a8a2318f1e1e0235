//! `spsa.csv`: the steps of a tuning.
//!
//! In: steps. Out: a file with a row a step.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::files::ReportError;
use super::sheet::{Sheet, SheetWriter};
use crate::tune::{Space, Step};

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

/// The file, written step by step.
pub(super) struct StepsFile {
    path: PathBuf,
    rows: SheetWriter<'static, Step, File>,
}

impl StepsFile {
    /// Begins the file in `folder`.
    pub(super) fn begin(folder: &Path, space: &Space) -> Result<StepsFile, ReportError> {
        let path = folder.join("spsa.csv");
        let names = space.parameters().iter().map(|parameter| parameter.name.clone());
        let rows = File::create(&path).and_then(|output| Ok(sheet(names.collect()).writer(output)?));
        match rows {
            Ok(rows) => {
                let mut file = StepsFile { path, rows };
                let flushed = file.rows.flush();
                file.check(flushed).map(|()| file)
            }
            Err(source) => Err(ReportError::Write { path, source }),
        }
    }

    /// Adds a step. A whole line at a time reaches the file, so that it can be watched.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), ReportError> {
        let written = self.rows.write(step).map_err(io::Error::from);
        let written = written.and_then(|()| self.rows.flush());
        self.check(written)
    }

    fn check(&self, written: io::Result<()>) -> Result<(), ReportError> {
        written.map_err(|source| ReportError::Write {
            path: self.path.clone(),
            source,
        })
    }
}
