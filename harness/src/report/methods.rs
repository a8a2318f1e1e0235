//! The comparison of tuning methods.

use std::io::Write;
use std::path::Path;

use serde_json::Value;

use super::progress::SearchProgress;
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::file::{FileError, write_atomically};
use crate::document::number::signed;
use crate::document::table::{Align, table, wrapped};
use crate::kinds::tune::optimizer::MethodName;
use crate::tools::methods::MethodsProgress;
use crate::tools::methods::Row;

/// A row, and those that it is compared with.
pub(super) struct MethodRow<'a> {
    row: &'a Row,
    all: &'a [Row],
}

/// `methods.csv`
pub(super) fn columns<'a>() -> Columns<'a, MethodRow<'a>> {
    let elo = |value| Cell::fixed(value, 2);
    columns! { of: MethodRow<'a>;
        "landscape", "name of the made-up landscape" => of.row.shape.name;
        "parameters", "its number of parameters" => of.row.shape.parameters;
        "elo_max", "what there is to gain, in Elo" => of.row.shape.elo.to_string();
        "condition", "ratio of its greatest curvature to its least" => of.row.shape.condition.to_string();
        "rotated", "`true` if parameters interact" => of.row.shape.is_rotated.to_string();
        "integer", "`true` if parameters are whole numbers" => of.row.shape.is_integer.to_string();
        "draws", "share of drawn games" => of.row.shape.draw_ratio.to_string();
        "games", "games of each tuning" => of.row.games;
        "method", "how it was tuned" => of.row.method.name();
        "seeds", "tunings" => of.row.elo.len();
        "elo_median", "Elo that the median tuning reached" => elo(Some(of.row.median()));
        "elo_lower_quartile", "Elo that three of four tunings reached" => elo(Some(of.row.lower_quartile()));
        "elo_median_half_games", "Elo that the median tuning of half as many games reached"
            => elo(Some(of.row.median_half()));
        "half_less_spsa", "the same, less what the method `spsa` reached with all games"
            => elo(half_less_spsa(of.all, of.row));
        "elo_upper_quartile", "Elo that one of four tunings reached" => elo(Some(of.row.upper_quartile()));
        "elo_mean", "the mean Elo reached" => elo(Some(of.row.mean()));
        "elo_mean_se", "its standard error" => elo(Some(of.row.standard_error()));
    }
}

fn method_rows(rows: &[Row]) -> impl Iterator<Item = MethodRow<'_>> {
    rows.iter().map(|row| MethodRow { row, all: rows })
}

/// Shows how far a comparison is, and writes `methods.csv`.
pub struct MethodsConsole<'a> {
    out: Option<&'a Path>,
    is_quiet: bool,
    progress: Option<SearchProgress>,
}

impl<'a> MethodsConsole<'a> {
    /// Writes to `out`, if to anywhere.
    pub fn new(out: Option<&'a Path>, is_quiet: bool) -> MethodsConsole<'a> {
        MethodsConsole {
            out,
            is_quiet,
            progress: None,
        }
    }

    pub fn on_event(&mut self, made: MethodsProgress<'_>) -> Result<(), FileError> {
        if !self.is_quiet {
            let begin = || SearchProgress::of("comparisons", made.of);
            let progress = self.progress.get_or_insert_with(begin);
            if made.done < made.of {
                progress.show(made.done);
            } else {
                progress.end();
            }
        }
        match self.out {
            Some(path) if made.done > 0 => {
                let csv = columns().csv(method_rows(made.rows));
                write_atomically(path, |output| output.write_all(&csv?))
            }
            _ => Ok(()),
        }
    }
}

/// The rows of `methods.csv` as objects.
pub fn methods_json(rows: &[Row]) -> Value {
    columns().array(method_rows(rows))
}

/// A line for each landscape and length, a column for each method; the last says what the default reaches with half the games
/// that the method `spsa` had.
pub fn describe_methods(rows: &[Row]) -> String {
    let mut header = vec!["landscape".to_owned(), "games".to_owned()];
    header.extend(MethodName::ALL.map(|method| method.name().to_owned()));
    header.push("half".to_owned());
    let mut lines = vec![header];
    for group in rows.chunk_by(|one, other| one.shape == other.shape && one.games == other.games) {
        let Some(first) = group.first() else { continue };
        let mut line = vec![first.shape.name.to_owned(), first.games.to_string()];
        line.extend(MethodName::ALL.map(|method| {
            let row = group.iter().find(|row| row.method == method);
            signed(row.map(Row::median), 1)
        }));
        let default = group.iter().find(|row| row.method == MethodName::DEFAULT);
        line.push(signed(default.and_then(|row| half_less_spsa(rows, row)), 1));
        lines.push(line);
    }
    let note = format!(
        "Median Elo reached; half: what {} reaches with half the games, less what spsa reaches with all of them.\n",
        MethodName::DEFAULT.name()
    );
    table(&lines, Align::Right) + &wrapped(&note)
}

/// What the row's method reaches with half the games, less what `spsa` reaches with all of them.
fn half_less_spsa(rows: &[Row], row: &Row) -> Option<f64> {
    let spsa = rows.iter().find(|other| {
        other.method == MethodName::Spsa && other.games == row.games && other.shape == row.shape
    })?;
    Some(row.median_half() - spsa.median())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::optimizer::landscape::SHAPES;

    #[test]
    fn the_table_compares_half_the_games_with_spsa() {
        let row = |method, elo: f64| Row {
            shape: SHAPES[2],
            method,
            games: 1000,
            elo: vec![elo],
            elo_half: vec![elo / 2.0],
        };
        let rows = MethodName::ALL
            .map(|method| row(method, if method == MethodName::DEFAULT { 24.0 } else { 10.0 }));
        let text = describe_methods(&rows);
        assert!(
            text.contains("+10.0") && text.contains("+24.0") && text.contains("+2.0"),
            "{text}"
        );
        let csv = String::from_utf8(columns().csv(method_rows(&rows)).unwrap()).unwrap();
        assert!(
            csv.contains("10,10,30,3,false,false,0.02,1000,bayes,1,24.00,24.00,12.00,2.00,24.00,24.00,0.00"),
            "{csv}"
        );
    }
}
