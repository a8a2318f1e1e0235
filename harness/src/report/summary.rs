//! The one row that a match comes to.
//!
//! In: a standing and the players' names. Out: a [`Summary`], as columns, CSV or JSON. Must not: add a judgement of its
//! own to what the statistics say.

use serde_json::{Map, Value};

use super::number::{ELO_DECIMALS, FINE_DECIMALS, field};
use crate::standing::{Standing, Verdict};
use crate::stats::{Bounds, Estimate, Sample, StoppedEstimate, elo, stopped_estimate};

/// The confidence of every interval.
pub(super) const CONFIDENCE: f64 = 0.95;

const NOTHING: Estimate = Estimate {
    value: None,
    low: None,
    high: None,
};

/// What the counted pairs say, from A's view.
#[derive(Debug, Clone)]
pub struct Summary {
    pub(super) labels: [String; 2],
    pub(super) tally: crate::stats::Tally,
    pub(super) elo: Estimate,
    pub(super) nelo: Estimate,
    pub(super) los: Option<f64>,
    pub(super) llr: Option<f64>,
    pub(super) bounds: Option<Bounds>,
    pub(super) stopped: Option<StoppedEstimate>,
    pub(super) verdict: Verdict,
    pub(super) repeated: u64,
}

impl Summary {
    /// Sums up `standing`.
    pub fn new(standing: &Standing, labels: &[String; 2]) -> Summary {
        let progress = standing.progress();
        let tally = *standing.tally();
        let sample = Sample::pairs(tally.pentanomial);
        let stopped = progress.rule().sprt.filter(|_| elo::is_enough(&sample));
        Summary {
            labels: labels.clone(),
            tally,
            elo: elo::elo(&sample, CONFIDENCE).unwrap_or(NOTHING),
            nelo: elo::nelo(&sample, CONFIDENCE).unwrap_or(NOTHING),
            los: elo::los(&sample),
            llr: progress.llr(),
            bounds: progress.bounds(),
            stopped: stopped.and_then(|sprt| stopped_estimate(&sample, &sprt, CONFIDENCE)),
            verdict: standing.verdict(),
            repeated: standing.repeated(),
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The columns of `summary.csv` in order, with what JSON holds for each.
    pub fn columns(&self) -> Vec<(&'static str, Value)> {
        let count = |value: u64| Value::from(value);
        let elo = |value| number(value, ELO_DECIMALS);
        let fine = |value| number(value, FINE_DECIMALS);
        let stopped = self.stopped.map_or(NOTHING, |stopped| stopped.elo);
        let tally = &self.tally;
        let [ll, ld, even, dw, ww] = tally.pentanomial;
        vec![
            ("a", Value::from(self.labels[0].as_str())),
            ("b", Value::from(self.labels[1].as_str())),
            ("pairs", count(tally.pairs())),
            ("games", count(tally.games())),
            ("wins", count(tally.wins())),
            ("losses", count(tally.losses())),
            ("draws", count(tally.draws)),
            ("score", fine(tally.score())),
            ("elo", elo(self.elo.value)),
            ("elo_low", elo(self.elo.low)),
            ("elo_high", elo(self.elo.high)),
            ("nelo", elo(self.nelo.value)),
            ("nelo_low", elo(self.nelo.low)),
            ("nelo_high", elo(self.nelo.high)),
            ("los", fine(self.los)),
            ("ptnml_0", count(ll)),
            ("ptnml_1", count(ld)),
            ("ptnml_2", count(even)),
            ("ptnml_3", count(dw)),
            ("ptnml_4", count(ww)),
            ("llr", fine(self.llr)),
            ("llr_lower", fine(self.bounds.map(|bounds| bounds.lower))),
            ("llr_upper", fine(self.bounds.map(|bounds| bounds.upper))),
            ("verdict", Value::from(self.verdict.name())),
            ("stopped_elo", elo(stopped.value)),
            ("stopped_low", elo(stopped.low)),
            ("stopped_high", elo(stopped.high)),
            ("first_wins", count(tally.first_wins)),
            ("first_losses", count(tally.first_losses)),
            ("second_wins", count(tally.second_wins)),
            ("second_losses", count(tally.second_losses)),
            ("duplicates", count(self.repeated)),
        ]
    }

    /// One JSON object, keys as the columns, `null` where there is no value.
    pub fn json(&self) -> Value {
        let entries = self.columns().into_iter();
        Value::Object(
            entries
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>(),
        )
    }

    /// `summary.csv`.
    pub(super) fn csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let columns = self.columns();
        writer.write_record(columns.iter().map(|(name, _)| name))?;
        writer.write_record(columns.iter().map(|(_, value)| cell(value)))?;
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }
}

/// A JSON number with as many decimals as the CSV has.
pub(super) fn number(value: Option<f64>, decimals: usize) -> Value {
    let text = field(value, decimals);
    text.parse::<f64>().map_or(Value::Null, Value::from)
}

/// A JSON value as a CSV cell.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
