//! What a simulation is held against: the error rates asked for, the confidence of the intervals, Wald's lengths in;
//! the goals that the counts contradict out. Chance is allowed three standard errors; nothing is drawn or printed here.

use super::simulate::{Rate, Simulation, Summary};

/// Standard errors by which chance may miss a goal.
const CHANCE: f64 = 3.0;

/// By how much of itself the expected length may differ from theory.
const LENGTH_TOLERANCE: f64 = 0.05;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Error,
    /// Without a test, the fixed-length interval covers as often as it says; after a test it promises nothing.
    Fixed,
    /// The interval corrected for the stop covers as often as it says.
    Corrected,
    /// The anytime-valid interval holds the truth all the time as often as it says.
    Anytime,
    /// The mean number of pairs is within 5 % of Wald's theory.
    Length,
}

impl Goal {
    pub fn name(self) -> &'static str {
        match self {
            Goal::Error => "error",
            Goal::Fixed => "fixed",
            Goal::Corrected => "corrected",
            Goal::Anytime => "anytime",
            Goal::Length => "length",
        }
    }
}

/// The goals that `summary` misses by more than chance allows.
///
/// Length is judged only where no match was cut short by the limit of pairs, which theory does not know.
pub fn missed(simulation: &Simulation, summary: &Summary) -> Vec<Goal> {
    let confidence = simulation.confidence();
    let has_test = simulation.expected_pairs().is_some();
    let error = simulation.error(summary);
    let checks = [
        (
            Goal::Error,
            error.is_some_and(|(rate, nominal)| is_above(rate, nominal)),
        ),
        (Goal::Fixed, !has_test && is_below(summary.fixed, confidence)),
        (Goal::Corrected, is_below(summary.corrected, confidence)),
        (Goal::Anytime, is_below(summary.anytime, confidence)),
        (Goal::Length, is_length_off(simulation, summary)),
    ];
    checks
        .into_iter()
        .filter(|(_, is_missed)| *is_missed)
        .map(|(goal, _)| goal)
        .collect()
}

fn is_above(rate: Rate, limit: f64) -> bool {
    excess(rate, limit).is_some_and(|excess| excess > CHANCE)
}

fn is_below(rate: Rate, limit: f64) -> bool {
    excess(rate, limit).is_some_and(|excess| excess < -CHANCE)
}

/// In standard errors.
fn excess(rate: Rate, limit: f64) -> Option<f64> {
    Some((rate.value()? - limit) / rate.standard_error()?)
}

fn is_length_off(simulation: &Simulation, summary: &Summary) -> bool {
    let (Some(theory), Some((pairs, standard_error))) = (simulation.expected_pairs(), summary.pairs()) else {
        return false;
    };
    summary.limit_reached.hits == 0
        && (pairs - theory).abs() > LENGTH_TOLERANCE * theory + CHANCE * standard_error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{EloModel, PairModel, Sprt};
    use crate::stop::{FaultLimits, StopRule};

    fn simulation(elo1: Option<f64>) -> Simulation {
        let truth = PairModel::new(0.0, EloModel::Normalized, 0.1, 60.0).unwrap();
        let sprt = elo1.map(|elo1| Sprt::new(0.0, elo1, 0.05, 0.05, EloModel::Normalized).unwrap());
        let rule = StopRule {
            sprt,
            pairs_max: 100_000,
            faults: FaultLimits::default(),
        };
        Simulation::new(truth, rule, 0.95, 1)
    }

    fn rate(hits: u64) -> Rate {
        Rate { hits, trials: 10_000 }
    }

    /// As theory has it for a test of 0 against 20.
    fn kept(simulation: &Simulation) -> Summary {
        let pairs = simulation.expected_pairs().unwrap_or(100.0) as u128;
        Summary {
            accepted_h1: rate(500),
            accepted_h0: rate(9500),
            fixed: rate(9500),
            corrected: rate(9500),
            anytime: rate(9500),
            pairs_sum: 10_000 * pairs,
            pairs_squares: 10_000 * pairs * pairs,
            ..Summary::default()
        }
    }

    #[test]
    fn what_is_as_promised_misses_nothing_and_each_shortfall_is_named() {
        let simulation = simulation(Some(20.0));
        let summary = kept(&simulation);
        assert_eq!(missed(&simulation, &summary), []);
        // The standard error is 22 of 10 000: 64 away is chance, 70 is not.
        let with = |change: fn(&mut Summary)| {
            let mut summary = summary;
            change(&mut summary);
            missed(&simulation, &summary)
        };
        assert_eq!(with(|summary| summary.accepted_h1 = rate(564)), []);
        assert_eq!(with(|summary| summary.accepted_h1 = rate(570)), [Goal::Error]);
        assert_eq!(with(|summary| summary.corrected = rate(9430)), [Goal::Corrected]);
        assert_eq!(with(|summary| summary.anytime = rate(9430)), [Goal::Anytime]);
        assert_eq!(with(|summary| summary.fixed = rate(9000)), []);
        assert_eq!(with(|summary| summary.pairs_sum += 600_000), [Goal::Length]);
        assert_eq!(
            with(|summary| {
                summary.pairs_sum += 600_000;
                summary.limit_reached = rate(1);
            }),
            []
        );
    }

    #[test]
    fn without_a_test_the_fixed_interval_is_held_to_its_word() {
        let simulation = simulation(None);
        let mut summary = kept(&simulation);
        summary.fixed = rate(9430);
        assert_eq!(missed(&simulation, &summary), [Goal::Fixed]);
    }
}
