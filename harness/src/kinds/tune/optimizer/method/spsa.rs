//! SPSA as Spall gave it: `theta += R_k d (wins − losses)` with his gains (J. Spall, 1992).

use super::Method;

use crate::kinds::tune::optimizer::{Parameter, Plan, Space, Trial};

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

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The stability constant A as a share of the length.
const STABILITY_SHARE: f64 = 0.1;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    pairs: f64,
}

impl Gains {
    pub fn new(pairs: u64) -> Gains {
        Gains {
            pairs: pairs.max(1) as f64,
        }
    }

    pub fn width(&self, parameter: &Parameter, k: u64) -> f64 {
        parameter.c_end * self.width_factor(k)
    }

    pub fn width_factor(&self, k: u64) -> f64 {
        (self.pairs / k as f64).powf(GAMMA)
    }

    /// The step at pair `k` for each game won and each unit of half the distance: `a_k / c_k²`.
    pub fn step(&self, parameter: &Parameter, k: u64) -> f64 {
        let stability = STABILITY_SHARE * self.pairs;
        let a_end = parameter.r_end * parameter.c_end * parameter.c_end;
        let a = a_end * ((stability + self.pairs) / (stability + k as f64)).powf(ALPHA);
        a / self.width(parameter, k).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::optimizer::ValueKind;
    use crate::kinds::tune::optimizer::space::tests::parameter;

    #[test]
    fn the_sequences_end_where_the_parameter_says_and_begin_as_the_formulas_do() {
        let parameter = parameter("x", ValueKind::Real, 2.0);
        let gains = Gains::new(1000);
        assert!((gains.width(&parameter, 1000) - 2.0).abs() < 1e-12);
        assert!((gains.step(&parameter, 1000) - 0.002).abs() < 1e-12);
        let c0 = 2.0 * 1000f64.powf(0.101);
        assert!((gains.width(&parameter, 1) - c0).abs() < 1e-12);
        let a0 = 0.002 * 4.0 * 1100f64.powf(0.602);
        let r1 = a0 / 101f64.powf(0.602) / (c0 * c0);
        assert!((gains.step(&parameter, 1) - r1).abs() < 1e-15);
    }
}
