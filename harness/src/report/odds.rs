//! The files and the text of a study of odds.
//!
//! In: steps and what they were played with. Out: CSV, JSON and text. Must not: compute a number of its own.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::files::{ReportError, write_atomically};
use super::number::{FINE_DECIMALS, cell, field, number, percent};
use super::odds_plot;
use crate::stats::{Estimate, OddsCurve};
use crate::study::odds::{OddsStep, curve};

/// A study of odds, finished or not.
#[derive(Debug, Clone, Copy)]
pub struct OddsReport<'a> {
    /// What A and B are called.
    pub labels: &'a [String; 2],
    /// What the ratio is of, in words: `nodes` or `milliseconds`.
    pub unit: &'static str,
    /// B's units a move.
    pub resource: u64,
    /// The batches, in order.
    pub steps: &'a [OddsStep],
}

impl OddsReport<'_> {
    /// Writes `odds.csv` and `odds.svg` into `folder`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let csv = self.csv();
        write_atomically(&folder.join("odds.csv"), |output| output.write_all(&csv?))?;
        let svg = odds_plot::svg(self);
        write_atomically(&folder.join("odds.svg"), |output| {
            output.write_all(svg?.as_bytes())
        })
    }

    /// The curve through all batches.
    pub(super) fn curve(&self) -> Option<OddsCurve> {
        curve(self.steps)
    }

    /// What is known after the last batch.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        self.steps.last().map(|step| step.estimate)
    }

    pub(super) fn pairs(&self) -> u64 {
        self.steps.iter().map(|step| step.tally.pairs()).sum()
    }

    /// Elo of A at the even ratio for twice its resource.
    fn doubling_elo(&self) -> Option<f64> {
        self.curve().map(|curve| curve.doubling_elo())
    }

    fn csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for (index, step) in self.steps.iter().enumerate() {
            let columns = columns(index + 1, step, self.resource);
            if index == 0 {
                writer.write_record(columns.iter().map(|(name, _)| name))?;
            }
            writer.write_record(columns.iter().map(|(_, value)| cell(value)))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }

    /// The result and its batches as one object.
    pub fn json(&self) -> Value {
        let fine = |value| number(value, FINE_DECIMALS);
        let estimate = self.estimate();
        let batches = self.steps.iter().enumerate().map(|(index, step)| {
            let columns = columns(index + 1, step, self.resource).into_iter();
            Value::Object(columns.map(|(name, value)| (name.to_owned(), value)).collect())
        });
        json!({
            "a": self.labels[0],
            "b": self.labels[1],
            "unit": self.unit,
            "resource_b": self.resource,
            "pairs": self.pairs(),
            "ratio": fine(estimate.and_then(|estimate| estimate.value)),
            "ratio_low": fine(estimate.and_then(|estimate| estimate.low)),
            "ratio_high": fine(estimate.and_then(|estimate| estimate.high)),
            "doubling_elo": number(self.doubling_elo(), 3),
            "batches": batches.collect::<Vec<_>>(),
        })
    }

    /// What is known after the last batch, in a line.
    pub fn line(&self) -> String {
        let Some(step) = self.steps.last() else {
            return String::new();
        };
        format!(
            "ratio {:.3}: {}; {}",
            step.ratio,
            percent(step.tally.score()),
            even_text(&step.estimate)
        )
    }

    /// The result in a few lines.
    pub fn describe(&self) -> String {
        let [a, b] = self.labels;
        let mut text = format!(
            "A        {a}\nB        {b}, {} {} a move\ngames    {} pairs in {} batches\n",
            self.resource,
            self.unit,
            self.pairs(),
            self.steps.len()
        );
        let Some(estimate) = self.estimate().filter(|estimate| estimate.value.is_some()) else {
            return text + "ratio    not known: no curve fits yet\n";
        };
        text += &format!(
            "ratio    {}: so many times the {} of B make A as strong (95 % interval)\n",
            even_text(&estimate),
            self.unit
        );
        if let Some(elo) = self.doubling_elo() {
            text += &format!(
                "slope    twice the {} are worth {elo:+.0} Elo to A near there\n",
                self.unit
            );
        }
        text
    }
}

/// `even at 1.234 [1.100, 1.400]`.
fn even_text(estimate: &Estimate) -> String {
    let digits = |value: Option<f64>| {
        let digits = field(value, 3);
        if digits.is_empty() { "-".to_owned() } else { digits }
    };
    format!(
        "even at {} [{}, {}]",
        digits(estimate.value),
        digits(estimate.low),
        digits(estimate.high)
    )
}

/// The columns of `odds.csv`, with what JSON holds for each.
fn columns(batch: usize, step: &OddsStep, resource_b: u64) -> Vec<(&'static str, Value)> {
    let fine = |value| number(value, FINE_DECIMALS);
    let [ll, ld, even, dw, ww] = step.tally.pentanomial.map(Value::from);
    vec![
        ("batch", Value::from(batch)),
        ("ratio", fine(Some(step.ratio))),
        ("pairs", Value::from(step.tally.pairs())),
        ("score", fine(step.tally.score())),
        ("estimate", fine(step.estimate.value)),
        ("low", fine(step.estimate.low)),
        ("high", fine(step.estimate.high)),
        ("resource_a", Value::from(step.resource_a)),
        ("resource_b", Value::from(resource_b)),
        ("ptnml_0", ll),
        ("ptnml_1", ld),
        ("ptnml_2", even),
        ("ptnml_3", dw),
        ("ptnml_4", ww),
    ]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stats::{GameResult, PairResult, Tally};
    use crate::study::odds::OddsPlan;

    /// Two batches that are even at a ratio of 1.
    pub(in crate::report) fn steps() -> Vec<OddsStep> {
        let plan = OddsPlan {
            resource: 1000,
            ratio_max: 8.0,
        };
        let tally = |won: u64, lost: u64| {
            let mut tally = Tally::default();
            for (first, count) in [(GameResult::Win, won), (GameResult::Loss, lost)] {
                (0..count).for_each(|_| tally.add(PairResult { first, second: first }));
            }
            tally
        };
        let first = plan.step(&[], 500, &tally(30, 70));
        let second = plan.step(&[first], 2000, &tally(70, 30));
        vec![first, second]
    }

    #[test]
    fn the_file_has_a_row_a_batch_and_the_text_says_what_the_ratio_means() {
        let labels = ["base".to_owned(), "plain".to_owned()];
        let steps = steps();
        let report = OddsReport {
            labels: &labels,
            unit: "nodes",
            resource: 1000,
            steps: &steps,
        };
        let csv = String::from_utf8(report.csv().unwrap()).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].starts_with("batch,ratio,pairs,score,estimate,low,high,"));
        assert!(lines[1].starts_with("1,0.5,100,0.3,,,,500,1000,"), "{}", lines[1]);
        assert!(lines[2].starts_with("2,2.0,100,0.7,1.0,"), "{}", lines[2]);
        let text = report.describe();
        assert!(text.contains("even at 1.000 [0."), "{text}");
        assert!(text.contains("times the nodes of B make A as strong"), "{text}");
        assert!(
            report.line().starts_with("ratio 2.000: 70.0 %; even at 1.000 ["),
            "{}",
            report.line()
        );
        let json = report.json();
        assert_eq!((&json["ratio"], &json["pairs"]), (&json!(1.0), &json!(200)));
        assert_eq!(json["batches"][0]["estimate"], Value::Null);
    }

    #[test]
    fn without_a_curve_nothing_is_claimed() {
        let labels = ["base".to_owned(), "plain".to_owned()];
        let steps = steps();
        let report = OddsReport {
            labels: &labels,
            unit: "nodes",
            resource: 1000,
            steps: &steps[..1],
        };
        assert!(report.describe().contains("not known"));
        assert_eq!(report.json()["ratio_low"], Value::Null);
    }
}
