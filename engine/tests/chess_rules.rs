//! Chess through the trait: move counts of `data/chess_perft.csv`, and properties in every position a random game reaches.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tanren_engine::chess::{Board, Move};
use tanren_engine::game::{GameMove, MoveList, Position};
use tanren_engine::perft::{perft, perft_played};

fn legal_all(board: &Board) -> Vec<Move> {
    let mut list = MoveList::new();
    board.legal_all(&mut list);
    list.to_vec()
}

fn sorted(moves: &[Move]) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
    bits.sort_unstable();
    bits
}

const STARTS_LEN: usize = 5;
/// From here on those of Chess960.
const FIRST_960: usize = 3;

fn random_position(start: usize, choices: &[usize]) -> Board {
    const STARTS: [&str; STARTS_LEN] = [
        "startpos",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1r1k2r1/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/1R1K2R1 w GBgb - 0 1",
        "rk1r4/pp4pp/8/8/8/8/PP4PP/4RKR1 w GEda - 0 1",
    ];
    let mut board = Board::parse(STARTS[start]).unwrap();
    for choice in choices {
        let moves = legal_all(&board);
        if moves.is_empty() {
            break;
        }
        board.make(moves[choice % moves.len()]);
    }
    board
}

#[test]
fn move_counts_agree_with_other_programs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/chess_perft.csv");
    let mut rows = 0;
    for record in csv::Reader::from_path(path).unwrap().records() {
        let record = record.unwrap();
        let (depth, nodes): (u32, u64) = (record[1].parse().unwrap(), record[2].parse().unwrap());
        let mut board = Board::parse(&record[0]).unwrap();
        assert_eq!(perft(&mut board, depth), nodes, "{} depth {depth}", &record[0]);
        if nodes < 300_000 {
            assert_eq!(
                perft_played(&mut board, depth),
                nodes,
                "{} depth {depth}",
                &record[0]
            );
        }
        rows += 1;
    }
    assert!(rows >= 135);
}

#[test]
fn castling_is_the_kings_move_of_two_squares() {
    let board = Board::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for text in ["e1g1", "e1c1"] {
        let mv = board.parse_move(text).unwrap();
        assert_eq!(mv.to_string(), text);
        assert!(board.castling_rook(mv).is_some());
    }
    assert!(board.parse_move("e1h1").is_err());
    let blocked = Board::parse("r3k2r/8/8/8/8/5b2/8/R3K2R w KQkq - 0 1").unwrap();
    assert!(blocked.parse_move("e1c1").is_err(), "through an attacked square");
}

#[test]
fn castling_of_chess960_moves_king_and_rook_to_where_chess_has_them() {
    for (fen, text, after) in [
        (
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "f1g1",
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
        ),
        (
            "4k3/8/8/8/8/8/8/6KR w K - 0 1",
            "g1h1",
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
        ),
        (
            "4k3/8/8/8/8/8/8/2RK4 w Q - 0 1",
            "d1c1",
            "4k3/8/8/8/8/8/8/2KR4 b - - 1 1",
        ),
        (
            "1rk5/8/8/8/8/8/8/4K3 b b - 0 1",
            "c8b8",
            "2kr4/8/8/8/8/8/8/4K3 w - - 1 2",
        ),
    ] {
        let mut board = Board::parse(fen).unwrap();
        let mv = board.parse_move(text).unwrap();
        assert_eq!(mv.to_string(), text);
        assert!(legal_all(&board).contains(&mv), "{fen}");
        assert!(board.castling_rook(mv).is_some() && !board.is_tactical(mv));
        board.make(mv);
        assert_eq!(board.to_string(), after);
    }
    // A king beside its destination may go there without the rook.
    let board = Board::parse("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
    assert_ne!(board.parse_move("f1g1"), board.parse_move("f1h1"));
    assert_eq!(board.castling_rook(board.parse_move("f1g1").unwrap()), None);
    let blocked = Board::parse("4k3/8/8/8/8/8/8/RN1K4 w A - 0 1").unwrap();
    assert!(blocked.parse_move("d1a1").is_err());
}

#[test]
fn a_position_is_one_of_chess960_if_its_rights_say_so() {
    let read = |fen: &str| Board::parse(fen).unwrap().to_string();
    for (fen, written) in [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        ),
        (
            "r3k1r1/8/8/8/8/8/8/RR1K2R1 w KQkq - 0 1",
            "r3k1r1/8/8/8/8/8/8/RR1K2R1 w GAga - 0 1",
        ),
        (
            "r3k1r1/8/8/8/8/8/8/RR1K2R1 w KBk - 0 1",
            "r3k1r1/8/8/8/8/8/8/RR1K2R1 w GBg - 0 1",
        ),
    ] {
        assert_eq!(read(fen), written);
    }
    let start = Board::start().castling_onto_rooks();
    assert!(start.to_string().contains(" w HAha - "));
    assert_eq!(Board::parse(&start.to_string()).unwrap(), start);
}

#[test]
fn fifty_moves_and_bare_kings_are_draws() {
    let draw = |fen: &str| Board::parse(fen).unwrap().is_draw_by_rule();
    assert!(draw("8/8/4k3/8/8/4K3/8/7R w - - 100 90"));
    assert!(!draw("8/8/4k3/8/8/4K3/8/7R w - - 99 90"));
    assert!(draw("8/8/4k3/8/8/4K3/8/7B w - - 0 90"));
}

#[test]
fn a_pass_is_unsafe_with_pawns_alone() {
    let safe = |fen: &str| Board::parse(fen).unwrap().is_pass_safe();
    assert!(!safe("8/5pk1/4p1p1/7p/3P1P1P/4K1P1/8/8 w - - 0 1"));
    assert!(safe("8/5pk1/4p1p1/7p/3P1P1P/4K1P1/8/7N w - - 0 1"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_ladder_accepts_exactly_the_legal_moves(start in 0..STARTS_LEN, choices in prop::collection::vec(any::<usize>(), 0..80)) {
        let board = random_position(start, &choices);
        let accepted: Vec<u16> = (0..=u16::MAX)
            .filter(|&bits| board.is_pseudo_legal(Move::from_bits(bits)) && board.is_legal(Move::from_bits(bits)))
            .collect();
        prop_assert_eq!(sorted(&legal_all(&board)), accepted, "{}", board);
    }

    #[test]
    fn captures_and_quiets_share_out_the_legal_moves_and_unmake_restores(start in 0..STARTS_LEN, choices in prop::collection::vec(any::<usize>(), 0..80)) {
        let mut board = random_position(start, &choices);
        let before = board.clone();
        let mut list = MoveList::new();
        board.captures(&mut list);
        prop_assert!(list.iter().all(|&mv| board.is_tactical(mv)));
        board.quiets(&mut list);
        prop_assert_eq!(sorted(&list), sorted(&legal_all(&board)));
        for mv in list {
            let checks = board.gives_check(mv);
            prop_assert_eq!(board.parse_move(&mv.to_string()), Ok(mv));
            let undo = board.make(mv);
            prop_assert_eq!(board.in_check(), checks);
            let read = Board::parse(&board.to_string()).unwrap();
            let read = if start < FIRST_960 { read } else { read.castling_onto_rooks() };
            prop_assert_eq!(&read, &board);
            board.unmake(mv, undo);
            prop_assert_eq!(&board, &before);
        }
    }
}
