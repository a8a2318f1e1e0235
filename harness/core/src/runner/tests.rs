//! Whole runs with scripted players, ledgers in memory and no clock that matters.

mod environment;

use std::time::Duration;

use tanren_engine::chess::Board;
use tanren_engine::game::{MoveList, Position};

use super::*;
use crate::config::Rules;
use crate::ledger::Manifest;
use crate::match_state::Verdict;
use crate::openings::{self, Opening};
use crate::play::Table;
use crate::player::{Action, Scripted};
use crate::random::Random;
use crate::record::PairRecord;
use crate::stop::{FaultLimits, StopRule};

fn ledger() -> Ledger {
    Ledger::in_memory(&Manifest {
        kind: "match".to_owned(),
        labels: vec![String::new(), String::new()],
        ..Manifest::default()
    })
}

/// Players that move by the game's seed; a pair takes a random time, so that pairs finish out of order.
fn table() -> Table<Board> {
    let script = |position: &Board, ply: usize, seed: u32| {
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
    };
    let rules = Rules::default();
    Table::new([Scripted::boxed(script), Scripted::boxed(script)], rules)
}

struct Match {
    openings: Vec<Opening<Board>>,
    rule: StopRule,
}

impl Match {
    fn new(sprt: Option<&str>, pairs_max: u64) -> Match {
        let mut first = MoveList::new();
        Board::start().legal_all(&mut first);
        let text: String = first.iter().map(|mv| format!("startpos moves {mv}\n")).collect();
        Match {
            openings: openings::parse(&text, "test").unwrap().openings,
            rule: StopRule {
                sprt: sprt.map(|text| crate::config::parse_sprt(text).unwrap()),
                pairs_max,
                faults: FaultLimits::default(),
            },
        }
    }

    /// Plays on and calls `after` with the number of pairs at each count.
    fn play(
        &self,
        concurrency: usize,
        ledger: &mut Ledger,
        after: &mut dyn FnMut(u64, &Interrupt),
    ) -> MatchState {
        let interrupt = Interrupt::default();
        let run = Run {
            openings: &self.openings,
            seed: 3,
            pairs_max: self.rule.pairs_max,
            make_table: &table,
            elsewhere: None,
            interrupt: &interrupt,
        };
        let mut standing = MatchState::new(self.rule);
        let mut listener = |event: &Event<'_>| {
            if let Event::Counted { standing } = event {
                after(standing.tally().pairs(), &interrupt);
            }
        };
        let executor = LocalExecutor::new(concurrency).unwrap();
        super::play(&run, &executor, ledger, &mut standing, &mut listener).unwrap();
        standing
    }
}

fn counted(ledger: &Ledger, pairs: u64) -> Vec<PairRecord> {
    let mut records = Vec::new();
    let read = ledger.for_each_pair(pairs, |record| {
        records.push(record);
        Ok::<(), LedgerError>(())
    });
    read.unwrap();
    for record in &mut records {
        for game in &mut record.games {
            game.time_us = [0; 2];
            game.turns.iter_mut().for_each(|turn| turn.time_ms = 0);
        }
    }
    records
}

#[test]
fn any_number_of_workers_counts_the_same_pairs() {
    let fixed = Match::new(None, 40);
    let mut ledgers = [ledger(), ledger(), ledger()];
    let standings: Vec<MatchState> = [1, 2, 5]
        .into_iter()
        .zip(&mut ledgers)
        .map(|(concurrency, ledger)| fixed.play(concurrency, ledger, &mut |_, _| {}))
        .collect();
    for (standing, ledger) in standings.iter().zip(&ledgers) {
        assert_eq!(standing.tally(), standings[0].tally());
        assert_eq!(standing.verdict(), Verdict::FixedLength);
        assert_eq!(counted(ledger, 40), counted(&ledgers[0], 40));
    }
}

#[test]
fn a_test_stops_after_the_same_pair_whatever_finished_before() {
    let test = Match::new(Some("elo0=0,elo1=200"), 400);
    let one = test.play(1, &mut ledger(), &mut |_, _| {});
    let mut stored = ledger();
    let four = test.play(4, &mut stored, &mut |_, _| {});
    assert!(one.tally().pairs() < 400, "{:?}", one.tally());
    assert_eq!(one.tally(), four.tally());
    assert_eq!(one.verdict(), four.verdict());
    let finished = stored.finished().unwrap().len() as u64;
    let ahead_max = queue::PAIRS_PER_WORKER * 4;
    assert!((four.tally().pairs()..=four.tally().pairs() + ahead_max).contains(&finished));
}

#[test]
fn a_run_interrupted_again_and_again_comes_to_the_same_end() {
    let fixed = Match::new(None, 60);
    let mut undisturbed = ledger();
    let expected = fixed.play(2, &mut undisturbed, &mut |_, _| {});
    let mut disturbed = ledger();
    let mut rounds = 0;
    let standing = loop {
        let mut left = 7;
        let standing = fixed.play(3, &mut disturbed, &mut |_, interrupt| {
            left -= 1;
            if left == 0 {
                interrupt.raise();
            }
        });
        rounds += 1;
        if standing.is_decided() {
            break standing;
        }
        assert_eq!(standing.verdict(), Verdict::Interrupted);
        assert!(rounds < 60);
    };
    assert!(rounds > 2);
    assert_eq!(standing.tally(), expected.tally());
    assert_eq!(counted(&disturbed, 60), counted(&undisturbed, 60));
}

#[test]
fn a_finished_run_plays_nothing_more_and_a_longer_one_plays_on() {
    let mut stored = ledger();
    let short = Match::new(None, 10).play(2, &mut stored, &mut |_, _| {});
    let mut counted_again = 0;
    Match::new(None, 10).play(2, &mut stored, &mut |_, _| counted_again += 1);
    assert_eq!(counted_again, 0);
    let long = Match::new(None, 25).play(2, &mut stored, &mut |_, _| {});
    assert_eq!((short.tally().pairs(), long.tally().pairs()), (10, 25));
}

#[test]
fn a_worker_that_panics_ends_the_run_instead_of_hanging_it() {
    let fixed = Match::new(None, 200);
    let make_table = || {
        let script = |_: &Board, _: usize, seed: u32| -> Option<Action<<Board as Position>::Move>> {
            assert!(!seed.is_multiple_of(7), "planted");
            Some(Action::Resign)
        };
        Table::new(
            [Scripted::boxed(script), Scripted::boxed(script)],
            Rules::default(),
        )
    };
    let interrupt = Interrupt::default();
    let run = Run {
        openings: &fixed.openings,
        seed: 3,
        pairs_max: 200,
        make_table: &make_table,
        elsewhere: None,
        interrupt: &interrupt,
    };
    let mut stored = ledger();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut standing = MatchState::new(fixed.rule);
        let executor = LocalExecutor::new(2).unwrap();
        super::play(&run, &executor, &mut stored, &mut standing, &mut |_| {}).map(drop)
    }));
    assert!(result.is_err());
    assert!(stored.finished().unwrap().len() < 200);
}
