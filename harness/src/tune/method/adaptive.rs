//! Steps by the noise instead of a step given beforehand and, if wanted, a gain for each parameter by how steadily it moves.
//!
//! In: trials and results. Out: states. Must not: need a well-chosen `r_end`.
//!
//! In units of `c_end` every parameter's gradient estimate is the same number but for its sign, so the second moments of Adam
//! and RMSProp are the same for all: they can only scale the steps by the noise, which is done here as AdaGrad does. What
//! differs between parameters is whether their steps go on in one direction; each gain grows while they do and shrinks when
//! they turn (R. Sutton, "Adapting bias by gradient descent", 1992).

use super::rule::Method;
use crate::tune::{Gains, Plan, Space, Trial};

/// Steps stay near the first one for so many pairs a parameter: with less information than that, the noise of larger steps
/// costs more than they can gain.
const PAIRS_PER_PARAMETER: f64 = 25.0;
/// How fast steps shrink afterwards.
const DECAY: f64 = 0.6;
/// How much one standard deviation of the correlation between successive results changes the logarithm of a gain, in all.
const META: f64 = 0.5;
/// The share of the iterations that a trace remembers.
const TRACE_SHARE: f64 = 0.05;
/// A gain stays within this factor either way.
const GAIN_MAX: f64 = 8.0;
/// Variance of a pair's balance before any is seen.
const VARIANCE: f64 = 1.5;
const VARIANCE_WEIGHT: f64 = 20.0;

/// The adaptive method.
pub(super) struct Adaptive {
    space: Space,
    gains: Gains,
    plan: Plan,
    state: Vec<f64>,
    /// Logarithms of the parameters' gains.
    log_gains: Vec<f64>,
    /// Decaying sums of the signed results, of unit variance if there is nothing but noise.
    traces: Vec<f64>,
    /// Sum of squared results and their number.
    squares: f64,
    count: f64,
    /// How fast the gains adapt; 0 if they do not.
    meta: f64,
}

impl Adaptive {
    /// At the start of `space`, with one gain for all parameters.
    pub(super) fn scaled(space: &Space, plan: &Plan) -> Adaptive {
        let count = space.parameters().len();
        Adaptive {
            space: space.clone(),
            gains: Gains::new(plan.pairs()),
            plan: *plan,
            state: space.start(),
            log_gains: vec![0.0; count],
            traces: vec![0.0; count],
            squares: VARIANCE_WEIGHT * VARIANCE * plan.pairs_per_iteration as f64,
            count: VARIANCE_WEIGHT,
            meta: 0.0,
        }
    }

    /// At the start of `space`, with a gain for each parameter.
    pub(super) fn each(space: &Space, plan: &Plan) -> Adaptive {
        let meta = META / (plan.iterations as f64).sqrt();
        Adaptive {
            meta,
            ..Adaptive::scaled(space, plan)
        }
    }

    /// The step of an iteration in units of `c_end`.
    fn step(&self, iteration: u64) -> f64 {
        let level = PAIRS_PER_PARAMETER * self.state.len() as f64 / self.plan.pairs_per_iteration as f64;
        (1.0 + iteration as f64 / level).powf(-DECAY) / level.sqrt()
    }
}

impl Method for Adaptive {
    fn state(&self) -> &[f64] {
        &self.state
    }

    fn widths(&self, iteration: u64) -> Vec<f64> {
        let k = iteration * self.plan.pairs_per_iteration + 1;
        let parameters = self.space.parameters().iter();
        parameters
            .map(|parameter| self.gains.width(parameter, k))
            .collect()
    }

    fn update(&mut self, trial: &Trial, balance: f64) {
        self.squares += balance * balance;
        self.count += 1.0;
        let surprise = balance / (self.squares / self.count).sqrt();
        let step = self.step(trial.iteration);
        let keep = 1.0 - 1.0 / (1.0 + TRACE_SHARE * self.plan.iterations as f64);
        let fresh = (1.0 - keep * keep).sqrt();
        for (index, parameter) in self.space.parameters().iter().enumerate() {
            // The flip, shorter where the range cut it off.
            let flip = trial.differences[index] / trial.widths[index];
            let signed = flip * surprise;
            let trace = &mut self.traces[index];
            let log_gain = &mut self.log_gains[index];
            *log_gain = (*log_gain + self.meta * signed * *trace).clamp(-GAIN_MAX.ln(), GAIN_MAX.ln());
            *trace = keep * *trace + fresh * signed;
            let moved = self.state[index] + parameter.c_end * step * log_gain.exp() * signed;
            self.state[index] = parameter.clip(moved);
        }
    }
}
