//! Synthetic opponents whose best values are known.
//!
//! Distances are measured in units of `c_end`. The loss is half a weighted sum of squares of the distances from the
//! optimum, after a rotation where parameters interact; beyond a cliff values lose more.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::{Parameter, Space, Trial, ValueKind};

use crate::random::Random;
use crate::stats::{EloModel, PairModel};

const STREAM_SHAPE: u64 = 0x7475_0003;
/// Elo between two rows of the table of pair distributions, and its reach.
const ELO_STEP: f64 = 2.0;
const ELO_MAX: f64 = 400.0;
/// Loss for each unit beyond a cliff, in Elo.
const CLIFF_SLOPE: f64 = 20.0;
const OPENING_BIAS: f64 = 50.0;

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LandscapeShape {
    pub name: String,
    pub parameters: usize,
    /// What there is to gain.
    pub elo: f64,
    /// The ratio of the greatest curvature to the least.
    pub condition: f64,
    pub is_rotated: bool,
    pub is_integer: bool,
    pub cliff: Option<f64>,
    pub draw_ratio: f64,
}

pub static SHAPES: LazyLock<Vec<LandscapeShape>> = LazyLock::new(|| {
    let mut shapes = csv::Reader::from_reader(include_str!("shapes.csv").as_bytes());
    let shapes: csv::Result<_> = shapes.deserialize().collect();
    shapes.unwrap_or_else(|error| unreachable!("shapes.csv: {error}"))
});

#[derive(Debug, Clone)]
pub struct Landscape {
    shape: LandscapeShape,
    space: Space,
    optimum: Vec<f64>,
    curvatures: Vec<f64>,
    table: Arc<[[f64; 5]]>,
}

impl Landscape {
    pub fn new(shape: &LandscapeShape, seed: u64) -> Landscape {
        Landscape::placed(shape, seed, table(shape.draw_ratio).into())
    }

    /// One of the same shape; distributions of pairs, which take long, are shared.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Landscape {
        Landscape::placed(&self.shape, seed, Arc::clone(&self.table))
    }

    fn placed(shape: &LandscapeShape, seed: u64, table: Arc<[[f64; 5]]>) -> Landscape {
        let mut random = Random::new(seed, &[STREAM_SHAPE, shape.parameters as u64]);
        let mut uniform = move || random.uniform();
        let (mut optimum, mut curvatures) = (Vec::new(), Vec::new());
        for _ in 0..shape.parameters {
            let distance = 0.5 + 2.5 * uniform();
            optimum.push(if uniform() < 0.5 { distance } else { -distance });
            curvatures.push(shape.condition.powf(uniform() - 0.5));
        }
        let parameters = (0..shape.parameters).map(|index| {
            let (kind, c_end) = if shape.is_integer {
                (ValueKind::Integer, [0.5, 1.0, 3.0, 10.0][index % 4])
            } else {
                (ValueKind::Real, 1.0)
            };
            Parameter {
                name: format!("p{index}"),
                kind,
                start: 0.0,
                min: -20.0 * c_end,
                max: 20.0 * c_end,
                c_end,
                r_end: 0.002,
            }
        });
        let mut landscape = Landscape {
            space: Space {
                parameters: parameters.collect(),
            },
            shape: shape.clone(),
            optimum,
            curvatures,
            table,
        };
        let scale = shape.elo / landscape.loss(&landscape.space.start());
        landscape
            .curvatures
            .iter_mut()
            .for_each(|curvature| *curvature *= scale);
        landscape
    }

    pub fn space(&self) -> &Space {
        &self.space
    }

    pub fn gain(&self, values: &[f64]) -> f64 {
        self.loss(&self.space.start()) - self.loss(values)
    }

    pub fn play(&self, trial: &Trial, pairs: u64, random: &mut Random) -> i64 {
        let elo = self.loss(&trial.minus) - self.loss(&trial.plus);
        let middle = (self.table.len() / 2) as f64;
        let place = (middle + elo / ELO_STEP).clamp(0.0, (self.table.len() - 1) as f64);
        let low = (place as usize).min(self.table.len() - 2);
        let share = place - low as f64;
        let mut balance = 0;
        for _ in 0..pairs {
            let mut uniform = random.uniform();
            let mut result = 0;
            while result < 4 {
                let chance = self.table[low][result] * (1.0 - share) + self.table[low + 1][result] * share;
                if uniform < chance {
                    break;
                }
                uniform -= chance;
                result += 1;
            }
            balance += result as i64 - 2;
        }
        balance
    }

    fn loss(&self, values: &[f64]) -> f64 {
        let parameters = self.space.parameters.iter();
        let mut distances: Vec<f64> = parameters
            .zip(values.iter().zip(&self.optimum))
            .map(|(parameter, (value, optimum))| value / parameter.c_end - optimum)
            .collect();
        let cliff = self.shape.cliff.map_or(0.0, |cliff| {
            let beyond = distances.iter().map(|distance| (distance.abs() - cliff).max(0.0));
            CLIFF_SLOPE * beyond.sum::<f64>()
        });
        if self.shape.is_rotated {
            rotate(&mut distances);
        }
        let squares = distances.iter().zip(&self.curvatures);
        cliff
            + squares
                .map(|(distance, curvature)| 0.5 * curvature * distance * distance)
                .sum::<f64>()
    }
}

/// Mixes every coordinate with others: turns by an eighth of a circle in pairs of neighbours at distances 1, 2, 4, …
fn rotate(point: &mut [f64]) {
    let mut distance = 1;
    while distance < point.len() {
        for low in 0..point.len() {
            let high = low + distance;
            if (low / distance).is_multiple_of(2) && high < point.len() {
                let (x, y) = (point[low], point[high]);
                point[low] = std::f64::consts::FRAC_1_SQRT_2 * (x - y);
                point[high] = std::f64::consts::FRAC_1_SQRT_2 * (x + y);
            }
        }
        distance *= 2;
    }
}

/// The distributions of pairs at every [`ELO_STEP`]; where draws leave no room, the farthest there is.
fn table(draw_ratio: f64) -> Vec<[f64; 5]> {
    let half = (ELO_MAX / ELO_STEP) as i32;
    let at = |step: i32| {
        let elo = f64::from(step) * ELO_STEP;
        PairModel::new(elo, EloModel::Logistic, draw_ratio, OPENING_BIAS).map(|model| model.pentanomial())
    };
    let mut upper: Vec<[f64; 5]> = (0..=half).map_while(|step| at(step).ok()).collect();
    let lower = upper
        .iter()
        .skip(1)
        .rev()
        .map(|&[ll, ld, even, dw, ww]| [ww, dw, even, ld, ll]);
    let mut all: Vec<[f64; 5]> = lower.collect();
    all.append(&mut upper);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimum_is_worth_what_the_shape_says_and_every_other_point_less() {
        for shape in SHAPES.iter() {
            let landscape = Landscape::new(shape, 3);
            let scale = landscape.space.parameters.iter().map(|parameter| parameter.c_end);
            let best: Vec<f64> = scale.zip(&landscape.optimum).map(|(c, x)| c * x).collect();
            assert!((landscape.gain(&best) - shape.elo).abs() < 1e-6, "{}", shape.name);
            let mut beside = best.clone();
            beside[0] += 0.5;
            assert!(landscape.gain(&beside) < shape.elo);
            assert!(landscape.gain(&landscape.space.start()).abs() < 1e-9);
        }
    }

    #[test]
    fn pairs_come_out_as_the_difference_in_elo_says() {
        let landscape = Landscape::new(&SHAPES[0], 1);
        let best = landscape.optimum.clone();
        let trial = |plus: &[f64], minus: &[f64]| Trial {
            iteration: 0,
            widths: vec![1.0; 2],
            plus: plus.to_vec(),
            minus: minus.to_vec(),
        };
        let mut random = Random::new(5, &[]);
        let pairs = 200_000;
        let balance = landscape.play(&trial(&best, &[0.0, 0.0]), pairs, &mut random);
        let score = 0.5 + balance as f64 / (4 * pairs) as f64;
        let elo = crate::stats::elo::elo_of_score(score).unwrap();
        assert!((elo - 20.0).abs() < 1.5, "{elo}");
        let even = landscape.play(&trial(&best, &best), pairs, &mut random);
        assert!(even.abs() < 3_000, "{even}");
    }
}
