//! The one row that a match comes to.
//!
//! In: a standing and the players' names. Out: a [`Summary`], as columns, CSV or JSON. Must not: add a judgement of its
//! own to what the statistics say.

use serde_json::{Map, Value};

use super::number::{ELO_DECIMALS, FINE_DECIMALS, cell, number};
use crate::standing::{Standing, Verdict};
use crate::stats::{Estimate, Estimates};

/// What the counted pairs say, from A's view.
#[derive(Debug, Clone)]
pub struct Summary {
    pub(super) labels: [String; 2],
    pub(super) tally: crate::stats::Tally,
    pub(super) estimates: Estimates,
    pub(super) verdict: Verdict,
    pub(super) repeated: u64,
}

impl Summary {
    /// Sums up `standing`.
    pub fn new(standing: &Standing, labels: &[String; 2]) -> Summary {
        Summary {
            labels: labels.clone(),
            tally: *standing.tally(),
            estimates: standing.estimates(),
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
        let (tally, estimates) = (&self.tally, &self.estimates);
        let stopped = estimates.stopped.map_or(Estimate::UNKNOWN, |stopped| stopped.elo);
        let [ll, ld, even, dw, ww] = tally.pentanomial;
        vec![
            ("a", Value::from(self.labels[0].as_str())),
            ("b", Value::from(self.labels[1].as_str())),
            ("pairs", count(tally.pairs())),
            ("games", count(tally.games())),
            ("wins", count(tally.wins())),
            ("losses", count(tally.losses())),
            ("draws", count(tally.draws)),
            ("score", fine(estimates.score)),
            ("elo", elo(estimates.elo.value)),
            ("elo_low", elo(estimates.elo.low)),
            ("elo_high", elo(estimates.elo.high)),
            ("nelo", elo(estimates.nelo.value)),
            ("nelo_low", elo(estimates.nelo.low)),
            ("nelo_high", elo(estimates.nelo.high)),
            ("los", fine(estimates.los)),
            ("ptnml_0", count(ll)),
            ("ptnml_1", count(ld)),
            ("ptnml_2", count(even)),
            ("ptnml_3", count(dw)),
            ("ptnml_4", count(ww)),
            ("llr", fine(estimates.llr())),
            ("llr_lower", fine(estimates.bounds().map(|bounds| bounds.lower))),
            ("llr_upper", fine(estimates.bounds().map(|bounds| bounds.upper))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::tests::pair;
    use crate::stop::StopRule;

    #[test]
    fn the_bounds_shown_are_those_in_force_and_not_walds() {
        let sprt = Some(Default::default());
        let mut standing = Standing::new(StopRule { sprt, pairs_max: 9 });
        for (number, halves) in [[2, 2], [2, 0], [0, 1], [0, 0], [2, 2]].into_iter().enumerate() {
            standing.count(&pair(number as u64, halves, 0));
        }
        let columns = Summary::new(&standing, &["a".to_owned(), "b".to_owned()]).columns();
        let shown = |name: &str| columns.iter().find(|(key, _)| *key == name).unwrap().1.clone();
        let progress = standing.progress();
        let (wald, in_force) = (progress.bounds().unwrap(), progress.corrected_bounds().unwrap());
        assert!(in_force.lower > wald.lower && in_force.upper < wald.upper);
        assert_eq!(shown("llr_lower"), number(Some(in_force.lower), FINE_DECIMALS));
        assert_eq!(shown("llr_upper"), number(Some(in_force.upper), FINE_DECIMALS));
        assert_ne!(shown("llr_upper"), number(Some(wald.upper), FINE_DECIMALS));
    }

    #[test]
    fn what_a_won_and_lost_with_either_colour_stands_in_its_own_column() {
        let mut standing = Standing::new(StopRule {
            sprt: None,
            pairs_max: 9,
        });
        let halves = [
            [2, 1],
            [2, 1],
            [2, 1],
            [1, 2],
            [1, 2],
            [0, 1],
            [0, 0],
            [1, 0],
            [1, 0],
        ];
        for (number, halves) in halves.into_iter().enumerate() {
            standing.count(&pair(number as u64, halves, 0));
        }
        let columns = Summary::new(&standing, &["a".to_owned(), "b".to_owned()]).columns();
        let shown = |name: &str| {
            let column = columns.iter().find(|(key, _)| *key == name);
            column.unwrap().1.as_u64().unwrap()
        };
        let counts = ["first_wins", "first_losses", "second_wins", "second_losses"].map(shown);
        assert_eq!(counts, [3, 2, 2, 3]);
        assert_eq!(
            ["wins", "losses", "draws", "games", "pairs"].map(shown),
            [5, 5, 8, 18, 9]
        );
        assert_eq!(
            ["ptnml_0", "ptnml_1", "ptnml_2", "ptnml_3", "ptnml_4"].map(shown),
            [1, 3, 0, 5, 0]
        );
    }
}
