//! Counts as an empirical distribution of scores: trinomial (single games) or pentanomial (pairs) in, mean and
//! variance out. Every later formula reads its counts through this type and never sees a zero probability.

/// Stands for a count of zero, so that the likelihood of every outcome stays defined (fishtest does the same).
pub const EMPTY_COUNT: f64 = 1e-3;

/// An empirical distribution over the scores `0, 1/2, 1` (games) or `0, 1/4, 1/2, 3/4, 1` (pairs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    outcomes: usize,
    counts: [u64; 5],
    probabilities: [f64; 5],
    total: f64,
    /// How many samples are worth one.
    effect: f64,
}

impl Sample {
    /// From pairs LL, LD, DD or WL, DW, WW.
    pub fn pairs(pentanomial: [u64; 5]) -> Sample {
        Sample::new(pentanomial, 5)
    }

    /// The sample of single games that are not paired.
    pub fn games(losses: u64, draws: u64, wins: u64) -> Sample {
        Sample::new([losses, draws, wins, 0, 0], 3)
    }

    fn new(counts: [u64; 5], outcomes: usize) -> Sample {
        let mut probabilities = [0.0; 5];
        for (weight, &count) in probabilities.iter_mut().zip(&counts[..outcomes]) {
            *weight = if count == 0 { EMPTY_COUNT } else { count as f64 };
        }
        let total: f64 = probabilities.iter().sum();
        for weight in &mut probabilities {
            *weight /= total;
        }
        Sample {
            outcomes,
            counts,
            probabilities,
            total,
            effect: 1.0,
        }
    }

    /// The same distribution, worth so many times less than as many independent samples (1: as it stands).
    #[must_use]
    pub fn with_design_effect(self, effect: f64) -> Sample {
        let effect = effect.max(1.0);
        Sample {
            total: self.total / effect,
            effect,
            ..self
        }
    }

    /// Pairs or games really counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of samples with each empty outcome counted as [`EMPTY_COUNT`]: the `N` of the formulas.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Games in one sample: 2 for pairs, 1 for single games.
    pub fn games_per_sample(&self) -> u64 {
        if self.outcomes == 5 { 2 } else { 1 }
    }

    /// The possible scores, ascending.
    pub fn scores(&self) -> &'static [f64] {
        if self.outcomes == 5 {
            &[0.0, 0.25, 0.5, 0.75, 1.0]
        } else {
            &[0.0, 0.5, 1.0]
        }
    }

    /// The probability of each score, in the order of [`Sample::scores`]; positive, summing to 1.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities[..self.outcomes]
    }

    /// Counts as given, in the order of [`Sample::scores`].
    pub fn counts(&self) -> &[u64] {
        &self.counts[..self.outcomes]
    }

    /// Of each count, how many independent samples it is worth.
    pub fn weights(&self) -> impl Iterator<Item = f64> {
        self.counts().iter().map(|&count| count as f64 / self.effect)
    }

    /// Mean score of what was really counted; `None` without a result.
    pub fn score(&self) -> Option<f64> {
        let points = self.scores().iter().zip(self.counts());
        let points: f64 = points.map(|(a, &count)| a * count as f64).sum();
        (self.count() > 0).then(|| points / self.count() as f64)
    }

    /// Mean score a sample.
    pub fn mean(&self) -> f64 {
        moments(self.scores(), self.probabilities()).0
    }

    /// Variance of one sample's score.
    pub fn variance(&self) -> f64 {
        moments(self.scores(), self.probabilities()).1
    }

    /// Standard deviation of one *game*: of pairs it is `√2` times that of the pair's mean score.
    pub fn sigma_game(&self) -> f64 {
        (self.games_per_sample() as f64 * self.variance()).sqrt()
    }

    /// The score that every sample had, if there was only one: the variance is then unknown, not zero.
    pub fn constant_score(&self) -> Option<f64> {
        let mut seen = self
            .scores()
            .iter()
            .zip(self.counts())
            .filter(|&(_, &count)| count > 0);
        match (seen.next(), seen.next()) {
            (Some((&score, _)), None) => Some(score),
            _ => None,
        }
    }
}

/// Mean and variance of a distribution over `scores`.
pub(crate) fn moments(scores: &[f64], probabilities: &[f64]) -> (f64, f64) {
    let mean: f64 = scores.iter().zip(probabilities).map(|(a, p)| a * p).sum();
    let variance = scores
        .iter()
        .zip(probabilities)
        .map(|(a, p)| p * (a - mean) * (a - mean))
        .sum();
    (mean, variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_and_its_two_games_have_the_same_mean() {
        let pairs = Sample::pairs([1, 2, 4, 2, 1]);
        let games = Sample::games(6, 8, 6);
        assert!((pairs.mean() - games.mean()).abs() < 1e-12);
        assert_eq!((pairs.count(), games.count()), (10, 20));
        assert_eq!((pairs.score(), games.score()), (Some(0.5), Some(0.5)));
        assert_eq!(Sample::pairs([0; 5]).score(), None);
    }

    #[test]
    fn only_a_single_seen_outcome_is_a_constant_score() {
        assert_eq!(Sample::pairs([0, 0, 0, 9, 0]).constant_score(), Some(0.75));
        assert_eq!(Sample::games(0, 4, 1).constant_score(), None);
        assert_eq!(Sample::games(0, 0, 0).constant_score(), None);
    }
}
