//! What the confirming match of a tuning can show, before anything is played.

use tanren_engine::game::Game;

use crate::config::sprt_text;
use crate::stats::{Calculator, EloModel, Sprt};

/// Gains that the power is told for, in Elo.
pub const GAINS: [f64; 3] = [5.0, 10.0, 15.0];
/// The one by which it is judged, and what it should be.
const GAIN: usize = 1;
const ENOUGH: f64 = 0.8;
/// Values of `elo1` that are tried for a test with enough power.
const ELO1: [f64; 8] = [20.0, 15.0, 12.0, 10.0, 8.0, 6.0, 5.0, 4.0];
const PAIRS_MAX: u64 = 200_000;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    pub pairs: u64,
    pub draws: f64,
    pub of_gains: [f64; 3],
    /// The test with the least pairs that would confirm +10 Elo with 80 %, and those pairs; `None` if this one does, or none
    /// was found.
    pub enough: Option<(Sprt, u64)>,
}

impl Power {
    pub(crate) fn new(game: Game, sprt: &Sprt, pairs: u64) -> Option<Power> {
        // Of the built-in engine at a thousand nodes, roughly.
        let (draws, bias) = match game {
            Game::Shogi => (0.02, 50.0),
            Game::Chess => (0.3, 50.0),
        };
        let calculator = |sprt: &Sprt| Calculator::new(sprt, draws, bias).ok();
        let own = calculator(sprt)?;
        let of_gains = GAINS.map(|elo| within(&own, elo, pairs));
        let enough = (of_gains[GAIN] < ENOUGH).then(|| {
            let tests = ELO1.into_iter().filter_map(|elo1| {
                let test = Sprt::new(0.0, elo1, sprt.alpha(), sprt.beta(), EloModel::Normalized).ok()?;
                Some((test, pairs_for(&calculator(&test)?)?))
            });
            tests.min_by_key(|&(_, pairs)| pairs)
        });
        Some(Power {
            pairs,
            draws,
            of_gains,
            enough: enough.flatten(),
        })
    }

    /// What it can show, and a warning with what would do if that is little.
    pub fn text(&self) -> String {
        let gains = GAINS.iter().zip(self.of_gains);
        let gains: Vec<String> = gains
            .map(|(gain, probability)| format!("{:.1} % for +{gain} Elo", 100.0 * probability))
            .collect();
        let line = format!(
            "the confirming match of at most {} pairs will show a gain with a probability of {} (at {:.0} % draws)",
            self.pairs,
            gains.join(", "),
            100.0 * self.draws
        );
        if self.is_enough() {
            return line;
        }
        let Some((test, pairs)) = &self.enough else {
            return line + "\nwarning: +10 Elo would probably stay unconfirmed";
        };
        let test = sprt_text(test);
        let openings = 4 * pairs;
        format!(
            "{line}\nwarning: +10 Elo would stay unconfirmed too often; 80 % need --confirm-sprt {test} --confirm-pairs {pairs} \
             (every fourth opening is kept for them: {openings} openings)"
        )
    }

    pub fn is_enough(&self) -> bool {
        self.of_gains[GAIN] >= ENOUGH
    }
}

fn within(calculator: &Calculator, elo: f64, pairs: u64) -> f64 {
    calculator
        .pass_within_logistic(elo, 2.0 * pairs as f64)
        .unwrap_or(0.0)
}

/// The least number of pairs with enough power, to 1 %.
fn pairs_for(calculator: &Calculator) -> Option<u64> {
    let is_enough = |pairs: u64| within(calculator, GAINS[GAIN], pairs) >= ENOUGH;
    let (mut low, mut high) = (1, PAIRS_MAX);
    if !is_enough(high) {
        return None;
    }
    while high - low > high / 100 + 1 {
        let middle = u64::midpoint(low, high);
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pairs_confirm_more_and_a_match_that_is_too_short_is_told_what_would_do() {
        let sprt = Sprt::new(0.0, 15.0, 0.05, 0.05, EloModel::Normalized).unwrap();
        let short = Power::new(Game::Chess, &sprt, 500).unwrap();
        let long = Power::new(Game::Chess, &sprt, 5_000).unwrap();
        assert!(!short.is_enough());
        assert!((0..3).all(|gain| short.of_gains[gain] < long.of_gains[gain]));
        assert!(long.of_gains[0] < long.of_gains[1] && long.of_gains[1] < long.of_gains[2]);
        let (test, pairs) = short.enough.unwrap();
        let enough = Power::new(Game::Chess, &test, pairs).unwrap();
        assert!(enough.is_enough() && enough.enough.is_none(), "{enough:?}");
    }
}
