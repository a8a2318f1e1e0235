//! What the confirming match of a tuning can show, before anything is played.

use tanren_engine::game::Game;

use crate::config::sprt_text;
use crate::stats::{Calculator, EloModel, Sprt};

/// Gains that the power is told for, in Elo.
const GAINS: [f64; 3] = [5.0, 10.0, 15.0];
/// The one by which it is judged, and what it should be.
const GAIN: f64 = GAINS[1];
const ENOUGH: f64 = 0.8;
/// Values of `elo1` that are tried for a test with enough power.
const ELO1: [f64; 8] = [20.0, 15.0, 12.0, 10.0, 8.0, 6.0, 5.0, 4.0];
const PAIRS_MAX: u64 = 200_000;

/// What a match of so many pairs can show, and a warning with what would do if that is little; `None` where no forecast is possible.
pub(crate) fn power(game: Game, sprt: &Sprt, pairs: u64) -> Option<String> {
    let calculator = calculator(game, sprt)?;
    let gains = GAINS.map(|gain| {
        let percent = 100.0 * within(&calculator, gain, pairs);
        format!("{percent:.1} % for +{gain} Elo")
    });
    let line = format!(
        "the confirming match of at most {pairs} pairs will show a gain with a probability of {} (at {:.0} % draws)",
        gains.join(", "),
        100.0 * draws(game)
    );
    if within(&calculator, GAIN, pairs) >= ENOUGH {
        return Some(line);
    }
    let Some((test, pairs)) = enough(game, sprt) else {
        return Some(line + "\nwarning: +10 Elo would probably stay unconfirmed");
    };
    let test = sprt_text(&test);
    let openings = 4 * pairs;
    Some(format!(
        "{line}\nwarning: +10 Elo would stay unconfirmed too often; 80 % need --confirm-sprt {test} --confirm-pairs {pairs} \
         (every fourth opening is kept for them: {openings} openings)"
    ))
}

/// Of the built-in engine at a thousand nodes, roughly.
fn draws(game: Game) -> f64 {
    match game {
        Game::Shogi => 0.02,
        Game::Chess => 0.3,
    }
}

fn calculator(game: Game, sprt: &Sprt) -> Option<Calculator> {
    Calculator::new(sprt, draws(game), 50.0).ok()
}

fn within(calculator: &Calculator, elo: f64, pairs: u64) -> f64 {
    calculator
        .pass_within_logistic(elo, 2.0 * pairs as f64)
        .unwrap_or(0.0)
}

/// The test with the errors of `sprt` and the least pairs that would confirm +10 Elo with 80 %, and those pairs.
fn enough(game: Game, sprt: &Sprt) -> Option<(Sprt, u64)> {
    let tests = ELO1.into_iter().filter_map(|elo1| {
        let test = Sprt::new(0.0, elo1, sprt.alpha(), sprt.beta(), EloModel::Normalized).ok()?;
        Some((test, pairs_for(&calculator(game, &test)?)?))
    });
    tests.min_by_key(|&(_, pairs)| pairs)
}

/// The least number of pairs with enough power, to 1 %.
fn pairs_for(calculator: &Calculator) -> Option<u64> {
    let is_enough = |pairs: u64| within(calculator, GAIN, pairs) >= ENOUGH;
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
    fn a_match_that_is_too_short_is_told_what_would_do() {
        let sprt = Sprt::new(0.0, 15.0, 0.05, 0.05, EloModel::Normalized).unwrap();
        let text = |sprt, pairs| power(Game::Chess, sprt, pairs).unwrap();
        assert!(text(&sprt, 500).contains("\nwarning: +10 Elo would stay unconfirmed too often"));
        let (test, pairs) = enough(Game::Chess, &sprt).unwrap();
        assert!(!text(&test, pairs).contains("warning"), "{}", text(&test, pairs));
    }
}
