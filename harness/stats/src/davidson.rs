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
