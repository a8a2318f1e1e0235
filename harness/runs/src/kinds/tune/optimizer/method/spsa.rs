//! SPSA as Spall gave it: `theta += R_k d (wins − losses)` with his gains (J. Spall, 1992).

use super::{Design, Method};

use crate::kinds::tune::optimizer::{Parameter, Plan, Space, Trial};

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The stability constant A as a share of the length.
const STABILITY_SHARE: f64 = 0.1;

pub(crate) struct Spsa {
    space: Space,
    plan: Plan,
    state: Vec<f64>,
}

impl Spsa {
    pub(crate) fn new(space: &Space, plan: &Plan) -> Spsa {
        Spsa {
            space: space.clone(),
            plan: *plan,
            state: space.start(),
        }
    }

    /// All pairs, and the number of the iteration's first.
    fn pairs(&self, iteration: u64) -> [f64; 2] {
        let first = iteration * self.plan.pairs_per_iteration + 1;
        [self.plan.pairs().max(1) as f64, first as f64]
    }

    fn width(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let [pairs, k] = self.pairs(iteration);
        parameter.c_end * (pairs / k).powf(GAMMA)
    }

    /// For each game won and each unit of half the distance: `a_k / c_k²`.
    fn step(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let [pairs, k] = self.pairs(iteration);
        let stability = STABILITY_SHARE * pairs;
        let a_end = parameter.r_end * parameter.c_end * parameter.c_end;
        let a = a_end * ((stability + pairs) / (stability + k)).powf(ALPHA);
        a / self.width(parameter, iteration).powi(2)
    }
}

impl Method for Spsa {
    fn state(&self) -> &[f64] {
        &self.state
    }

    fn design(&self, iteration: u64) -> Design {
        let parameters = self.space.parameters.iter();
        Design {
            widths: parameters
                .map(|parameter| self.width(parameter, iteration))
                .collect(),
            is_one_sided: false,
        }
    }

    fn update(&mut self, trial: &Trial, balance: f64) {
        for (index, parameter) in self.space.parameters.iter().enumerate() {
            let step = self.step(parameter, trial.iteration) * trial.half_distance(index) * balance;
            self.state[index] = parameter.clip(self.state[index] + step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::optimizer::space::tests::parameter;
    use crate::kinds::tune::optimizer::{MethodName, ValueKind};

    #[test]
    fn the_sequences_end_where_the_parameter_says_and_begin_as_the_formulas_do() {
        let parameter = parameter("x", ValueKind::Real, 2.0);
        let space = Space {
            parameters: vec![parameter.clone()],
        };
        let plan = Plan {
            method: MethodName::Spsa,
            iterations: 1000,
            pairs_per_iteration: 1,
            lag: 1,
            seed: 1,
        };
        let spsa = Spsa::new(&space, &plan);
        let c0 = 2.0 * 1000f64.powf(0.101);
        let a0 = 0.002 * 4.0 * 1100f64.powf(0.602);
        let r1 = a0 / 101f64.powf(0.602) / (c0 * c0);
        for (iteration, width, step) in [(999, 2.0, 0.002), (0, c0, r1)] {
            assert!((spsa.width(&parameter, iteration) - width).abs() < 1e-12);
            assert!((spsa.step(&parameter, iteration) - step).abs() < 1e-12);
        }
    }
}
