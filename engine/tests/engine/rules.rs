//! The rules of both games: move counts, traps, and properties that hold in every position a random game reaches.

use crate::common::{CHESS_TACTICS, SHOGI_STARTS, legal_all, reach, rows, sorted};
use proptest::prelude::*;
use tanren_engine::game::{
    EarlyTests, GameMove, Metric, MoveList, Path, Position, Region, RegionRules, Repetition, Side,
};
use tanren_engine::perft::{divide, perft};
use tanren_engine::{chess, shogi};

/// The last two are of Chess960.
const CHESS_STARTS: [&str; 5] = [
    "startpos",
    CHESS_TACTICS,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1r1k2r1/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/1R1K2R1 w GBgb - 0 1",
    "rk1r4/pp4pp/8/8/8/8/PP4PP/4RKR1 w GEda - 0 1",
];

fn random_position<P: Position>(starts: &[&str], start: usize, choices: &[usize]) -> P {
    let mut board = P::parse(starts[start % starts.len()]).unwrap();
    for choice in choices {
        let moves = legal_all(&board);
        if moves.is_empty() {
            break;
        }
        board.make(moves[choice % moves.len()]);
    }
    board
}

/// All 65,536 bit patterns that climb the ladder.
fn accepted<P: Position>(board: &P) -> Vec<u16> {
    let climbs = |bits: &u16| {
        let mv = P::Move::from_bits(*bits);
        board.is_pseudo_legal(mv) && board.is_legal(mv)
    };
    (0..=u16::MAX).filter(climbs).collect()
}

fn count<P: Position + PartialEq + std::fmt::Debug>(file: &str) -> usize {
    let rows = rows(file);
    for row in &rows {
        let (depth, nodes): (u32, u64) = (row[1].parse().unwrap(), row[2].parse().unwrap());
        let mut board = P::parse(&row[0]).unwrap();
        let before = board.clone();
        assert_eq!(perft(&mut board, depth), nodes, "{row:?}");
        assert_eq!(board, before, "{row:?} is not restored");
    }
    rows.len()
}

#[test]
fn move_counts_agree_with_other_programs() {
    assert!(count::<shogi::Board>("shogi_perft.csv") >= 70);
    assert!(count::<chess::Board>("chess_perft.csv") >= 135);
    let all_starts_and_some_of_double_fischer_random = 960 + 40;
    assert_eq!(
        count::<chess::Board>("chess960_perft.csv"),
        all_starts_and_some_of_double_fischer_random
    );
}

fn refuse<P: Position>(lines: &str) {
    for (text, reason) in lines.lines().filter_map(|line| line.split_once(" ; ")) {
        let message = P::parse(text).unwrap_err().to_string();
        assert!(message.contains(reason), "{text}: {message}");
    }
}

#[test]
fn positions_that_break_the_rules_are_refused_with_the_reason_and_those_at_their_edge_are_taken() {
    refuse::<shogi::Board>(include_str!("../data/shogi_refused.txt"));
    refuse::<chess::Board>(include_str!("../data/chess_refused.txt"));
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/QQQQQQQ1/QQQQQQQQ/4K3 b - - 0 1",
        "8/8/8/3k1K2/8/8/8/8 w - - 99 200",
        "4k3/8/8/8/1b6/8/8/4K2r w - - 0 1",
    ] {
        assert_eq!(chess::Board::parse(fen).unwrap().to_string(), fen);
    }
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for text in ["startpos", &format!("sfen {start}")] {
        assert_eq!(shogi::Board::parse(text).unwrap().to_string(), start);
    }
    // Hands and promoted pieces.
    assert_eq!(
        shogi::Board::parse(SHOGI_STARTS[2]).unwrap().to_string(),
        SHOGI_STARTS[2]
    );
}

fn region<P: Position>(row: &csv::StringRecord) -> Option<Region> {
    let position = P::parse(&row[1]).unwrap();
    let rules = RegionRules {
        metric: if &row[3] == "steps" {
            Metric::Steps
        } else {
            Metric::KingMoves
        },
        exempts: &row[4] == "true",
    };
    position.region(position.parse_move(&row[2]).unwrap(), rules)
}

#[test]
fn a_move_counts_from_what_it_attacks_or_saves_or_from_its_destination_to_the_king() {
    for row in rows("regions.csv") {
        let found = match &row[0] {
            "shogi" => region::<shogi::Board>(&row),
            _ => region::<chess::Board>(&row),
        };
        let kind = found.map_or(String::new(), |region| {
            format!("{:?}", region.kind).to_lowercase()
        });
        let distance = found.map_or(String::new(), |region| region.distance.to_string());
        assert_eq!((&*kind, &*distance), (&row[5], &row[6]), "{row:?}");
    }
}

#[test]
fn divide_sums_to_perft() {
    let split = divide(&mut shogi::Board::start(), 3);
    assert_eq!(split.len(), 30);
    assert_eq!(split.iter().map(|(_, nodes)| nodes).sum::<u64>(), 25_470);
}

#[test]
fn every_trap_position_of_shogi_has_the_known_number_of_legal_moves_and_judges_its_key_move() {
    let mut judged = 0;
    for row in rows("shogi_positions.csv") {
        let board = shogi::Board::parse(&row[1]).unwrap();
        let moves = legal_all(&board);
        assert_eq!(moves.len(), row[2].parse::<usize>().unwrap(), "{row:?}");
        assert_eq!(moves.len(), board.count_legal_all(), "{row:?}");
        assert_eq!(sorted(&moves), accepted(&board), "{row:?}");
        assert_eq!(board.in_check(), &row[3] == "1", "{row:?}");
        if !row[4].is_empty() {
            assert_eq!(board.parse_move(&row[4]).is_ok(), &row[5] == "1", "{row:?}");
            judged += 1;
        }
    }
    assert!(judged >= 15);
}

#[test]
fn the_fourth_occurrence_is_a_draw_in_shogi_and_perpetual_check_loses_whoever_closes_the_cycle() {
    let verdict = |path: &Path| path.referee_repetition::<shogi::Board>();
    let dance = "2h3h 8b7b 3h2h 7b8b ";
    for (times, expected) in [(1, None), (2, None), (3, Some(Repetition::Draw))] {
        let (_, path) = reach::<shogi::Board>("startpos", &dance.repeat(times));
        assert_eq!((path.occurrences(), verdict(&path)), (times + 1, expected));
    }
    let rook = "4k4/9/9/9/9/9/9/R8/4K4 b - 1";
    let after = |moves: &str| reach::<shogi::Board>(rook, &format!("9h5h {moves}"));
    let checks = "5a4a 5h4h 4a5a 4h5h ";
    assert_eq!(verdict(&after(&checks.repeat(2)).1), None);
    assert_eq!(
        verdict(&after(&checks.repeat(3)).1),
        Some(Repetition::Win),
        "the checked side wins"
    );
    let (mut board, mut path) = after(&format!("{}5a4a 5h4h 4a5a", checks.repeat(2)));
    let mv = board.parse_move("4h5h").unwrap();
    assert!(board.is_legal(mv), "legal by the position alone");
    assert!(
        !path.is_genuine_legal(&mut board, mv),
        "it completes a perpetual check"
    );
    let with_a_quiet_move = "5a4a 5h6h 4a5a 6h5h ";
    assert_eq!(
        verdict(&after(&with_a_quiet_move.repeat(3)).1),
        Some(Repetition::Draw)
    );
}

#[test]
fn the_third_occurrence_is_a_draw_in_chess_and_possible_captures_and_castling_make_another_position() {
    for row in rows("chess_repetitions.csv") {
        let verdict = |times| {
            let cycles = format!("{} ", &row[2]).repeat(times);
            let (_, path) = reach::<chess::Board>(&row[0], &format!("{} {cycles}", &row[1]));
            path.referee_repetition::<chess::Board>()
        };
        let expected = (&row[3] == "1").then_some(Repetition::Draw);
        assert_eq!((verdict(1), verdict(2)), (None, expected), "{row:?}");
    }
}

#[test]
fn a_chess_move_is_two_squares_and_what_a_pawn_becomes() {
    let board = chess::Board::parse("8/4P2k/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    for (text, is_move) in [
        ("e7e8q", true),
        ("e7e8n", true),
        ("e7e8", false),
        ("e7e8k", false),
        ("e7e8p", false),
        ("e7e8Q", false),
        ("e7e8qx", false),
        ("e1d1", true),
        ("e1d1k", false),
        ("e1d1king", false),
        ("e1d1q", false),
        ("e1d", false),
    ] {
        assert_eq!(board.parse_move(text).is_ok(), is_move, "{text}");
    }
}

#[test]
fn castling_is_the_kings_move_of_two_squares() {
    let board = chess::Board::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for text in ["e1g1", "e1c1"] {
        let mv = board.parse_move(text).unwrap();
        assert!(mv.to_string() == text && board.castling_rook(mv).is_some());
    }
    assert!(board.parse_move("e1h1").is_err());
    let blocked = chess::Board::parse("r3k2r/8/8/8/8/5b2/8/R3K2R w KQkq - 0 1").unwrap();
    assert!(blocked.parse_move("e1c1").is_err(), "through an attacked square");
}

#[test]
fn castling_of_chess960_moves_king_and_rook_to_where_chess_has_them() {
    for row in rows("chess960_castling.csv") {
        let mut board = chess::Board::parse(&row[0]).unwrap();
        let mv = board.parse_move(&row[1]).unwrap();
        assert_eq!(mv.to_string(), row[1]);
        assert!(legal_all(&board).contains(&mv), "{row:?}");
        assert!(board.castling_rook(mv).is_some() && !board.is_tactical(mv));
        board.make(mv);
        assert_eq!(board.to_string(), row[2]);
    }
    // A king beside its destination may go there without the rook.
    let board = chess::Board::parse("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
    assert_ne!(board.parse_move("f1g1"), board.parse_move("f1h1"));
    assert_eq!(board.castling_rook(board.parse_move("f1g1").unwrap()), None);
    let blocked = chess::Board::parse("4k3/8/8/8/8/8/8/RN1K4 w A - 0 1").unwrap();
    assert!(blocked.parse_move("d1a1").is_err());
}

#[test]
fn a_position_is_one_of_chess960_if_its_rights_say_so() {
    for (board, rights, written) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R", "HAha", "HAha"),
        ("r3k1r1/8/8/8/8/8/8/RR1K2R1", "KQkq", "GAga"),
        ("r3k1r1/8/8/8/8/8/8/RR1K2R1", "KBk", "GBg"),
    ] {
        let fen = |rights| format!("{board} w {rights} - 0 1");
        assert_eq!(
            chess::Board::parse(&fen(rights)).unwrap().to_string(),
            fen(written)
        );
    }
    let start = chess::Board::start().castling_onto_rooks();
    assert!(start.to_string().contains(" w HAha - "));
    assert_eq!(chess::Board::parse(&start.to_string()).unwrap(), start);
}

/// A position that is one move before a mate with just its pieces is no draw.
#[test]
fn positions_are_drawn_by_fifty_moves_or_where_no_mate_is_possible() {
    for row in rows("chess_draws.csv") {
        let board = chess::Board::parse(&row[0]).unwrap();
        assert_eq!(board.is_draw_by_rule(), &row[1] == "true", "{row:?}");
        if !row[2].is_empty() {
            let (mated, _) = reach::<chess::Board>(&row[0], &row[2]);
            assert!(mated.in_check() && mated.count_legal_all() == 0, "{row:?}");
        }
    }
}

/// The pieces of White and Black, and whether White can mate with whatever help of Black.
#[test]
fn who_can_mate_by_any_series_of_moves_is_told_by_the_pieces() {
    for (own, others, expected) in [
        ("", "q", false),
        ("P", "", true),
        ("R", "", true),
        ("Q", "qrr", true),
        ("N", "", false),
        ("N", "qq", false),
        ("N", "p", true),
        ("N", "r", true),
        ("NN", "", true),
        ("NB", "", true),
        ("B", "", false),
        ("B", "qr", false),
        ("B", "n", true),
        ("B", "p", true),
        // Squares of one colour, then of both.
        ("B", "b", false),
        ("B", "1b", true),
        ("B1B", "", false),
        ("BB", "", true),
    ] {
        let row = |pieces: &str| format!("{pieces}{}", 8 - pieces.len());
        let fen = format!("7k/8/{}/8/{}/8/8/4K3 w - - 0 1", row(others), row(own));
        let board = chess::Board::parse(&fen).unwrap();
        assert_eq!(board.can_mate(Side::First), expected, "{fen}");
    }
}

#[test]
fn a_pass_is_unsafe_with_pawns_alone() {
    let safe = |fen: &str| chess::Board::parse(fen).unwrap().is_pass_safe();
    assert!(!safe("8/5pk1/4p1p1/7p/3P1P1P/4K1P1/8/8 w - - 0 1"));
    assert!(safe("8/5pk1/4p1p1/7p/3P1P1P/4K1P1/8/7N w - - 0 1"));
}

fn ends_in_attacked<P: Position>(board: &P, mv: &str) -> usize {
    board.ends_in(board.parse_move(mv).unwrap(), &board.attacked_squares())
}

#[test]
fn moves_that_leave_and_reach_attacked_squares_are_told_apart() {
    let board = chess::Board::parse("k7/8/8/3p4/4R3/8/8/4K3 w - - 0 1").unwrap();
    let ends = ["e1d1", "e4e5", "e4c4"].map(|mv| ends_in_attacked(&board, mv));
    assert_eq!(ends, [0, 1, 3]);
    let board = shogi::Board::parse("4k4/9/9/4p4/4R4/9/9/9/4K4 b G 1").unwrap();
    let ends = ["5i4i", "G*4b", "5e4e"].map(|mv| ends_in_attacked(&board, mv));
    assert_eq!(ends, [0, 2, 1]);
}

/// Does the move give check by its own piece, and does it by any?
fn checks<P: Position>(board: &P, mv: &str) -> (bool, bool) {
    let mv = board.parse_move(mv).unwrap();
    (
        board.checks_directly(mv, &board.check_squares()),
        board.gives_check(mv),
    )
}

#[test]
fn a_check_is_direct_if_the_moved_piece_gives_it() {
    let board = chess::Board::parse("4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1").unwrap();
    let found = ["e2c3", "e1d1"].map(|mv| checks(&board, mv));
    assert_eq!(found, [(false, true), (false, false)]);
    let board = chess::Board::parse("8/P7/k7/8/8/8/8/7K w - - 0 1").unwrap();
    let found = ["a7a8r", "a7a8n"].map(|mv| checks(&board, mv));
    assert_eq!(found, [(true, true), (false, false)]);
    let board = shogi::Board::parse("4k4/9/9/9/9/9/4S4/4R4/5K3 b NB 1").unwrap();
    let found = ["5g4f", "5g5f", "N*4c", "N*5c", "B*1e", "B*2e"].map(|mv| checks(&board, mv));
    let direct = (true, true);
    assert_eq!(
        found,
        [
            (false, true),
            (false, false),
            direct,
            (false, false),
            direct,
            (false, false)
        ]
    );
}

/// A move prints, parses and gives check as it says, what it leaves reads back, and taking it back restores everything.
fn assert_moves<P: Position + PartialEq + std::fmt::Debug>(board: &mut P, read: impl Fn(&P) -> P) {
    assert_eq!(&read(board), board, "keys and checkers from scratch");
    let before = board.clone();
    for mv in legal_all(&before) {
        assert_eq!(board.parse_move(&mv.to_string()), Ok(mv));
        let (checks, key_after) = (board.gives_check(mv), board.key_after(mv));
        let checks_directly = board.checks_directly(mv, &board.check_squares());
        assert!(checks || !checks_directly, "{mv} in {before}");
        let undo = board.make(mv);
        assert!(key_after.is_none_or(|key| key == board.key()), "{mv} in {before}");
        assert_eq!(board.in_check(), checks, "{mv} in {before}");
        assert_eq!(&read(board), board, "{mv} in {before}");
        board.unmake(mv, undo);
        assert_eq!(board, &before);
    }
    if !board.in_check() {
        let undo = board.make_null();
        assert_ne!(board.key(), before.key());
        board.unmake_null(undo);
        assert_eq!(board, &before);
    }
}

/// The ladder accepts the legal moves, and so do the generators, each of which makes its class.
fn assert_generators<P: Position>(board: &P) -> [MoveList<P::Move>; 2] {
    let (mut pseudo, mut legal, all) = (MoveList::new(), MoveList::new(), legal_all(board));
    if board.in_check() {
        board.evasions(&mut pseudo, EarlyTests::default());
    } else {
        board.captures(&mut pseudo, EarlyTests::default());
        let captures = pseudo.len();
        board.quiets(&mut pseudo, EarlyTests::default());
        assert!(
            pseudo
                .iter()
                .enumerate()
                .all(|(index, &mv)| board.is_tactical(mv) == (index < captures))
        );
    }
    assert!(pseudo.iter().all(|&mv| board.is_pseudo_legal(mv)));
    pseudo.retain(|mv| board.is_legal(*mv));
    board.legal(&mut legal);
    assert_eq!(sorted(&pseudo), sorted(&legal), "{board}");
    assert_eq!(sorted(&all), accepted(board), "{board}");
    assert_eq!(all.len(), board.count_legal_all());
    [legal, all]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 48 } else { 400 }))]

    #[test]
    fn moves_and_generators_of_shogi_hold_everywhere(start in 0usize..4, choices in prop::collection::vec(any::<usize>(), 0..120)) {
        let mut board: shogi::Board = random_position(&SHOGI_STARTS, start, &choices);
        assert_moves(&mut board, |board| Position::parse(&board.to_string()).unwrap());
        let [legal, all] = assert_generators(&board);
        for mv in all.into_iter().filter(|mv| !legal.contains(mv)) {
            let promoted = shogi::Move::board(mv.from(), mv.to(), true);
            prop_assert!(!mv.is_drop() && legal.contains(&promoted), "{} is left out without a better {}", mv, promoted);
        }
    }

    #[test]
    fn moves_and_generators_of_chess_hold_everywhere(start in 0..CHESS_STARTS.len(), choices in prop::collection::vec(any::<usize>(), 0..80)) {
        let mut board: chess::Board = random_position(&CHESS_STARTS, start, &choices);
        assert_moves(&mut board, |board| {
            let read = chess::Board::parse(&board.to_string()).unwrap();
            if start < 3 { read } else { read.castling_onto_rooks() }
        });
        let [legal, all] = assert_generators(&board);
        prop_assert_eq!(sorted(&legal), sorted(&all));
    }

    #[test]
    fn any_bit_pattern_prints_and_any_text_parses_without_panic(bits in any::<u16>(), text in "\\PC{0,8}") {
        prop_assert!(!shogi::Move::from_bits(bits).to_string().is_empty());
        let _ = shogi::Move::parse(&text).is_ok();
        let _ = shogi::Board::parse(&text).is_ok();
    }
}

fn mates(board: &shogi::Board, mv: shogi::Move) -> bool {
    let mut after = board.clone();
    after.make(mv);
    after.in_check() && after.count_legal_all() == 0
}

#[test]
fn a_mate_in_one_ply_that_is_returned_mates_and_most_are_found() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut existing, mut found) = (0, 0);
    for game in 0..120 {
        let mut board = shogi::Board::parse(SHOGI_STARTS[game % SHOGI_STARTS.len()]).unwrap();
        for _ in 0..150 {
            let list = legal_all(&board);
            if list.is_empty() {
                break;
            }
            if !board.in_check() {
                existing += u32::from(list.iter().any(|&mv| mates(&board, mv)));
                let mate = board.mate_in_one(None);
                let mut passed = board.clone();
                passed.make_null();
                let attacked = Some(passed.attacked_squares());
                assert_eq!(board.mate_in_one(attacked), mate, "{board}");
                if let Some(mv) = mate {
                    assert!(list.contains(&mv) && mates(&board, mv), "{mv} in {board}");
                    found += 1;
                }
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            board.make(list[(random % list.len() as u64) as usize]);
        }
    }
    assert!(existing > 300, "{existing}");
    assert!(found * 100 >= existing * 90, "{found} of {existing}");
}

#[test]
fn each_kind_of_mate_in_one_ply_is_found_and_a_pawn_drop_is_never_one() {
    for (sfen, expected) in [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Some("G*5b")),
        ("4k4/9/4PG3/9/9/9/9/9/4K4 b - 1", Some("4c5b")),
        ("7nk/7gl/9/8N/9/9/9/9/4K4 b - 1", None),
        ("7lk/7np/9/9/9/9/9/9/4K4 b N 1", Some("N*2c")),
        ("7lk/7np/9/9/3N5/9/9/9/4K4 b - 1", None),
        ("7lk/7np/9/9/6N2/9/9/9/4K4 b - 1", Some("3e2c")),
    ] {
        let found = shogi::Board::parse(sfen).unwrap().mate_in_one(None);
        assert_eq!(found.map(|mv| mv.to_string()).as_deref(), expected, "{sfen}");
    }
    let board = shogi::Board::parse("4k4/9/3GPG3/9/9/9/9/9/4K4 b P 1").unwrap();
    assert!(board.mate_in_one(None).is_none_or(|mv| !mv.is_drop()));
}
