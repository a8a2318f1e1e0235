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
            estimate: Estimate {
                value: None,
                low: None,
                high: None,
            },
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
    use crate::stats::{GameResult, PairResult};

    const PLAN: OddsPlan = OddsPlan {
        resource: 1000,
        ratio_max: 8.0,
    };

    fn tally(won: u64, lost: u64) -> Tally {
        let mut tally = Tally::default();
        for (result, count) in [(GameResult::Win, won), (GameResult::Loss, lost)] {
            for _ in 0..count {
                tally.add(PairResult {
                    first: result,
                    second: result,
                });
            }
        }
        tally
    }

    #[test]
    fn a_study_begins_at_equal_resources_and_gives_less_to_whoever_wins() {
        assert_eq!(PLAN.next_resource(&[]), 1000);
        let first = PLAN.step(&[], 1000, &tally(20, 0));
        assert!(first.estimate.value.is_none());
        assert!(PLAN.next_resource(&[first]) < 1000);
        let first = PLAN.step(&[], 1000, &tally(0, 20));
        assert!(PLAN.next_resource(&[first]) > 1000);
    }

    #[test]
    fn the_ratio_stays_within_its_limits_and_every_step_knows_all_before() {
        let mut steps = Vec::new();
        for _ in 0..6 {
            let resource = PLAN.next_resource(&steps);
            assert!((125..=8000).contains(&resource), "{resource}");
            let step = PLAN.step(&steps, resource, &tally(20, 0));
            steps.push(step);
        }
        assert_eq!(steps[5].resource_a, 125);
        let even = [(500, tally(30, 70)), (2000, tally(70, 30))];
        let mut steps = Vec::new();
        for (resource, tally) in even {
            let step = PLAN.step(&steps, resource, &tally);
            steps.push(step);
        }
        assert!((steps[1].estimate.value.unwrap() - 1.0).abs() < 1e-9);
        assert!((curve(&steps).unwrap().score(0.0) - 0.5).abs() < 1e-9);
    }
}
