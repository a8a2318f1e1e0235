//! At which ratio of nodes or time two players are equally strong: batches of pairs, each at a ratio that the batches
//! before suggest.
//!
//! Batches are played one after the other and all of a batch at one ratio, so the course depends on the results alone.

use crate::stats::{CONFIDENCE, Estimate, OddsBatch, OddsCurve, Tally, even_ratio, next_log_ratio};
use crate::stop::faults::FaultTally;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OddsPlan {
    /// Nodes or milliseconds a move that A has at a ratio of 1.
    pub resource: u64,
    pub ratio_max: f64,
}

impl OddsPlan {
    pub fn next_resource(&self, steps: &[OddsStep]) -> u64 {
        let batches: Vec<OddsBatch> = steps.iter().map(OddsStep::batch).collect();
        let ratio = next_log_ratio(&batches, self.ratio_max.ln()).exp();
        (self.resource as f64 * ratio).round().max(1.0) as u64
    }

    pub fn step(&self, before: &[OddsStep], resource_a: u64, tally: &Tally) -> OddsStep {
        let mut step = OddsStep {
            resource_a,
            ratio: resource_a as f64 / self.resource as f64,
            tally: *tally,
            faults: [FaultTally::default(); 2],
            estimate: Estimate::UNKNOWN,
        };
        let batches: Vec<OddsBatch> = before.iter().chain([&step]).map(OddsStep::batch).collect();
        step.estimate = even_ratio(&batches, CONFIDENCE);
        step
    }
}

/// One batch, and what is known after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OddsStep {
    pub resource_a: u64,
    pub ratio: f64,
    pub tally: Tally,
    pub faults: [FaultTally; 2],
    pub estimate: Estimate,
}

impl OddsStep {
    fn batch(&self) -> OddsBatch {
        OddsBatch {
            log_ratio: self.ratio.ln(),
            pentanomial: self.tally.pentanomial,
        }
    }
}

pub fn curve(steps: &[OddsStep]) -> Option<OddsCurve> {
    let batches: Vec<OddsBatch> = steps.iter().map(OddsStep::batch).collect();
    OddsCurve::fit(&batches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::fixtures::{ODDS, odds_steps, tally};

    #[test]
    fn a_study_begins_at_equal_resources_and_gives_less_to_whoever_wins_within_its_limits() {
        assert_eq!(ODDS.next_resource(&[]), 1000);
        let lost = ODDS.step(&[], 1000, &tally(0, 20));
        assert!(ODDS.next_resource(&[lost]) > 1000);
        let mut steps = Vec::new();
        for _ in 0..6 {
            let resource = ODDS.next_resource(&steps);
            assert!((125..=1000).contains(&resource), "{resource}");
            let step = ODDS.step(&steps, resource, &tally(20, 0));
            steps.push(step);
        }
        assert!(steps[0].estimate.value.is_none() && steps[1].resource_a < 1000);
        assert_eq!(steps[5].resource_a, 125);
    }

    #[test]
    fn every_step_knows_all_before() {
        let steps = odds_steps();
        assert!((steps[1].estimate.value.unwrap() - 1.0).abs() < 1e-9);
        assert!((curve(&steps).unwrap().score(0.0) - 0.5).abs() < 1e-9);
    }
}
