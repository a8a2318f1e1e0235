//! The state of a tuning between two results.
//!
//! With a lag of L, iteration k is played with the state after iteration k − L: when it is applied, the next L − 1 are
//! fixed already, so many threads can play at the same time and none of them decides anything.

use std::collections::VecDeque;

use super::method::{Method, begin};
use super::plan::Plan;
use super::quadratic::Surface;
use super::{Space, Trial};

#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub trial: Trial,
    /// Games that A won less those that B won.
    pub balance: i64,
    pub state: Vec<f64>,
    pub estimate: Vec<f64>,
    pub kept: Option<f64>,
    pub surface: Option<Surface>,
}

pub struct Tuner {
    space: Space,
    plan: Plan,
    method: Box<dyn Method>,
    trials: VecDeque<Trial>,
    applied: u64,
}

impl Tuner {
    pub fn new(space: Space, plan: Plan) -> Tuner {
        let method = begin(&space, &plan);
        let mut tuner = Tuner {
            space,
            plan,
            method,
            trials: VecDeque::new(),
            applied: 0,
        };
        (0..plan.lag.min(plan.iterations)).for_each(|iteration| tuner.prepare(iteration));
        tuner
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn applied(&self) -> u64 {
        self.applied
    }

    pub fn is_finished(&self) -> bool {
        self.applied == self.plan.iterations
    }

    /// What `iteration` plays; `None` if it is over or its turn has not come.
    pub fn trial(&self, iteration: u64) -> Option<&Trial> {
        let place = iteration.checked_sub(self.applied)?;
        self.trials.get(usize::try_from(place).ok()?)
    }

    /// Takes in the result of the first iteration that is not applied: games A won less those B won. `None`: all are.
    pub fn apply(&mut self, balance: i64) -> Option<Step> {
        let trial = self.advance(balance)?;
        Some(Step {
            trial,
            balance,
            state: self.method.state().to_vec(),
            estimate: self.method.estimate(),
            kept: self.method.kept(),
            surface: self.is_finished().then(|| self.method.surface()).flatten(),
        })
    }

    pub fn advance(&mut self, balance: i64) -> Option<Trial> {
        let trial = self.trials.pop_front()?;
        self.method.update(&trial, balance as f64);
        self.applied += 1;
        let next = trial.iteration + self.plan.lag;
        if next < self.plan.iterations {
            self.prepare(next);
        }
        Some(trial)
    }

    pub fn tuned(&self) -> Vec<f64> {
        self.space.nearest(&self.method.estimate())
    }

    fn prepare(&mut self, iteration: u64) {
        let widths = self.method.widths(iteration);
        let state = self.method.state_for(iteration);
        let trial = Trial::new(&self.space, self.plan.seed, iteration, &state, widths);
        self.trials.push_back(trial);
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::parameter;
    use super::super::{MethodName, ValueKind};
    use super::*;

    fn tuner(lag: u64, method: MethodName) -> Tuner {
        let space = Space::new(vec![parameter("x", ValueKind::Real, 1.0)], "", |_| String::new()).unwrap();
        let plan = Plan {
            method,
            iterations: 400,
            pairs_per_iteration: 1,
            lag,
            seed: 1,
        };
        Tuner::new(space, plan)
    }

    #[test]
    fn an_iteration_plays_the_state_that_its_lag_says() {
        let mut tuner = tuner(3, MethodName::Spsa);
        assert!(tuner.trial(2).is_some() && tuner.trial(3).is_none());
        let start = tuner.trial(2).unwrap().state.clone();
        assert_eq!(start, [10.0]);
        let step = tuner.apply(2).unwrap();
        assert_ne!(step.state, start);
        assert_eq!(tuner.trial(3).unwrap().state, step.state);
        assert_eq!(tuner.trial(2).unwrap().state, start);
        assert!(tuner.trial(0).is_none());
    }

    #[test]
    fn every_method_follows_results_that_always_favour_the_greater_value() {
        for method in MethodName::ALL {
            let mut tuner = tuner(4, method);
            while let Some(trial) = tuner.trial(tuner.applied()) {
                let balance = if trial.plus > trial.minus { 2 } else { -2 };
                tuner.advance(balance);
            }
            assert!(tuner.is_finished());
            assert!(tuner.tuned()[0] > 10.5, "{method:?}: {:?}", tuner.tuned());
            assert_eq!(tuner.apply(1), None);
        }
    }
}
