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

#[cfg(test)]
mod tests {
    use super::super::super::MethodName;
    use super::*;

    /// Its state is the number of the last iteration.
    struct Numbered([f64; 1]);

    impl Method for Numbered {
        fn state(&self) -> &[f64] {
            &self.0
        }

        fn widths(&self, iteration: u64) -> Vec<f64> {
            vec![iteration as f64 + 0.5]
        }

        fn update(&mut self, trial: &Trial, _: f64) {
            self.0 = [trial.iteration as f64];
        }
    }

    #[test]
    fn the_estimate_is_the_mean_of_the_states_of_the_later_half() {
        let plan = Plan {
            method: MethodName::Averaged,
            iterations: 10,
            pairs_per_iteration: 1,
            lag: 1,
            seed: 1,
        };
        let mut averaged = Averaged::new(Numbered([-1.0]), &plan);
        assert_eq!((averaged.estimate(), averaged.widths(3)), (vec![-1.0], vec![3.5]));
        let expected = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.5, 6.0, 6.5, 7.0];
        for (iteration, expected) in expected.into_iter().enumerate() {
            let trial = Trial {
                iteration: iteration as u64,
                state: Vec::new(),
                widths: Vec::new(),
                plus: Vec::new(),
                minus: Vec::new(),
                differences: Vec::new(),
            };
            averaged.update(&trial, 1.0);
            assert_eq!(averaged.state(), [iteration as f64]);
            assert_eq!(averaged.estimate(), [expected], "{iteration}");
        }
    }
}
