//! Traps of the rules, and properties that must hold in every position a random game reaches.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tanren_engine::game::{GameMove, MoveList, Path, Position, Repetition};
use tanren_engine::shogi::{Board, Move};

fn legal_all(board: &Board) -> Vec<Move> {
    let mut list = MoveList::new();
    board.legal_all(&mut list);
    list.to_vec()
}

fn sorted(mut moves: Vec<Move>) -> Vec<u16> {
    moves.sort_by_key(|mv| mv.bits());
    moves.into_iter().map(Move::bits).collect()
}

/// A position after random legal moves from the start or from a data row with many drops and promotions.
fn random_position(start: usize, choices: &[usize]) -> (Board, Vec<Move>) {
    const STARTS: [&str; 4] = [
        "startpos",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    ];
    let mut board = Board::parse(STARTS[start % STARTS.len()]).unwrap();
    let mut played = Vec::new();
    for choice in choices {
        let moves = legal_all(&board);
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice % moves.len()];
        board.make(mv);
        played.push(mv);
    }
    (board, played)
}

#[test]
fn every_trap_position_has_the_known_number_of_legal_moves_and_judges_its_key_move() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/shogi_positions.csv");
    let mut judged = 0;
    for record in csv::Reader::from_path(path).unwrap().records() {
        let record = record.unwrap();
        let board = Board::parse(&record[1]).unwrap();
        let moves = legal_all(&board);
        assert_eq!(moves.len(), record[2].parse::<usize>().unwrap(), "{}", &record[0]);
        assert_eq!(moves.len(), board.count_legal_all(), "{}", &record[0]);
        assert_eq!(board.in_check(), &record[3] == "1", "{}", &record[0]);
        if !record[4].is_empty() {
            assert_eq!(
                board.parse_move(&record[4]).is_ok(),
                &record[5] == "1",
                "{}",
                &record[0]
            );
            judged += 1;
        }
    }
    assert!(judged >= 15);
}

#[test]
fn the_ladder_accepts_exactly_the_legal_moves_of_every_trap_position() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/shogi_positions.csv");
    for record in csv::Reader::from_path(path).unwrap().records() {
        let board = Board::parse(&record.unwrap()[1]).unwrap();
        assert_eq!(sorted(legal_all(&board)), accepted(&board), "{board}");
    }
}

/// All 65,536 bit patterns that climb the ladder.
fn accepted(board: &Board) -> Vec<u16> {
    (0..=u16::MAX)
        .filter(|&bits| {
            let mv = Move::from_bits(bits);
            board.is_pseudo_legal(mv) && board.is_legal(mv)
        })
        .collect()
}

fn play(board: &mut Board, path: &mut Path, moves: &[&str]) {
    for text in moves {
        let mv = board.parse_move(text).unwrap();
        board.make(mv);
        path.push(board);
    }
}

#[test]
fn the_fourth_occurrence_is_a_draw_and_the_start_counts() {
    let mut board = Board::start();
    let mut path = Path::new(&board);
    let cycle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    for expected in [2, 3] {
        play(&mut board, &mut path, &cycle);
        assert_eq!(path.occurrences(), expected);
        assert_eq!(path.referee_repetition::<Board>(), None);
    }
    play(&mut board, &mut path, &cycle);
    assert_eq!(path.referee_repetition::<Board>(), Some(Repetition::Draw));
}

#[test]
fn perpetual_check_loses_for_the_checker_whoever_closes_the_cycle() {
    let mut board = Board::parse("4k4/9/9/9/9/9/9/R8/4K4 b - 1").unwrap();
    let mut path = Path::new(&board);
    play(&mut board, &mut path, &["9h5h"]);
    let cycle = ["5a4a", "5h4h", "4a5a", "4h5h"];
    for _ in 0..2 {
        play(&mut board, &mut path, &cycle);
        assert_eq!(path.referee_repetition::<Board>(), None);
    }
    play(&mut board, &mut path, &cycle[..3]);
    let mv = board.parse_move("4h5h").unwrap();
    assert!(board.is_legal(mv), "legal by the position alone");
    assert!(
        !path.is_genuine_legal(&mut board, mv),
        "but it completes a perpetual check"
    );
    play(&mut board, &mut path, &cycle[3..]);
    assert_eq!(
        path.referee_repetition::<Board>(),
        Some(Repetition::Win),
        "the checked side wins"
    );
}

#[test]
fn a_repetition_with_one_quiet_move_in_the_cycle_is_only_a_draw() {
    let mut board = Board::parse("4k4/9/9/9/9/9/9/R8/4K4 b - 1").unwrap();
    let mut path = Path::new(&board);
    play(&mut board, &mut path, &["9h5h"]);
    for _ in 0..3 {
        play(&mut board, &mut path, &["5a4a", "5h6h", "4a5a", "6h5h"]);
    }
    assert_eq!(path.referee_repetition::<Board>(), Some(Repetition::Draw));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 48 } else { 400 }))]

    #[test]
    fn unmake_restores_everything_and_keys_are_incremental(start in 0usize..4, choices in prop::collection::vec(any::<usize>(), 0..120)) {
        let (mut board, _) = random_position(start, &choices);
        prop_assert_eq!(Board::parse(&board.to_string()).unwrap(), board.clone(), "SFEN round trip, keys and checkers from scratch");
        let before = board.clone();
        for mv in legal_all(&before) {
            let (checks, key_after) = (board.gives_check(mv), board.key_after(mv));
            let undo = board.make(mv);
            prop_assert_eq!(key_after, Some(board.key()), "{} in {}", mv, before);
            prop_assert_eq!(board.in_check(), checks, "{} in {}", mv, before);
            prop_assert_eq!(&Board::parse(&board.to_string()).unwrap(), &board, "{} in {}", mv, before);
            board.unmake(mv, undo);
            prop_assert_eq!(&board, &before);
        }
        if !board.in_check() {
            let undo = board.make_null();
            prop_assert_ne!(board.key(), before.key());
            board.unmake_null(undo);
            prop_assert_eq!(&board, &before);
        }
    }

    #[test]
    fn the_ladder_accepts_exactly_the_legal_moves(start in 0usize..4, choices in prop::collection::vec(any::<usize>(), 0..120)) {
        let (board, _) = random_position(start, &choices);
        prop_assert_eq!(sorted(legal_all(&board)), accepted(&board), "{}", board);
    }

    #[test]
    fn generators_agree_with_each_other(start in 0usize..4, choices in prop::collection::vec(any::<usize>(), 0..120)) {
        let (board, _) = random_position(start, &choices);
        let mut pseudo = MoveList::new();
        if board.in_check() {
            board.evasions(&mut pseudo);
        } else {
            board.captures(&mut pseudo);
            prop_assert!(pseudo.iter().all(|&mv| board.is_tactical(mv)));
            let captures = pseudo.len();
            board.quiets(&mut pseudo);
            prop_assert!(pseudo[captures..].iter().all(|&mv| !board.is_tactical(mv)));
        }
        prop_assert!(pseudo.iter().all(|&mv| board.is_pseudo_legal(mv)));
        let survivors: Vec<Move> = pseudo.iter().copied().filter(|&mv| board.is_legal(mv)).collect();
        let mut legal = MoveList::new();
        board.legal(&mut legal);
        prop_assert_eq!(sorted(survivors), sorted(legal.to_vec()), "{}", board);
        let all = sorted(legal_all(&board));
        prop_assert!(legal.iter().all(|mv| all.binary_search(&mv.bits()).is_ok()));
        prop_assert_eq!(all.len(), board.count_legal_all());
        let dominated = all.iter().map(|&bits| Move::from_bits(bits)).filter(|mv| !legal.contains(mv));
        for mv in dominated {
            let promoted = Move::board(mv.from(), mv.to(), true);
            prop_assert!(!mv.is_drop() && legal.contains(&promoted), "{} is left out without a better {}", mv, promoted);
        }
    }

    #[test]
    fn moves_print_and_parse_back(start in 0usize..4, choices in prop::collection::vec(any::<usize>(), 0..60)) {
        let (board, _) = random_position(start, &choices);
        for mv in legal_all(&board) {
            prop_assert_eq!(board.parse_move(&mv.to_string()), Ok(mv));
        }
    }

    #[test]
    fn any_bit_pattern_prints_and_any_text_parses_without_panic(bits in any::<u16>(), text in "\\PC{0,8}") {
        prop_assert!(!Move::from_bits(bits).to_string().is_empty());
        let _ = Move::parse(&text).is_ok();
        let _ = Board::parse(&text).is_ok();
    }
}
