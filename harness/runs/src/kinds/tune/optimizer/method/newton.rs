//! Newton's step with a curvature from the games themselves, as far as the results prove.
//!
//! Most trials play values on either side of the state and measure slopes. Every so often one side is the state itself and the other is
//! twice as far away: that measures the same slopes, and the mean of all such games tells what the distance costs, so the curvature, and where
//! the loss levels off. The width follows from that.
//!
//! The start is kept until some of the games are played. Then the state goes where the slopes lead, a part of the way: how
//! much of them is believed is decided by their squares against their noise (`stats::shrinkage`). It moves no faster than spread over the whole
//! tuning, so that what was a wrong curvature or noise is corrected by the slopes measured on the way.

use super::curve::{CurveFit, LossCurve};
use super::{Design, Method};

use crate::kinds::tune::optimizer::{Plan, Space, Trial};
use crate::stats::shrinkage::Shrinkage;

/// Games won in a pair less those lost, for each Elo between the sides, near equality.
const BALANCE_PER_ELO: f64 = 4.0 * std::f64::consts::LN_10 / 1600.0;
/// What is believed is worked out again when so much more was played, from so many pairs on.
const JUDGED_EVERY: f64 = 1.15;
const JUDGED_FROM: f64 = 16.0;
/// The share of the tuning that is played at the start.
const HELD: f64 = 0.15;
/// How far a parameter may go in all, in widths, and in the last step.
const REACH: f64 = 5.0;
const LAST_STEP: f64 = 1.0;
/// One trial of so many has the state as one side, at first and once the curvature is known to this share of it.
const ONE_SIDED: [u64; 2] = [2, 10];
const KNOWN: f64 = 0.25;
/// What either side of a trial may cost where `c_end` is smaller, and the distant side of a one-sided one, in Elo.
const COST: f64 = 45.0;
const COST_ONE_SIDED: f64 = 200.0;
/// In units of `c_end`.
const WIDTHS: [f64; 2] = [0.1, 2.5];
const WIDTH_STEP: f64 = 1.15;
const CURVATURE_MIN: f64 = 1e-3;
const VARIANCE: f64 = 1.5;
const VARIANCE_WEIGHT: f64 = 10.0;

pub(crate) struct Newton {
    space: Space,
    plan: Plan,
    state: Vec<f64>,
    curve: LossCurve,
    slopes: Vec<Sums>,
    squares: f64,
    pairs: f64,
    judged_at: f64,
    judged: Judged,
}

/// Of one parameter, in units of `c_end`.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Of half distances times what the balances say of the slope.
    pull: f64,
    /// Of squared half distances.
    weight: f64,
    /// Of squared half distances times where they were measured.
    place: f64,
}

impl Sums {
    /// At the start, in Elo for each `c_end`.
    fn slope(&self, curvature: f64) -> f64 {
        if self.weight == 0.0 {
            return 0.0;
        }
        (self.pull + curvature * self.place) / self.weight
    }
}

/// What follows from the results so far.
struct Judged {
    /// The second derivative of the loss in a parameter, in Elo and units of `c_end`, as trials of this width see it.
    curvature: f64,
    width: f64,
    width_one_sided: f64,
    is_known: bool,
    kept: f64,
}

impl Newton {
    pub(crate) fn new(space: &Space, plan: &Plan) -> Newton {
        Newton {
            state: space.start(),
            space: space.clone(),
            plan: *plan,
            curve: LossCurve::default(),
            slopes: vec![Sums::default(); space.parameters.len()],
            squares: VARIANCE_WEIGHT * VARIANCE,
            pairs: 0.0,
            judged_at: JUDGED_FROM,
            judged: Judged {
                curvature: 1.0,
                width: 1.0,
                width_one_sided: 1.0,
                is_known: false,
                kept: 0.0,
            },
        }
    }

    fn variance(&self) -> f64 {
        self.squares / (self.pairs + VARIANCE_WEIGHT)
    }

    fn judge(&mut self) {
        let variance = self.variance();
        let fit = self.curve.fit(variance);
        let width = self.width(&fit);
        let (cost, count) = (fit.curvature(), self.slopes.len() as f64);
        let curvature = (2.0 / count * cost * fit.flattening(width)).max(CURVATURE_MIN);
        let scale = (2.0 * BALANCE_PER_ELO).powi(2) / variance;
        let known = self.slopes.iter().filter(|slope| slope.weight > 0.0);
        let (squares, noise) = known.clone().fold((0.0, 0.0), |(squares, noise), slope| {
            let information = scale * slope.weight;
            let squared = information * slope.slope(curvature).powi(2);
            // The loss has the whole curvature where slopes are seen flattened.
            let lost = cost / count / (curvature * curvature * information);
            (squares + squared, noise + lost)
        });
        let known = known.count();
        self.judged = Judged {
            curvature,
            width,
            width_one_sided: width.min(0.5 * (COST_ONE_SIDED / cost).sqrt()),
            is_known: fit.deviation() < KNOWN * cost,
            kept: if known == 0 {
                0.0
            } else {
                Shrinkage::new(known, noise).kept(squares)
            },
        };
    }

    /// Which tells most of slopes, but no more than twice the last, and beyond `c_end` none that costs much.
    fn width(&self, fit: &CurveFit) -> f64 {
        let most = (COST / fit.curvature()).sqrt().clamp(1.0, WIDTHS[1]);
        let most = most.min(2.0 * self.judged.width);
        let widths = std::iter::successors(Some(WIDTHS[0]), |width| Some(WIDTH_STEP * width));
        let widths = widths.take_while(|&width| width < most).chain([most]);
        let told = widths.map(|width| (width, fit.information(width)));
        told.max_by(|one, other| one.1.total_cmp(&other.1))
            .map_or(most, |(width, _)| width)
    }

    /// Where the believed slopes lead, by at most `step` widths from the state.
    fn towards(&self, step: f64) -> Vec<f64> {
        let Judged {
            curvature,
            kept,
            width,
            ..
        } = self.judged;
        let parameters = self.space.parameters.iter().zip(&self.slopes);
        parameters
            .zip(&self.state)
            .map(|((parameter, slope), state)| {
                let target = parameter.start + parameter.c_end * kept * slope.slope(curvature) / curvature;
                let step = step * width * parameter.c_end;
                parameter.clip(state + (target - state).clamp(-step, step))
            })
            .collect()
    }
}

impl Method for Newton {
    fn state(&self) -> &[f64] {
        &self.state
    }

    fn design(&self, iteration: u64) -> Design {
        let judged = &self.judged;
        let every = ONE_SIDED[usize::from(judged.is_known)];
        let is_one_sided = iteration.is_multiple_of(every);
        let width = match (is_one_sided, iteration / every % 3) {
            (false, _) => judged.width,
            (true, 2) => judged.width_one_sided / 2.0,
            (true, _) => judged.width_one_sided,
        };
        let parameters = self.space.parameters.iter();
        Design {
            widths: parameters
                .map(|parameter| (width * parameter.c_end).min(0.5 * (parameter.max - parameter.min)))
                .collect(),
            is_one_sided,
        }
    }

    fn update(&mut self, trial: &Trial, balance: f64) {
        let pairs = self.plan.pairs_per_iteration as f64;
        self.pairs += pairs;
        let parameters = self.space.parameters.iter().enumerate();
        let distances = parameters.map(|(index, parameter)| trial.half_distance(index) / parameter.c_end);
        let distances: Vec<f64> = distances.collect();
        let mut surprise = balance;
        if trial.is_one_sided {
            let squares = distances.iter().map(|distance| distance * distance);
            let mean = squares.sum::<f64>() / distances.len() as f64;
            if mean > 0.0 {
                surprise = self.curve.add(2.0 * mean.sqrt(), pairs, balance);
            }
        }
        self.squares += surprise * surprise;
        let pull = surprise / (2.0 * BALANCE_PER_ELO);
        for (index, distance) in distances.into_iter().enumerate() {
            let (plus, minus) = (trial.plus[index], trial.minus[index]);
            let place = if trial.is_one_sided {
                minus
            } else {
                f64::midpoint(plus, minus)
            };
            let weight = pairs * distance * distance;
            let sums = &mut self.slopes[index];
            sums.pull += distance * pull;
            sums.weight += weight;
            sums.place += weight * self.space.parameters[index].place(place);
        }
        let is_last = trial.iteration + 1 == self.plan.iterations;
        if self.pairs >= self.judged_at || is_last {
            self.judged_at = JUDGED_EVERY * self.pairs;
            self.judge();
        }
        let whole = self.plan.pairs() as f64;
        if self.pairs >= HELD * whole {
            self.state = self.towards(REACH * pairs / whole);
        }
    }

    fn estimate(&self) -> Vec<f64> {
        self.towards(LAST_STEP)
    }

    fn kept(&self) -> Option<f64> {
        Some(self.judged.kept)
    }

    /// Of the loss that is believed in, a parabola in every parameter.
    fn gain(&self) -> Option<f64> {
        let Judged { curvature, kept, .. } = self.judged;
        let parameters = self.space.parameters.iter().zip(&self.slopes).zip(&self.state);
        let gains = parameters.map(|((parameter, slope), state)| {
            let moved = (state - parameter.start) / parameter.c_end;
            kept * slope.slope(curvature) * moved - 0.5 * curvature * moved * moved
        });
        Some(gains.sum())
    }
}
