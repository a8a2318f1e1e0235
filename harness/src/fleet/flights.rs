//! The pairs that are out: who was given what, and when.
//!
//! In: plans as they are handed out, results as they come. Out: how many more to give, and which seem lost. Must not: talk.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::schedule::PairPlan;

/// A job is to take about so long: it is sent, taken and acknowledged at the price of some milliseconds.
const JOB_MS: f64 = 2_000.0;
/// The weight of a new pair in the mean of how long pairs take.
const RECENT: f64 = 0.05;
/// Jobs that are out for each slot: one that it plays, one that waits.
const JOBS_A_SLOT: u64 = 2;
/// No pair is looked for before it is out so long.
const LOST_AFTER: Duration = Duration::from_secs(20);
/// A job that is with the server, and of which nothing comes, is given out anew after so many looks: by then the server has given it
/// to a second machine if the first one died.
const SEARCHES_MAX: u32 = 3;

/// A pair that is out.
#[derive(Debug, Clone, Copy)]
struct Flight {
    plan: PairPlan,
    /// The first pair of the job that it was sent in.
    job: u64,
    first: Instant,
    since: Instant,
    /// How often it was looked for.
    searches: u32,
}

/// A pair that is out for longer than it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overdue {
    pub(super) plan: PairPlan,
    /// The first pair of the job that it was sent in.
    pub(super) job: u64,
    /// Looked for so often that what the server says of it is not waited for any more.
    pub(super) is_given_up: bool,
}

/// All pairs that are out.
#[derive(Debug, Default)]
pub(super) struct Flights {
    out: BTreeMap<u64, Flight>,
    /// Has come, since this coordinator began.
    landed: BTreeSet<u64>,
    mean_ms: Option<f64>,
}

impl Flights {
    /// A pair goes out.
    pub(super) fn start(&mut self, plan: PairPlan, now: Instant) {
        let flight = Flight {
            plan,
            job: plan.pair,
            first: now,
            since: now,
            searches: 0,
        };
        self.out.insert(plan.pair, flight);
    }

    /// It was sent in the job that begins with the pair `job`.
    pub(super) fn sent(&mut self, pair: u64, job: u64) {
        if let Some(flight) = self.out.get_mut(&pair) {
            flight.job = job;
        }
    }

    /// A pair has come; `None` if it was not out.
    ///
    /// `elapsed_ms` is a machine's own word, and no pair took longer than it was out.
    pub(super) fn land(&mut self, pair: u64, elapsed_ms: u64, now: Instant) -> Option<PairPlan> {
        let flight = self.out.remove(&pair)?;
        self.landed.insert(pair);
        let out_ms = now.duration_since(flight.first).as_millis() as u64;
        let elapsed_ms = elapsed_ms.min(out_ms) as f64;
        let mean = self.mean_ms.get_or_insert(elapsed_ms);
        *mean += RECENT * (elapsed_ms - *mean);
        Some(flight.plan)
    }

    /// What came of it is not to be used: it is out again.
    pub(super) fn land_in_vain(&mut self, plan: PairPlan, now: Instant) {
        self.landed.remove(&plan.pair);
        self.start(plan, now);
    }

    /// Has this pair come already?
    pub(super) fn has_landed(&self, pair: u64) -> bool {
        self.landed.contains(&pair)
    }

    /// The plan of a pair that is out.
    pub(super) fn plan(&self, pair: u64) -> Option<PairPlan> {
        self.out.get(&pair).map(|flight| flight.plan)
    }

    pub(super) fn count(&self) -> u64 {
        self.out.len() as u64
    }

    /// Pairs of one job, so that it takes about [`JOB_MS`].
    pub(super) fn job_pairs(&self, most: usize) -> usize {
        let pairs = self.mean_ms.map_or(1.0, |mean| JOB_MS / mean.max(1.0));
        (pairs as usize).clamp(1, most)
    }

    /// How many pairs are to be out for so many slots. Who comes first is served first, so that runs share slots as they share the
    /// queue.
    pub(super) fn wanted(&self, slots: u64, weight: u64, most_of_job: usize) -> u64 {
        let jobs = slots.max(1) * JOBS_A_SLOT * weight;
        jobs * self.job_pairs(most_of_job) as u64
    }

    /// Those that are out for longer than they should be; they are not told again for a while.
    pub(super) fn overdue(&mut self, now: Instant) -> Vec<Overdue> {
        let expected = self.mean_ms.unwrap_or(0.0) * 4.0 + 2.0 * JOB_MS;
        let patience = LOST_AFTER.max(Duration::from_millis(expected as u64));
        let late = self
            .out
            .values_mut()
            .filter(|flight| now.duration_since(flight.since) > patience);
        let late = late.map(|flight| {
            flight.since = now;
            flight.searches += 1;
            Overdue {
                plan: flight.plan,
                job: flight.job,
                is_given_up: flight.searches >= SEARCHES_MAX,
            }
        });
        late.collect()
    }

    /// It will never come, and nobody waits for it.
    pub(super) fn forget(&mut self, pair: u64) {
        self.out.remove(&pair);
    }

    /// All that are out.
    pub(super) fn plans(&self) -> impl Iterator<Item = PairPlan> {
        self.out.values().map(|flight| flight.plan)
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
        let mut flights = Flights::default();
        let now = Instant::now();
        flights.start(plan(3), now);
        assert_eq!(flights.land(3, 10, now), Some(plan(3)));
        assert_eq!(flights.land(3, 10, now), None);
        assert!(flights.has_landed(3) && flights.count() == 0);
    }

    #[test]
    fn short_pairs_go_out_many_at_a_time_and_long_ones_alone() {
        let mut flights = Flights::default();
        assert_eq!(flights.job_pairs(256), 1, "nothing is known yet");
        let then = Instant::now();
        let now = then + Duration::from_secs(3_600);
        flights.start(plan(0), then);
        flights.land(0, 20, now);
        assert_eq!(flights.job_pairs(256), 100);
        assert_eq!(flights.wanted(4, 1, 256), 800);
        assert_eq!(flights.wanted(4, 3, 256), 2_400);
        for pair in 1..200 {
            flights.start(plan(pair), then);
            flights.land(pair, 60_000, now);
        }
        assert_eq!(flights.job_pairs(256), 1);
    }

    #[test]
    fn what_is_out_too_long_is_told_once_in_a_while() {
        let mut flights = Flights::default();
        let then = Instant::now();
        flights.start(plan(1), then);
        assert!(flights.overdue(then + Duration::from_secs(10)).is_empty());
        let later = then + Duration::from_secs(30);
        assert_eq!(flights.overdue(later), [overdue(1, false)]);
        assert!(flights.overdue(later).is_empty());
        let searches = (2..5).flat_map(|minutes| flights.overdue(then + Duration::from_secs(60 * minutes)));
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
    fn a_machine_that_says_that_a_pair_took_years_does_not_keep_lost_ones_from_being_looked_for() {
        let mut flights = Flights::default();
        let then = Instant::now();
        flights.start(plan(0), then);
        flights.start(plan(1), then);
        flights.land(0, u64::MAX, then + Duration::from_secs(1));
        let later = then + Duration::from_secs(30);
        assert_eq!(flights.overdue(later), [overdue(1, false)]);
    }
}
