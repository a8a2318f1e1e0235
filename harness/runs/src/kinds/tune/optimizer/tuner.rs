//! The state of a tuning between two results.
//!
//! With a lag of L, iteration k is played with the state after iteration k − L: when it is applied, the next L − 1 are
//! fixed already, so many threads can play at the same time and none of them decides anything.

use std::collections::VecDeque;

use super::method::{Method, begin};
use super::{Design, MethodName, Space, ValueKind};

use crate::random::Random;

#[derive(Debug, Clone, PartialEq)]
pub struct TuningStep {
    pub trial: Trial,
    pub balance: i64,
    pub state: Vec<f64>,
    pub estimate: Vec<f64>,
    pub kept: Option<f64>,
    /// What the method expects to have gained, in Elo.
    pub gain: Option<f64>,
}

pub struct Tuner {
    space: Space,
    pub plan: Plan,
    method: Box<dyn Method>,
    trials: VecDeque<Trial>,
    pub applied: u64,
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

    pub fn is_finished(&self) -> bool {
        self.applied == self.plan.iterations
    }

    pub fn trial(&self, iteration: u64) -> Option<&Trial> {
        let place = iteration.checked_sub(self.applied)?;
        self.trials.get(usize::try_from(place).ok()?)
    }

    /// Takes in the result of the first iteration that is not applied: games A won less those B won. `None`: all are.
    pub fn apply(&mut self, balance: i64) -> Option<TuningStep> {
        let trial = self.advance(balance)?;
        Some(TuningStep {
            trial,
            balance,
            state: self.method.state().to_vec(),
            estimate: self.method.estimate(),
            kept: self.method.kept(),
            gain: self.method.gain(),
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
        let design = self.method.design(iteration);
        let trial = Trial::new(
            &self.space,
            self.plan.seed,
            iteration,
            self.method.state(),
            design,
        );
        self.trials.push_back(trial);
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    pub method: MethodName,
    pub iterations: u64,
    pub pairs_per_iteration: u64,
    /// Iterations between a state and the trial that plays it, at least 1.
    pub lag: u64,
    pub seed: u64,
}

impl Plan {
    pub fn pairs(&self) -> u64 {
        self.iterations * self.pairs_per_iteration
    }
}

const STREAM_FLIPS: u64 = 0x7475_0001;
const STREAM_ROUNDING: u64 = 0x7475_0002;
/// Whole numbers need this much, or both sides could round to the same.
const INTEGER_WIDTH_MIN: f64 = 0.5;

#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    pub iteration: u64,
    pub widths: Vec<f64>,
    pub plus: Vec<f64>,
    pub minus: Vec<f64>,
    /// Minus is the state, and plus twice as far away.
    pub is_one_sided: bool,
}

impl Trial {
    /// The trial of `iteration` about `state`. Whole numbers are rounded at random, both sides by the same number, so that their
    /// expected distance is the one wanted.
    pub fn new(space: &Space, seed: u64, iteration: u64, state: &[f64], design: Design) -> Trial {
        let Design {
            mut widths,
            is_one_sided,
        } = design;
        let mut flips = Random::new(seed, &[STREAM_FLIPS, iteration]);
        let mut rounding = Random::new(seed, &[STREAM_ROUNDING, iteration]);
        let sides = space.parameters.iter().zip(state).zip(&mut widths);
        let (plus, minus) = sides
            .map(|((parameter, state), width)| {
                let is_up = flips.next_u64() >> 63 == 1;
                let uniform = rounding.uniform();
                if parameter.kind == ValueKind::Integer {
                    *width = width.max(INTEGER_WIDTH_MIN);
                }
                let shift = if is_up { *width } else { -*width };
                let side = |value: f64| {
                    parameter.clip(match parameter.kind {
                        ValueKind::Integer => (value + uniform).floor(),
                        ValueKind::Real => value,
                    })
                };
                if is_one_sided {
                    (side(state + 2.0 * shift), side(*state))
                } else {
                    (side(state + shift), side(state - shift))
                }
            })
            .unzip();
        Trial {
            iteration,
            widths,
            plus,
            minus,
            is_one_sided,
        }
    }

    pub fn sides(&self) -> [Vec<f64>; 2] {
        [self.plus.clone(), self.minus.clone()]
    }

    /// As played, after rounding and clipping; its sign is the flip's.
    pub fn half_distance(&self, index: usize) -> f64 {
        (self.plus[index] - self.minus[index]) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::parameter;
    use super::*;

    fn space(kind: ValueKind, c_end: f64) -> Space {
        Space {
            parameters: vec![parameter("x", kind, c_end)],
        }
    }

    fn design(width: f64) -> Design {
        Design {
            widths: vec![width],
            is_one_sided: false,
        }
    }

    fn tuner(lag: u64, method: MethodName) -> Tuner {
        let plan = Plan {
            method,
            iterations: 400,
            pairs_per_iteration: 1,
            lag,
            seed: 1,
        };
        Tuner::new(space(ValueKind::Real, 1.0), plan)
    }

    #[test]
    fn an_iteration_plays_the_state_that_its_lag_says() {
        let mut tuner = tuner(3, MethodName::Spsa);
        let state = |tuner: &Tuner, iteration| {
            let trial = tuner.trial(iteration);
            trial.map(|trial| f64::midpoint(trial.plus[0], trial.minus[0]))
        };
        assert_eq!((state(&tuner, 2), state(&tuner, 3)), (Some(10.0), None));
        let step = tuner.apply(2).unwrap();
        assert_ne!(step.state, [10.0]);
        assert!((state(&tuner, 3).unwrap() - step.state[0]).abs() < 1e-12);
        assert_eq!((state(&tuner, 2), state(&tuner, 0)), (Some(10.0), None));
    }

    #[test]
    fn every_method_follows_results_that_always_favour_the_greater_value() {
        for method in MethodName::ALL {
            let mut tuner = tuner(4, method);
            while let Some(trial) = tuner.trial(tuner.applied) {
                let balance = if trial.plus > trial.minus { 2 } else { -2 };
                tuner.advance(balance);
            }
            assert!(tuner.is_finished());
            assert!(tuner.tuned()[0] > 10.5, "{method:?}: {:?}", tuner.tuned());
            assert_eq!(tuner.apply(1), None);
        }
    }

    #[test]
    fn a_trial_depends_on_seed_and_iteration_alone_and_both_signs_come_up() {
        let space = space(ValueKind::Real, 1.0);
        let trial = |seed, iteration| Trial::new(&space, seed, iteration, &[10.0], design(1.0));
        assert_eq!(trial(1, 5), trial(1, 5));
        let ups = (0..1000).filter(|&k| trial(1, k).plus[0] > 10.0).count();
        assert!((430..570).contains(&ups), "{ups}");
    }

    #[test]
    fn a_one_sided_trial_has_the_state_as_one_side_and_the_same_distance() {
        for kind in [ValueKind::Real, ValueKind::Integer] {
            let space = space(kind, 1.0);
            let is_one_sided = true;
            let trial = Trial::new(
                &space,
                1,
                5,
                &[10.0],
                Design {
                    is_one_sided,
                    ..design(2.0)
                },
            );
            let both = Trial::new(&space, 1, 5, &[10.0], design(2.0));
            assert_eq!(
                (trial.minus[0], trial.half_distance(0)),
                (10.0, both.half_distance(0))
            );
        }
    }

    #[test]
    fn whole_numbers_are_always_apart_and_their_mean_distance_is_the_one_wanted() {
        let space = space(ValueKind::Integer, 0.7);
        let distance = |iteration, width| {
            let trial = Trial::new(&space, 3, iteration, &[10.3], design(width));
            assert_eq!(trial.plus[0].fract(), 0.0);
            trial.half_distance(0).abs()
        };
        let all: Vec<f64> = (0..20_000).map(|iteration| distance(iteration, 0.7)).collect();
        let mean = all.iter().sum::<f64>() / 20_000.0;
        assert!(
            all.iter().all(|&distance| distance > 0.0) && (mean - 0.7).abs() < 0.01,
            "{mean}"
        );
        assert_eq!(distance(1, 0.1), 0.5);
    }

    #[test]
    fn what_is_clipped_counts_as_it_was_played() {
        let trial = Trial::new(&space(ValueKind::Real, 4.0), 1, 0, &[19.0], design(4.0));
        assert_eq!(trial.half_distance(0).abs(), 2.5);
    }
}
