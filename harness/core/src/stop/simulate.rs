//! Matches between players of known strength: a truth and a stop rule in, error rates, coverage and lengths out.
//!
//! Runs the very code that judges real matches ([`TestProgress`], the estimators of [`crate::stats`]); only the games are
//! drawn from a [`PairModel`](crate::stats::PairModel). Match `index` of a seed is always the same, so summaries of any split of the
//! indices merge to the same numbers. It starts no threads and prints nothing.

use super::truth::Truth;
pub use super::truth::{Openings, PairPool};
use super::{StopRule, TestProgress, Verdict};
use crate::random::Random;
use crate::stats::{AnytimeTest, Basis, Calculator, EloModel, Level, PairModelError};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub struct SimulationSpec {
    pub elo: f64,
    pub model: EloModel,
    pub draw_ratio: f64,
    pub opening_bias: f64,
    pub openings: Openings,
    pub rule: StopRule,
    pub matches: u64,
    pub seed: u64,
}

impl SimulationSpec {
    /// That of the intervals of a match under this rule.
    pub fn level(&self) -> Level {
        Level::of(self.rule.sprt.as_ref())
    }

    pub fn simulation(&self) -> Result<Simulation, PairModelError> {
        let mix = [self.draw_ratio, self.opening_bias];
        let truth = Truth::new(self.elo, self.model, self.openings.clone(), mix)?;
        Ok(Simulation {
            anytime: AnytimeTest::pairs(truth.mean, self.level()),
            truth,
            spec: self.clone(),
        })
    }
}

#[derive(Clone, Debug)]
pub struct Simulation {
    spec: SimulationSpec,
    truth: Truth,
    anytime: AnytimeTest,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    pub hits: u64,
    pub trials: u64,
}

impl Rate {
    fn of(hit: Option<bool>) -> Rate {
        Rate {
            hits: u64::from(hit == Some(true)),
            trials: u64::from(hit.is_some()),
        }
    }

    pub fn value(&self) -> Option<f64> {
        (self.trials > 0).then(|| self.hits as f64 / self.trials as f64)
    }

    /// Standard error of the share; never 0, since a share of 0 or 1 is not certain either (one success and one
    /// failure are added to its variance); `None` without a trial.
    pub fn standard_error(&self) -> Option<f64> {
        let smoothed = (self.hits as f64 + 1.0) / (self.trials as f64 + 2.0);
        self.value()
            .map(|_| (smoothed * (1.0 - smoothed) / self.trials as f64).sqrt())
    }

    fn merge(&mut self, other: Rate) {
        self.hits += other.hits;
        self.trials += other.trials;
    }
}

/// Counts over many simulated matches; integers only, so that merging in any order gives the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulationSummary {
    pub accepted_h1: Rate,
    pub accepted_h0: Rate,
    pub limit_reached: Rate,
    /// Coverage of the fixed-length interval: naive after a sequential stop, right without one.
    pub fixed: Rate,
    /// Coverage of the interval to quote after a test.
    pub corrected: Rate,
    /// Coverage of the quoted interval on the normalized scale, of matches whose pairs did not all have the same score.
    pub normalized: Rate,
    /// Share of matches whose quoted interval is the exact one, since their variance is not known.
    pub exact: Rate,
    /// Share of corrected point estimates above the truth; a half if median-unbiased.
    pub corrected_above: Rate,
    /// Share of matches whose anytime-valid interval held the truth all the time.
    pub anytime: Rate,
    pub pairs_sum: u128,
    pub pairs_squares: u128,
}

impl Simulation {
    pub fn elo(&self, model: EloModel) -> f64 {
        self.truth.on(model)
    }

    /// What match `index` comes to; the same index gives the same match.
    fn play(&self, index: u64) -> SimulationSummary {
        let SimulationSpec { rule, seed, .. } = self.spec;
        let mut random = Random::long(seed, index);
        let mut progress = TestProgress::new(rule);
        let mut anytime_covers = true;
        let known = self.truth.openings(&mut random);
        let verdict = loop {
            if let Some(verdict) = progress.verdict() {
                break verdict;
            }
            let (opening, result) = self.truth.draw(&known, progress.tally.pairs(), &mut random);
            progress.add(self.truth.is_clustered().then_some(opening), result);
            anytime_covers &= !self.anytime.excludes(&progress.tally.pentanomial);
        };
        let estimates = progress.estimates(progress.decided_by());
        let truth = self.truth.elo();
        let covers = estimates.elo.contains(truth);
        let is_tested = rule.sprt.is_some();
        let ended_by = |verdicts: &[Verdict]| Rate::of(Some(verdicts.contains(&verdict)));
        let pairs = u128::from(progress.tally.pairs());
        SimulationSummary {
            accepted_h1: ended_by(&[Verdict::AcceptedH1]),
            accepted_h0: ended_by(&[Verdict::AcceptedH0]),
            limit_reached: ended_by(&[Verdict::LimitReached, Verdict::FixedLength]),
            fixed: Rate::of(Some(estimates.uncorrected.contains(truth))),
            corrected: Rate::of(is_tested.then_some(covers)),
            corrected_above: Rate::of(
                estimates
                    .elo
                    .value
                    .filter(|_| is_tested)
                    .map(|value| value > truth),
            ),
            normalized: Rate::of(
                estimates
                    .nelo
                    .value
                    .map(|_| estimates.nelo.contains(self.truth.nelo())),
            ),
            exact: Rate::of(Some(estimates.basis == Basis::Exact)),
            anytime: Rate::of(Some(anytime_covers)),
            pairs_sum: pairs,
            pairs_squares: pairs * pairs,
        }
    }

    pub fn run(&self, indices: Range<u64>) -> SimulationSummary {
        let mut summary = SimulationSummary::default();
        for index in indices {
            summary.merge(&self.play(index));
        }
        summary
    }

    /// Expected pairs by Wald's theory for this truth and test; `None` without a test.
    pub fn expected_pairs(&self) -> Option<f64> {
        let sprt = self.spec.rule.sprt?;
        let calculator = Calculator::with_variance(&sprt, 2.0 * self.truth.variance).ok()?;
        Some(calculator.forecast_logistic(self.truth.elo()).ok()?.pairs())
    }

    /// The rate of wrong verdicts in `summary` with the error rate asked for: accepting H1 with a truth at or below H0,
    /// or H0 at or above H1. `None` between the hypotheses or without a test.
    pub fn error(&self, summary: &SimulationSummary) -> Option<(Rate, f64)> {
        let sprt = self.spec.rule.sprt?;
        let truth = self.elo(sprt.model());
        // The truth was solved for numerically.
        let tolerance = 1e-6;
        if truth <= sprt.elo0() + tolerance {
            Some((summary.accepted_h1, sprt.alpha()))
        } else if truth >= sprt.elo1() - tolerance {
            Some((summary.accepted_h0, sprt.beta()))
        } else {
            None
        }
    }
}

impl SimulationSummary {
    pub fn merge(&mut self, other: &SimulationSummary) {
        self.accepted_h1.merge(other.accepted_h1);
        self.accepted_h0.merge(other.accepted_h0);
        self.limit_reached.merge(other.limit_reached);
        self.fixed.merge(other.fixed);
        self.corrected.merge(other.corrected);
        self.corrected_above.merge(other.corrected_above);
        self.normalized.merge(other.normalized);
        self.exact.merge(other.exact);
        self.anytime.merge(other.anytime);
        self.pairs_sum += other.pairs_sum;
        self.pairs_squares += other.pairs_squares;
    }

    pub fn matches(&self) -> u64 {
        self.anytime.trials
    }

    /// Mean pairs a match and its standard error; `None` before the second match.
    pub fn pairs(&self) -> Option<(f64, f64)> {
        let matches = self.matches() as f64;
        if self.matches() < 2 {
            return None;
        }
        let mean = self.pairs_sum as f64 / matches;
        let variance = (self.pairs_squares as f64 / matches - mean * mean).max(0.0);
        Some((mean, (variance / (matches - 1.0)).sqrt()))
    }
}

/// Standard errors by which chance may miss a goal.
const CHANCE: f64 = 3.0;

const LENGTH_TOLERANCE: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Goal {
    Error,
    /// Without a test, the fixed-length interval covers as often as it says; after a test it promises nothing.
    Fixed,
    Corrected,
    /// The anytime-valid interval holds the truth all the time as often as it says.
    Anytime,
    /// The mean number of pairs is within 5 % of Wald's theory.
    Length,
}

impl Goal {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The goals that `summary` misses by more than chance allows.
///
/// Length is judged only where no match was cut short by the limit of pairs, which theory does not know.
pub fn missed(simulation: &Simulation, summary: &SimulationSummary) -> Vec<Goal> {
    let has_test = simulation.expected_pairs().is_some();
    // By how many standard errors the rate is above the limit.
    let excess = |rate: Rate, limit: f64| Some((rate.value()? - limit) / rate.standard_error()?);
    let is_below = |rate: Rate| {
        excess(rate, simulation.spec.level().confidence()).is_some_and(|excess| excess < -CHANCE)
    };
    let error = simulation.error(summary);
    let error = error.and_then(|(rate, nominal)| excess(rate, nominal));
    let checks = [
        (Goal::Error, error.is_some_and(|excess| excess > CHANCE)),
        (Goal::Fixed, !has_test && is_below(summary.fixed)),
        (Goal::Corrected, is_below(summary.corrected)),
        (Goal::Anytime, is_below(summary.anytime)),
        (Goal::Length, is_length_off(simulation, summary)),
    ];
    let missed = checks.into_iter().filter(|&(_, is_missed)| is_missed);
    missed.map(|(goal, _)| goal).collect()
}

fn is_length_off(simulation: &Simulation, summary: &SimulationSummary) -> bool {
    let (Some(theory), Some((pairs, standard_error))) = (simulation.expected_pairs(), summary.pairs()) else {
        return false;
    };
    summary.limit_reached.hits == 0
        && (pairs - theory).abs() > LENGTH_TOLERANCE * theory + CHANCE * standard_error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Sprt;
    use crate::stop::FaultLimits;

    fn simulation(elo: f64, elo1: Option<f64>, pairs_max: u64) -> Simulation {
        let sprt = elo1.map(|elo1| Sprt::new(0.0, elo1, 0.05, 0.05, EloModel::Normalized).unwrap());
        let faults = FaultLimits::default();
        let spec = SimulationSpec {
            elo,
            model: EloModel::Normalized,
            draw_ratio: 0.1,
            opening_bias: 60.0,
            openings: Openings::default(),
            rule: StopRule {
                sprt,
                pairs_max,
                faults,
                ..StopRule::default()
            },
            matches: 0,
            seed: 20_26,
        };
        spec.simulation().unwrap()
    }

    /// Does a rate lie between these, but for chance?
    fn is_within(rate: Rate, least: f64, most: f64) -> bool {
        let (value, error) = (rate.value().unwrap(), 4.0 * rate.standard_error().unwrap());
        (least - error..=most + error).contains(&value)
    }

    #[test]
    fn parts_of_a_simulation_merge_to_the_whole() {
        let simulation = simulation(10.0, Some(80.0), 200);
        let mut parts = simulation.run(7..20);
        parts.merge(&simulation.run(0..7));
        assert_eq!(parts, simulation.run(0..20));
    }

    #[test]
    fn errors_coverage_and_length_are_as_promised_at_both_hypotheses() {
        for elo in [0.0, 40.0] {
            let simulation = simulation(elo, Some(40.0), 100_000);
            let summary = simulation.run(0..1500);
            let (error, nominal) = simulation.error(&summary).unwrap();
            assert!(is_within(error, 0.0, nominal), "{elo}: {error:?}");
            assert!(is_within(summary.corrected, 0.9, 1.0), "{elo}: {summary:?}");
            assert!(is_within(summary.anytime, 0.9, 1.0), "{elo}: {summary:?}");
            assert!(is_within(summary.corrected_above, 0.45, 0.55), "{summary:?}");
            let (pairs, standard_error) = summary.pairs().unwrap();
            let theory = simulation.expected_pairs().unwrap();
            assert!(
                (pairs - theory).abs() <= 0.05 * theory + 4.0 * standard_error,
                "{pairs} {theory}"
            );
        }
    }

    #[test]
    fn a_fixed_length_match_covers_with_its_plain_interval() {
        let summary = simulation(25.0, None, 200).run(0..1500);
        assert_eq!((summary.limit_reached.hits, summary.corrected.trials), (1500, 0));
        assert!(is_within(summary.fixed, 0.945, 0.96), "{summary:?}");
    }

    /// What a summary misses that is as theory has it but for what `change` does.
    fn missed_after(simulation: &Simulation, change: &dyn Fn(&mut SimulationSummary)) -> Vec<Goal> {
        let rate = |hits| Rate { hits, trials: 10_000 };
        let pairs = simulation.expected_pairs().unwrap_or(100.0) as u128;
        let mut summary = SimulationSummary {
            accepted_h1: rate(500),
            accepted_h0: rate(9500),
            fixed: rate(9500),
            corrected: rate(9500),
            anytime: rate(9500),
            pairs_sum: 10_000 * pairs,
            pairs_squares: 10_000 * pairs * pairs,
            ..SimulationSummary::default()
        };
        change(&mut summary);
        missed(simulation, &summary)
    }

    #[test]
    fn what_is_as_promised_misses_nothing_and_each_shortfall_is_named() {
        let (tested, fixed) = (
            simulation(0.0, Some(20.0), 100_000),
            simulation(0.0, None, 100_000),
        );
        let after = |change: &dyn Fn(&mut SimulationSummary)| missed_after(&tested, change);
        assert_eq!(after(&|_| ()), []);
        // The standard error is 22 of 10 000: 64 away is chance, 70 is not.
        assert_eq!(after(&|summary| summary.accepted_h1.hits = 564), []);
        assert_eq!(after(&|summary| summary.accepted_h1.hits = 570), [Goal::Error]);
        assert_eq!(after(&|summary| summary.accepted_h1.hits = 0), []);
        assert_eq!(after(&|summary| summary.corrected.hits = 8900), [Goal::Corrected]);
        assert_eq!(after(&|summary| summary.anytime.hits = 8900), [Goal::Anytime]);
        assert_eq!(after(&|summary| summary.fixed.hits = 8500), []);
        assert_eq!(after(&|summary| summary.pairs_sum += 600_000), [Goal::Length]);
        let cut = |summary: &mut SimulationSummary| {
            summary.pairs_sum += 600_000;
            summary.limit_reached.hits = 1;
        };
        assert_eq!(after(&cut), []);
        let uncovered = missed_after(&fixed, &|summary| summary.fixed.hits = 9430);
        assert_eq!(uncovered, [Goal::Fixed], "without a test it is held to its word");
        let between = simulation(10.0, Some(20.0), 10);
        assert_eq!(
            between.error(&SimulationSummary::default()),
            None,
            "no verdict is an error"
        );
    }
}
