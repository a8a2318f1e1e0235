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

/// Steps until a strength is found, of which a few usually do.
const STEPS_MAX: usize = 100;
/// How near the strength must be, in Elo.
const NEAR: f64 = 1e-9;

impl Truth {
    /// A player of true strength `elo` on the scale of `model` over all openings, or the pool.
    pub(super) fn new(
        elo: f64,
        model: EloModel,
        openings: Openings,
        [draws, bias]: [f64; 2],
    ) -> Result<Truth, PairModelError> {
        if let Some(pool) = openings.pool.clone() {
            return Ok(Truth::of_pool(&pool, openings));
        }
        let base = PairModel::new(elo, model, draws, bias)?;
        if openings.sd == 0.0 {
            return Ok(Truth::of_kinds(vec![base], openings));
        }
        let worth = normal_scores(KINDS);
        // The mean score over openings is nearer to even than the score of the mean opening.
        let mut centre = base.elo();
        for _ in 0..STEPS_MAX {
            let kind = |z: &f64| PairModel::new(centre + openings.sd * z, EloModel::Logistic, draws, bias);
            let kinds: Vec<PairModel> = worth.iter().map(kind).collect::<Result<_, _>>()?;
            let truth = Truth::of_kinds(kinds, openings.clone());
            let found = truth.on(model);
            if (found - elo).abs() < NEAR {
                return Ok(truth);
            }
            centre *= elo / found;
        }
        Err(PairModelError::Strength(elo))
    }

    fn of_kinds(kinds: Vec<PairModel>, openings: Openings) -> Truth {
        let number = kinds.len() as f64;
        let mean = kinds.iter().map(|kind| kind.moments().0).sum::<f64>() / number;
        let second = |kind: &PairModel| {
            let (own, variance) = kind.moments();
            variance + (own - mean).powi(2)
        };
        Truth {
            mean,
            variance: kinds.iter().map(second).sum::<f64>() / number,
            kinds,
            openings,
        }
    }

    /// Openings are drawn alike, whatever number of pairs they have.
    fn of_pool(pool: &PairPool, openings: Openings) -> Truth {
        let average = |of: &dyn Fn(&PairResult) -> f64| {
            let of_opening = |pairs: &Vec<PairResult>| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
            pool.openings.iter().map(of_opening).sum::<f64>() / pool.openings.len() as f64
        };
        let mean = if pool.is_mirrored { 0.5 } else { average(&score) };
        Truth {
            kinds: Vec::new(),
            mean,
            variance: average(&|pair| (score(pair) - mean).powi(2)),
            openings,
        }
    }

    pub(super) fn on(&self, model: EloModel) -> f64 {
        match model {
            EloModel::Logistic => self.elo(),
            EloModel::Normalized => self.nelo(),
        }
    }

    pub(super) fn elo(&self) -> f64 {
        elo_of_score(self.mean).unwrap_or(0.0)
    }

    pub(super) fn nelo(&self) -> f64 {
        NELO_SCALE * (self.mean - 0.5) / (2.0 * self.variance).sqrt()
    }

    pub(super) fn is_clustered(&self) -> bool {
        self.openings.repeated.is_some()
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
        Truth::new(0.0, EloModel::Logistic, openings, [0.1, 50.0]).unwrap()
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
        let uneven = truth(pool(false, None));
        assert!((uneven.mean - 0.75).abs() < 1e-12 && (uneven.variance - 1.0 / 32.0).abs() < 1e-12);
        assert_eq!(truth(pool(true, None)).elo(), 0.0);
    }

    #[test]
    fn the_strength_over_openings_that_differ_is_the_one_asked_for() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            for (elo, sd) in [
                (0.0, 60.0),
                (20.0, 60.0),
                (-5.0, 100.0),
                (80.0, 100.0),
                (20.0, 0.0),
            ] {
                for mix in [[0.02, 50.0], [0.2, 0.0]] {
                    let openings = Openings {
                        sd,
                        ..Openings::default()
                    };
                    let truth = Truth::new(elo, model, openings, mix).unwrap();
                    let found = truth.on(model);
                    assert!((found - elo).abs() < 1e-6, "{found} not {elo}, {sd} {mix:?}");
                }
            }
        }
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
