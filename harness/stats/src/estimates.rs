//! Everything that the results of a match say, in one value: counts and the state of the test in, [`Estimates`] out.
//! What is shown, compared or stored is taken from here; no reader computes a number of its own. It decides nothing.
//!
//! A result has one interval to quote, and this is where it is picked, by how the match ended and by what the counts allow. Its ends err as
//! often as the statement next to it: those of a test as often as its verdicts (a one-sided error of 5 % each is a two-sided interval of
//! 90 %), all others as a two-sided test at 5 % (95 %). So no interval contradicts the verdict it is shown with.

use super::anytime::anytime_elo;
use super::elo::{Estimate, elo, is_degenerate, los, nelo};
use super::level::Level;
use super::llr::llr;
use super::sample::Sample;
use super::sprt::{Bounds, Hypothesis, Sprt};
use super::stopped::stopped_estimate;

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

    /// What is accepted, if anything is.
    pub fn accepted(&self) -> Option<Hypothesis> {
        self.llr.and_then(|llr| self.bounds.accepts(llr))
    }
}

/// What ended a match, and so decided its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// Nothing yet: it is watched, or somebody stopped it.
    Nothing,
    /// A length that was fixed beforehand.
    Length,
    /// Its test, or the last pair that the test was allowed.
    Test,
}

/// What the interval to quote allows for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A length that was fixed beforehand.
    FixedLength,
    /// The same where the variance is not known: few pairs, or nearly all with the same score.
    Exact,
    /// The stop of the sequential test.
    Stopped,
    /// Looking at the match, and stopping it, at any time.
    Anytime,
}

/// What a sample says, from A's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimates {
    /// Mean score a game; `None` without a result.
    pub score: Option<f64>,
    /// How often the ends of all intervals err.
    pub level: Level,
    /// Elo with the interval to quote.
    pub elo: Estimate,
    /// What that interval allows for.
    pub basis: Basis,
    /// The same estimate on the normalized scale.
    pub nelo: Estimate,
    /// Likelihood of superiority, allowing for the test's stop if there is a test.
    pub los: Option<f64>,
    /// Elo as if the length had been fixed.
    pub uncorrected: Estimate,
    /// Elo at whatever moment one looks.
    pub anytime: Estimate,
    /// The sequential test, if there is one.
    pub test: Option<Walk>,
}

impl Estimates {
    /// All estimates from `sample`; `test` is where its test stands.
    pub fn new(sample: &Sample, test: Option<Walk>, decided_by: DecidedBy) -> Estimates {
        let tested = test.filter(|_| decided_by != DecidedBy::Length);
        let level = Level::of(tested.as_ref().map(|walk| &walk.sprt));
        let (uncorrected, anytime) = (elo(sample, level), anytime_elo(sample, level));
        let is_exact = is_degenerate(sample);
        let stopped = tested
            .filter(|_| !is_exact)
            .and_then(|walk| stopped_estimate(sample, &walk.sprt, walk.accepted(), level));
        let (elo, basis) = match (decided_by, stopped, tested) {
            (DecidedBy::Nothing, ..) => (anytime, Basis::Anytime),
            (_, Some(stopped), _) => (stopped.elo, Basis::Stopped),
            (_, None, Some(walk)) => (agreeing(uncorrected, sample, &walk), Basis::Exact),
            _ if is_exact => (uncorrected, Basis::Exact),
            _ => (uncorrected, Basis::FixedLength),
        };
        Estimates {
            score: sample.score(),
            level,
            elo,
            basis,
            nelo: nelo(sample, elo),
            los: stopped.map(|stopped| stopped.los).or_else(|| los(sample)),
            uncorrected,
            anytime,
            test,
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

    /// Nothing is said of strength, whatever the counts are.
    pub fn without_strength(self) -> Estimates {
        let unknown = Estimate::UNKNOWN;
        Estimates {
            elo: unknown,
            nelo: unknown,
            los: None,
            uncorrected: unknown,
            anytime: unknown,
            ..self
        }
    }
}

/// An exact interval after a test that accepted something: it errs as seldom as the test, so it ends at the hypothesis that is rejected.
fn agreeing(exact: Estimate, sample: &Sample, walk: &Walk) -> Estimate {
    let (s0, s1) = walk.sprt.scores(sample.sigma_game());
    let bounds = Estimate::from_scores(0.5, s0, s1);
    let (low, high) = (exact.low.unwrap_or(f64::MIN), exact.high.unwrap_or(f64::MAX));
    match walk.accepted() {
        Some(Hypothesis::H1) => Estimate {
            low: bounds.low.map(|least| least.max(low)),
            ..exact
        },
        Some(Hypothesis::H0) => Estimate {
            high: bounds.high.map(|most| most.min(high)),
            ..exact
        },
        None => exact,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EloModel;
    use crate::testing::assert_near;

    const COUNTS: [u64; 5] = [379, 10170, 21828, 10640, 343];

    fn walk(sprt: Sprt, llr: f64) -> Walk {
        Walk {
            sprt,
            llr: Some(llr),
            bounds: sprt.bounds(),
        }
    }

    #[test]
    fn the_interval_to_quote_is_picked_by_how_the_match_ended_and_what_its_counts_allow() {
        let (sprt, asymmetric) = (
            Sprt::default(),
            Sprt::new(0.0, 5.0, 0.01, 0.1, EloModel::Normalized).unwrap(),
        );
        let few = [0, 0, 1, 1, 3];
        let rare = [0, 2, 58, 0, 0];
        for (counts, test, decided_by, basis, confidence) in [
            (COUNTS, None, DecidedBy::Length, Basis::FixedLength, 0.95),
            (COUNTS, None, DecidedBy::Nothing, Basis::Anytime, 0.95),
            (
                COUNTS,
                Some(walk(sprt, 3.0)),
                DecidedBy::Test,
                Basis::Stopped,
                0.9,
            ),
            (
                COUNTS,
                Some(walk(asymmetric, 1.0)),
                DecidedBy::Test,
                Basis::Stopped,
                0.89,
            ),
            (
                COUNTS,
                Some(walk(sprt, 1.0)),
                DecidedBy::Nothing,
                Basis::Anytime,
                0.9,
            ),
            (
                COUNTS,
                Some(walk(sprt, 3.0)),
                DecidedBy::Length,
                Basis::FixedLength,
                0.95,
            ),
            (few, None, DecidedBy::Length, Basis::Exact, 0.95),
            (
                few,
                Some(walk(sprt, 0.1)),
                DecidedBy::Nothing,
                Basis::Anytime,
                0.9,
            ),
            (rare, Some(walk(sprt, 0.1)), DecidedBy::Test, Basis::Exact, 0.9),
        ] {
            let sample = Sample::pairs(counts);
            let found = Estimates::new(&sample, test, decided_by);
            assert_eq!(found.basis, basis, "{counts:?} {decided_by:?}");
            assert_near(found.level.confidence(), confidence, 1e-12);
            let quoted = match basis {
                Basis::Anytime => found.anytime,
                Basis::FixedLength | Basis::Exact => found.uncorrected,
                Basis::Stopped => {
                    let accepted = test.and_then(|walk| walk.accepted());
                    stopped_estimate(&sample, &test.unwrap().sprt, accepted, found.level)
                        .unwrap()
                        .elo
                }
            };
            assert_eq!(found.elo, quoted, "{counts:?} {decided_by:?}");
            assert!(found.los.is_some() && found.nelo.contains(0.0) == found.elo.contains(0.0));
        }
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        let nothing = Estimates::new(&Sample::pairs([0; 5]), None, DecidedBy::Nothing);
        assert_eq!(
            (nothing.score, nothing.los, nothing.llr(), nothing.bounds()),
            (None, None, None, None)
        );
        assert_eq!(
            [nothing.elo, nothing.nelo, nothing.anytime],
            [Estimate::UNKNOWN; 3]
        );
    }

    /// Won pairs alone, until the test accepts: the exact interval at the same error lies above H0.
    #[test]
    fn an_exact_interval_agrees_with_the_verdict_too() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        for won in 1..60 {
            let sample = Sample::pairs([0, 0, 0, 0, won]);
            let test = Walk::of_counts(&sample, sprt);
            let found = Estimates::new(&sample, Some(test), DecidedBy::Test);
            let is_above = found.elo.low.is_some_and(|low| low >= 0.0);
            assert!(test.accepted().is_none() || is_above, "{won}: {found:?}");
        }
    }
}
