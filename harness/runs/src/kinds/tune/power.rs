//! The test of the confirming match of a tuning, and what it can show, before anything is played.

use std::f64::consts::PI;

use tanren_engine::game::Game;

use crate::stats::{Calculator, EloModel, Sprt, elo::NELO_SCALE};

const ERRORS: f64 = 0.05;
/// Of an open end after all pairs, where it is most probable: halfway between the hypotheses.
const OPEN: f64 = 0.1;
const ELO1_MAX: f64 = 200.0;
/// Gains that the power is told for, in Elo.
const GAINS: [f64; 4] = [3.0, 5.0, 10.0, 20.0];
/// The one by which it is judged, and what it should be.
const GAIN: f64 = 10.0;
const ENOUGH: f64 = 0.8;
const PAIRS_MAX: u64 = 1_000_000;

/// The sharpest test of no gain against some that is probably decided within `pairs`, whatever the strength is.
///
/// Halfway between the hypotheses the ratio is a motion without drift, whose probability to stay within ±b until its variance is V
/// is 4/π exp(-π² V / 8b²); a pair adds 2 (elo1 / scale)² to V.
pub(crate) fn test_within(pairs: u64) -> Sprt {
    let bound = ((1.0 - ERRORS) / ERRORS).ln();
    let variance = (4.0 / (PI * OPEN)).ln() * 8.0 * (bound / PI).powi(2);
    let elo1 = NELO_SCALE * (variance / (2.0 * pairs.max(1) as f64)).sqrt();
    let elo1 = ((10.0 * elo1).ceil() / 10.0).min(ELO1_MAX);
    let test = Sprt::new(0.0, elo1, ERRORS, ERRORS, EloModel::Normalized);
    test.unwrap_or_else(|error| unreachable!("elo1 is from 0.1 to 200: {error}"))
}

/// What a match of so many pairs can show, and a warning with what would do if that is little; `None` where no forecast is possible.
pub(crate) fn power(game: Game, sprt: &Sprt, pairs: u64) -> Option<String> {
    let calculator = calculator(game, sprt)?;
    let gains = GAINS.map(|gain| {
        let percent = 100.0 * within(&calculator, gain, pairs);
        format!("{percent:.0} % for +{gain} Elo")
    });
    let line = format!(
        "the confirming match, an SPRT of {} against {} {} within {pairs} pairs, will show a gain with a probability of {} (at {:.0} % \
         draws)",
        sprt.elo0(),
        sprt.elo1(),
        match sprt.model() {
            EloModel::Normalized => "nElo",
            EloModel::Logistic => "Elo",
        },
        gains.join(", "),
        100.0 * draws(game)
    );
    if within(&calculator, GAIN, pairs) >= ENOUGH {
        return Some(line);
    }
    let Some(pairs) = enough(game) else {
        return Some(line + "\nwarning: +10 Elo would probably stay unconfirmed");
    };
    let openings = 4 * pairs;
    Some(format!(
        "{line}\nwarning: the confirming match is too short for +10 Elo; 80 % power needs --confirm-pairs \
         {pairs} (with {openings} openings, as every fourth is kept for it), now or after the run"
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

/// The least number of pairs whose own test would confirm +10 Elo often enough, to 1 %.
fn enough(game: Game) -> Option<u64> {
    let is_enough = |pairs: u64| {
        let calculator = calculator(game, &test_within(pairs));
        calculator.is_some_and(|calculator| within(&calculator, GAIN, pairs) >= ENOUGH)
    };
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
    fn the_test_of_a_match_is_one_that_it_decides() {
        for (pairs, expected) in [
            (100, 103.9),
            (1_000, 32.9),
            (5_000, 14.7),
            (100_000, 3.3),
            (1, 200.0),
        ] {
            assert_eq!(test_within(pairs).elo1(), expected);
        }
        let text = |pairs| power(Game::Chess, &test_within(pairs), pairs).unwrap();
        assert!(text(500).contains("\nwarning: the confirming match is too short for +10 Elo"));
        let pairs = enough(Game::Chess).unwrap();
        assert!(
            !text(pairs).contains("warning") && text(pairs * 9 / 10).contains("warning"),
            "{pairs}"
        );
    }
}
