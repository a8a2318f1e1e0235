//! How a sequential test would go, for one true strength or several.
//!
//! In: a calculator and true strengths. Out: JSON or a table. Must not: compute statistics itself.

use serde_json::Value;

use super::number::{percent, signed};
use super::sheet::Sheet;
use super::table::{Align, table, wrapped};
use crate::config::sprt_text;
use crate::stats::elo::elo_of_score;
use crate::stats::{Calculator, CalculatorError, EloModel, Forecast, Sprt};

/// The course of one test under one truth.
#[derive(Clone, Copy, Debug)]
pub struct ForecastRow {
    /// True strength on the test's scale.
    elo: f64,
    /// The same on the logistic scale.
    elo_logistic: Option<f64>,
    forecast: Forecast,
}

impl ForecastRow {
    /// Asks `calculator` for a true strength on the scale of its test.
    ///
    /// # Errors
    /// A strength that is not finite or out of reach.
    pub fn new(calculator: &Calculator, elo: f64) -> Result<ForecastRow, CalculatorError> {
        Ok(ForecastRow {
            elo,
            elo_logistic: elo_of_score(calculator.score(elo)?),
            forecast: calculator.forecast(elo)?,
        })
    }

    /// One object: `elo`, `elo_logistic`, `pass_probability`, `expected_pairs`, `expected_games`.
    pub fn json(&self) -> Value {
        let sheet: Sheet<'_, ForecastRow> = Sheet::new()
            .column("elo", "true strength on the test's scale", |row: &ForecastRow| {
                row.elo.into()
            })
            .column("elo_logistic", "the same in Elo", |row| row.elo_logistic.into())
            .column("pass_probability", "probability to accept H1", |row| {
                row.forecast.pass_probability.into()
            })
            .column("expected_pairs", "expected pairs", |row| {
                row.forecast.pairs().into()
            })
            .column("expected_games", "expected games", |row| {
                row.forecast.games.into()
            });
        Value::Object(sheet.object(self))
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
