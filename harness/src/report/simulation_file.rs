//! The file and the progress of `tanren simulate`.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use console::Term;

use super::output::note;
use super::progress::SearchProgress;
use super::simulation::{opening_columns, simulations_csv, spec_columns};
use crate::document::columns::Columns;
use crate::document::file::{FileError, write_atomically};
use crate::session::error::ExperimentError;
use crate::stop::simulate::{Rate, SimulationSpec, Summary};
use crate::tools::simulation::SimulationNews;

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
    progress: OnceLock<SearchProgress>,
    done: AtomicUsize,
    /// Its number and that of all.
    row: Mutex<[usize; 2]>,
}

impl<'a> SimulationConsole<'a> {
    pub fn new(out: Option<&'a Path>, is_quiet: bool) -> SimulationConsole<'a> {
        SimulationConsole {
            out,
            is_quiet,
            progress: OnceLock::new(),
            done: AtomicUsize::new(0),
            row: Mutex::new([0; 2]),
        }
    }

    pub fn on_event(&self, news: SimulationNews<'_>) -> Result<(), FileError> {
        let is_line = !self.is_quiet && Term::stderr().is_term();
        match news {
            SimulationNews::Begins { matches } if is_line => {
                self.progress
                    .get_or_init(|| SearchProgress::of("matches", matches as usize));
            }
            SimulationNews::Begins { .. } => {}
            SimulationNews::Row(number) => {
                *self.row.lock().unwrap_or_else(PoisonError::into_inner) = number;
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
        if let Some(progress) = self.progress.get() {
            progress.end();
        }
    }

    fn show(&self, more: usize) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if let Some(progress) = self.progress.get() {
            let row = || *self.row.lock().unwrap_or_else(PoisonError::into_inner);
            progress.show_with(done, &|_| vec![row_name(row())]);
        }
    }
}

fn row_name([number, of]: [usize; 2]) -> String {
    format!("row {number} of {of}")
}

#[derive(Debug, thiserror::Error)]
pub enum SimulationCsvError {
    /// Not a CSV with the columns of [`simulations_csv`](super::simulation::simulations_csv).
    #[error("line {line}: {what}")]
    Malformed { line: usize, what: String },
    #[error("line {line} is a row that this command does not ask for")]
    Foreign { line: usize },
}

/// The summaries that `text`, a CSV written earlier, holds for `specs`, in their order.
pub fn finished_simulations(
    text: &str,
    specs: &[SimulationSpec],
) -> Result<Vec<Option<Summary>>, SimulationCsvError> {
    let mut found = vec![None; specs.len()];
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let no_table = |what: String| SimulationCsvError::Malformed { line: 1, what };
    let header = reader.headers().map_err(|error| no_table(error.to_string()))?;
    let is_there = |name: &str| header.iter().any(|column| column == name);
    let is_own = spec_columns().names().all(|(name, _)| is_there(name));
    // A file without a line is one that was only begun.
    if !text.is_empty() && !is_own {
        return Err(no_table("it is no table of simulations".to_owned()));
    }
    for (index, fields) in reader.deserialize::<Fields>().enumerate() {
        let line = index + 2;
        let malformed = |what: String| SimulationCsvError::Malformed { line, what };
        let fields = fields.map_err(|error| malformed(error.to_string()))?;
        let is_of = |spec: &SimulationSpec| {
            has(&fields, &spec_columns(), spec) && has(&fields, &opening_columns(), spec)
        };
        let place = specs
            .iter()
            .position(is_of)
            .ok_or(SimulationCsvError::Foreign { line })?;
        let summary = summary_of(&fields);
        found[place] = Some(summary.ok_or_else(|| malformed("a count is missing or no number".to_owned()))?);
    }
    Ok(found)
}

type Fields = HashMap<String, String>;

/// Are these the fields of `spec`?
fn has(fields: &Fields, columns: &Columns<'_, SimulationSpec>, spec: &SimulationSpec) -> bool {
    let mut space = String::new();
    let mut own = columns.names().zip(columns.cells(spec));
    own.all(|((name, _), cell)| fields.get(name).map_or("", String::as_str) == cell.field(&mut space))
}

/// The inverse of the counts in the columns of a row.
fn summary_of(fields: &Fields) -> Option<Summary> {
    let count = |name: &str| fields.get(name)?.parse::<u64>().ok();
    let rate = |name: &str| {
        Some(Rate {
            hits: count(name)?,
            trials: count(&format!("{name}_of"))?,
        })
    };
    Some(Summary {
        accepted_h1: rate("accepted_h1")?,
        accepted_h0: rate("accepted_h0")?,
        limit_reached: rate("limit_reached")?,
        fixed: rate("fixed")?,
        corrected: rate("corrected")?,
        corrected_above: rate("corrected_above")?,
        anytime: rate("anytime")?,
        pairs_sum: count("pairs_sum")?.into(),
        pairs_squares: count("pairs_squares")?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::simulation::tests::{row, spec};
    use super::*;

    #[test]
    fn a_csv_gives_its_rows_back_and_leaves_the_others_open() {
        let specs = [
            spec(0.0, Some("elo1=80")),
            spec(80.0, Some("elo1=80")),
            spec(0.0, None),
        ];
        let rows = [row(specs[2].clone()), row(specs[0].clone())];
        let text = String::from_utf8(simulations_csv(&rows).unwrap()).unwrap();
        let found = finished_simulations(&text, &specs).unwrap();
        assert_eq!(found, [Some(rows[1].summary), None, Some(rows[0].summary)]);
    }

    #[test]
    fn a_csv_of_another_simulation_or_of_nothing_is_refused() {
        let text = String::from_utf8(simulations_csv(&[row(spec(0.0, None))]).unwrap()).unwrap();
        let other = finished_simulations(&text, &[spec(1.0, None)]);
        assert!(matches!(other, Err(SimulationCsvError::Foreign { line: 2 })));
        let cut: String = text.replace(",40,", ",,");
        assert!(finished_simulations(&cut, &[spec(0.0, None)]).is_err());
        assert!(finished_simulations("a,b\n1,2\n", &[spec(0.0, None)]).is_err());
    }
}
