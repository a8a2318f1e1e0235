//! Everything that the results of a match say, in one value: counts and the state of the test in, [`Estimates`] out.
//! What is shown, compared or stored is taken from here; no reader computes a number of its own. It decides nothing.

use super::anytime::anytime_elo;
use super::elo::{Estimate, elo, is_enough, los, nelo};
use super::llr::llr;
use super::sample::Sample;
use super::small::exact_elo;
use super::sprt::{Bounds, Sprt};
use super::stopped::{StoppedEstimate, stopped_estimate};

/// The confidence of every interval that is shown.
pub const CONFIDENCE: f64 = 0.95;

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The sequential test whose walk it is.
    pub sprt: Sprt,
    /// Its log likelihood ratio; `None` before the first pair.
    pub llr: Option<f64>,
    /// The bounds in force, which may lie within Wald's.
    pub bounds: Bounds,
}

impl Walk {
    /// Of counts whose order nobody knows: Wald's bounds as they stand.
    pub fn of_counts(sample: &Sample, sprt: Sprt) -> Walk {
        Walk {
            sprt,
            llr: Some(llr(sample, &sprt)),
            bounds: sprt.bounds(),
        }
    }
}

/// What a sample says, from A's view, with intervals at [`CONFIDENCE`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimates {
    /// Mean score a game; `None` without a result.
    pub score: Option<f64>,
    /// True if the sample is large enough for the estimates below; without it they are [`Estimate::UNKNOWN`] or `None`.
    pub is_enough: bool,
    /// Elo as if the length had been fixed.
    pub elo: Estimate,
    /// Normalized Elo as if the length had been fixed.
    pub nelo: Estimate,
    /// Likelihood of superiority likewise.
    pub los: Option<f64>,
    /// Elo with the exact interval, where the sample is too small for [`Estimates::elo`].
    pub exact: Option<Estimate>,
    /// Elo at whatever moment one looks; `None` without a result.
    pub anytime: Option<Estimate>,
    /// The sequential test, if there is one.
    pub test: Option<Walk>,
    /// Elo allowing for the test's stop.
    pub stopped: Option<StoppedEstimate>,
}

impl Estimates {
    /// All estimates from `sample`; `test` is where its test stands.
    pub fn new(sample: &Sample, test: Option<Walk>) -> Estimates {
        let is_enough = is_enough(sample);
        Estimates {
            score: sample.score(),
            is_enough,
            elo: elo(sample, CONFIDENCE).unwrap_or(Estimate::UNKNOWN),
            nelo: nelo(sample, CONFIDENCE).unwrap_or(Estimate::UNKNOWN),
            los: los(sample),
            exact: (!is_enough).then(|| exact_elo(sample, CONFIDENCE)).flatten(),
            anytime: anytime_elo(sample, CONFIDENCE),
            test,
            // One won pair would have a LOS of 1.
            stopped: test
                .filter(|_| is_enough)
                .and_then(|walk| stopped_estimate(sample, &walk.sprt, CONFIDENCE)),
        }
    }

    /// The log likelihood ratio; `None` without a test or before the first pair.
    pub fn llr(&self) -> Option<f64> {
        self.test.and_then(|walk| walk.llr)
    }

    /// The bounds in force; `None` without a test.
    pub fn bounds(&self) -> Option<Bounds> {
        self.test.map(|walk| walk.bounds)
    }

    /// The Elo to compare with others': after a test's stop the naive interval is too narrow.
    pub fn best_elo(&self) -> Estimate {
        self.stopped.map_or(self.elo, |stopped| stopped.elo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [u64; 5] = [379, 10170, 21828, 10640, 343];

    #[test]
    fn only_a_test_has_an_estimate_after_its_stop_and_bounds_which_are_its_own() {
        let (sample, sprt) = (Sample::pairs(COUNTS), Sprt::default());
        let fixed = Estimates::new(&sample, None);
        assert_eq!(Some(fixed.best_elo()), elo(&sample, CONFIDENCE));
        assert_eq!(
            (fixed.exact, fixed.stopped, fixed.llr(), fixed.bounds()),
            (None, None, None, None)
        );
        let tested = Estimates::new(&sample, Some(Walk::of_counts(&sample, sprt)));
        assert_eq!(
            (tested.llr(), tested.bounds()),
            (Some(llr(&sample, &sprt)), Some(sprt.bounds()))
        );
        let stopped = stopped_estimate(&sample, &sprt, CONFIDENCE);
        assert_eq!(
            (tested.best_elo(), tested.stopped),
            (stopped.unwrap().elo, stopped)
        );
        let (lower, upper) = (-2.5, 2.75);
        let (llr, bounds) = (Some(1.5), Bounds { lower, upper });
        let walking = Estimates::new(&sample, Some(Walk { sprt, llr, bounds }));
        assert_eq!((walking.llr(), walking.bounds()), (llr, Some(bounds)));
    }

    #[test]
    fn a_few_pairs_have_an_exact_interval_and_nothing_that_needs_more() {
        let sample = Sample::pairs([0, 0, 1, 1, 3]);
        let few = Estimates::new(&sample, Some(Walk::of_counts(&sample, Sprt::default())));
        assert_eq!([few.elo, few.nelo], [Estimate::UNKNOWN; 2]);
        assert_eq!((few.is_enough, few.los, few.stopped), (false, None, None));
        assert_eq!(
            (few.exact, few.score),
            (exact_elo(&sample, CONFIDENCE), Some(0.85))
        );
        let nothing = Estimates::new(&Sample::pairs([0; 5]), None);
        assert_eq!(
            (nothing.score, nothing.exact, nothing.anytime),
            (None, None, None)
        );
    }
}
