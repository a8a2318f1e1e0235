//! Whole runs with scripted players, ledgers in memory and no clock that matters.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tanren_engine::chess::{Board, Move};
use tanren_engine::game::{MoveList, Position};

use super::*;
use crate::config::Rules;
use crate::fixtures::fixed;
use crate::ledger::Manifest;
use crate::match_state::Verdict;
use crate::openings::{self, Opening};
use crate::platform::MissingResource;
use crate::play::{GameTable, Unplayed};
use crate::player::{Action, EnvironmentError, ProgramChange, ProgramChangeKind, Scripted};
use crate::random::Random;
use crate::record::{PairRecord, Reason, TimeSpan};
use crate::stop::StopRule;

fn ledger() -> Ledger {
    Ledger::in_memory(&Manifest {
        kind: "match".to_owned(),
        labels: vec![String::new(), String::new()],
        ..Manifest::default()
    })
}

fn table_of(
    script: impl Fn(&Board, usize, u32) -> Option<Action<Move>> + Copy + Send + 'static,
) -> GameTable<Board> {
    GameTable::new(
        [Scripted::boxed(script), Scripted::boxed(script)],
        Rules::default(),
    )
}

/// Players that move by the game's seed; a pair takes a random time, so that pairs finish out of order.
fn table() -> GameTable<Board> {
    table_of(|position, ply, seed| {
        let mut random = Random::new(u64::from(seed), &[ply as u64]);
        if ply == 0 {
            std::thread::sleep(Duration::from_micros(random.below(2_000)));
        }
        let mut legal = MoveList::new();
        position.legal_all(&mut legal);
        let is_last = ply > 3 && random.below(4) == 0;
        let mv = legal
            .get(random.below(legal.len() as u64) as usize)
            .filter(|_| !is_last);
        Some(mv.map_or(Action::Resign, |&mv| Action::Move(mv)))
    })
}

/// Plays on and calls `after` with the number of pairs at each count; with the pairs that were given up for a sleep.
fn play_at<T: PlayPairs<Board>>(
    make_table: &(dyn Fn() -> T + Sync),
    mut match_state: MatchState,
    pairs_max: u64,
    concurrency: usize,
    ledger: &mut Ledger,
    after: &mut dyn FnMut(&Interrupt),
) -> Result<(MatchState, u64), PlayError> {
    let mut first = MoveList::new();
    Board::start().legal_all(&mut first);
    let text: String = first.iter().map(|mv| format!("startpos moves {mv}\n")).collect();
    let interrupt = Interrupt::default();
    let run = PairRun {
        openings: &openings::parse(&text, "test").unwrap().openings,
        seed: 3,
        pairs_max,
        make_table,
        elsewhere: None,
        game_listener: None,
        interrupt: &interrupt,
    };
    let mut listener = |event: &Event<'_>| {
        if let Event::Counted { .. } = event {
            after(&interrupt);
        }
    };
    let executor = LocalExecutor::new(concurrency).unwrap();
    super::play(&run, &executor, ledger, &mut match_state, &mut listener)?;
    Ok((match_state, executor.suspended_pairs()))
}

/// Plays a match of so many pairs on.
fn play_fixed(
    pairs: u64,
    concurrency: usize,
    ledger: &mut Ledger,
    after: &mut dyn FnMut(&Interrupt),
) -> MatchState {
    play_at(&table, fixed(pairs), pairs, concurrency, ledger, after)
        .unwrap()
        .0
}

fn counted(ledger: &Ledger, pairs: u64) -> Vec<PairRecord> {
    let mut records = Vec::new();
    let read = ledger.for_each_pair(pairs, |record| {
        records.push(record);
        Ok::<(), LedgerError>(())
    });
    read.unwrap();
    for game in records.iter_mut().flat_map(|record| &mut record.games) {
        (game.time_us, game.span) = ([0; 2], TimeSpan::default());
        game.turns.iter_mut().for_each(|turn| turn.time_ms = 0);
    }
    records
}

#[test]
fn a_test_stops_after_the_same_pair_whatever_finished_before() {
    let play = |concurrency, ledger: &mut Ledger| {
        let rule = StopRule::new(Some(crate::config::parse_sprt("elo0=0,elo1=200").unwrap()), 400);
        let played = play_at(
            &table,
            MatchState::new(rule),
            400,
            concurrency,
            ledger,
            &mut |_| {},
        );
        played.unwrap().0
    };
    let mut stored = ledger();
    let (one, four) = (play(1, &mut ledger()), play(4, &mut stored));
    assert!(one.tally().pairs() < 400, "{:?}", one.tally());
    assert_eq!(one.tally(), four.tally());
    assert_eq!(one.verdict(), four.verdict());
    let finished = stored.finished().unwrap().len() as u64;
    let ahead_max = queue::PAIRS_PER_WORKER * 4;
    assert!((four.tally().pairs()..=four.tally().pairs() + ahead_max).contains(&finished));
}

#[test]
fn a_run_interrupted_again_and_again_comes_to_the_same_end_with_any_number_of_workers() {
    let mut undisturbed = ledger();
    let expected = play_fixed(60, 1, &mut undisturbed, &mut |_| {});
    assert_eq!(expected.verdict(), Verdict::FixedLength);
    let mut disturbed = ledger();
    let mut rounds = 0;
    let match_state = loop {
        let mut left = 7;
        let match_state = play_fixed(60, 3, &mut disturbed, &mut |interrupt| {
            left -= 1;
            if left == 0 {
                interrupt.raise();
            }
        });
        rounds += 1;
        if match_state.is_decided() {
            break match_state;
        }
        assert_eq!(match_state.verdict(), Verdict::Interrupted);
        assert!(rounds < 60);
    };
    assert!(rounds > 2);
    assert_eq!(match_state.tally(), expected.tally());
    assert_eq!(counted(&disturbed, 60), counted(&undisturbed, 60));
}

#[test]
fn a_finished_run_plays_nothing_more_and_a_longer_one_plays_on() {
    let mut stored = ledger();
    let short = play_fixed(10, 2, &mut stored, &mut |_| {});
    play_fixed(10, 2, &mut stored, &mut |_| panic!("a pair was played"));
    let long = play_fixed(25, 2, &mut stored, &mut |_| {});
    assert_eq!((short.tally().pairs(), long.tally().pairs()), (10, 25));
}

#[test]
fn a_worker_that_panics_ends_the_run_instead_of_hanging_it() {
    let make_table = || {
        table_of(|_, _, seed| {
            assert!(!seed.is_multiple_of(7), "planted");
            Some(Action::Resign)
        })
    };
    let mut stored = ledger();
    let play = || play_at(&make_table, fixed(200), 200, 2, &mut stored, &mut |_| {}).map(drop);
    assert!(catch_unwind(AssertUnwindSafe(play)).is_err());
    assert!(stored.finished().unwrap().len() < 200);
}

fn fault(plan: &PairPlan) -> PairFault {
    PairFault {
        pair: plan.pair,
        game: 0,
        player: plan.players[0],
        reason: Reason::Crash,
    }
}

/// A table at which the first `times` pairs meet an environment error, each after a fault that is replayed.
struct Disturbed<'a> {
    table: GameTable<Board>,
    error: &'a EnvironmentError,
    left: &'a AtomicU64,
}

impl PlayPairs<Board> for Disturbed<'_> {
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<Board>,
        replayed: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed> {
        let take = |left: u64| left.checked_sub(1);
        if self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .is_err()
        {
            return self.table.play_pair(plan, opening, replayed);
        }
        replayed.push(fault(plan));
        Err(Unplayed::Environment(self.error.clone()))
    }
}

#[test]
fn pairs_that_cannot_be_played_through_no_fault_of_a_player_are_played_again_if_that_can_pass() {
    let lack = EnvironmentError::MissingResource {
        lack: MissingResource::Descriptors,
        detail: String::new(),
    };
    let change = EnvironmentError::Program(ProgramChange {
        path: "engine".into(),
        change: ProgramChangeKind::Gone("no such file".to_owned()),
    });
    let mut undisturbed = ledger();
    play_fixed(12, 2, &mut undisturbed, &mut |_| {});
    // Errors, and the pairs that are given up for a sleep.
    for (error, times, expected) in [
        (EnvironmentError::Suspended, 4, Some(4)),
        (lack, 2, Some(0)),
        (change, 1, None),
    ] {
        let (left, tables) = (AtomicU64::new(times), AtomicU64::new(0));
        let make_table = || {
            tables.fetch_add(1, Ordering::Relaxed);
            Disturbed {
                table: table(),
                error: &error,
                left: &left,
            }
        };
        let mut stored = ledger();
        match (
            play_at(&make_table, fixed(12), 12, 2, &mut stored, &mut |_| {}),
            expected,
        ) {
            (Ok((_, suspended)), Some(expected)) => {
                assert_eq!(suspended, expected, "{error}");
                // A worker lets go of what it holds if that may be what is lacking.
                assert_eq!(tables.into_inner() > 2, expected == 0, "{error}");
                let mut pairs = counted(&stored, 12);
                let replayed = pairs
                    .iter_mut()
                    .map(|pair| std::mem::take(&mut pair.replayed).len());
                assert_eq!(replayed.sum::<usize>() as u64, times, "{error}");
                assert_eq!(pairs, counted(&undisturbed, 12), "{error}");
            }
            (Err(PlayError::Environment(found)), None) => {
                assert_eq!(found, error);
                assert!(stored.finished().unwrap().len() < 12);
            }
            (played, _) => panic!("{error}: {:?}", played.map(drop)),
        }
    }
}

fn queue_of(pairs: u64, interrupt: &Interrupt) -> PairQueue {
    let mut stored = ledger();
    if pairs == 6 {
        let finished = [0, 2].map(|number| (Finished::Pair(crate::fixtures::pair(number, [1, 1], 0)), None));
        stored.insert(&finished).unwrap();
    }
    let executor = LocalExecutor::new(1).unwrap();
    let window = Some(QueueWindow { block: 1, ahead: 3 });
    PairQueue::of(
        Schedule::new(1, 9, pairs),
        [pairs, 0],
        window,
        &stored,
        &executor,
        interrupt,
    )
    .unwrap()
}

#[test]
fn finished_pairs_are_skipped_and_the_window_moves_with_the_count() {
    let interrupt = Interrupt::default();
    let queue = queue_of(6, &interrupt);
    assert_eq!(queue.next().unwrap().0.pair, 1);
    assert_eq!(queue.next().unwrap().0.pair, 3);
    scope(|scope| {
        let waiting = scope.spawn(|| queue.next().map(|(plan, _)| plan.pair));
        queue.set_counted(1);
        assert_eq!(waiting.join().unwrap(), Some(4));
    });
    interrupt.end();
    assert_eq!(queue.next(), None);
}

#[test]
fn a_pair_that_was_given_back_is_the_next_one_and_the_end_comes_when_all_are_counted() {
    let queue = queue_of(2, &Interrupt::default());
    let (first, mut replayed) = queue.next().unwrap();
    assert!(replayed.is_empty());
    replayed.push(fault(&first));
    queue.give_back(first, replayed);
    let order =
        [queue.next(), queue.next()].map(|next| next.map(|(plan, replayed)| (plan.pair, replayed.len())));
    assert_eq!(order, [Some((0, 1)), Some((1, 0))]);
    assert_eq!(queue.poll(), Next::Later, "who plays them may give them back");
    queue.set_counted(2);
    assert_eq!(queue.next(), None);
}

#[test]
fn a_block_is_handed_out_whole_once_those_before_its_window_are_counted() {
    let window = QueueWindow { block: 3, ahead: 1 };
    assert!(window.holds(5, 0) && !window.holds(6, 0));
    assert!(!window.holds(6, 2) && window.holds(8, 3));
}
