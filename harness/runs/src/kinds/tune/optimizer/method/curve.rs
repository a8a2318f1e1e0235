//! What values at some distance from the state lose, from games of such values against the state.
//!
//! The loss at the distance D in every parameter at once is taken to be `T (1 − exp(−a D² / T))` Elo: a quadratic with the curvature `a` near the
//! state which levels off at T. Both are unknown; every pair of a grid is weighed by how well it explains the games.

use std::collections::BTreeMap;

/// `a`: factors of this step from the least on.
const CURVATURE_STEP: f64 = 1.45;
const CURVATURE_RANGE: [f64; 2] = [0.05, 2000.0];
/// T, and how likely each is beforehand.
const CEILINGS: [(f64, f64); 7] = [
    (25.0, 1.0),
    (50.0, 1.0),
    (100.0, 1.0),
    (200.0, 1.0),
    (400.0, 1.0),
    (800.0, 1.0),
    (1e9, 3.0),
];
/// Distances are the same if they are within an eighth of a doubling.
const BINS_PER_DOUBLING: f64 = 4.0;
/// Pairs in which no side is taken to be ahead, beforehand.
const PAIRS_BEFORE: f64 = 4.0;

#[derive(Default)]
struct Bin {
    pairs: f64,
    balance: f64,
}

/// Games of distant values against the state, by distance in units of `c_end`.
#[derive(Default)]
pub(super) struct LossCurve {
    bins: BTreeMap<i32, Bin>,
}

impl LossCurve {
    /// Takes in a result, and tells by how much it was better than those at its distance before.
    pub(super) fn add(&mut self, distance: f64, pairs: f64, balance: f64) -> f64 {
        let number = (BINS_PER_DOUBLING * distance.log2()).round() as i32;
        let bin = self.bins.entry(number).or_default();
        let expected = pairs * bin.balance / (bin.pairs + PAIRS_BEFORE);
        bin.pairs += pairs;
        bin.balance += balance;
        balance - expected
    }

    /// `variance`: of the balance of a pair.
    pub(super) fn fit(&self, variance: f64) -> CurveFit {
        let steps = (CURVATURE_RANGE[1] / CURVATURE_RANGE[0]).ln() / CURVATURE_STEP.ln();
        let curvatures = (0..=steps as i32).map(|step| CURVATURE_RANGE[0] * CURVATURE_STEP.powi(step));
        let points =
            curvatures.flat_map(|curvature| CEILINGS.map(|(ceiling, prior)| (curvature, ceiling, prior)));
        let log = |curvature: f64, ceiling: f64| -> f64 {
            let bins = self.bins.iter().map(|(&number, bin)| {
                let distance = (f64::from(number) / BINS_PER_DOUBLING).exp2();
                let loss = ceiling * (1.0 - (-curvature * distance * distance / ceiling).exp());
                let expected = 4.0 / (1.0 + 10f64.powf(loss / 400.0)) - 2.0;
                (bin.balance / bin.pairs - expected).powi(2) * bin.pairs
            });
            -0.5 * bins.sum::<f64>() / variance
        };
        let mut points: Vec<Point> = points
            .map(|(curvature, ceiling, prior)| Point {
                curvature,
                ceiling,
                weight: prior.ln() + log(curvature, ceiling),
            })
            .collect();
        let likeliest = points.iter().map(|point| point.weight).fold(f64::MIN, f64::max);
        for point in &mut points {
            point.weight = (point.weight - likeliest).exp();
        }
        let whole: f64 = points.iter().map(|point| point.weight).sum();
        points.retain(|point| point.weight > 1e-7 * whole);
        CurveFit { points, whole }
    }
}

struct Point {
    curvature: f64,
    ceiling: f64,
    weight: f64,
}

impl Point {
    /// How much less slopes are `width` to either side than at the state.
    fn flattening(&self, width: f64) -> f64 {
        (-self.curvature * width * width / self.ceiling).exp()
    }
}

pub(super) struct CurveFit {
    points: Vec<Point>,
    whole: f64,
}

impl CurveFit {
    fn mean(&self, of: impl Fn(&Point) -> f64) -> f64 {
        self.points
            .iter()
            .map(|point| point.weight * of(point))
            .sum::<f64>()
            / self.whole
    }

    pub(super) fn curvature(&self) -> f64 {
        self.mean(|point| point.curvature)
    }

    pub(super) fn deviation(&self) -> f64 {
        let mean = self.curvature();
        self.mean(|point| (point.curvature - mean).powi(2)).sqrt()
    }

    pub(super) fn flattening(&self, width: f64) -> f64 {
        self.mean(|point| point.flattening(width))
    }

    /// What a pair with this width tells of slopes at the state: on a quadratic more the wider it is, elsewhere most where the loss is steepest.
    pub(super) fn information(&self, width: f64) -> f64 {
        width * width * self.mean(|point| point.flattening(width).powi(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A curve from results without noise.
    fn fit(loss: impl Fn(f64) -> f64, pairs: f64) -> CurveFit {
        let mut curve = LossCurve::default();
        for distance in [0.5, 1.0, 2.0, 4.0] {
            let balance = 4.0 / (1.0 + 10f64.powf(loss(distance) / 400.0)) - 2.0;
            curve.add(distance, pairs, pairs * balance);
        }
        curve.fit(1.3)
    }

    #[test]
    fn the_curvature_and_where_the_loss_levels_off_are_found_again() {
        for curvature in [8, 14].map(|step| CURVATURE_RANGE[0] * CURVATURE_STEP.powi(step)) {
            let quadratic = fit(|distance| curvature * distance * distance, 1e5);
            let level = |distance: f64| 50.0 * (1.0 - (-curvature * distance * distance / 50.0).exp());
            let level = fit(level, 1e5);
            for found in [&quadratic, &level] {
                let ratio = found.curvature() / curvature;
                assert!((0.9..1.1).contains(&ratio), "{curvature}: {}", found.curvature());
            }
            assert!(quadratic.flattening(2.0) > level.flattening(2.0));
        }
        let level = fit(|distance| 60.0 * (1.0 - (-distance * distance / 3.0).exp()), 1e5);
        assert!(
            level.information(1.2) > level.information(0.6)
                && level.information(1.2) > level.information(3.0)
        );
    }

    #[test]
    fn few_games_leave_the_curvature_open() {
        let of = |pairs| {
            let found = fit(|distance| 2.0 * distance * distance, pairs);
            found.deviation() / found.curvature()
        };
        assert!(of(10.0) > 1.0 && of(1e4) < 0.25, "{} {}", of(10.0), of(1e4));
    }
}
