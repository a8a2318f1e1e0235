//! The likelihood behind [`super::ratings`]: pairs in, the parameters that maximise it and their covariance out. Knows nothing of Elo.
//!
//! Sources: R. Davidson, *On extending the Bradley-Terry model to accommodate ties* (1970); R. Davidson & R. Beaver, *On
//! extending the Bradley-Terry model to incorporate within-pair order effects* (1977).

use super::linear::{Matrix, dot};

/// Variance of the priors on first-move advantage and `ln nu`, in squared logarithmic units.
const PRIOR_VARIANCE: f64 = 100.0;
const NEWTON_STEPS_MAX: usize = 200;
/// Steps of Newton's method, in logarithmic units: too short to matter, and short enough if rounding ends the climb.
const STEP_TOLERANCE: f64 = 1e-10;
const STEP_AT_SUMMIT: f64 = 1e-4;

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

/// Who moved first and second, and games that the first mover lost, drew and won.
pub(crate) type Pairing = ([usize; 2], [u64; 3]);

impl PairedGames {
    /// The games that `a` began and those that `b` began.
    pub(crate) fn pairings(&self) -> [Pairing; 2] {
        let began = |result: usize| self.results[result].iter().sum();
        let followed = |result: usize| self.results.iter().map(|row| row[2 - result]).sum();
        let results = [0, 1, 2];
        [
            ([self.a, self.b], results.map(began)),
            ([self.b, self.a], results.map(followed)),
        ]
    }
}

/// What one game's result says of each parameter that it depends on.
type Gradient = [(usize, f64); 4];

/// The likelihood, with parameters: a strength per player, `eta`, `ln nu`.
pub(crate) struct Model<'a> {
    pub(crate) players: usize,
    pub(crate) pools: &'a [Vec<usize>],
    pub(crate) paired: &'a [PairedGames],
    pub(crate) has_draws: bool,
}

impl Model<'_> {
    fn size(&self) -> usize {
        self.players + 2
    }

    fn pairings(&self) -> impl Iterator<Item = Pairing> {
        self.paired.iter().flat_map(PairedGames::pairings)
    }

    /// Parameters at the maximum and their covariance; `None` if the maximum is not reached.
    pub(crate) fn maximise(&self) -> Option<(Vec<f64>, Matrix)> {
        let mut parameters = vec![0.0; self.size()];
        let mut value = self.log_likelihood(&parameters);
        for _ in 0..NEWTON_STEPS_MAX {
            let (gradient, information) = self.derivatives(&parameters);
            let information = information.cholesky()?;
            let step = information.solve(&gradient);
            let longest = step
                .iter()
                .fold(0.0, |longest: f64, step| longest.max(step.abs()));
            let climbed = (longest > STEP_TOLERANCE)
                .then(|| self.climb(&parameters, value, &step))
                .flatten();
            match climbed {
                Some(next) => (parameters, value) = next,
                // At the summit, as near as the rounding of a long sum lets one come.
                None if longest < STEP_AT_SUMMIT => {
                    let covariance = self.covariance(&parameters, information.inverse());
                    return Some((parameters, covariance));
                }
                None => return None,
            }
        }
        None
    }

    /// The step, halved until the likelihood rises; `None` if it never does. The likelihood is concave, so short of the
    /// summit some length does.
    fn climb(&self, parameters: &[f64], value: f64, step: &[f64]) -> Option<(Vec<f64>, f64)> {
        let lengths = std::iter::successors(Some(1.0), |length| Some(0.5 * length));
        lengths.take(40).find_map(|length| {
            let next = parameters.iter().zip(step);
            let next: Vec<f64> = next.map(|(parameter, step)| parameter + step * length).collect();
            let next_value = self.log_likelihood(&next);
            (next_value > value).then_some((next, next_value))
        })
    }

    /// The covariance that holds however the two games of a pair depend on each other: the inverse information around the scores of whole
    /// pairs (H. White 1982; the pairs are the clusters). One pair of the model's own is added to each pairing, so that few pairs that
    /// happen to be alike do not pass for certainty.
    fn covariance(&self, parameters: &[f64], mut inverse: Matrix) -> Matrix {
        // Pinned parameters vary not at all.
        for pool in self.pools {
            inverse[(pool[0], pool[0])] = 0.0;
        }
        if self.paired.is_empty() {
            return inverse;
        }
        let mut middle = Matrix::zeros(self.size());
        let mut pairs = 0.0;
        for paired in self.paired {
            let [of_a, of_b] = paired.pairings().map(|(players, _)| players);
            let [by_a, by_b] = [of_a, of_b].map(|players| self.outcome(parameters, players));
            for (first, row) in paired.results.iter().enumerate() {
                for (second, &count) in row.iter().enumerate() {
                    // Of the model, the two games are independent; B's results are A's mirrored.
                    let expected = by_a[first] * by_b[2 - second];
                    let scores = [self.score(of_a, by_a, first), self.score(of_b, by_b, 2 - second)];
                    middle.add_square(scores.into_iter().flatten(), count as f64 + expected);
                    pairs += count as f64;
                }
            }
        }
        // Parameters that are fitted take from the residuals.
        let fitted = (self.size() - self.pools.len()) as f64;
        let factor = pairs / (pairs - fitted).max(1.0);
        let mut covariance = inverse.around(&middle);
        covariance.scale(factor);
        covariance
    }

    /// Probabilities of loss, draw and win of the first mover.
    fn outcome(&self, parameters: &[f64], [first, second]: [usize; 2]) -> [f64; 3] {
        let d = parameters[first] - parameters[second] + parameters[self.players];
        let draw = if self.has_draws {
            parameters[self.players + 1]
        } else {
            f64::NEG_INFINITY
        };
        let exponents = [-0.5 * d, draw, 0.5 * d];
        let largest = exponents.into_iter().fold(f64::MIN, f64::max);
        let weights = exponents.map(|exponent| (exponent - largest).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    }

    /// The derivatives of the log likelihood of one game in which the first mover came to `result` (loss, draw, win).
    fn score(&self, [first, second]: [usize; 2], [loss, drawn, win]: [f64; 3], result: usize) -> Gradient {
        let excess = 0.5 * (result as f64 - 1.0 - (win - loss));
        let draw_excess = f64::from(u8::from(result == 1)) - drawn;
        [
            (first, excess),
            (second, -excess),
            (self.players, excess),
            (self.players + 1, draw_excess),
        ]
    }

    fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let of_games = |(players, results): Pairing| {
            let results = results.into_iter().zip(self.outcome(parameters, players));
            let seen = results.filter(|(count, _)| *count > 0);
            seen.map(|(count, p)| count as f64 * p.ln()).sum::<f64>()
        };
        let globals = &parameters[self.players..];
        self.pairings().map(of_games).sum::<f64>() - 0.5 * dot(globals, globals) / PRIOR_VARIANCE
    }

    /// Gradient and information, each pool's first player pinned.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Matrix) {
        let mut gradient = vec![0.0; self.size()];
        let mut information = Matrix::zeros(self.size());
        for global in [self.players, self.players + 1] {
            gradient[global] -= parameters[global] / PRIOR_VARIANCE;
            information[(global, global)] += 1.0 / PRIOR_VARIANCE;
        }
        for (players, results) in self.pairings() {
            let probabilities = self.outcome(parameters, players);
            let count = results.iter().sum::<u64>() as f64;
            for result in 0..3 {
                let score = self.score(players, probabilities, result);
                for (parameter, derivative) in score {
                    gradient[parameter] += results[result] as f64 * derivative;
                }
                information.add_square(score, count * probabilities[result]);
            }
        }
        for pinned in self.pools.iter().map(|pool| pool[0]) {
            gradient[pinned] = 0.0;
            for other in 0..self.size() {
                (information[(pinned, other)], information[(other, pinned)]) = (0.0, 0.0);
            }
            information[(pinned, pinned)] = 1.0;
        }
        (gradient, information)
    }
}

/// Groups of players each of whom took something off every other, directly or through others, in order of their first player; and the
/// group of each player.
pub(crate) fn pools(players: usize, paired: &[PairedGames]) -> (Vec<Vec<usize>>, Vec<usize>) {
    // reaches[i][j]: a chain from i to j of "did not lose every game to".
    let mut reaches = vec![vec![false; players]; players];
    for ([first, second], [losses, draws, wins]) in paired.iter().flat_map(PairedGames::pairings) {
        reaches[first][second] |= wins + draws > 0;
        reaches[second][first] |= losses + draws > 0;
    }
    for via in 0..players {
        let onward = reaches[via].clone();
        for from in reaches.iter_mut().filter(|from| from[via]) {
            for (reached, more) in from.iter_mut().zip(&onward) {
                *reached |= more;
            }
        }
    }
    let mut pools: Vec<Vec<usize>> = Vec::new();
    let mut pool_of = Vec::with_capacity(players);
    for (player, reached) in reaches.iter().enumerate() {
        let known = pools
            .iter()
            .position(|pool| reached[pool[0]] && reaches[pool[0]][player]);
        let pool = known.unwrap_or(pools.len());
        if pool == pools.len() {
            pools.push(Vec::new());
        }
        pools[pool].push(player);
        pool_of.push(pool);
    }
    (pools, pool_of)
}
