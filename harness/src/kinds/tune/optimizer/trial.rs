//! What one iteration plays: two sets of values, symmetric about the state.

use super::{Space, ValueKind};

use crate::random::Random;

const STREAM_FLIPS: u64 = 0x7475_0001;
const STREAM_ROUNDING: u64 = 0x7475_0002;
/// Whole numbers need this much, or both sides could round to the same.
const INTEGER_WIDTH_MIN: f64 = 0.5;

#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    pub iteration: u64,
    pub state: Vec<f64>,
    pub widths: Vec<f64>,
    pub plus: Vec<f64>,
    pub minus: Vec<f64>,
    /// Half the distance as played, after rounding and clipping; its sign is the flip's.
    pub differences: Vec<f64>,
}

impl Trial {
    /// The trial of `iteration`. Whole numbers are rounded at random, both sides by the same number, so that their expected
    /// distance is the one wanted.
    pub fn new(space: &Space, seed: u64, iteration: u64, state: &[f64], widths: Vec<f64>) -> Trial {
        let mut flips = Random::new(seed, &[STREAM_FLIPS, iteration]);
        let mut rounding = Random::new(seed, &[STREAM_ROUNDING, iteration]);
        let count = state.len();
        let mut trial = Trial {
            iteration,
            state: state.to_vec(),
            widths,
            plus: Vec::with_capacity(count),
            minus: Vec::with_capacity(count),
            differences: Vec::with_capacity(count),
        };
        for (index, parameter) in space.parameters().iter().enumerate() {
            let is_up = flips.next_u64() >> 63 == 1;
            let uniform = rounding.uniform();
            if parameter.kind == ValueKind::Integer {
                trial.widths[index] = trial.widths[index].max(INTEGER_WIDTH_MIN);
            }
            let shift = if is_up {
                trial.widths[index]
            } else {
                -trial.widths[index]
            };
            let side = |value: f64| {
                parameter.clip(match parameter.kind {
                    ValueKind::Integer => (value + uniform).floor(),
                    ValueKind::Real => value,
                })
            };
            let (plus, minus) = (side(state[index] + shift), side(state[index] - shift));
            trial.plus.push(plus);
            trial.minus.push(minus);
            trial.differences.push((plus - minus) / 2.0);
        }
        trial
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::parameter;
    use super::*;

    fn space(kind: ValueKind, c_end: f64) -> Space {
        Space::new(vec![parameter("x", kind, c_end)], "", |_| String::new()).unwrap()
    }

    #[test]
    fn a_trial_depends_on_seed_and_iteration_alone_and_both_signs_come_up() {
        let space = space(ValueKind::Real, 1.0);
        let trial = |seed, iteration| Trial::new(&space, seed, iteration, &[10.0], vec![1.0]);
        assert_eq!(trial(1, 5), trial(1, 5));
        let ups = (0..1000).filter(|&k| trial(1, k).plus[0] > 10.0).count();
        assert!((430..570).contains(&ups), "{ups}");
        assert_eq!(trial(1, 5).differences[0].abs(), 1.0);
    }

    #[test]
    fn whole_numbers_are_always_apart_and_their_mean_distance_is_the_one_wanted() {
        let space = space(ValueKind::Integer, 0.7);
        let mut sum = 0.0;
        for iteration in 0..20_000 {
            let trial = Trial::new(&space, 3, iteration, &[10.3], vec![0.7]);
            assert_eq!(trial.plus[0].fract(), 0.0);
            assert!(trial.differences[0] != 0.0);
            sum += trial.differences[0].abs();
        }
        assert!((sum / 20_000.0 - 0.7).abs() < 0.01, "{sum}");
        let narrow = Trial::new(&space, 3, 1, &[10.3], vec![0.1]);
        assert_eq!(narrow.differences[0].abs(), 0.5);
    }

    #[test]
    fn what_is_clipped_counts_as_it_was_played() {
        let space = space(ValueKind::Real, 4.0);
        let trial = Trial::new(&space, 1, 0, &[19.0], vec![4.0]);
        assert_eq!(trial.differences[0].abs(), 2.5);
    }
}
