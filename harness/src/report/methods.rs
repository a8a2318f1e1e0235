//! The comparison of tuning methods.
//!
//! In: rows of the comparison, the methods of each landscape and length together. Out: CSV and a table. Must not: compute more
//! than differences.

use super::number::signed;
use super::table::{Align, table};
use crate::tune::MethodName;
use crate::tune::bench::Row;

/// `methods.csv`.
///
/// # Errors
/// Never in memory.
pub fn methods_csv(rows: &[Row]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "landscape",
        "parameters",
        "elo_max",
        "condition",
        "rotated",
        "integer",
        "draws",
        "games",
        "method",
        "seeds",
        "elo_median",
        "elo_lower_quartile",
        "elo_median_half_games",
        "half_less_classic",
    ])?;
    for row in rows {
        let shape = &row.shape;
        writer.write_record([
            shape.name.to_owned(),
            shape.parameters.to_string(),
            shape.elo.to_string(),
            shape.condition.to_string(),
            shape.is_rotated.to_string(),
            shape.is_integer.to_string(),
            shape.draw_ratio.to_string(),
            row.games.to_string(),
            row.method.name().to_owned(),
            row.elo.len().to_string(),
            format!("{:.2}", row.median()),
            format!("{:.2}", row.lower_quartile()),
            format!("{:.2}", row.median_half()),
            half_less_classic(rows, row).map_or(String::new(), |elo| format!("{elo:.2}")),
        ])?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// A line for each landscape and length, a column for each method; the last says what the default reaches with half the games
/// that the classic method had.
pub fn describe_methods(rows: &[Row]) -> String {
    let mut header = vec!["landscape".to_owned(), "games".to_owned()];
    header.extend(MethodName::ALL.map(|method| method.name().to_owned()));
    header.push("half".to_owned());
    let mut lines = vec![header];
    for group in rows.chunks(MethodName::ALL.len()) {
        let Some(first) = group.first() else { continue };
        let mut line = vec![first.shape.name.to_owned(), first.games.to_string()];
        line.extend(group.iter().map(|row| signed(Some(row.median()), 1)));
        let default = group.iter().find(|row| row.method == MethodName::DEFAULT);
        line.push(signed(default.and_then(|row| half_less_classic(rows, row)), 1));
        lines.push(line);
    }
    let note = format!(
        "Median Elo reached; half: what {} reaches with half the games, less what classic reaches with all of them.\n",
        MethodName::DEFAULT.name()
    );
    table(&lines, Align::Right) + &note
}

/// What the row's method reaches with half the games, less what the classic one reaches with all of them.
fn half_less_classic(rows: &[Row], row: &Row) -> Option<f64> {
    let classic = rows.iter().find(|other| {
        other.method == MethodName::Classic && other.games == row.games && other.shape == row.shape
    })?;
    Some(row.median_half() - classic.median())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::landscape::SHAPES;

    #[test]
    fn the_table_compares_half_the_games_with_the_classic_method() {
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
        let csv = String::from_utf8(methods_csv(&rows).unwrap()).unwrap();
        assert!(
            csv.contains("10,10,30,3,false,false,0.02,1000,scaled,1,24.00,24.00,12.00,2.00"),
            "{csv}"
        );
    }
}
