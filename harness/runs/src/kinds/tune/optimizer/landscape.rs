//! Synthetic opponents whose best values are known.
//!
//! Distances are measured in units of `c_end`; what one of them is worth is an axis of its own, unknown to the methods. So are what there is to
//! gain, the number of parameters, the ground, and the share of draws.

use std::f64::consts::FRAC_1_SQRT_2;

use strum::VariantArray;

use super::{Parameter, Space, Trial, ValueKind};

use crate::random::Random;

const STREAM_SHAPE: u64 = 0x7475_0003;
const PARAMETERS: [usize; 3] = [5, 20, 40];
const ELO_PER_WIDTH: [f64; 3] = [0.1, 1.0, 10.0];
const GAINS: [f64; 4] = [0.0, 3.0, 10.0, 20.0];
const DRAWS: [f64; 3] = [0.2, 0.6, 0.95];
/// The ratio of the greatest curvature to the least.
const CONDITION: f64 = 9.0;
/// A direction levels off so far from its optimum, in units of `c_end`, or where it has half of its gain as room, if that is farther.
const LEVEL: f64 = 3.0;
/// No values lose more than this and twice the gain on a plateau, in Elo.
const PLATEAU: f64 = 60.0;
const OPENING_BIAS: f64 = 50.0;

/// How the loss grows with the distance from the optimum.
#[derive(Debug, Clone, Copy, PartialEq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Ground {
    Quadratic,
    /// Quadratic in directions that are mixtures of parameters.
    Rotated,
    /// Rotated, and beyond some distance a direction costs no more.
    Saturating,
    /// All of them together cost no more.
    Plateau,
}

impl Ground {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct LandscapeShape {
    pub ground: Ground,
    pub parameters: usize,
    /// What a parameter loses on average by one `c_end` from its optimum.
    pub elo_per_width: f64,
    /// What there is to gain.
    pub elo: f64,
    pub draw_ratio: f64,
}

impl LandscapeShape {
    /// Every ground with every number of parameters, worth of a width and gain; shares of draws in turn.
    pub fn all() -> impl Iterator<Item = LandscapeShape> {
        let grounds = Ground::VARIANTS.iter().copied();
        let counts = grounds.flat_map(|ground| PARAMETERS.map(|parameters| (ground, parameters)));
        let worths = counts.flat_map(|of| ELO_PER_WIDTH.map(|elo_per_width| (of, elo_per_width)));
        let shapes = worths.flat_map(|of| GAINS.map(|elo| (of, elo)));
        let draws = DRAWS.into_iter().cycle();
        shapes.zip(draws).map(
            |((((ground, parameters), elo_per_width), elo), draw_ratio)| LandscapeShape {
                ground,
                parameters,
                elo_per_width,
                elo,
                draw_ratio,
            },
        )
    }
}

#[derive(Debug, Clone)]
pub struct Landscape {
    shape: LandscapeShape,
    space: Space,
    optimum: Vec<f64>,
    curvatures: Vec<f64>,
    level: f64,
}

impl Landscape {
    pub fn new(shape: &LandscapeShape, seed: u64) -> Landscape {
        let mut random = Random::new(seed, &[STREAM_SHAPE, shape.parameters as u64]);
        let count = shape.parameters as f64;
        let mut curvatures: Vec<f64> = (0..shape.parameters)
            .map(|_| CONDITION.powf(random.uniform() - 0.5))
            .collect();
        let scale = 2.0 * shape.elo_per_width * count / curvatures.iter().sum::<f64>();
        curvatures.iter_mut().for_each(|curvature| *curvature *= scale);
        let direction: Vec<f64> = (0..shape.parameters)
            .map(|_| (0.3 + random.uniform()) * if random.uniform() < 0.5 { 1.0 } else { -1.0 })
            .collect();
        let parameters = (0..shape.parameters).map(|index| Parameter {
            name: format!("p{index}"),
            kind: ValueKind::Real,
            start: 0.0,
            min: -20.0,
            max: 20.0,
            c_end: 1.0,
            r_end: 0.002,
        });
        let room = 2.0 * shape.elo / (count * shape.elo_per_width);
        let mut landscape = Landscape {
            space: Space {
                parameters: parameters.collect(),
            },
            shape: shape.clone(),
            optimum: vec![0.0; shape.parameters],
            curvatures,
            level: LEVEL.max(room.sqrt()),
        };
        let start = landscape.space.start();
        let (mut near, mut far) = (0.0, 1000.0);
        for _ in 0..if shape.elo > 0.0 { 60 } else { 0 } {
            let distance = f64::midpoint(near, far);
            landscape.optimum = direction.iter().map(|share| share * distance).collect();
            if landscape.loss(&start) < shape.elo {
                near = distance;
            } else {
                far = distance;
            }
        }
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
        let games = [OPENING_BIAS, -OPENING_BIAS].map(|bias| {
            let score = 1.0 / (1.0 + 10f64.powf((-elo - bias) / 400.0));
            let draws =
                (4.0 * self.shape.draw_ratio * score * (1.0 - score)).min(2.0 * score.min(1.0 - score));
            [score - draws / 2.0, 1.0 - score - draws / 2.0]
        });
        let mut game = |[won, lost]: [f64; 2]| match random.uniform() {
            uniform if uniform < won => 1,
            uniform if uniform < won + lost => -1,
            _ => 0,
        };
        (0..pairs).map(|_| games.map(&mut game).iter().sum::<i64>()).sum()
    }

    fn loss(&self, values: &[f64]) -> f64 {
        let places = values.iter().zip(&self.optimum);
        let mut distances: Vec<f64> = places.map(|(value, optimum)| value - optimum).collect();
        if matches!(self.shape.ground, Ground::Rotated | Ground::Saturating) {
            rotate(&mut distances);
        }
        let directions = distances.iter().zip(&self.curvatures);
        let squares = directions.map(|(distance, curvature)| (0.5 * curvature, distance * distance));
        match self.shape.ground {
            Ground::Quadratic | Ground::Rotated => squares.map(|(half, square)| half * square).sum(),
            Ground::Saturating => {
                let level = self.level * self.level;
                let lost = squares.map(|(half, square)| half * level * (1.0 - (-square / level).exp()));
                lost.sum()
            }
            Ground::Plateau => {
                let most = PLATEAU + 2.0 * self.shape.elo;
                let lost: f64 = squares.map(|(half, square)| half * square).sum();
                most * (1.0 - (-lost / most).exp())
            }
        }
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
                point[low] = FRAC_1_SQRT_2 * (x - y);
                point[high] = FRAC_1_SQRT_2 * (x + y);
            }
        }
        distance *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimum_is_worth_what_the_shape_says_and_every_other_point_less() {
        for shape in LandscapeShape::all() {
            let landscape = Landscape::new(&shape, 3);
            let mut best = landscape.optimum.clone();
            assert!((landscape.gain(&best) - shape.elo).abs() < 1e-6, "{shape:?}");
            best[0] += 0.5;
            assert!(landscape.gain(&best) < shape.elo);
            assert!(landscape.gain(&landscape.space.start()).abs() < 1e-9);
        }
    }

    #[test]
    fn pairs_come_out_as_the_difference_in_elo_says() {
        for draw_ratio in DRAWS {
            let shape = LandscapeShape {
                ground: Ground::Quadratic,
                parameters: 2,
                elo_per_width: 1.0,
                elo: 20.0,
                draw_ratio,
            };
            let landscape = Landscape::new(&shape, 1);
            let best = landscape.optimum.clone();
            let trial = |plus: &[f64], minus: &[f64]| Trial {
                iteration: 0,
                widths: vec![1.0; 2],
                plus: plus.to_vec(),
                minus: minus.to_vec(),
                is_one_sided: false,
            };
            let mut random = Random::new(5, &[]);
            let pairs = 200_000;
            let balance = landscape.play(&trial(&best, &[0.0, 0.0]), pairs, &mut random);
            let score = 0.5 + balance as f64 / (4 * pairs) as f64;
            let elo = crate::stats::elo::elo_of_score(score).unwrap();
            assert!((elo - 20.0).abs() < 2.0, "{elo}");
            let even = landscape.play(&trial(&best, &best), pairs, &mut random);
            assert!(even.abs() < 3_000, "{even}");
        }
    }
}
