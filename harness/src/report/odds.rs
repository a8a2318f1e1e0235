//! The files and the text of a study of odds.
//!
//! In: steps and what they were played with. Out: CSV, JSON and text. Must not: compute a number of its own.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::cell::Cell;
use super::faults::{self, columns_of_both, insert_kinds};
use super::files::{ReportError, write_atomically};
use super::number::{ELO_DECIMALS, FINE_DECIMALS, number, or_dash, percent, plural};
use super::plot;
use super::sheet::Sheet;
use super::table::wrapped;
use crate::config::MoveLimit;
use crate::experiment::InvalidRun;
use crate::standing::{FaultCounts, Verdict};
use crate::stats::{Estimate, OddsCurve};
use crate::stop::faults::FaultTally;
use crate::study::odds::{OddsStep, curve};

/// A study of odds, finished or not.
#[derive(Debug, Clone, Copy)]
pub struct OddsReport<'a> {
    /// What A and B are called.
    pub labels: &'a [String; 2],
    /// What the ratio is of, in words: `nodes` or `milliseconds`.
    pub unit: &'static str,
    /// Units a move that A has at a ratio of 1: those of B, unless it has a limit of its own.
    pub resource: u64,
    /// B's own limit, of another kind.
    pub limit_b: Option<MoveLimit>,
    /// The batches, in order.
    pub steps: &'a [OddsStep],
    /// The faults of all games.
    pub faults: &'a FaultCounts,
    /// Why it is invalid, if it is.
    pub invalid: Option<&'a InvalidRun>,
}

impl OddsReport<'_> {
    /// Writes `odds.csv` and `odds.svg` into `folder`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let csv = self.csv();
        write_atomically(&folder.join("odds.csv"), |output| output.write_all(&csv?))?;
        let svg = self.svg();
        write_atomically(&folder.join("odds.svg"), |output| {
            output.write_all(svg?.as_bytes())
        })
    }

    /// The curve through all batches.
    fn curve(&self) -> Option<OddsCurve> {
        curve(self.steps)
    }

    /// What is known after the last batch.
    fn estimate(&self) -> Option<Estimate> {
        let last = self.steps.last().filter(|_| self.invalid.is_none());
        last.map(|step| step.estimate)
    }

    fn pairs(&self) -> u64 {
        self.steps.iter().map(|step| step.tally.pairs()).sum()
    }

    /// Elo of A at the even ratio for twice its resource.
    fn doubling_elo(&self) -> Option<f64> {
        let curve = self.curve().filter(|_| self.invalid.is_none());
        curve.map(|curve| curve.doubling_elo())
    }

    fn csv(&self) -> csv::Result<Vec<u8>> {
        sheet().csv_of_some(self.rows())
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = BatchRow<'_>> {
        let steps = (1..).zip(self.steps);
        steps.map(|(number, step)| BatchRow {
            number,
            step,
            resource_b: self.resource_b(),
        })
    }

    /// B's units a move; none where it has another limit.
    fn resource_b(&self) -> Option<u64> {
        self.limit_b.is_none().then_some(self.resource)
    }

    /// What a ratio of 1 is: the nodes of B, which is called `b`, or so many nodes.
    pub(super) fn one(&self, b: &str) -> String {
        match self.limit_b {
            None => format!("the {} of {b}", self.unit),
            Some(_) => format!("{} {}", self.resource, self.unit),
        }
    }

    /// The image of the batches.
    pub(super) fn svg(&self) -> io::Result<String> {
        plot::odds::svg(self.unit, &self.one("B"), self.steps)
    }

    /// The result and its batches as one object.
    pub fn json(&self) -> Value {
        let fine = |value| number(value, FINE_DECIMALS);
        let estimate = self.estimate();
        let reason = self.invalid.map(ToString::to_string);
        let mut value = json!({
            "a": self.labels[0],
            "b": self.labels[1],
            "unit": self.unit,
            "resource": self.resource,
            "resource_b": self.resource_b(),
            "limit_b": self.limit_b.map(|limit| limit.to_string()),
            "pairs": self.pairs(),
            "ratio": fine(estimate.and_then(|estimate| estimate.value)),
            "ratio_low": fine(estimate.and_then(|estimate| estimate.low)),
            "ratio_high": fine(estimate.and_then(|estimate| estimate.high)),
            "doubling_elo": number(self.doubling_elo(), ELO_DECIMALS),
            "batches": sheet().array(self.rows()),
            "verdict": self.invalid.map(|_| Verdict::Invalid.name()),
            "verdict_reason": reason,
        });
        if let Value::Object(object) = &mut value {
            let sheet = columns_of_both(Sheet::new(), ["A", "B"], |both: &[FaultTally; 2]| *both);
            object.extend(sheet.object(&self.faults.of_both()));
            insert_kinds(object, self.faults);
        }
        value
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
            "A        {a}\nB        {b}, {}\ngames    {} in {}\n",
            self.limit_b.map_or_else(
                || format!("{} {} a move", self.resource, self.unit),
                MoveLimit::words
            ),
            plural(self.pairs(), "pair"),
            plural(self.steps.len() as u64, "batch")
        );
        text += &faults::lines(self.faults, self.labels);
        if let Some(invalid) = self.invalid {
            text += &format!("verdict  invalid: {invalid}; nothing is said about strength\n");
            return wrapped(&text);
        }
        let Some(estimate) = self.estimate().filter(|estimate| estimate.value.is_some()) else {
            text += "ratio    not known: no curve fits yet\n";
            return wrapped(&text);
        };
        text += &format!(
            "ratio    {}: so many times {} make A as strong (95 % interval)\n",
            even_text(&estimate),
            self.one("B")
        );
        if let Some(elo) = self.doubling_elo() {
            text += &format!(
                "slope    twice the {} are worth {elo:+.0} Elo to A near there\n",
                self.unit
            );
        }
        wrapped(&text)
    }
}

/// `even at 1.234 [1.100, 1.400]`.
fn even_text(estimate: &Estimate) -> String {
    let digits = |value| or_dash(value, 3);
    format!(
        "even at {} [{}, {}]",
        digits(estimate.value),
        digits(estimate.low),
        digits(estimate.high)
    )
}

/// One batch.
pub(super) struct BatchRow<'a> {
    /// From 1.
    number: usize,
    step: &'a OddsStep,
    resource_b: Option<u64>,
}

/// The columns of `odds.csv`.
pub(super) fn sheet<'a>() -> Sheet<'a, BatchRow<'a>> {
    let fine = |value: Option<f64>| Cell::rounded(value, FINE_DECIMALS);
    let sheet = Sheet::new()
        .column("batch", "number of the batch, from 1", |of: &BatchRow<'_>| {
            of.number.into()
        })
        .column(
            "ratio",
            "A's nodes or milliseconds a move over those of a ratio of 1",
            move |of| fine(Some(of.step.ratio)),
        )
        .column("pairs", "pairs of the batch", |of| of.step.tally.pairs().into())
        .column("score", "mean points of A in a game of the batch", move |of| {
            fine(of.step.tally.score())
        })
        .column(
            "estimate",
            "the ratio at which both are even, by this and all batches before",
            move |of| fine(of.step.estimate.value),
        )
        .column("low", "lower end of its 95 % interval", move |of| {
            fine(of.step.estimate.low)
        })
        .column("high", "upper end of its 95 % interval", move |of| {
            fine(of.step.estimate.high)
        })
        .column("resource_a", "A's nodes or milliseconds a move", |of| {
            of.step.resource_a.into()
        })
        .column(
            "resource_b",
            "B's nodes or milliseconds a move, as many as A has at a ratio of 1; empty where B has a limit of another kind",
            |of| of.resource_b.into(),
        )
        .pentanomial(|of| of.step.tally.pentanomial);
    columns_of_both(sheet, ["A", "B"], |of| of.step.faults)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::odds_steps as steps;
    use super::*;
    use crate::stop::FaultLimits;

    fn faults() -> FaultCounts {
        FaultCounts::of_sides(FaultLimits::default())
    }

    #[test]
    fn the_file_has_a_row_a_batch_and_the_text_says_what_the_ratio_means() {
        let labels = ["base".to_owned(), "plain".to_owned()];
        let steps = steps();
        let report = OddsReport {
            labels: &labels,
            unit: "nodes",
            resource: 1000,
            limit_b: None,
            steps: &steps,
            faults: &faults(),
            invalid: None,
        };
        let csv = String::from_utf8(report.csv().unwrap()).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].starts_with("batch,ratio,pairs,score,estimate,low,high,"));
        assert!(lines[1].starts_with("1,0.5,100,0.3,,,,500,1000,"), "{}", lines[1]);
        assert!(lines[2].starts_with("2,2.0,100,0.7,1.0,"), "{}", lines[2]);
        let text = report.describe();
        assert!(text.contains("games    200 pairs in 2 batches\n"), "{text}");
        assert!(text.contains("even at 1.000 [0."), "{text}");
        assert!(text.contains("times the nodes of B make A as"), "{text}");
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
            limit_b: None,
            steps: &steps[..1],
            faults: &faults(),
            invalid: None,
        };
        assert!(report.describe().contains("not known"));
        assert_eq!(report.json()["ratio_low"], Value::Null);
    }
}
