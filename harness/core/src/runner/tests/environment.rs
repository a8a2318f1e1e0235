//! Pairs that cannot be played, through no fault of a player.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::openings::Opening;
use crate::platform::MissingResource;
use crate::play::{Table, Unplayed};
use crate::player::{Change, EnvironmentError, ProgramChange};
use crate::record::Reason;
use crate::schedule::PairPlan;

/// A table at which the first `times` pairs meet an environment error, each after a fault that is replayed.
struct Environment<'a> {
    table: Table<Board>,
    environment_error: EnvironmentError,
    left: &'a AtomicU64,
}

impl PlayPairs<Board> for Environment<'_> {
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<Board>,
        replayed: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed> {
        let take = |left: u64| left.checked_sub(1);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => {
                replayed.push(PairFault {
                    pair: plan.pair,
                    game: 0,
                    player: plan.players[0],
                    reason: Reason::Crash,
                });
                Err(Unplayed::Environment(self.environment_error.clone()))
            }
            Err(_) => self.table.play_pair(plan, opening, replayed),
        }
    }
}

/// Plays 12 pairs of which `times` meet an environment error; with the tables that were made and the pairs given up for a sleep.
fn play(
    environment_error: &EnvironmentError,
    times: u64,
    stored: &mut Ledger,
) -> (Result<(), PlayError>, u64, u64) {
    let fixed = Match::new(None, 12);
    let (left, tables) = (AtomicU64::new(times), AtomicU64::new(0));
    let make_table = || {
        tables.fetch_add(1, Ordering::Relaxed);
        Environment {
            table: table(),
            environment_error: environment_error.clone(),
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
    let mut standing = MatchState::new(fixed.rule);
    let played = play_schedule(&run, schedule, &executor, stored, &mut standing, &mut |_| {});
    let made = tables.load(Ordering::Relaxed);
    (played.map(drop), made, executor.suspended_pairs())
}

/// What the ledger holds, and how many faults it says were replayed.
fn stored_pairs(stored: &Ledger) -> (Vec<PairRecord>, usize) {
    let mut pairs = counted(stored, 12);
    let replayed = pairs
        .iter_mut()
        .map(|pair| std::mem::take(&mut pair.replayed).len())
        .sum();
    (pairs, replayed)
}

fn undisturbed() -> Vec<PairRecord> {
    let mut stored = ledger();
    Match::new(None, 12).play(2, &mut stored, &mut |_, _| {});
    counted(&stored, 12)
}

#[test]
fn pairs_given_up_for_a_sleep_are_played_again_at_once_and_counted() {
    let mut stored = ledger();
    let (played, made, suspended) = play(&EnvironmentError::Suspended, 4, &mut stored);
    assert!(played.is_ok() && made == 2 && suspended == 4);
    assert_eq!(stored_pairs(&stored), (undisturbed(), 4));
}

#[test]
fn a_lack_that_passes_costs_no_pair_and_its_worker_lets_go_of_what_it_holds() {
    let lack = EnvironmentError::MissingResource {
        lack: MissingResource::Descriptors,
        detail: String::new(),
    };
    let mut stored = ledger();
    let (played, made, suspended) = play(&lack, 2, &mut stored);
    assert!(played.is_ok() && made > 2 && suspended == 0);
    assert_eq!(stored_pairs(&stored), (undisturbed(), 2));
}

#[test]
fn a_program_that_is_another_ends_the_run_at_once() {
    let change = EnvironmentError::Program(ProgramChange {
        path: "engine".into(),
        change: Change::Gone("no such file".to_owned()),
    });
    let mut stored = ledger();
    let (played, ..) = play(&change, 1, &mut stored);
    let Err(PlayError::Environment(environment_error)) = played else {
        panic!("{played:?}");
    };
    assert_eq!(environment_error, change);
    assert!(stored.finished().unwrap().len() < 12);
}
