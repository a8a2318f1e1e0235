//! What simulated pairs are drawn from: a player of known strength, openings that suit one of the players, or the pairs of a real match.

use std::sync::Arc;

use crate::random::Random;
use crate::stats::elo::{NELO_SCALE, elo_of_score};
use crate::stats::{EloModel, PairModel, PairModelError, PairResult, normal_scores};

/// Kinds of openings by what they are worth to A, all equally likely: the more, the nearer to a normal distribution.
const KINDS: usize = 41;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Openings {
    /// By how much what an opening is worth to A varies, in Elo; A's results in both colours share it.
    pub sd: f64,
    /// So many openings are used again and again; each is used once if there is none.
    pub repeated: Option<u64>,
    /// Are pairs counted as if no two had the same opening, as before they were told apart?
    pub is_unclustered: bool,
    pub pool: Option<Arc<PairPool>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PairPool {
    pub origin: String,
    pub openings: Vec<Vec<PairResult>>,
    /// Are the players exchanged in half of the openings, so that they are exactly even?
    pub is_mirrored: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Truth {
    kinds: Vec<PairModel>,
    openings: Openings,
    pub(super) mean: f64,
    /// The variance of a pair's mean score.
    pub(super) variance: f64,
}

/// What an opening that repeats is: its kind, and whether the players are exchanged.
pub(super) type DrawnOpening = (usize, bool);

impl Truth {
    pub(super) fn new(
        base: PairModel,
        openings: Openings,
        [draws, bias]: [f64; 2],
    ) -> Result<Truth, PairModelError> {
        if let Some(pool) = &openings.pool {
            let pairs: Vec<f64> = pool.openings.iter().flatten().map(score).collect();
            // Openings are drawn alike, whatever number of pairs they have.
            let of_opening =
                |pairs: &Vec<PairResult>| pairs.iter().map(score).sum::<f64>() / pairs.len() as f64;
            let mean = pool.openings.iter().map(of_opening).sum::<f64>() / pool.openings.len() as f64;
            let mean = if pool.is_mirrored { 0.5 } else { mean };
            let squares = pairs.iter().map(|score| (score - mean).powi(2)).sum::<f64>();
            return Ok(Truth {
                kinds: Vec::new(),
                mean,
                variance: squares / pairs.len() as f64,
                openings,
            });
        }
        let worth = |z: f64| PairModel::new(base.elo() + openings.sd * z, EloModel::Logistic, draws, bias);
        let kinds = if openings.sd == 0.0 {
            vec![base]
        } else {
            normal_scores(KINDS)
                .into_iter()
                .map(worth)
                .collect::<Result<_, _>>()?
        };
        let number = kinds.len() as f64;
        let mean = kinds.iter().map(|kind| kind.moments().0).sum::<f64>() / number;
        let second = |kind: &PairModel| {
            let (own, variance) = kind.moments();
            variance + (own - mean).powi(2)
        };
        Ok(Truth {
            mean,
            variance: kinds.iter().map(second).sum::<f64>() / number,
            kinds,
            openings,
        })
    }

    pub(super) fn elo(&self) -> f64 {
        elo_of_score(self.mean).unwrap_or(0.0)
    }

    pub(super) fn nelo(&self) -> f64 {
        NELO_SCALE * (self.mean - 0.5) / (2.0 * self.variance).sqrt()
    }

    pub(super) fn is_clustered(&self) -> bool {
        self.openings.repeated.is_some() && !self.openings.is_unclustered
    }

    /// The openings of one match; none if each is used once.
    pub(super) fn openings(&self, random: &mut Random) -> Vec<DrawnOpening> {
        (0..self.openings.repeated.unwrap_or(0))
            .map(|_| self.opening(random))
            .collect()
    }

    pub(super) fn draw(&self, known: &[DrawnOpening], pair: u64, random: &mut Random) -> (u32, PairResult) {
        let (opening, (kind, is_mirrored)) = match known.len() as u64 {
            0 => (pair, self.opening(random)),
            repeated => (pair % repeated, known[(pair % repeated) as usize]),
        };
        let result = match &self.openings.pool {
            None => self.kinds[kind].draw(random),
            Some(pool) => {
                let pairs = &pool.openings[kind];
                let result = pairs[random.below(pairs.len() as u64) as usize];
                if is_mirrored { mirrored(result) } else { result }
            }
        };
        (opening as u32, result)
    }

    fn opening(&self, random: &mut Random) -> DrawnOpening {
        match &self.openings.pool {
            Some(pool) => {
                let kind = random.below(pool.openings.len() as u64) as usize;
                (kind, pool.is_mirrored && random.below(2) == 1)
            }
            // The draws of a model without openings are those on record.
            None if self.kinds.len() == 1 => (0, false),
            None => (random.below(self.kinds.len() as u64) as usize, false),
        }
    }
}

fn score(pair: &PairResult) -> f64 {
    pair.category() as f64 / 4.0
}

/// The pair from the other player's view, who moved first where this one moved second.
fn mirrored(pair: PairResult) -> PairResult {
    PairResult {
        first: pair.second.mirrored(),
        second: pair.first.mirrored(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(openings: Openings) -> Truth {
        let base = PairModel::new(0.0, EloModel::Logistic, 0.1, 50.0).unwrap();
        Truth::new(base, openings, [0.1, 50.0]).unwrap()
    }

    fn pool(is_mirrored: bool, repeated: Option<u64>) -> Openings {
        use crate::stats::GameResult::{Draw, Loss, Win};
        let pair = |first, second| PairResult { first, second };
        let openings = vec![vec![pair(Win, Win), pair(Win, Loss)], vec![pair(Win, Draw)]];
        let origin = "x".to_owned();
        Openings {
            repeated,
            pool: Some(Arc::new(PairPool {
                origin,
                openings,
                is_mirrored,
            })),
            ..Openings::default()
        }
    }

    #[test]
    fn drawn_pairs_have_the_mean_that_is_told() {
        let spread = Openings {
            sd: 80.0,
            ..Openings::default()
        };
        for openings in [Openings::default(), spread, pool(false, None), pool(true, None)] {
            let truth = truth(openings);
            let mut random = Random::long(4, 4);
            let scores = (0..20_000).map(|pair| score(&truth.draw(&[], pair, &mut random).1));
            let error = (truth.variance / 20_000.0).sqrt();
            assert!(
                (scores.sum::<f64>() / 20_000.0 - truth.mean).abs() < 4.0 * error,
                "{truth:?}"
            );
        }
        assert!((truth(pool(false, None)).mean - 0.75).abs() < 1e-12);
        assert_eq!(truth(pool(true, None)).elo(), 0.0);
    }

    #[test]
    fn openings_that_repeat_are_the_same_each_time() {
        let truth = truth(pool(true, Some(3)));
        let drawn = truth.openings(&mut Random::long(1, 1));
        let of = |pair| truth.draw(&drawn, pair, &mut Random::long(7, pair)).0;
        assert_eq!([0, 1, 2, 3, 4].map(of), [0, 1, 2, 0, 1]);
        assert!(truth.is_clustered());
    }
}
