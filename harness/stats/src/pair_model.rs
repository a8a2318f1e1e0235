//! A known truth to test statistics against: true strength, draw ratio and opening bias in, the distribution of pair
//! results and reproducible draws from it out. Plays no engine.
//!
//! In each game the stronger side's expected score is `L(strength ± bias)`, the bias favouring whoever moves first, and the
//! draw ratio is the same in both. The strength is solved for, so that "true Elo" means what a match measures: the Elo of the
//! mean score over both colours (or the normalized Elo of the pair distribution).

use super::elo::{NELO_SCALE, elo_of_score, score_of_elo};
use super::random::Random;
use super::sample::moments;
use super::search::bisect;
use super::sprt::EloModel;
use super::tally::{GameResult, PairResult};
use thiserror::Error;

/// True strengths are searched within ± this many Elo.
const STRENGTH_MAX: f64 = 2000.0;

/// The distribution of the nine results of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairModel {
    /// Probabilities of A's results moving first (rows) and second (columns): loss, draw, win.
    games: [[f64; 3]; 2],
    /// Cumulated probabilities of the nine results as 64-bit fractions, so that a draw compares integers.
    limits: [u64; 9],
}

/// Why there is no such truth.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum PairModelError {
    /// Strength out of reach.
    #[error("a true strength of {0} elo cannot be simulated; stay within what the draw ratio and bias allow")]
    Strength(f64),
    /// Such a share of draws leaves no room for such a score in one game.
    #[error(
        "a draw ratio of {0} leaves no room for a score of {1:.3} in one game; lower the draw ratio or the bias"
    )]
    DrawRatio(f64, f64),
}

impl PairModel {
    /// The pairs of a player truly `elo` stronger on the scale of `model`, with the given share of draws and openings worth
    /// `opening_bias` Elo to the first mover.
    /// Errors: A strength or draw ratio that no distribution has.
    pub fn new(
        elo: f64,
        model: EloModel,
        draw_ratio: f64,
        opening_bias: f64,
    ) -> Result<PairModel, PairModelError> {
        let at = |strength: f64| -> Result<PairModel, PairModelError> {
            let first = game(score_of_elo(strength + opening_bias), draw_ratio)?;
            let second = game(score_of_elo(strength - opening_bias), draw_ratio)?;
            Ok(PairModel {
                games: [first, second],
                limits: limits(first, second),
            })
        };
        let even = at(0.0)?;
        let true_elo = |truth: &PairModel| match model {
            EloModel::Logistic => truth.elo(),
            EloModel::Normalized => truth.nelo(),
        };
        if elo == 0.0 {
            return Ok(even);
        }
        let range = if elo > 0.0 {
            [0.0, STRENGTH_MAX]
        } else {
            [-STRENGTH_MAX, 0.0]
        };
        // Where draws leave no room the strength is too far from even.
        let is_below = |strength| at(strength).map_or(elo < 0.0, |truth| true_elo(&truth) < elo);
        let [low, high] = bisect(range, 80, is_below);
        let truth = at(if elo > 0.0 { low } else { high })?;
        if (true_elo(&truth) - elo).abs() < 1e-6 {
            Ok(truth)
        } else {
            Err(PairModelError::Strength(elo))
        }
    }

    /// Draws the next pair.
    pub fn draw(&self, random: &mut Random) -> PairResult {
        let uniform = random.next_u64();
        let result = self.limits[..8].iter().filter(|&&limit| uniform >= limit).count();
        PairResult {
            first: GameResult::ALL[result / 3],
            second: GameResult::ALL[result % 3],
        }
    }

    /// Probabilities of LL, LD, DD or WL, DW, WW.
    pub fn pentanomial(&self) -> [f64; 5] {
        let mut probabilities = [0.0; 5];
        for (i, first) in self.games[0].iter().enumerate() {
            for (j, second) in self.games[1].iter().enumerate() {
                probabilities[i + j] += first * second;
            }
        }
        probabilities
    }

    /// Mean score and its variance, of a pair.
    pub fn moments(&self) -> (f64, f64) {
        moments(&[0.0, 0.25, 0.5, 0.75, 1.0], &self.pentanomial())
    }

    /// The true logistic Elo of the model.
    pub fn elo(&self) -> f64 {
        // The mean lies between the scores of finite strengths.
        elo_of_score(self.moments().0).unwrap_or(0.0)
    }

    /// The true normalized Elo of the model.
    pub fn nelo(&self) -> f64 {
        let (mean, variance) = self.moments();
        NELO_SCALE * (mean - 0.5) / (2.0 * variance).sqrt()
    }
}

/// Loss, draw and win of one game.
fn game(score: f64, draw_ratio: f64) -> Result<[f64; 3], PairModelError> {
    let (loss, win) = (1.0 - score - 0.5 * draw_ratio, score - 0.5 * draw_ratio);
    if draw_ratio >= 0.0 && loss >= 0.0 && win >= 0.0 && loss.max(win) > 0.0 {
        Ok([loss, draw_ratio, win])
    } else {
        Err(PairModelError::DrawRatio(draw_ratio, score))
    }
}

fn limits(first: [f64; 3], second: [f64; 3]) -> [u64; 9] {
    let mut limits = [0; 9];
    let mut sum = 0.0;
    for (result, limit) in limits.iter_mut().enumerate() {
        sum += first[result / 3] * second[result % 3];
        // Saturates at the top, where it is never compared.
        *limit = (sum * 2f64.powi(64)) as u64;
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_near;

    #[test]
    fn the_truth_is_the_elo_asked_for_on_either_scale() {
        for elo in [-30.0, -3.0, 0.0, 5.0, 60.0] {
            let truth = |model, draws, bias| PairModel::new(elo, model, draws, bias).unwrap();
            assert_near(truth(EloModel::Logistic, 0.3, 80.0).elo(), elo, 1e-6);
            assert_near(truth(EloModel::Normalized, 0.02, 0.0).nelo(), elo, 1e-6);
        }
    }

    #[test]
    fn drawn_pairs_are_those_of_the_pentanomial() {
        let truth = PairModel::new(20.0, EloModel::Logistic, 0.4, 90.0).unwrap();
        let (mut random, mut counts, draws) = (Random::long(5, 0), [0u32; 5], 100_000);
        (0..draws).for_each(|_| counts[truth.draw(&mut random).category()] += 1);
        for (count, p) in counts.into_iter().zip(truth.pentanomial()) {
            let error = (p * (1.0 - p) / f64::from(draws)).sqrt();
            assert_near(f64::from(count) / f64::from(draws), p, 4.0 * error);
        }
    }

    #[test]
    fn impossible_truths_are_refused() {
        let new = |elo, draws, bias| PairModel::new(elo, EloModel::Logistic, draws, bias);
        assert!(matches!(new(0.0, 0.8, 200.0), Err(PairModelError::DrawRatio(..))));
        assert_eq!(new(300.0, 0.8, 0.0), Err(PairModelError::Strength(300.0)));
        assert!(new(f64::NAN, 0.3, 0.0).is_err() && new(0.0, f64::NAN, 0.0).is_err());
    }
}
