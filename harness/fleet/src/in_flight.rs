//! The pairs in flight: how many more to send, and which seem lost.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::timeouts::LOST_AFTER;
use super::wire::JOB_PAIRS_MAX;
use crate::schedule::PairPlan;

/// What a job is to take: sending, fetching and acknowledging one costs some milliseconds.
const JOB_MS: f64 = 2_000.0;
/// The weight of a new pair in the mean duration of pairs.
const RECENT: f64 = 0.05;
/// For each slot: one that it plays, one that waits.
const JOBS_A_SLOT: u64 = 2;
/// A job that the server holds, and of which nothing comes, is sent anew after so many searches: by then the server has given it to a
/// second machine if the first one died.
const SEARCHES_MAX: u32 = 3;

#[derive(Debug, Clone, Copy)]
pub(super) struct SentPair {
    pub(super) plan: PairPlan,
    /// The first pair of the job that it was sent in last.
    pub(super) job: u64,
    first: Instant,
    since: Instant,
    searches: u32,
}

impl SentPair {
    /// Was it looked for so often that the server's word is not waited for any more?
    pub(super) fn is_given_up(&self) -> bool {
        self.searches >= SEARCHES_MAX
    }
}

#[derive(Debug, Default)]
pub(super) struct InFlight {
    pairs: BTreeMap<u64, SentPair>,
    /// Those that the server has in no job.
    unsent: BTreeSet<u64>,
    /// Have come, since this coordinator began.
    received: BTreeSet<u64>,
    mean_ms: Option<f64>,
}

impl InFlight {
    pub(super) fn start(&mut self, plan: PairPlan, now: Instant) {
        let sent = SentPair {
            plan,
            job: plan.pair,
            first: now,
            since: now,
            searches: 0,
        };
        self.received.remove(&plan.pair);
        self.unsent.insert(plan.pair);
        self.pairs.insert(plan.pair, sent);
    }

    /// The pair was sent in the job that begins with the pair `job`.
    pub(super) fn sent(&mut self, pair: u64, job: u64) {
        if let Some(sent) = self.pairs.get_mut(&pair) {
            sent.job = job;
        }
        self.unsent.remove(&pair);
    }

    /// The pair is to be sent once more.
    pub(super) fn resend(&mut self, pair: u64) {
        if self.has(pair) {
            self.unsent.insert(pair);
        }
    }

    pub(super) fn resend_all(&mut self) {
        self.unsent.extend(self.pairs.keys());
    }

    /// Those that are to be sent.
    pub(super) fn unsent(&self) -> impl ExactSizeIterator<Item = PairPlan> {
        self.unsent.iter().map(|pair| self.pairs[pair].plan)
    }

    /// `None` if it was not in flight. `elapsed_ms` is a machine's own word, and no pair took longer than it was in flight.
    pub(super) fn receive(&mut self, pair: u64, elapsed_ms: u64, now: Instant) -> Option<PairPlan> {
        let sent = self.forget(pair)?;
        self.received.insert(pair);
        let out_ms = now.duration_since(sent.first).as_millis() as u64;
        let elapsed_ms = elapsed_ms.min(out_ms) as f64;
        let mean = self.mean_ms.get_or_insert(elapsed_ms);
        *mean += RECENT * (elapsed_ms - *mean);
        Some(sent.plan)
    }

    pub(super) fn has_received(&self, pair: u64) -> bool {
        self.received.contains(&pair)
    }

    pub(super) fn has(&self, pair: u64) -> bool {
        self.pairs.contains_key(&pair)
    }

    pub(super) fn count(&self) -> u64 {
        self.pairs.len() as u64
    }

    /// How many pairs a job is to have.
    pub(super) fn job_pairs(&self) -> usize {
        let pairs = self.mean_ms.map_or(1.0, |mean| JOB_MS / mean.max(1.0));
        (pairs as usize).clamp(1, JOB_PAIRS_MAX)
    }

    /// How many pairs are to be in flight. The server's queue is first come, first served, so runs share slots as they share the queue.
    pub(super) fn wanted(&self, slots: u64, weight: u64) -> u64 {
        slots.max(1) * JOBS_A_SLOT * weight * self.job_pairs() as u64
    }

    /// Those that are late; they are not told again for a while. While machines `are_busy` and no pair has come yet, nobody knows how long one
    /// takes.
    pub(super) fn overdue(&mut self, now: Instant, are_busy: bool) -> Vec<SentPair> {
        let is_known = self.mean_ms.is_some() || !are_busy;
        let expected = self.mean_ms.unwrap_or(0.0) * 4.0 + 2.0 * JOB_MS;
        let limit = LOST_AFTER.max(Duration::from_millis(expected as u64));
        let pairs = self.pairs.values_mut();
        let late = pairs.filter(|sent| now.duration_since(sent.since) > limit);
        let late = late.map(|sent| {
            sent.since = now;
            sent.searches += u32::from(is_known);
            *sent
        });
        late.collect()
    }

    /// Nobody waits for it any more.
    pub(super) fn forget(&mut self, pair: u64) -> Option<SentPair> {
        self.unsent.remove(&pair);
        self.pairs.remove(&pair)
    }

    pub(super) fn take_all(&mut self) -> Vec<PairPlan> {
        self.unsent.clear();
        let pairs = std::mem::take(&mut self.pairs);
        pairs.into_values().map(|sent| sent.plan).collect()
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
    fn a_second_result_of_a_pair_is_none_and_one_that_is_lost_is_sent_again() {
        let mut pairs = InFlight::default();
        let now = Instant::now();
        (3..5).for_each(|pair| pairs.start(plan(pair), now));
        (3..5).for_each(|pair| pairs.sent(pair, 3));
        assert_eq!(pairs.receive(3, 10, now), Some(plan(3)));
        assert_eq!(pairs.receive(3, 10, now), None);
        assert!(pairs.has_received(3) && pairs.unsent().len() == 0);
        pairs.resend(3);
        pairs.resend(4);
        assert!(pairs.unsent().eq([plan(4)]));
    }

    #[test]
    fn short_pairs_go_out_many_at_a_time_and_long_ones_alone() {
        let mut pairs = InFlight::default();
        assert_eq!(pairs.job_pairs(), 1, "nothing is known yet");
        let then = Instant::now();
        let now = then + Duration::from_secs(3_600);
        pairs.start(plan(0), then);
        pairs.receive(0, 20, now);
        assert_eq!(pairs.job_pairs(), 100);
        assert_eq!([1, 3].map(|weight| pairs.wanted(4, weight)), [800, 2_400]);
        for pair in 1..200 {
            pairs.start(plan(pair), then);
            pairs.receive(pair, 60_000, now);
        }
        assert_eq!(pairs.job_pairs(), 1);
    }

    #[test]
    fn what_is_late_is_told_once_in_a_while_whatever_a_machine_says_of_its_time() {
        let mut pairs = InFlight::default();
        let then = Instant::now();
        (0..2).for_each(|pair| pairs.start(plan(pair), then));
        pairs.receive(0, u64::MAX, then + Duration::from_secs(1));
        let mut told = |seconds| pairs.overdue(then + Duration::from_secs(seconds), true);
        assert!(told(10).is_empty());
        assert_eq!((told(30).len(), told(30).len()), (1, 0));
        let given_up = [120, 180, 240].map(|seconds| told(seconds)[0].is_given_up());
        assert_eq!(given_up, [false, true, true]);
    }

    #[test]
    fn the_first_pairs_are_not_given_up_while_machines_are_busy() {
        let mut pairs = InFlight::default();
        let then = Instant::now();
        pairs.start(plan(0), then);
        let mut is_given_up = |minutes: u64, are_busy: bool| {
            let late = pairs.overdue(then + Duration::from_secs(60 * minutes), are_busy);
            late[0].is_given_up()
        };
        assert!((1..9).all(|minutes| !is_given_up(minutes, true)));
        assert_eq!(
            [9, 10, 11].map(|minutes| is_given_up(minutes, false)),
            [false, false, true]
        );
    }
}
