//! The likelihood behind [`super::ratings`]: pairings in, the parameters that maximise it and their covariance out. Knows
//! nothing of Elo.
//!
//! Sources: R. Davidson, *On extending the Bradley-Terry model to accommodate ties* (1970); R. Davidson & R. Beaver, *On
//! extending the Bradley-Terry model to incorporate within-pair order effects* (1977).

use super::cholesky::{factor, invert, solve};

/// Variance of the priors on first-move advantage and `ln nu`, in squared logarithmic units.
const PRIOR_VARIANCE: f64 = 100.0;
const NEWTON_STEPS_MAX: usize = 200;
/// Steps of Newton's method, in logarithmic units: too short to matter, and short enough if rounding ends the climb.
const STEP_TOLERANCE: f64 = 1e-10;
const STEP_AT_SUMMIT: f64 = 1e-4;

/// Games between two players with the same one moving first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Index of the player who moved first.
    pub first: usize,
    /// Index of the player who moved second.
    pub second: usize,
    /// Games the first mover won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games the first mover lost.
    pub losses: u64,
}

impl Pairing {
    fn games(&self) -> f64 {
        (self.wins + self.draws + self.losses) as f64
    }
}

/// Opening pairs between two players: one opening, each moving first once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedGames {
    /// Index of the player from whose view the results are.
    pub a: usize,
    /// Index of the other.
    pub b: usize,
    /// Pairs by the result of the game that `a` began (rows) and of the one that `b` began (columns): loss, draw, win of `a`.
    pub results: [[u64; 3]; 3],
}

impl PairedGames {
    /// The games in which each of the two moved first.
    pub fn pairings(&self) -> [Pairing; 2] {
        let began = |result: usize| self.results[result].iter().sum();
        let followed = |result: usize| self.results.iter().map(|row| row[result]).sum();
        let pairing = |first, second, [losses, draws, wins]: [u64; 3]| Pairing {
            first,
            second,
            wins,
            draws,
            losses,
        };
        let of_a = [0, 1, 2].map(began);
        let of_b = [2, 1, 0].map(followed);
        [pairing(self.a, self.b, of_a), pairing(self.b, self.a, of_b)]
    }
}

/// The likelihood, with parameters: a strength per player, `eta`, `ln nu`.
pub(crate) struct Model<'a> {
    pub(crate) players: usize,
    pub(crate) pools: &'a [Vec<usize>],
    pub(crate) pairings: &'a [Pairing],
    pub(crate) has_draws: bool,
}

impl Model<'_> {
    fn size(&self) -> usize {
        self.players + 2
    }

    /// Parameters at the maximum and their covariance; `None` if the maximum is not reached.
    pub(crate) fn maximise(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut parameters = vec![0.0; self.size()];
        let mut value = self.log_likelihood(&parameters);
        for _ in 0..NEWTON_STEPS_MAX {
            let (gradient, information) = self.derivatives(&parameters);
            let lower = factor(information, self.size())?;
            let step = solve(&lower, &gradient);
            let longest = step.iter().fold(0.0f64, |longest, s| longest.max(s.abs()));
            let climbed = if longest > STEP_TOLERANCE {
                self.climb(&parameters, value, &step)
            } else {
                None
            };
            match climbed {
                Some(next) => (parameters, value) = next,
                // At the summit, as near as the rounding of a long sum lets one come.
                None if longest < STEP_AT_SUMMIT => return Some((parameters, self.covariance(&lower))),
                None => return None,
            }
        }
        None
    }

    /// The step, halved until the likelihood rises; `None` if it never does. The likelihood is concave, so short of the
    /// summit some length does.
    fn climb(&self, parameters: &[f64], value: f64, step: &[f64]) -> Option<(Vec<f64>, f64)> {
        std::iter::successors(Some(1.0), |length| Some(0.5 * length))
            .take(40)
            .find_map(|length| {
                let next: Vec<f64> = parameters.iter().zip(step).map(|(p, s)| p + length * s).collect();
                let next_value = self.log_likelihood(&next);
                (next_value > value).then_some((next, next_value))
            })
    }

    /// The inverse information; pinned parameters vary not at all.
    fn covariance(&self, lower: &[f64]) -> Vec<f64> {
        let mut covariance = invert(lower, self.size());
        for pool in self.pools {
            covariance[pool[0] * self.size() + pool[0]] = 0.0;
        }
        covariance
    }

    /// The covariance that holds however the two games of a pair depend on each other: the inverse information around the scores of whole
    /// pairs (H. White 1982; the pairs are the clusters). One pair of the model's own is added to each pairing, so that few pairs that
    /// happen to be alike do not pass for certainty.
    pub(crate) fn robust_covariance(
        &self,
        parameters: &[f64],
        inverse: &[f64],
        paired: &[PairedGames],
    ) -> Vec<f64> {
        let size = self.size();
        let mut middle = vec![0.0; size * size];
        let mut pairs = 0.0;
        for pairing in paired {
            let [of_a, of_b] = pairing.pairings();
            let [by_a, by_b] = [of_a, of_b].map(|games| self.outcome(parameters, &games).0);
            for (first, row) in pairing.results.iter().enumerate() {
                for (second, &count) in row.iter().enumerate() {
                    // Of the model, the two games are independent; B's results are A's mirrored.
                    let expected = by_a[2 - first] * by_b[second];
                    let weight = count as f64 + expected;
                    let mut score = vec![0.0; size];
                    self.add_score(&mut score, &of_a, by_a, first);
                    self.add_score(&mut score, &of_b, by_b, 2 - second);
                    add_square(&mut middle, &score, weight);
                    pairs += count as f64;
                }
            }
        }
        // Parameters that are fitted take from the residuals.
        let fitted = (size - self.pools.len()) as f64;
        let factor = pairs / (pairs - fitted).max(1.0);
        let left = product(inverse, &middle, size);
        let covariance = product(&left, inverse, size);
        covariance.into_iter().map(|entry| entry * factor).collect()
    }

    /// Adds the derivatives of the log likelihood of one game, in which the first mover came to `result` (loss, draw, win).
    fn add_score(&self, score: &mut [f64], games: &Pairing, [win, drawn, loss]: [f64; 3], result: usize) {
        let excess = 0.5 * (result as f64 - 1.0 - (win - loss));
        score[games.first] += excess;
        score[games.second] -= excess;
        score[self.players] += excess;
        score[self.players + 1] += f64::from(u8::from(result == 1)) - drawn;
    }

    /// Probabilities of win, draw and loss of the first mover and the logarithm of their total weight.
    fn outcome(&self, parameters: &[f64], games: &Pairing) -> ([f64; 3], f64) {
        let d = parameters[games.first] - parameters[games.second] + parameters[self.players];
        let draw = if self.has_draws {
            parameters[self.players + 1]
        } else {
            f64::NEG_INFINITY
        };
        let exponents = [0.5 * d, draw, -0.5 * d];
        let largest = exponents.into_iter().fold(f64::MIN, f64::max);
        let weights = exponents.map(|exponent| (exponent - largest).exp());
        let total: f64 = weights.iter().sum();
        (weights.map(|weight| weight / total), largest + total.ln())
    }

    fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let games: f64 = self
            .pairings
            .iter()
            .map(|games| {
                let d = parameters[games.first] - parameters[games.second] + parameters[self.players];
                let decided = 0.5 * d * (games.wins as f64 - games.losses as f64);
                let drawn = games.draws as f64 * parameters[self.players + 1];
                decided + drawn - games.games() * self.outcome(parameters, games).1
            })
            .sum();
        let prior = parameters[self.players].powi(2) + parameters[self.players + 1].powi(2);
        games - 0.5 * prior / PRIOR_VARIANCE
    }

    /// Gradient and observed information, each pool's first player pinned.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.size();
        let (eta, draw) = (self.players, self.players + 1);
        let (mut gradient, mut information) = (vec![0.0; size], vec![0.0; size * size]);
        for global in [eta, draw] {
            gradient[global] -= parameters[global] / PRIOR_VARIANCE;
            information[global * size + global] += 1.0 / PRIOR_VARIANCE;
        }
        for games in self.pairings {
            let ([win, drawn, loss], _) = self.outcome(parameters, games);
            let n = games.games();
            let excess = 0.5 * (games.wins as f64 - games.losses as f64 - n * (win - loss));
            let draw_excess = games.draws as f64 - n * drawn;
            // Covariance of half the result (±1/2) and the draw indicator.
            let result_variance = n * 0.25 * (win + loss - (win - loss) * (win - loss));
            let cross = -n * 0.5 * (win - loss) * drawn;
            let signs = [(games.first, 1.0), (games.second, -1.0), (eta, 1.0)];
            for (i, sign) in signs {
                gradient[i] += sign * excess;
                information[i * size + draw] += sign * cross;
                information[draw * size + i] += sign * cross;
                for (j, other) in signs {
                    information[i * size + j] += sign * other * result_variance;
                }
            }
            gradient[draw] += draw_excess;
            information[draw * size + draw] += n * drawn * (1.0 - drawn);
        }
        for pool in self.pools {
            pin(pool[0], &mut gradient, &mut information);
        }
        (gradient, information)
    }
}

/// Takes a parameter out of the system: its step is 0 and it shares no information with others.
fn pin(parameter: usize, gradient: &mut [f64], information: &mut [f64]) {
    let size = gradient.len();
    gradient[parameter] = 0.0;
    for other in 0..size {
        information[parameter * size + other] = 0.0;
        information[other * size + parameter] = 0.0;
    }
    information[parameter * size + parameter] = 1.0;
}

/// Adds `weight` times the outer square of a vector that is mostly zeros.
fn add_square(matrix: &mut [f64], vector: &[f64], weight: f64) {
    let size = vector.len();
    let entries: Vec<(usize, f64)> = vector
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, x)| *x != 0.0)
        .collect();
    for &(i, x) in &entries {
        for &(j, y) in &entries {
            matrix[i * size + j] += weight * x * y;
        }
    }
}

fn product(left: &[f64], right: &[f64], size: usize) -> Vec<f64> {
    let mut result = vec![0.0; size * size];
    for i in 0..size {
        for k in 0..size {
            let factor = left[i * size + k];
            if factor != 0.0 {
                for j in 0..size {
                    result[i * size + j] += factor * right[k * size + j];
                }
            }
        }
    }
    result
}
