use proptest::prelude::*;

use super::*;
use crate::config::Config;
use crate::game::{Game, MoveList, Position};

/// The board with colours and ranks exchanged.
fn turned(board: &Board) -> Board {
    let fen = board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |c: char| {
        if c.is_ascii_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    let swapped = |text: &str| -> String { text.chars().map(swap).collect() };
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    let (ranks, rights) = (swapped(&ranks.join("/")), swapped(fields[2]));
    let side = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "_").replace('6', "3").replace('_', "6");
    let counters = fields[4..].join(" ");
    Board::parse(&format!("{ranks} {side} {rights} {en_passant} {counters}")).unwrap()
}

/// Plays the moves that `choices` name, one of the legal ones each; calls `visit` before each with the move, and after it.
fn play(choices: &[u16], mut visit: impl FnMut(&Board, Option<Move>)) {
    let mut board = Board::start();
    for &choice in choices {
        let mut list = MoveList::new();
        board.legal(&mut list);
        if list.is_empty() {
            break;
        }
        let mv = list[usize::from(choice) % list.len()];
        visit(&board, Some(mv));
        board.make(mv);
        visit(&board, None);
    }
}

#[test]
fn the_start_position_is_worth_the_tempo() {
    let mut config = Config::base(Game::Chess);
    config.chess.tempo = 17;
    let board = Board::start();
    let evaluator = Evaluator::new(&config);
    let score = evaluator.evaluate(&board, &evaluator.refresh(&board), &mut PawnTable::default());
    assert_eq!(score, 17);
}

#[test]
fn material_alone_is_carried_along_and_seen_by_the_side_to_move() {
    let evaluator = Evaluator::new(&Config::preset(Game::Chess, "sayuri").unwrap());
    let material = |fen: &str| {
        let board = Board::parse(fen).unwrap();
        evaluator.material(&board, &evaluator.refresh(&board))
    };
    assert_eq!(material("4k3/8/8/8/8/5P2/8/QRBNK3 w - - 0 1"), 2700);
    assert_eq!(material("4k3/8/8/8/8/5P2/8/QRBNK3 b - - 0 1"), -2700);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sums_and_pawn_counts_carried_along_equal_those_from_scratch_through_whole_games(
        choices in proptest::collection::vec(any::<u16>(), 1..160)
    ) {
        let evaluator = Evaluator::new(&Config::default());
        let mut table = PawnTable::default();
        let mut sums = evaluator.refresh(&Board::start());
        play(&choices, |board, mv| {
            if let Some(mv) = mv {
                sums = evaluator.update(board, mv, &sums);
                return;
            }
            let scratch = evaluator.refresh(board);
            assert_eq!(sums, scratch, "in {board}");
            let direct = Pawns::of(Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn)));
            assert_eq!(*table.of(board), direct, "in {board}");
            assert_eq!(*table.of(board), direct, "remembered, in {board}");
            let remembered = evaluator.evaluate(board, &sums, &mut table);
            let fresh = evaluator.evaluate(board, &scratch, &mut PawnTable::default());
            assert_eq!(remembered, fresh, "in {board}");
        });
    }

    #[test]
    fn what_a_position_is_worth_after_a_pass_is_known_before(
        choices in proptest::collection::vec(any::<u16>(), 1..160)
    ) {
        let evaluator = Evaluator::new(&Config::default());
        let worth = |board: &Board| evaluator.evaluate(board, &evaluator.refresh(board), &mut PawnTable::default());
        play(&choices, |board, mv| {
            if mv.is_none() || board.in_check() {
                return;
            }
            let known = evaluator.after_pass(board, worth(board));
            assert!(known.is_some() || *board != Board::start(), "{board}");
            if let Some(known) = known {
                let mut passed = board.clone();
                passed.make_null();
                assert_eq!(known, worth(&passed), "{board}");
            }
        });
    }

    #[test]
    fn a_position_turned_around_counts_and_is_worth_the_same(
        choices in proptest::collection::vec(any::<u16>(), 1..120)
    ) {
        let evaluator = Evaluator::new(&Config::default());
        let worth = |board: &Board| evaluator.evaluate(board, &evaluator.refresh(board), &mut PawnTable::default());
        play(&choices, |board, mv| {
            if mv.is_some() || board.quiet_plies() > 99 {
                return;
            }
            let other = turned(board);
            let [white, black] = counts(board);
            assert_eq!(counts(&other), [black, white], "{board} and {other}");
            assert_eq!(worth(board), worth(&other), "{board} and {other}");
        });
    }
}
