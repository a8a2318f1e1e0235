//! The file and the progress of `tanren simulate`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use console::Term;

use super::finished::finished_simulations;
use super::output::note;
use super::progress::SearchProgress;
use super::simulation::simulations_csv;
use crate::experiment::{ExperimentError, SimulationNews};
use crate::experiment::{FileError, write_atomically};
use crate::stop::simulate::{SimulationSpec, Summary};

/// Reads the rows of `specs` that the file at `path` already holds; also makes sure that it can be written before hours are
/// spent.
pub fn read_simulations(
    path: &Path,
    specs: &[SimulationSpec],
) -> Result<Vec<Option<Summary>>, ExperimentError> {
    let unwritable = ExperimentError::unwritable(path);
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::File::create(path).map_err(unwritable)?;
            String::new()
        }
        Err(error) => return Err(unwritable(error)),
    };
    finished_simulations(&text, specs).map_err(|error| {
        let path = path.display();
        ExperimentError::Input(format!(
            "--out '{path}': {error}; choose another file, or --force to replace it"
        ))
    })
}

/// Shows how far a simulation is, in a line on a terminal and after each row elsewhere, and writes its file.
pub struct SimulationConsole<'a> {
    out: Option<&'a Path>,
    is_quiet: bool,
    progress: Mutex<Option<SearchProgress>>,
    done: AtomicUsize,
    row: Mutex<String>,
}

impl<'a> SimulationConsole<'a> {
    pub fn new(out: Option<&'a Path>, is_quiet: bool) -> SimulationConsole<'a> {
        SimulationConsole {
            out,
            is_quiet,
            progress: Mutex::new(None),
            done: AtomicUsize::new(0),
            row: Mutex::new(String::new()),
        }
    }

    pub fn hear(&self, news: SimulationNews<'_>) -> Result<(), FileError> {
        let is_line = !self.is_quiet && Term::stderr().is_term();
        match news {
            SimulationNews::Begins { matches } => {
                let progress = is_line.then(|| SearchProgress::of("matches", matches as usize));
                *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
            }
            SimulationNews::Row(number) => {
                *self.row.lock().unwrap_or_else(PoisonError::into_inner) = row_name(number);
                self.show(0);
            }
            SimulationNews::Matches(more) => self.show(more as usize),
            SimulationNews::Finished {
                number,
                seconds,
                rows,
            } => {
                if !self.is_quiet && !is_line {
                    note(&format!("{} after {seconds:.1} s", row_name(number)));
                }
                if let Some(path) = self.out {
                    let bytes = simulations_csv(rows);
                    write_atomically(path, |output| output.write_all(&bytes?))?;
                }
            }
        }
        Ok(())
    }

    pub fn end(&self) {
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = &*progress {
            progress.end();
        }
    }

    fn show(&self, more: usize) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = &*progress {
            let row = || self.row.lock().unwrap_or_else(PoisonError::into_inner).clone();
            progress.show_with(done, &|_| vec![row()]);
        }
    }
}

fn row_name([number, of]: [usize; 2]) -> String {
    format!("row {number} of {of}")
}
