//! Values as far from the start as the results prove: empirical Bayes on the slope at the start.
//!
//! Every result measures the slope of the loss where it was played. With a curvature taken beforehand it is carried back to the start, and
//! all results together give one slope a parameter, whose noise is known from the spread of the results. How much of the slopes is believed
//! (`stats::shrinkage`) decides how far the state goes; where the curvature was wrong the slopes that follow say so, since they are measured
//! at the new state, and the mean corrects itself.

use super::Method;

use crate::kinds::tune::optimizer::{Plan, Space, Trial};
use crate::stats::shrinkage::{Belief, Slope};

/// Games won in a pair less those lost, for each Elo between the sides, near equality: 4 ln 10 / 1600.
const BALANCE_PER_ELO: f64 = 4.0 * std::f64::consts::LN_10 / 1600.0;
/// The second derivative of the loss in units of `c_end`, in Elo, where `r_end` is [`R_END`]: a `c_end` from the optimum costs one Elo.
const CURVATURE: f64 = 2.0;
const R_END: f64 = 0.002;
/// The state goes no further in an iteration, in units of `c_end`.
const STEP_MAX: f64 = 0.5;
/// What is believed is worked out again when so much more was played.
const JUDGED_EVERY: f64 = 1.01;
/// Above this probability of slopes like these where there is nothing to gain, the start stays.
const P_VALUE_MAX: f64 = 0.1;
const VARIANCE: f64 = 1.5;
const VARIANCE_WEIGHT: f64 = 10.0;

pub(crate) struct Bayes {
    space: Space,
    state: Vec<f64>,
    pairs_per_iteration: f64,
    /// Of each parameter: the sum of distances times what the balances say of the slope at the start, and of squared distances.
    pulls: Vec<f64>,
    weights: Vec<f64>,
    squares: f64,
    pairs: f64,
    belief: Belief,
    judged_at: f64,
}

impl Bayes {
    pub(crate) fn new(space: &Space, plan: &Plan) -> Bayes {
        let count = space.parameters.len();
        Bayes {
            state: space.start(),
            space: space.clone(),
            pairs_per_iteration: plan.pairs_per_iteration as f64,
            pulls: vec![0.0; count],
            weights: vec![0.0; count],
            squares: VARIANCE_WEIGHT * VARIANCE,
            pairs: 0.0,
            belief: Belief::none(count),
            judged_at: 0.0,
        }
    }

    fn curvature(&self, index: usize) -> f64 {
        CURVATURE * R_END / self.space.parameters[index].r_end
    }

    /// The slopes at the start, in Elo for each `c_end`.
    fn slopes(&self) -> Vec<Slope> {
        let variance = self.squares / (self.pairs + VARIANCE_WEIGHT);
        let scale = (2.0 * BALANCE_PER_ELO).powi(2) / variance;
        let sums = self.pulls.iter().zip(&self.weights).enumerate();
        sums.map(|(index, (pull, weight))| Slope {
            slope: if *weight > 0.0 { pull / weight } else { 0.0 },
            information: scale * weight,
            curvature: self.curvature(index),
        })
        .collect()
    }

    fn target(&self) -> Vec<f64> {
        let slopes = self.slopes();
        let believed = slopes.iter().zip(&self.belief.shares);
        let places = believed.zip(&self.space.parameters);
        places
            .map(|((slope, share), parameter)| {
                parameter.clip(parameter.start + parameter.c_end * share * slope.slope / slope.curvature)
            })
            .collect()
    }
}

impl Method for Bayes {
    fn state(&self) -> &[f64] {
        &self.state
    }

    fn widths(&self, _: u64) -> Vec<f64> {
        let parameters = self.space.parameters.iter();
        parameters.map(|parameter| parameter.c_end).collect()
    }

    fn update(&mut self, trial: &Trial, balance: f64) {
        self.pairs += self.pairs_per_iteration;
        self.squares += balance * balance;
        let pull = balance / (2.0 * BALANCE_PER_ELO);
        for (index, parameter) in self.space.parameters.iter().enumerate() {
            let distance = trial.half_distance(index) / parameter.c_end;
            let middle = f64::midpoint(trial.plus[index], trial.minus[index]);
            let moved = parameter.place(middle);
            let weight = self.pairs_per_iteration * distance * distance;
            self.pulls[index] += distance * pull + weight * self.curvature(index) * moved;
            self.weights[index] += weight;
        }
        if self.pairs >= self.judged_at {
            self.belief = Belief::of(&self.slopes());
            self.judged_at = self.pairs * JUDGED_EVERY;
        }
        let target = self.target();
        for (index, parameter) in self.space.parameters.iter().enumerate() {
            let step_max = STEP_MAX * parameter.c_end;
            let step = (target[index] - self.state[index]).clamp(-step_max, step_max);
            self.state[index] += step;
        }
    }

    fn estimate(&self) -> Vec<f64> {
        if self.belief.p_value > P_VALUE_MAX {
            return self.space.start();
        }
        self.target()
    }

    fn kept(&self) -> Option<f64> {
        if self.belief.p_value > P_VALUE_MAX {
            return Some(0.0);
        }
        Some(self.belief.shares.iter().sum::<f64>() / self.belief.shares.len() as f64)
    }
}
