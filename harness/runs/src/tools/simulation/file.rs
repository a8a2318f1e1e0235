//! The file that a simulation continues.

use std::collections::HashMap;
use std::path::Path;
use std::{fs, io};

use super::table::{opening_columns, spec_columns};
use crate::document::columns::Columns;
use crate::platform::read_regular;
use crate::session::error::ExperimentError;
use crate::stop::simulate::{Rate, SimulationSpec, SimulationSummary};

/// Reads the rows of `specs` that the file at `path` already holds; also makes sure that it can be written before hours are
/// spent.
pub fn read_simulations(
    path: &Path,
    specs: &[SimulationSpec],
) -> Result<Vec<Option<SimulationSummary>>, ExperimentError> {
    let unwritable = ExperimentError::unwritable(path);
    let text =
        match read_regular(path, u64::MAX - 1).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) {
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

/// The summaries that `text`, a CSV written earlier, holds for `specs`, in their order.
fn finished_simulations(
    text: &str,
    specs: &[SimulationSpec],
) -> Result<Vec<Option<SimulationSummary>>, String> {
    let mut found = vec![None; specs.len()];
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| format!("line 1: {error}"))?;
    let is_there = |name: &str| header.iter().any(|column| column == name);
    let is_own = spec_columns().names().all(|(name, _)| is_there(name));
    // A file without a line is one that was only begun.
    if !text.is_empty() && !is_own {
        return Err("line 1: it is no table of simulations".to_owned());
    }
    for (index, fields) in reader.deserialize::<Fields>().enumerate() {
        let line = index + 2;
        let fields = fields.map_err(|error| format!("line {line}: {error}"))?;
        let is_of = |spec: &SimulationSpec| {
            has(&fields, &spec_columns(), spec) && has(&fields, &opening_columns(), spec)
        };
        let place = specs
            .iter()
            .position(is_of)
            .ok_or_else(|| format!("line {line} is a row that this command does not ask for"))?;
        let summary = summary_of(&fields);
        let malformed = || format!("line {line}: a count is missing or no number");
        found[place] = Some(summary.ok_or_else(malformed)?);
    }
    Ok(found)
}

type Fields = HashMap<String, String>;

fn has(fields: &Fields, columns: &Columns<'_, SimulationSpec>, spec: &SimulationSpec) -> bool {
    let mut space = String::new();
    let mut own = columns.names().zip(columns.cells(spec));
    own.all(|((name, _), cell)| fields.get(name).map_or("", String::as_str) == cell.field(&mut space))
}

/// The inverse of the counts in the columns of a row.
fn summary_of(fields: &Fields) -> Option<SimulationSummary> {
    let count = |name: &str| fields.get(name)?.parse::<u64>().ok();
    let rate = |name: &str| {
        Some(Rate {
            hits: count(name)?,
            trials: count(&format!("{name}_of"))?,
        })
    };
    Some(SimulationSummary {
        accepted_h1: rate("accepted_h1")?,
        accepted_h0: rate("accepted_h0")?,
        limit_reached: rate("limit_reached")?,
        fixed: rate("fixed")?,
        corrected: rate("corrected")?,
        corrected_above: rate("corrected_above")?,
        anytime: rate("anytime")?,
        normalized: rate("nelo")?,
        exact: rate("exact")?,
        pairs_sum: count("pairs_sum")?.into(),
        pairs_squares: count("pairs_squares")?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::simulation::table::columns;
    use crate::tools::simulation::tests::{grid, row};

    #[test]
    fn a_csv_gives_its_rows_back_and_one_of_something_else_is_refused() {
        let specs = grid("--fixed 30").specs().unwrap();
        let rows = [4, 0].map(|index: usize| row(specs[index].clone()));
        let text = String::from_utf8(columns().csv(&rows).unwrap()).unwrap();
        let found = finished_simulations(&text, &specs).unwrap();
        assert_eq!([found[4], found[0]], rows.map(|row| Some(row.summary)));
        assert_eq!(found.iter().flatten().count(), 2);
        for wrong in [&text.replace(",20,", ",,"), "a,b\n1,2\n"] {
            assert!(finished_simulations(wrong, &specs).is_err(), "{wrong}");
        }
    }
}
