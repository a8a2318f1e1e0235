//! SPSA as Spall gave it: `theta += R_k d (wins − losses)` with his gains (J. Spall, 1992).

use super::Method;

use crate::kinds::tune::optimizer::{Gains, Plan, Space, Trial};

pub(crate) struct Spsa {
    space: Space,
    gains: Gains,
    pairs_per_iteration: u64,
    state: Vec<f64>,
}

impl Spsa {
    pub(crate) fn new(space: &Space, plan: &Plan) -> Spsa {
        Spsa {
            space: space.clone(),
            gains: Gains::new(plan.pairs()),
            pairs_per_iteration: plan.pairs_per_iteration,
            state: space.start(),
        }
    }

    fn pair(&self, iteration: u64) -> u64 {
        iteration * self.pairs_per_iteration + 1
    }
}

impl Method for Spsa {
    fn state(&self) -> &[f64] {
        &self.state
    }

    fn widths(&self, iteration: u64) -> Vec<f64> {
        let k = self.pair(iteration);
        let parameters = self.space.parameters.iter();
        parameters
            .map(|parameter| self.gains.width(parameter, k))
            .collect()
    }

    fn update(&mut self, trial: &Trial, balance: f64) {
        let k = self.pair(trial.iteration);
        for (index, parameter) in self.space.parameters.iter().enumerate() {
            let step = self.gains.step(parameter, k) * trial.differences[index] * balance;
            self.state[index] = parameter.clip(self.state[index] + step);
        }
    }
}
