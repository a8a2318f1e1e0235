//! What a run comes to in one row: of a queue, of the list of runs.

use serde::{Deserialize, Serialize};

use crate::document::answer::Answer;
use crate::document::summary::{Summary, outlook, pairs_left, test_text};
use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::session::found::Found;
use crate::session::outcome::{Progress, Unit};
use crate::stats::Estimate;

/// A queue keeps it for each job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    pub answer: Option<Answer>,
    pub verdict: Option<String>,
    /// Pairs of the run itself, without those of its matches.
    pub pairs: Option<u64>,
    /// The probability that equal players are as far apart as those of its match; none of what is no match.
    pub p_value: Option<f64>,
    pub games: Option<u64>,
    pub searches: Option<u64>,
    /// Games that faults or the clock ended.
    pub faults: Option<u64>,
    pub strength: Option<Strength>,
    /// Nodes a move of A, or of the second configuration at the depth compared, over those of the other.
    pub node_ratio: Option<f64>,
    /// Parameters that moved, those that moved most first.
    pub tuned: Option<String>,
    #[serde(skip)]
    pub progress: Option<ExpectedProgress>,
}

/// Of A against B, or of the tuned player against the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// With the ends of the interval to quote.
    pub elo: [Option<f64>; 3],
    pub confidence: f64,
    pub los: Option<f64>,
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    pub score: Option<f64>,
    pub pentanomial: [u64; 5],
    pub test: Option<TestOverview>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestOverview {
    /// `SPRT [0, 40] nElo`
    pub words: String,
    pub llr: f64,
    /// Lower and upper, as they are in force.
    pub bounds: [f64; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedProgress {
    pub done: u64,
    /// Expected, and what it is between with a probability of 80 %: for a test the length at which it is decided.
    pub of: [u64; 3],
    pub unit: Unit,
}

impl Overview {
    pub(crate) fn of_match(summary: &Summary, match_state: &MatchState) -> Overview {
        let (tally, totals) = (&summary.tally, &match_state.totals);
        let of_moves = |player: usize| totals.per_move(totals.nodes, player).filter(|nodes| *nodes > 0.0);
        let ratio = of_moves(0).zip(of_moves(1)).map(|(a, b)| a / b);
        Overview {
            games: Some(tally.games()),
            p_value: match_state.p_value().filter(|_| match_state.is_decided()),
            strength: Some(Strength::of(summary, match_state)),
            faults: Some(Overview::faults_of(&match_state.faults)),
            node_ratio: ratio,
            progress: Some(ExpectedProgress::of_match(match_state)),
            ..Overview::default()
        }
    }
}

impl Overview {
    pub(crate) fn faults_of(counts: &FaultCounts) -> u64 {
        counts
            .players
            .iter()
            .map(|player| player.faults + player.time_losses)
            .sum()
    }
}

impl dyn Found {
    pub fn overview(&self) -> Overview {
        let own = self.numbers();
        Overview {
            answer: Some(self.document(None).answer),
            verdict: self.verdict_name().map(str::to_owned),
            pairs: own.pairs.or(self.pairs()),
            games: own.games.or(self.pairs().map(|pairs| 2 * pairs)),
            ..own
        }
    }
}

impl Strength {
    fn of(summary: &Summary, match_state: &MatchState) -> Strength {
        let (tally, estimates) = (&summary.tally, &summary.estimates);
        let Estimate { value, low, high } = match summary.verdict {
            // Nothing is known of players that never differed.
            Verdict::Identical => Estimate::UNKNOWN,
            _ => estimates.elo,
        };
        let test = match_state.progress.rule.sprt.zip(estimates.bounds());
        let test = test.map(|(sprt, bounds)| TestOverview {
            words: test_text(&sprt),
            llr: estimates.llr().unwrap_or(0.0),
            bounds: [bounds.lower, bounds.upper],
        });
        Strength {
            elo: [value, low, high],
            confidence: estimates.level.confidence(),
            los: estimates.los,
            wins: tally.wins(),
            losses: tally.losses(),
            draws: tally.draws,
            score: estimates.score,
            pentanomial: tally.pentanomial,
            test,
        }
    }

    pub(crate) fn elo(&self) -> Estimate {
        let [value, low, high] = self.elo;
        Estimate { value, low, high }
    }
}

impl ExpectedProgress {
    pub(crate) fn of(progress: Progress) -> ExpectedProgress {
        ExpectedProgress {
            done: progress.done,
            of: [progress.of; 3],
            unit: progress.unit,
        }
    }

    fn of_match(match_state: &MatchState) -> ExpectedProgress {
        let done = match_state.tally().pairs();
        let most = match_state.progress.rule.pairs_max.saturating_sub(done) as f64;
        let left = match (match_state.is_decided(), outlook(match_state)) {
            (true, _) => [0.0; 3],
            (false, None) => [most; 3],
            (false, Some(outlook)) => {
                let within = |share| pairs_within(|pairs| outlook.decided_within(pairs), share, most);
                [pairs_left(match_state).unwrap_or(most), within(0.1), within(0.9)]
            }
        };
        ExpectedProgress {
            done,
            of: left.map(|left| done + left.ceil() as u64),
            unit: Unit::Pairs,
        }
    }
}

/// The least number of pairs within which a decision has the probability `share`, `most` if that is not enough.
fn pairs_within(decided: impl Fn(f64) -> f64, share: f64, most: f64) -> f64 {
    if decided(most) < share {
        return most;
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        match decided(middle) < share {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::summary::tests::match_state;

    #[test]
    fn a_test_is_expected_to_end_within_a_range_that_narrows_and_a_fixed_length_at_its_last_pair() {
        let progress = |sprt, pairs| {
            ExpectedProgress::of_match(&match_state(sprt, pairs, |number| [1, (number % 3) as usize]))
        };
        assert_eq!(progress(None, 30).of, [20_000; 3]);
        let early = progress(Some("elo0=0,elo1=10"), 30);
        let [expected, low, high] = early.of;
        assert!(
            30 < low && low < expected && expected < high && high < 20_000,
            "{early:?}"
        );
    }
}
