//! The pairs in flight: how many more to send, and which seem lost.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::schedule::PairPlan;

/// What a job is to take: sending, fetching and acknowledging one costs some milliseconds.
const JOB_MS: f64 = 2_000.0;
/// The weight of a new pair in the mean duration of pairs.
const RECENT: f64 = 0.05;
/// For each slot: one that it plays, one that waits.
const JOBS_A_SLOT: u64 = 2;
/// No pair is looked for before.
const LOST_AFTER: Duration = Duration::from_secs(20);
/// A job that the server holds, and of which nothing comes, is sent anew after so many searches: by then the server has given it to a
/// second machine if the first one died.
const SEARCHES_MAX: u32 = 3;

#[derive(Debug, Clone, Copy)]
struct Sent {
    plan: PairPlan,
    /// The first pair of the job that it was sent in.
    job: u64,
    first: Instant,
    since: Instant,
    searches: u32,
}

/// A pair that is in flight for longer than it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overdue {
    pub(super) plan: PairPlan,
    /// The first pair of the job that it was sent in.
    pub(super) job: u64,
    /// Looked for so often that the server's word is not waited for any more.
    pub(super) is_given_up: bool,
}

#[derive(Debug, Default)]
pub(super) struct InFlight {
    pairs: BTreeMap<u64, Sent>,
    /// Have come, since this coordinator began.
    received: BTreeSet<u64>,
    mean_ms: Option<f64>,
}

impl InFlight {
    pub(super) fn start(&mut self, plan: PairPlan, now: Instant) {
        let sent = Sent {
            plan,
            job: plan.pair,
            first: now,
            since: now,
            searches: 0,
        };
        self.pairs.insert(plan.pair, sent);
    }

    /// The pair was sent in the job that begins with the pair `job`.
    pub(super) fn sent(&mut self, pair: u64, job: u64) {
        if let Some(sent) = self.pairs.get_mut(&pair) {
            sent.job = job;
        }
    }

    /// `None` if it was not in flight. `elapsed_ms` is a machine's own word, and no pair took longer than it was in flight.
    pub(super) fn receive(&mut self, pair: u64, elapsed_ms: u64, now: Instant) -> Option<PairPlan> {
        let sent = self.pairs.remove(&pair)?;
        self.received.insert(pair);
        let out_ms = now.duration_since(sent.first).as_millis() as u64;
        let elapsed_ms = elapsed_ms.min(out_ms) as f64;
        let mean = self.mean_ms.get_or_insert(elapsed_ms);
        *mean += RECENT * (elapsed_ms - *mean);
        Some(sent.plan)
    }

    /// What came is of no use: the pair is in flight again.
    pub(super) fn receive_in_vain(&mut self, plan: PairPlan, now: Instant) {
        self.received.remove(&plan.pair);
        self.start(plan, now);
    }

    pub(super) fn has_received(&self, pair: u64) -> bool {
        self.received.contains(&pair)
    }

    pub(super) fn plan(&self, pair: u64) -> Option<PairPlan> {
        self.pairs.get(&pair).map(|sent| sent.plan)
    }

    pub(super) fn count(&self) -> u64 {
        self.pairs.len() as u64
    }

    pub(super) fn job_pairs(&self, most: usize) -> usize {
        let pairs = self.mean_ms.map_or(1.0, |mean| JOB_MS / mean.max(1.0));
        (pairs as usize).clamp(1, most)
    }

    /// How many pairs are to be in flight. The server's queue is first come, first served, so runs share slots as they share the queue.
    pub(super) fn wanted(&self, slots: u64, weight: u64, most_of_job: usize) -> u64 {
        let jobs = slots.max(1) * JOBS_A_SLOT * weight;
        jobs * self.job_pairs(most_of_job) as u64
    }

    /// Those that are late; they are not told again for a while.
    pub(super) fn overdue(&mut self, now: Instant) -> Vec<Overdue> {
        let expected = self.mean_ms.unwrap_or(0.0) * 4.0 + 2.0 * JOB_MS;
        let limit = LOST_AFTER.max(Duration::from_millis(expected as u64));
        let late = self
            .pairs
            .values_mut()
            .filter(|sent| now.duration_since(sent.since) > limit);
        let late = late.map(|sent| {
            sent.since = now;
            sent.searches += 1;
            Overdue {
                plan: sent.plan,
                job: sent.job,
                is_given_up: sent.searches >= SEARCHES_MAX,
            }
        });
        late.collect()
    }

    /// Nobody waits for it any more.
    pub(super) fn forget(&mut self, pair: u64) {
        self.pairs.remove(&pair);
    }

    pub(super) fn plans(&self) -> impl Iterator<Item = PairPlan> {
        self.pairs.values().map(|sent| sent.plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pair: u64) -> PairPlan {
        PairPlan {
            pair,
            players: [0, 1],
            opening: 0,
            seeds: [0, 0],
        }
    }

    #[test]
    fn a_second_result_of_a_pair_is_none() {
        let mut pairs = InFlight::default();
        let now = Instant::now();
        pairs.start(plan(3), now);
        assert_eq!(pairs.receive(3, 10, now), Some(plan(3)));
        assert_eq!(pairs.receive(3, 10, now), None);
        assert!(pairs.has_received(3) && pairs.count() == 0);
    }

    #[test]
    fn short_pairs_go_out_many_at_a_time_and_long_ones_alone() {
        let mut pairs = InFlight::default();
        assert_eq!(pairs.job_pairs(256), 1, "nothing is known yet");
        let then = Instant::now();
        let now = then + Duration::from_secs(3_600);
        pairs.start(plan(0), then);
        pairs.receive(0, 20, now);
        assert_eq!(pairs.job_pairs(256), 100);
        assert_eq!(pairs.wanted(4, 1, 256), 800);
        assert_eq!(pairs.wanted(4, 3, 256), 2_400);
        for pair in 1..200 {
            pairs.start(plan(pair), then);
            pairs.receive(pair, 60_000, now);
        }
        assert_eq!(pairs.job_pairs(256), 1);
    }

    #[test]
    fn what_is_late_is_told_once_in_a_while() {
        let mut pairs = InFlight::default();
        let then = Instant::now();
        pairs.start(plan(1), then);
        assert!(pairs.overdue(then + Duration::from_secs(10)).is_empty());
        let later = then + Duration::from_secs(30);
        assert_eq!(pairs.overdue(later), [overdue(1, false)]);
        assert!(pairs.overdue(later).is_empty());
        let searches = (2..5).flat_map(|minutes| pairs.overdue(then + Duration::from_secs(60 * minutes)));
        let given_up: Vec<bool> = searches.map(|overdue| overdue.is_given_up).collect();
        assert_eq!(given_up, [false, true, true]);
    }

    fn overdue(pair: u64, is_given_up: bool) -> Overdue {
        Overdue {
            plan: plan(pair),
            job: pair,
            is_given_up,
        }
    }

    #[test]
    fn a_false_duration_does_not_keep_lost_pairs_from_being_looked_for() {
        let mut pairs = InFlight::default();
        let then = Instant::now();
        pairs.start(plan(0), then);
        pairs.start(plan(1), then);
        pairs.receive(0, u64::MAX, then + Duration::from_secs(1));
        let later = then + Duration::from_secs(30);
        assert_eq!(pairs.overdue(later), [overdue(1, false)]);
    }
}
