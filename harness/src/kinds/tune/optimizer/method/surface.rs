//! A quadratic surface through all results, for up to six numbers (in the manner of R. Coulom's CLOP, 2012).
//!
//! What a value is worth in Elo against the start is taken to be `b·x − x'Hx/2`, x in units of `c_end`. Every pair measures
//! a difference of two such values, which is linear in b and H: a regression with a normal prior (ridge) gives both, their
//! covariance, the optimum `H⁻¹b`, and by the delta method its interval.

use super::Method;

use crate::kinds::tune::optimizer::quadratic::Surface;
use crate::kinds::tune::optimizer::{Plan, Space, Trial};
use crate::stats::cholesky;

/// Games won for each Elo of difference in a pair.
const BALANCE_PER_ELO: f64 = 0.005_756;
/// Prior deviations of slopes, curvatures and interactions, in Elo by `c_end`, and the mean of curvatures.
const SLOPE: f64 = 5.0;
const CURVATURE: (f64, f64) = (1.0, 2.0);
const INTERACTION: f64 = 1.0;
/// How far states are spread about the optimum so far, at first and at the end, and half the distance of the two sides.
const SPREAD: (f64, f64) = (4.0, 1.5);
const WIDTH: f64 = 3.0;
/// The optimum is looked for so far from the start, in units of `c_end`.
const REACH: f64 = 8.0;
/// Deviations of noise by which the signal must be beyond what the best of so many directions has by chance.
const THRESHOLD: f64 = 1.64;
/// Iterations between two looks at the surface.
const LOOK_EVERY: u64 = 16;
const VARIANCE: f64 = 1.5;
const VARIANCE_WEIGHT: f64 = 20.0;

struct Fit {
    /// Slopes, then curvatures by row from the diagonal on.
    beta: Vec<f64>,
    precision: Vec<f64>,
    /// The factor of the curvatures, which are made positive if they are not.
    hessian: Vec<f64>,
    /// The optimum within reach, in units of `c_end` from the start.
    optimum: Vec<f64>,
}

impl Fit {
    fn variance(&self, direction: &[f64]) -> f64 {
        let solved = cholesky::solve(&self.precision, direction);
        solved.iter().zip(direction).map(|(a, b)| a * b).sum()
    }

    fn gain(&self) -> (f64, f64) {
        let features = features(&self.optimum, &vec![0.0; self.optimum.len()]);
        let gain: f64 = features.iter().zip(&self.beta).map(|(a, b)| a * b).sum();
        (gain, self.variance(&features).sqrt())
    }

    fn deviation(&self, index: usize) -> f64 {
        let x = &self.optimum;
        let mut unit = vec![0.0; x.len()];
        unit[index] = 1.0;
        let row = cholesky::solve(&self.hessian, &unit);
        let mut direction = row.clone();
        for (j, l) in squares(x.len()) {
            direction.push(if j == l {
                -row[j] * x[j]
            } else {
                -(row[j] * x[l] + row[l] * x[j])
            });
        }
        self.variance(&direction).sqrt()
    }
}

/// Pairs of coordinates from the diagonal on, row by row.
fn squares(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |j| (j..count).map(move |l| (j, l)))
}

/// How the numbers of the surface make the Elo of `plus` against `minus`.
fn features(plus: &[f64], minus: &[f64]) -> Vec<f64> {
    let mut features: Vec<f64> = plus.iter().zip(minus).map(|(plus, minus)| plus - minus).collect();
    for (j, l) in squares(plus.len()) {
        let square = plus[j] * plus[l] - minus[j] * minus[l];
        features.push(if j == l { -0.5 * square } else { -square });
    }
    features
}

pub(crate) struct SurfaceMethod {
    space: Space,
    plan: Plan,
    centre: Vec<f64>,
    /// Sums of products of features, and of features and results.
    products: Vec<f64>,
    results: Vec<f64>,
    squares: f64,
    pairs: f64,
}

impl SurfaceMethod {
    pub(crate) fn new(space: &Space, plan: &Plan) -> SurfaceMethod {
        let count = space.parameters.len();
        let unknowns = count + count * (count + 1) / 2;
        SurfaceMethod {
            space: space.clone(),
            plan: *plan,
            centre: space.start(),
            products: vec![0.0; unknowns * unknowns],
            results: vec![0.0; unknowns],
            squares: VARIANCE * VARIANCE_WEIGHT,
            pairs: VARIANCE_WEIGHT,
        }
    }

    fn in_widths(&self, values: &[f64]) -> Vec<f64> {
        let parameters = self.space.parameters.iter().zip(values);
        parameters
            .map(|(parameter, value)| (value - parameter.start) / parameter.c_end)
            .collect()
    }

    fn in_units(&self, x: &[f64]) -> Vec<f64> {
        let parameters = self.space.parameters.iter().zip(x);
        parameters
            .map(|(parameter, x)| parameter.clip(parameter.start + x * parameter.c_end))
            .collect()
    }

    fn fit(&self) -> Option<Fit> {
        let count = self.space.parameters.len();
        let unknowns = self.results.len();
        let variance = self.squares / self.pairs;
        let mut precision: Vec<f64> = self.products.iter().map(|sum| sum / variance).collect();
        let mut right: Vec<f64> = self.results.iter().map(|sum| sum / variance).collect();
        let priors = std::iter::repeat_n((0.0, SLOPE), count)
            .chain(squares(count).map(|(j, l)| if j == l { CURVATURE } else { (0.0, INTERACTION) }));
        for (index, (mean, deviation)) in priors.enumerate() {
            precision[index * unknowns + index] += 1.0 / (deviation * deviation);
            right[index] += mean / (deviation * deviation);
        }
        let precision = cholesky::factor(precision, unknowns)?;
        let beta = cholesky::solve(&precision, &right);
        let mut matrix = vec![0.0; count * count];
        for ((j, l), &curvature) in squares(count).zip(&beta[count..]) {
            matrix[j * count + l] = curvature;
            matrix[l * count + j] = curvature;
        }
        let mut ridge = 0.02_f64;
        let hessian = loop {
            let mut raised = matrix.clone();
            (0..count).for_each(|index| raised[index * count + index] += ridge);
            if let Some(factor) = cholesky::factor(raised, count) {
                break factor;
            }
            ridge *= 2.0;
            if !ridge.is_finite() {
                return None;
            }
        };
        let optimum = cholesky::solve(&hessian, &beta[..count]);
        let optimum: Vec<f64> = optimum.iter().map(|x| x.clamp(-REACH, REACH)).collect();
        let optimum = self.in_widths(&self.in_units(&optimum));
        Some(Fit {
            beta,
            precision,
            hessian,
            optimum,
        })
    }
}

impl Method for SurfaceMethod {
    fn state(&self) -> &[f64] {
        &self.centre
    }

    /// Points of an additive recurrence about the optimum so far, which fill the neighbourhood evenly.
    fn state_for(&self, iteration: u64) -> Vec<f64> {
        let count = self.centre.len();
        let share = iteration as f64 / self.plan.iterations.max(1) as f64;
        let spread = SPREAD.0 + (SPREAD.1 - SPREAD.0) * share;
        // The root of x^(d+1) = x + 1 (M. Roberts, 2018).
        let root = (0..40).fold(2.0_f64, |root, _| (1.0 + root).powf(1.0 / (count as f64 + 1.0)));
        let centre = self.in_widths(&self.centre);
        let place = |(index, centre): (usize, f64)| {
            let turn = (0.5 + iteration as f64 / root.powf(index as f64 + 1.0)).fract();
            centre + spread * (2.0 * turn - 1.0)
        };
        let x: Vec<f64> = centre.into_iter().enumerate().map(place).collect();
        self.in_units(&x)
    }

    fn widths(&self, _iteration: u64) -> Vec<f64> {
        let parameters = self.space.parameters.iter();
        parameters
            .map(|parameter| (WIDTH * parameter.c_end).min(0.5 * (parameter.max - parameter.min)))
            .collect()
    }

    fn update(&mut self, trial: &Trial, balance: f64) {
        let pairs = self.plan.pairs_per_iteration as f64;
        self.squares += balance * balance;
        self.pairs += pairs;
        let features = features(&self.in_widths(&trial.plus), &self.in_widths(&trial.minus));
        let unknowns = features.len();
        for (row, one) in features.iter().enumerate() {
            self.results[row] += BALANCE_PER_ELO * one * balance;
            for (column, other) in features.iter().enumerate() {
                self.products[row * unknowns + column] +=
                    pairs * BALANCE_PER_ELO * BALANCE_PER_ELO * one * other;
            }
        }
        if (trial.iteration + 1).is_multiple_of(LOOK_EVERY)
            && let Some(fit) = self.fit()
        {
            self.centre = self.in_units(&fit.optimum);
        }
    }

    fn estimate(&self) -> Vec<f64> {
        let Some(fit) = self.fit() else {
            return self.space.start();
        };
        let (gain, deviation) = fit.gain();
        if gain <= 0.0 {
            return self.space.start();
        }
        // Of slopes measured with deviations of their own the gain of the optimum is half the sum of their squares in those
        // units times its deviation over the root of that sum.
        let signal = (2.0 * gain / deviation).powi(2);
        let noise = fit.optimum.len() as f64;
        if signal <= noise + THRESHOLD * (2.0 * noise).sqrt() {
            return self.space.start();
        }
        let kept = 1.0 - noise / signal;
        let shrunk: Vec<f64> = fit.optimum.iter().map(|x| kept * x).collect();
        self.in_units(&shrunk)
    }

    fn surface(&self) -> Option<Surface> {
        let fit = self.fit()?;
        let count = fit.optimum.len();
        let mut curvatures = vec![0.0; count * count];
        for ((j, l), &curvature) in squares(count).zip(&fit.beta[count..]) {
            curvatures[j * count + l] = curvature;
            curvatures[l * count + j] = curvature;
        }
        let parameters = self.space.parameters.iter().enumerate();
        let deviation = parameters.map(|(index, parameter)| parameter.c_end * fit.deviation(index));
        Some(Surface {
            optimum: self.in_units(&fit.optimum),
            deviation: deviation.collect(),
            gain: fit.gain(),
            slopes: fit.beta[..count].to_vec(),
            curvatures,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::landscape::{Landscape, SHAPES, Shape};
    use super::super::super::{MethodName, Plan, Tuner};
    use super::*;
    use crate::random::Random;

    fn tuned(elo: f64, seed: u64) -> (f64, Surface) {
        let shape = Shape {
            elo,
            is_rotated: true,
            draw_ratio: 0.3,
            ..SHAPES[0]
        };
        let landscape = Landscape::new(shape, seed);
        let plan = Plan {
            method: MethodName::Surface,
            iterations: 3_000,
            pairs_per_iteration: 1,
            lag: 4,
            seed,
        };
        let mut tuner = Tuner::new(landscape.space().clone(), plan);
        let mut surface = None;
        while let Some(trial) = tuner.trial(tuner.applied) {
            let mut random = Random::new(seed, &[9, trial.iteration]);
            let balance = landscape.play(trial, 1, &mut random);
            surface = tuner.apply(balance).unwrap().surface;
        }
        (landscape.gain(&tuner.tuned()), surface.unwrap())
    }

    #[test]
    fn the_optimum_of_a_quadratic_landscape_is_found_and_its_gain_is_near_the_one_told() {
        for seed in 0..6 {
            let (gain, surface) = tuned(5.0, seed);
            assert!(gain > 3.0, "{seed}: {gain}, {surface:?}");
            assert!(
                (surface.gain.0 - 5.0).abs() < 4.0 * surface.gain.1 + 2.0,
                "{surface:?}"
            );
            assert!(
                surface
                    .deviation
                    .iter()
                    .all(|&deviation| deviation > 0.05 && deviation < 3.0)
            );
            assert!(surface.elo(&[0.0, 0.0]).abs() < 1e-12);
        }
    }
}
