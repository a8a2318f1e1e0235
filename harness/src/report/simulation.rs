//! Simulated matches as a table, CSV and JSON.
//!
//! In: specifications and their summaries. Out: text and bytes; or the counts of rows that a CSV already holds. Must not:
//! judge a row itself.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::number::{FINE_DECIMALS, cell, field, number, signed};
use super::table::{Align, table};
use crate::config::elo_model_name;
use crate::stats::{PairModelError, Sprt};
use crate::stop::goal::{Goal, missed};
use crate::stop::simulate::{Rate, SimulationSpec, Summary};

/// A specification and what came of it.
#[derive(Clone, Debug)]
pub struct SimulationRow {
    spec: SimulationSpec,
    summary: Summary,
    expected_pairs: Option<f64>,
    error: Option<(Rate, f64)>,
    missed: Vec<Goal>,
}

impl SimulationRow {
    /// Judges `summary`, which must be that of `spec`.
    ///
    /// # Errors
    /// There is no such truth.
    pub fn new(spec: SimulationSpec, summary: Summary) -> Result<SimulationRow, PairModelError> {
        let simulation = spec.simulation()?;
        Ok(SimulationRow {
            spec,
            expected_pairs: simulation.expected_pairs(),
            error: simulation.error(&summary),
            missed: missed(&simulation, &summary),
            summary,
        })
    }

    /// One object, keys as the columns of the CSV, `null` where there is no value.
    pub fn json(&self) -> Value {
        let columns = self.columns().into_iter();
        Value::Object(columns.collect::<Map<_, _>>())
    }

    fn columns(&self) -> Vec<(String, Value)> {
        let summary = &self.summary;
        let mut columns = spec_columns(&self.spec);
        columns.extend(rate_columns(summary));
        let fine = |value| number(value, FINE_DECIMALS);
        let pairs = summary.pairs();
        let mean = pairs.map(|(mean, _)| mean);
        let ratio = mean.zip(self.expected_pairs).map(|(mean, theory)| mean / theory);
        let missed: Vec<&str> = self.missed.iter().map(|goal| goal.name()).collect();
        let more = [
            ("pairs_sum", Value::from(summary.pairs_sum as u64)),
            ("pairs_squares", Value::from(summary.pairs_squares as u64)),
            ("pairs_mean", fine(mean)),
            ("pairs_se", fine(pairs.map(|(_, standard_error)| standard_error))),
            ("pairs_theory", fine(self.expected_pairs)),
            ("pairs_ratio", fine(ratio)),
            ("error_rate", fine(self.error.and_then(|(rate, _)| rate.value()))),
            ("error_nominal", fine(self.error.map(|(_, nominal)| nominal))),
            ("missed", Value::from(missed.join(" "))),
        ];
        columns.extend(more.map(|(name, value)| (name.to_owned(), value)));
        columns
    }

    fn cells(&self) -> Vec<String> {
        let SimulationSpec { rule, .. } = self.spec;
        let summary = &self.summary;
        let mark = |goal| if self.missed.contains(&goal) { "!" } else { "" };
        let share = |rate: Rate, mark: &str| match (rate.value(), rate.standard_error()) {
            (Some(value), Some(error)) => format!("{:.2} ±{:.2}{mark}", 100.0 * value, 100.0 * error),
            _ => "-".to_owned(),
        };
        let of_test = |rate: Rate| rule.sprt.map_or("-".to_owned(), |_| share(rate, ""));
        let pairs = summary.pairs().map_or("-".to_owned(), |(mean, error)| {
            format!("{mean:.1} ±{error:.1}{}", mark(Goal::Length))
        });
        let theory = self.expected_pairs;
        let ratio = summary
            .pairs()
            .zip(theory)
            .map(|((mean, _), theory)| mean / theory);
        let decimals = |value: Option<f64>, decimals| match field(value, decimals) {
            text if text.is_empty() => "-".to_owned(),
            text => text,
        };
        vec![
            elo_model_name(self.spec.model).to_owned(),
            format!("{} / {}", self.spec.draw_ratio, self.spec.opening_bias),
            rule.sprt.map_or("-".to_owned(), |sprt| {
                format!("{} .. {}", sprt.elo0(), sprt.elo1())
            }),
            signed(Some(self.spec.elo), 1),
            of_test(summary.accepted_h1),
            self.error
                .map_or("-".to_owned(), |(rate, _)| share(rate, mark(Goal::Error))),
            share(summary.fixed, mark(Goal::Fixed)),
            share(summary.corrected, mark(Goal::Corrected)),
            share(summary.anytime, mark(Goal::Anytime)),
            share(summary.corrected_above, ""),
            pairs,
            decimals(theory, 1),
            decimals(ratio, 4),
        ]
    }
}

const HEADER: [&str; 13] = [
    "model",
    "draws / bias",
    "test",
    "true Elo",
    "accepts H1 %",
    "error %",
    "fixed %",
    "corrected %",
    "anytime %",
    "above %",
    "pairs",
    "theory",
    "ratio",
];

const LEGEND: &str = "\
error      wrong verdicts where one hypothesis is true; asked for: alpha under H0, beta under H1
fixed      coverage of the interval for a fixed length; after a test it is naive and promises nothing
corrected  coverage of the interval that allows for the test's stop
anytime    matches in which the anytime-valid interval held the truth after every single pair
above      corrected point estimates above the truth; 50 % is median-unbiased
theory     mean pairs by Wald, without overshoot
!          misses its goal by more than 3 standard errors (±): error at most as asked for, coverage at
           least the confidence, mean pairs within 5 % of theory
";

/// The table for a reader.
pub fn describe_simulations(rows: &[SimulationRow]) -> String {
    let header = HEADER.map(str::to_owned).to_vec();
    let cells = rows.iter().map(SimulationRow::cells);
    let lines: Vec<Vec<String>> = std::iter::once(header).chain(cells).collect();
    let missed = rows.iter().filter(|row| !row.missed.is_empty()).count();
    let verdict = match (missed, rows.len()) {
        (0, _) => "every row keeps every promise within 3 standard errors\n".to_owned(),
        (missed, all) => format!("{missed} of {all} rows miss a promise by more than 3 standard errors\n"),
    };
    format!("{}\n{LEGEND}\n{verdict}", table(&lines, Align::Right))
}

/// The CSV of all rows.
///
/// # Errors
/// None that a buffer in memory has.
pub fn simulations_csv(rows: &[SimulationRow]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let Some(first) = rows.first() else {
        return Ok(Vec::new());
    };
    writer.write_record(first.columns().iter().map(|(name, _)| name))?;
    for row in rows {
        writer.write_record(row.columns().iter().map(|(_, value)| cell(value)))?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// A CSV that is not of these simulations.
#[derive(Debug, thiserror::Error)]
pub enum SimulationCsvError {
    /// Not a CSV with the columns of [`simulations_csv`].
    #[error("line {line}: {what}")]
    Malformed {
        /// Line of the file.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A row of some other simulation.
    #[error("line {line} is a row that this command does not ask for")]
    Foreign {
        /// Line of the file.
        line: usize,
    },
}

/// The summaries that `text`, a CSV written earlier, holds for `specs`, in their order.
///
/// # Errors
/// The text is no such CSV, or has rows of other specifications.
pub fn finished_simulations(
    text: &str,
    specs: &[SimulationSpec],
) -> Result<Vec<Option<Summary>>, SimulationCsvError> {
    let mut found = vec![None; specs.len()];
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for (index, fields) in reader.deserialize::<Fields>().enumerate() {
        let line = index + 2;
        let malformed = |what: String| SimulationCsvError::Malformed { line, what };
        let fields = fields.map_err(|error| malformed(error.to_string()))?;
        let is_of = |spec: &SimulationSpec| {
            let mut columns = spec_columns(spec).into_iter();
            columns.all(|(name, value)| fields.get(&name) == Some(&cell(&value)))
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

/// One row of a CSV by column.
type Fields = HashMap<String, String>;

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

fn rate_columns(summary: &Summary) -> Vec<(String, Value)> {
    let rates = [
        ("accepted_h1", summary.accepted_h1),
        ("accepted_h0", summary.accepted_h0),
        ("limit_reached", summary.limit_reached),
        ("fixed", summary.fixed),
        ("corrected", summary.corrected),
        ("corrected_above", summary.corrected_above),
        ("anytime", summary.anytime),
    ];
    let of_one = |(name, rate): (&str, Rate)| {
        [
            (name.to_owned(), Value::from(rate.hits)),
            (format!("{name}_of"), Value::from(rate.trials)),
            (format!("{name}_rate"), number(rate.value(), FINE_DECIMALS)),
            (format!("{name}_se"), number(rate.standard_error(), FINE_DECIMALS)),
        ]
    };
    rates.into_iter().flat_map(of_one).collect()
}

/// What makes two rows the same simulation.
fn spec_columns(spec: &SimulationSpec) -> Vec<(String, Value)> {
    let of_test = |part: fn(&Sprt) -> f64| {
        spec.rule
            .sprt
            .as_ref()
            .map_or(Value::Null, |sprt| Value::from(part(sprt)))
    };
    let columns = [
        ("model", Value::from(elo_model_name(spec.model))),
        ("elo", Value::from(spec.elo)),
        ("draws", Value::from(spec.draw_ratio)),
        ("bias", Value::from(spec.opening_bias)),
        ("elo0", of_test(Sprt::elo0)),
        ("elo1", of_test(Sprt::elo1)),
        ("alpha", of_test(Sprt::alpha)),
        ("beta", of_test(Sprt::beta)),
        ("pairs_max", Value::from(spec.rule.pairs_max)),
        ("confidence", Value::from(spec.confidence)),
        ("matches", Value::from(spec.matches)),
        ("seed", Value::from(spec.seed)),
    ];
    columns.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::EloModel;
    use crate::stop::StopRule;

    fn spec(elo: f64, sprt: Option<&str>) -> SimulationSpec {
        SimulationSpec {
            elo,
            model: EloModel::Normalized,
            draw_ratio: 0.1,
            opening_bias: 60.0,
            rule: StopRule {
                sprt: sprt.and_then(|text| crate::config::parse_sprt(text).ok()),
                pairs_max: 200,
            },
            confidence: 0.95,
            matches: 40,
            seed: 1,
        }
    }

    fn row(spec: SimulationSpec) -> SimulationRow {
        let summary = spec.simulation().unwrap().run(0..spec.matches);
        SimulationRow::new(spec, summary).unwrap()
    }

    #[test]
    fn a_csv_gives_its_rows_back_and_leaves_the_others_open() {
        let specs = [
            spec(0.0, Some("elo1=80")),
            spec(80.0, Some("elo1=80")),
            spec(0.0, None),
        ];
        let rows = [row(specs[2]), row(specs[0])];
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

    #[test]
    fn a_table_marks_what_misses_its_promise() {
        let mut kept = row(spec(0.0, Some("elo1=80")));
        kept.missed.clear();
        let text = describe_simulations(&[kept.clone()]);
        assert!(text.ends_with("every row keeps every promise within 3 standard errors\n"));
        kept.missed = vec![Goal::Corrected];
        let text = describe_simulations(&[kept.clone(), kept]);
        assert!(text.lines().nth(1).unwrap().contains('!'), "{text}");
        assert!(text.contains("2 of 2 rows miss"), "{text}");
    }
}
