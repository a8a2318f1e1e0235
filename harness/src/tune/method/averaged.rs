//! The mean of the later states instead of the last one (B. Polyak, A. Juditsky, 1992).
//!
//! In: another method. Out: its states, and their mean over the last half. Must not: change what is played.

use super::rule::Method;
use crate::tune::{Plan, Trial};

/// The share of the iterations before the mean begins.
const SHARE_BEFORE: f64 = 0.5;

/// A method and the mean of its states.
pub(super) struct Averaged<M> {
    method: M,
    /// The first iteration of the mean.
    first: u64,
    sum: Vec<f64>,
    count: u64,
}

impl<M: Method> Averaged<M> {
    /// Around `method`.
    pub(super) fn new(method: M, plan: &Plan) -> Averaged<M> {
        Averaged {
            sum: vec![0.0; method.state().len()],
            method,
            first: (SHARE_BEFORE * plan.iterations as f64) as u64,
            count: 0,
        }
    }
}

impl<M: Method> Method for Averaged<M> {
    fn state(&self) -> &[f64] {
        self.method.state()
    }

    fn widths(&self, iteration: u64) -> Vec<f64> {
        self.method.widths(iteration)
    }

    fn update(&mut self, trial: &Trial, balance: f64) {
        self.method.update(trial, balance);
        if trial.iteration >= self.first {
            self.count += 1;
            let states = self.method.state().iter();
            self.sum
                .iter_mut()
                .zip(states)
                .for_each(|(sum, state)| *sum += state);
        }
    }

    fn estimate(&self) -> Vec<f64> {
        if self.count == 0 {
            return self.method.state().to_vec();
        }
        self.sum.iter().map(|sum| sum / self.count as f64).collect()
    }
}
