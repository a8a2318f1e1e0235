//! How a sequential test would go, for one true strength or several.

use serde_json::Value;

use super::columns::columns;
use super::number::{percent, signed};
use super::table::{Align, table, wrapped};
use crate::config::sprt_text;
use crate::experiment::ForecastRow;
use crate::stats::{EloModel, Sprt};

/// An array of rows with the keys `elo`, `elo_logistic`, `pass_probability`, `expected_pairs`, `expected_games`; one row alone is an object.
pub fn forecasts_json(rows: &[ForecastRow]) -> Value {
    let columns = columns! { row: ForecastRow;
        "elo", "true strength on the test's scale" => row.elo;
        "elo_logistic", "the same in Elo" => row.elo_logistic;
        "pass_probability", "probability to accept H1" => row.forecast.pass_probability;
        "expected_pairs", "expected pairs" => row.forecast.pairs();
        "expected_games", "expected games" => row.forecast.games;
    };
    match rows {
        [row] => Value::Object(columns.object(row)),
        rows => columns.array(rows),
    }
}

/// A table with one line for each true strength; `games` says what the games were taken to be.
pub fn describe_forecasts(rows: &[ForecastRow], sprt: &Sprt, games: &str) -> String {
    let is_normalized = sprt.model() == EloModel::Normalized;
    let mut header = vec!["true Elo", "accepts H1", "pairs", "games"];
    if is_normalized {
        header = vec!["true nElo", "Elo", "accepts H1", "pairs", "games"];
    }
    let cells = rows.iter().map(|row| {
        let mut cells = vec![signed(Some(row.elo), 2)];
        if is_normalized {
            cells.push(signed(row.elo_logistic, 2));
        }
        cells.push(percent(Some(row.forecast.pass_probability)));
        cells.push(format!("{:.0}", row.forecast.pairs()));
        cells.push(format!("{:.0}", row.forecast.games));
        cells
    });
    let rows = std::iter::once(header.into_iter().map(str::to_owned).collect()).chain(cells);
    format!(
        "{}\n{}\npairs and games are means of Wald's theory; single matches vary widely\n",
        wrapped(&format!("test     {}\ngames    {games}\n", sprt_text(sprt))),
        table(&rows.collect::<Vec<_>>(), Align::Right)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Calculator;

    #[test]
    fn a_table_has_a_line_for_each_truth_and_names_both_scales() {
        let sprt = Sprt::default();
        let calculator = Calculator::new(&sprt, 0.3, 0.0).unwrap();
        let rows = [0.0, 5.0].map(|elo| ForecastRow::new(&calculator, elo).unwrap());
        let text = describe_forecasts(&rows, &sprt, "30 % draws");
        let line = |start: &str| {
            text.lines()
                .find(|line| line.trim_start().starts_with(start))
                .unwrap()
        };
        assert!(line("true nElo").contains("Elo") && line("games  ").contains("30 % draws"));
        assert!(
            line("+0.00").contains("5.0 %") && line("+5.00").contains("95.0 %"),
            "{text}"
        );
    }
}
