//! A quadratic surface through all results, for up to six numbers (in the manner of R. Coulom's CLOP, 2012).
//!
//! What a value is worth in Elo against the start is taken to be `b·x − x'Hx/2`, x in units of `c_end`. Every pair measures
//! a difference of two such values, which is linear in b and H: a regression with a normal prior (ridge) gives both, their
//! covariance, the optimum `H⁻¹b`, and by the delta method its interval.

use super::Method;

use crate::kinds::tune::optimizer::{Plan, Space, Trial};
use crate::stats::linear::{Cholesky, Matrix, dot};

/// With six there are 27 unknowns.
pub const SURFACE_PARAMETERS_MAX: usize = 6;

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

/// The surface that was found; values are in the units of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    pub optimum: Vec<f64>,
    pub deviation: Vec<f64>,
    /// Elo of the optimum against the start, and its standard deviation.
    pub gain: (f64, f64),
    /// Elo for each `c_end` at the start, by parameter.
    pub slopes: Vec<f64>,
    /// Elo lost for each half square of `c_end`.
    pub curvatures: Matrix,
}

impl Surface {
    /// At `x`, in units of `c_end` from the start.
    pub fn elo(&self, x: &[f64]) -> f64 {
        dot(&self.slopes, x) - 0.5 * self.curvatures.quadratic(x)
    }
}

struct Fit {
    /// Slopes, then curvatures by row from the diagonal on.
    beta: Vec<f64>,
    precision: Cholesky,
    curvatures: Matrix,
    /// Of the curvatures, which are made positive if they are not.
    hessian: Cholesky,
    /// The optimum within reach, in units of `c_end` from the start.
    optimum: Vec<f64>,
}

impl Fit {
    fn variance(&self, direction: &[f64]) -> f64 {
        dot(&self.precision.solve(direction), direction)
    }

    fn gain(&self) -> (f64, f64) {
        let features = features(&self.optimum, &vec![0.0; self.optimum.len()]);
        (dot(&features, &self.beta), self.variance(&features).sqrt())
    }

    /// Of each coordinate of the optimum.
    fn deviations(&self) -> Vec<f64> {
        let x = &self.optimum;
        let deviation = |row: &[f64]| {
            let curved = squares(x.len()).map(|(j, l)| {
                if j == l {
                    -row[j] * x[j]
                } else {
                    -(row[j] * x[l] + row[l] * x[j])
                }
            });
            let direction: Vec<f64> = row.iter().copied().chain(curved).collect();
            self.variance(&direction).sqrt()
        };
        let inverse = self.hessian.inverse();
        let count = x.len();
        let row = |index: usize| -> Vec<f64> { (0..count).map(|column| inverse[(index, column)]).collect() };
        (0..count).map(|index| deviation(&row(index))).collect()
    }
}

/// Pairs of coordinates from the diagonal on, row by row.
fn squares(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |j| (j..count).map(move |l| (j, l)))
}

/// How the numbers of the surface make the Elo of `plus` against `minus`.
fn features(plus: &[f64], minus: &[f64]) -> Vec<f64> {
    let linear = plus.iter().zip(minus).map(|(plus, minus)| plus - minus);
    let squares = squares(plus.len()).map(|(j, l)| {
        let square = plus[j] * plus[l] - minus[j] * minus[l];
        if j == l { -0.5 * square } else { -square }
    });
    linear.chain(squares).collect()
}

pub(crate) struct SurfaceMethod {
    space: Space,
    plan: Plan,
    centre: Vec<f64>,
    /// Sums of products of features, and of features and results.
    products: Matrix,
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
            products: Matrix::zeros(unknowns),
            results: vec![0.0; unknowns],
            squares: VARIANCE * VARIANCE_WEIGHT,
            pairs: VARIANCE_WEIGHT,
        }
    }

    fn in_widths(&self, values: &[f64]) -> Vec<f64> {
        let parameters = self.space.parameters.iter().zip(values);
        parameters
            .map(|(parameter, &value)| parameter.place(value))
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
        let variance = self.squares / self.pairs;
        let mut precision = self.products.clone();
        precision.scale(1.0 / variance);
        let mut right: Vec<f64> = self.results.iter().map(|result| result / variance).collect();
        let priors = std::iter::repeat_n((0.0, SLOPE), count)
            .chain(squares(count).map(|(j, l)| if j == l { CURVATURE } else { (0.0, INTERACTION) }));
        for (index, (mean, deviation)) in priors.enumerate() {
            precision[(index, index)] += 1.0 / (deviation * deviation);
            right[index] += mean / (deviation * deviation);
        }
        let precision = precision.cholesky()?;
        let beta = precision.solve(&right);
        let mut curvatures = Matrix::zeros(count);
        for ((j, l), &curvature) in squares(count).zip(beta.iter().skip(count)) {
            (curvatures[(j, l)], curvatures[(l, j)]) = (curvature, curvature);
        }
        let ridges = std::iter::successors(Some(0.02), |ridge| Some(2.0 * ridge));
        let hessian = ridges
            .take_while(|ridge: &f64| ridge.is_finite())
            .find_map(|ridge| {
                let mut raised = curvatures.clone();
                raised.add_diagonal(std::iter::repeat_n(ridge, count));
                raised.cholesky()
            })?;
        let optimum = hessian.solve(&beta[..count]);
        let optimum: Vec<f64> = optimum.iter().map(|x| x.clamp(-REACH, REACH)).collect();
        let optimum = self.in_widths(&self.in_units(&optimum));
        Some(Fit {
            beta,
            precision,
            curvatures,
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
        for (result, feature) in self.results.iter_mut().zip(&features) {
            *result += BALANCE_PER_ELO * balance * feature;
        }
        let weight = pairs * BALANCE_PER_ELO * BALANCE_PER_ELO;
        self.products.add_square(features.into_iter().enumerate(), weight);
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
        let deviations = fit.deviations().into_iter().zip(&self.space.parameters);
        Some(Surface {
            optimum: self.in_units(&fit.optimum),
            deviation: deviations.map(|(x, parameter)| parameter.c_end * x).collect(),
            gain: fit.gain(),
            slopes: fit.beta[..fit.optimum.len()].to_vec(),
            curvatures: fit.curvatures,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::landscape::{Landscape, LandscapeShape, SHAPES};
    use super::super::super::{MethodName, Plan, Tuner};
    use super::*;
    use crate::random::Random;

    fn tuned(elo: f64, seed: u64) -> (f64, Surface) {
        let shape = LandscapeShape {
            elo,
            is_rotated: true,
            draw_ratio: 0.3,
            ..SHAPES[0].clone()
        };
        let landscape = Landscape::new(&shape, seed);
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
            let deviations = &surface.deviation;
            assert!(
                deviations
                    .iter()
                    .all(|&deviation| deviation > 0.05 && deviation < 3.0)
            );
            assert!(surface.elo(&[0.0; 2]).abs() < 1e-12);
        }
    }
}
