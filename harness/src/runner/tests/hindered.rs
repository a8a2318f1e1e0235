//! Pairs that cannot be played, through no fault of a player.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::openings::Opening;
use crate::platform::Lack;
use crate::play::Unplayed;
use crate::player::{Change, Hindrance, ProgramChange};
use crate::schedule::PairPlan;

/// A table at which the first `times` pairs are hindered.
struct Hindered<'a> {
    table: Table<Toy>,
    hindrance: Hindrance,
    left: &'a AtomicU64,
}

impl PlayPairs<Toy> for Hindered<'_> {
    fn play_pair(&mut self, plan: &PairPlan, opening: &Opening<Toy>) -> Result<PairRecord, Unplayed> {
        let take = |left: u64| left.checked_sub(1);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => Err(Unplayed::Hindered(self.hindrance.clone())),
            Err(_) => self.table.play_pair(plan, opening),
        }
    }
}

/// Plays 12 pairs of which `times` are hindered; with the tables that were made and the pairs given up for a sleep.
fn play(hindrance: &Hindrance, times: u64, stored: &mut Ledger) -> (Result<(), PlayError>, u64, u64) {
    let fixed = Match::new(None, 12);
    let (left, tables) = (AtomicU64::new(times), AtomicU64::new(0));
    let make_table = || {
        tables.fetch_add(1, Ordering::Relaxed);
        Hindered {
            table: table(),
            hindrance: hindrance.clone(),
            left: &left,
        }
    };
    let interrupt = Interrupt::default();
    let run = Run {
        openings: &fixed.openings,
        seed: 3,
        pairs_max: 12,
        make_table: &make_table,
        elsewhere: None,
        interrupt: &interrupt,
    };
    let executor = LocalExecutor::new(2).unwrap();
    let schedule = Schedule::new(run.seed, run.openings.len(), run.pairs_max);
    let mut standing = Standing::new(fixed.rule);
    let played = play_schedule(&run, schedule, &executor, stored, &mut standing, &mut |_| {});
    let made = tables.load(Ordering::Relaxed);
    (played.map(drop), made, executor.suspended_pairs())
}

fn undisturbed() -> Vec<PairRecord> {
    let mut stored = ledger();
    Match::new(None, 12).play(2, &mut stored, &mut |_, _| {});
    counted(&stored, 12)
}

#[test]
fn pairs_given_up_for_a_sleep_are_played_again_at_once_and_counted() {
    let mut stored = ledger();
    let (played, made, suspended) = play(&Hindrance::Suspended, 5, &mut stored);
    assert!(played.is_ok() && made == 2 && suspended == 5);
    assert_eq!(counted(&stored, 12), undisturbed());
}

#[test]
fn a_lack_that_passes_costs_no_pair_and_its_worker_lets_go_of_what_it_holds() {
    let lack = Hindrance::Lack {
        lack: Lack::Descriptors,
        detail: String::new(),
    };
    let mut stored = ledger();
    let (played, made, suspended) = play(&lack, 2, &mut stored);
    assert!(played.is_ok() && made > 2 && suspended == 0);
    assert_eq!(counted(&stored, 12), undisturbed());
}

#[test]
fn a_program_that_is_another_ends_the_run_at_once() {
    let change = Hindrance::Program(ProgramChange {
        path: "engine".into(),
        change: Change::Gone("no such file".to_owned()),
    });
    let mut stored = ledger();
    let (played, ..) = play(&change, 1, &mut stored);
    let Err(PlayError::Hindered(hindrance)) = played else {
        panic!("{played:?}");
    };
    assert_eq!(hindrance, change);
    assert!(stored.finished().unwrap().len() < 12);
}
