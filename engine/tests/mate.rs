//! The mate solver on shogi: known mates, and what is none by the rules.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::config::Config;
use tanren_engine::game::{MoveList, Path, Position};
use tanren_engine::mate::MateSolver;
use tanren_engine::search::{MATE_IN_MAX, Searcher, Silent};
use tanren_engine::shogi::Board;
use tanren_engine::time::Limits;

/// The problems of the suite with the plies of their shortest mates.
fn problems() -> impl Iterator<Item = (&'static str, u32)> {
    let lines = include_str!("../../openings/problems/shogi-tsume.sfen").lines();
    lines
        .filter_map(|line| line.split_once(" ; mate "))
        .map(|(sfen, plies)| (sfen, plies.parse().unwrap()))
}

fn shortest(sfen: &str, plies_max: u32) -> Option<u32> {
    let position = Board::parse(sfen).unwrap();
    MateSolver::new(1_000_000).shortest(&position, plies_max).unwrap()
}

#[test]
fn mates_in_one_and_three_are_found_and_no_shorter_ones() {
    assert_eq!(shortest("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 5), Some(1));
    let three = "7k1/9/9/7N1/9/9/9/9/4K4 b 2G 1";
    assert_eq!(shortest(three, 1), None);
    assert_eq!(shortest(three, 5), Some(3));
}

#[test]
fn a_mate_by_a_dropped_pawn_is_none_but_by_a_pushed_pawn_it_is_one() {
    // The king in the corner is shut in by its own lance and knight; a knight guards the square in front of it.
    assert_eq!(shortest("7nk/7l1/8P/7N1/9/9/9/9/4K4 b - 1", 1), Some(1));
    let dropped = "7nk/7l1/9/7N1/9/9/9/9/4K4 b P 1";
    let position = Board::parse(dropped).unwrap();
    assert!(position.parse_move("P*1b").is_err());
    assert_eq!(shortest(dropped, 1), None);
}

#[test]
fn only_a_move_that_keeps_the_mate_mates() {
    let position = Board::parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let mut solver = MateSolver::new(1_000_000);
    let mut mates = |text: &str| {
        let mv = position.parse_move(text).unwrap();
        solver.mates_by(&position, mv, 3).unwrap()
    };
    assert!(mates("G*5b"));
    assert!(!mates("G*4b"));
    assert!(!mates("5c5b+"));
    assert!(!mates("5i5h"));
}

/// The same question without memory and without growing lengths.
fn is_mate(position: &Board, plies: u32) -> bool {
    let mut checks = MoveList::new();
    position.legal_all(&mut checks);
    checks.retain(|mv| position.gives_check(*mv));
    checks.into_iter().any(|mv| {
        let mut after = position.clone();
        after.make(mv);
        let mut answers = MoveList::new();
        after.legal_all(&mut answers);
        answers.into_iter().all(|answer| {
            let mut next = after.clone();
            next.make(answer);
            plies > 2 && is_mate(&next, plies - 2)
        })
    })
}

#[test]
fn short_mates_from_games_agree_with_brute_force() {
    let mut compared = 0;
    for (sfen, plies) in problems().filter(|&(_, plies)| plies <= 5) {
        compared += 1;
        let position = Board::parse(sfen).unwrap();
        assert_eq!(shortest(sfen, plies), Some(plies), "{sfen}");
        assert!(is_mate(&position, plies), "{sfen}");
        assert!(plies == 1 || !is_mate(&position, plies - 2), "{sfen}");
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn the_search_solves_most_problems_with_a_few_thousand_nodes() {
    let mut searcher = Searcher::<Board>::new(&Config::default(), 16);
    let limits = Limits {
        nodes_max: Some(3_000),
        ..Limits::default()
    };
    let solved = problems().filter(|(sfen, plies)| {
        let position = Board::parse(sfen).unwrap();
        searcher.new_game();
        let report = searcher.search(&position, &Path::new(&position), &limits, &mut Silent);
        let first = report.best.filter(|_| report.score >= MATE_IN_MAX);
        first.is_some_and(|mv| MateSolver::new(1_000_000).mates_by(&position, mv, plies + 6) == Ok(true))
    });
    let solved = solved.count();
    assert!(solved >= 45, "{solved} of 80");
}
