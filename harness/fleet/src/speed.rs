//! How fast a machine is, and whether it stays so: measured by itself, and told by nobody.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::record::{PairRecord, Reason, TimeScale};

/// How often all slots measure at once when a worker begins; the middle one counts.
const ROUNDS: usize = 3;
/// Between two looks at whether the speed is still what it was.
const LOOK: Duration = Duration::from_secs(60);
/// A look that finds another speed is taken again so often before it is believed.
const LOOKS: usize = 3;
/// From so many games on losses on time are judged.
const GAMES_MIN: u64 = 50;
/// More of a hundred games than this lost on time, by both players, are the machine's own.
const LOSSES_MAX_PERCENT: u64 = 2;

pub(super) struct Speed {
    /// On one slot while all are at work; above 0.
    nps: u64,
    /// The share by which it may be another.
    tolerance: f64,
    /// Why no timed games are played here.
    unfit: OnceLock<String>,
    looked: Mutex<Instant>,
    games: AtomicU64,
    losses: [AtomicU64; 2],
}

impl Speed {
    /// `nps` measures it, on so many threads at once.
    pub(super) fn measured(nps: impl Fn() -> u64 + Sync, slots: usize, tolerance: f64) -> Speed {
        let mut rounds: [u64; ROUNDS] = std::array::from_fn(|_| mean_of(&nps, slots));
        rounds.sort_unstable();
        Speed {
            nps: rounds[ROUNDS / 2].max(1),
            tolerance,
            unfit: OnceLock::new(),
            looked: Mutex::new(Instant::now()),
            games: AtomicU64::new(0),
            losses: Default::default(),
        }
    }

    /// No timed games are played here from now on.
    pub(super) fn rule_out(&self, why: String) {
        // The first reason stays.
        let _ = self.unfit.set(why);
    }

    /// Why none are.
    pub(super) fn why_unfit(&self) -> Option<&str> {
        self.unfit.get().map(String::as_str)
    }

    /// Nodes in a second; 0 if no timed games are played here.
    pub(super) fn nps(&self) -> u64 {
        self.unfit.get().map_or(self.nps, |_| 0)
    }

    /// What time is worth here if limits are meant for a machine of `reference_nps`, or for every machine if that is 0.
    pub(super) fn pace(&self, reference_nps: u64) -> TimeScale {
        let reference_nps = if reference_nps == 0 {
            self.nps
        } else {
            reference_nps
        };
        TimeScale {
            nps: self.nps,
            reference_nps,
        }
    }

    /// Measures again now and then, on the thread of a slot. Beside idle slots it may be faster than with all at work.
    pub(super) fn look(&self, nps: impl Fn() -> u64, are_all_busy: bool) -> Result<(), String> {
        let is_usual = |nps| self.is_usual(nps) || (nps > self.nps && !are_all_busy);
        if self.is_time() && !(0..LOOKS).any(|_| is_usual(nps())) {
            self.rule_out(format!(
                "its speed has changed by more than {:.0} % since it was {} thousand nodes/s; start the worker again to measure it anew",
                self.tolerance * 100.0,
                self.nps / 1000
            ));
        }
        self.unfit.get().cloned().map_or(Ok(()), Err)
    }

    fn is_time(&self) -> bool {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = looked.elapsed() >= LOOK;
        if is_time {
            *looked = Instant::now();
        }
        is_time
    }

    fn is_usual(&self, nps: u64) -> bool {
        (nps as f64 / self.nps as f64 - 1.0).abs() <= self.tolerance
    }

    /// Counts the losses on time of a pair.
    pub(super) fn count(&self, record: &PairRecord) {
        let games = self.games.fetch_add(2, Ordering::Relaxed) + 2;
        for game in &record.games {
            if let (Reason::TimeLoss, Some(winner)) = (game.reason, game.winner) {
                self.losses[1 - winner.index()].fetch_add(1, Ordering::Relaxed);
            }
        }
        let losses = [0, 1].map(|player| self.losses[player].load(Ordering::Relaxed));
        let sum: u64 = losses.iter().sum();
        let are_many = sum > games * LOSSES_MAX_PERCENT / 100;
        if games >= GAMES_MIN && are_many && losses.iter().all(|&losses| losses > 1) {
            self.rule_out(format!("both players lose on time here, {sum} of {games} games; start the worker again with fewer --slots"));
        }
    }
}

fn mean_of(nps: &(impl Fn() -> u64 + Sync), slots: usize) -> u64 {
    thread::scope(|scope| {
        let slots: Vec<_> = (0..slots.max(1)).map(|_| scope.spawn(nps)).collect();
        let count = slots.len() as u64;
        // A panic was reported when it happened.
        let sum: u64 = slots.into_iter().filter_map(|slot| slot.join().ok()).sum();
        sum / count
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlayerId;
    use tanren_core::fixtures::pair;

    fn long_ago(speed: &Speed) {
        *speed.looked.lock().unwrap() = Instant::now().checked_sub(LOOK).unwrap();
    }

    #[test]
    fn a_machine_whose_speed_wanders_plays_no_more_games_by_time() {
        let speed = Speed::measured(|| 1_000_000, 2, 0.1);
        assert_eq!(speed.nps(), 1_000_000);
        long_ago(&speed);
        assert_eq!(speed.look(|| 1_090_000, true), Ok(()));
        assert_eq!(speed.look(|| 1_110_000, true), Ok(()), "it has just looked");
        long_ago(&speed);
        assert!(
            speed
                .look(|| 1_110_000, true)
                .unwrap_err()
                .contains("more than 10 %")
        );
        assert_eq!(speed.nps(), 0);
        assert!(speed.look(|| 1_000_000, true).is_err(), "it is not trusted again");
    }

    #[test]
    fn beside_idle_slots_a_machine_may_be_faster_and_no_slower() {
        let speed = Speed::measured(|| 1_000_000, 2, 0.1);
        long_ago(&speed);
        assert_eq!(speed.look(|| 1_500_000, false), Ok(()));
        long_ago(&speed);
        assert!(speed.look(|| 890_000, false).is_err());
    }

    #[test]
    fn losses_on_time_of_both_players_are_the_machines_and_those_of_one_its_own() {
        let lost = |winner| {
            let mut record = pair(0, [1, 1], 0);
            (record.games[0].reason, record.games[0].winner) = (Reason::TimeLoss, Some(winner));
            record
        };
        let of = |winners: [PlayerId; 2]| {
            let speed = Speed::measured(|| 5, 1, 0.1);
            (0..40).for_each(|index| speed.count(&lost(winners[index % 2])));
            speed.nps() > 0
        };
        assert!(
            of([PlayerId::A, PlayerId::A]),
            "B is too slow, here and elsewhere"
        );
        assert!(!of([PlayerId::A, PlayerId::B]));
    }

    #[test]
    fn time_is_worth_more_on_a_faster_machine() {
        let speed = Speed::measured(|| 2_000, 1, 0.1);
        assert!((speed.pace(1_000).scale() - 0.5).abs() < 1e-9);
        assert!((speed.pace(0).scale() - 1.0).abs() < 1e-9);
    }
}
