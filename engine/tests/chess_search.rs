//! The search on chess: mates, and the rules that end a game without one.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::chess::{Board, Move};
use tanren_engine::config::Config;
use tanren_engine::game::{Game, MoveList, Path, Position, Repetition};
use tanren_engine::search::{MATE, Report, Searcher, Silent};
use tanren_engine::time::Limits;

const PLAYERS: [&str; 2] = ["base", "sayuri"];

/// The position that `moves` lead to from `fen`, and the way to it.
fn reach(fen: &str, moves: &str) -> (Board, Path) {
    let mut position = Board::parse(fen).unwrap();
    let mut path = Path::new(&position);
    for text in moves.split_whitespace() {
        position.make(position.parse_move(text).unwrap());
        path.push(&position);
    }
    (position, path)
}

fn search_after(config: &str, fen: &str, moves: &str, depth_max: u32) -> Report<Move> {
    let (position, path) = reach(fen, moves);
    let limits = Limits {
        depth_max: Some(depth_max),
        ..Limits::default()
    };
    let config = Config::parse(Game::Chess, config).unwrap();
    Searcher::new(&config, 16).search(&position, &path, &limits, &mut Silent)
}

fn search(config: &str, fen: &str, depth_max: u32) -> Report<Move> {
    search_after(config, fen, "", depth_max)
}

fn best(report: &Report<Move>) -> String {
    report.best.unwrap().to_string()
}

fn is_mate(position: &Board) -> bool {
    position.in_check() && position.count_legal_all() == 0
}

/// The rows of a file in `data/`, as texts.
fn rows(name: &str) -> Vec<csv::StringRecord> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(Result::unwrap).collect()
}

#[test]
fn mates_in_one_to_five_moves_are_found_at_their_distance_by_base_and_by_sayuri() {
    let rows = rows("chess_mates.csv");
    for row in &rows {
        let moves: i32 = row[1].parse().unwrap();
        let plies = 2 * moves - 1;
        // What `base` prunes it sees later, and it would stop at a longer mate that it finds before.
        let base = search("base,mate_stop=off", &row[0], row[2].parse().unwrap());
        assert_eq!(base.score, MATE - plies, "{row:?}");
        let sees = |depth: i32| search("sayuri", &row[0], depth as u32).score == MATE - plies;
        assert!((plies..=plies + 2).any(sees), "sayuri: {row:?}");
    }
    for moves in 1..=5 {
        let count = rows.iter().filter(|row| row[1] == moves.to_string()).count();
        assert!(count >= 4, "{count} mates in {moves}");
    }
}

/// Alpha-beta that remembers, and nothing that prunes but what is named after it.
/// Its evaluation is the published one, which no tuning moves.
const UNPRUNED: &str = "sayuri,lmr=off,futility=off,iid=off,aspiration=off,check_extension=off,hash.quiescence=on,see_ordering=on,\
     mate_distance=on,null_move.shallower=4";

fn judge_zugzwang(rows: &[csv::StringRecord]) {
    for row in rows {
        let depth = row[1].parse().unwrap();
        let chosen = |null_move: &str| best(&search(&format!("{UNPRUNED},{null_move}"), &row[0], depth));
        assert_eq!(chosen("null_move=off"), row[2], "{row:?}");
        assert_eq!(chosen("null_move=prune"), row[3], "{row:?}");
        let verified = chosen("null_move=prune,null_move.verification=4");
        assert_eq!(verified, row[2], "{row:?}");
    }
}

#[test]
fn a_null_move_errs_in_zugzwang_and_its_verification_cures_it() {
    judge_zugzwang(&rows("chess_zugzwang.csv")[..1]);
}

#[test]
#[ignore = "searches some millions of nodes for each position"]
fn a_null_move_errs_in_every_zugzwang_of_the_suite_and_its_verification_cures_it() {
    let rows = rows("chess_zugzwang.csv");
    assert!(rows.len() >= 6);
    judge_zugzwang(&rows);
}

#[test]
fn with_king_and_pawns_alone_no_pass_is_tried() {
    // Who has to move loses his pawn.
    let fen = "8/8/8/3pK3/2kP4/8/8/8 w - - 0 1";
    let nodes = |null_move: &str| search(&format!("{UNPRUNED},{null_move}"), fen, 8).nodes;
    assert_eq!(nodes("null_move=prune"), nodes("null_move=off"));
    let knights = "8/8/8/3pK3/2kP4/8/N6n/8 w - - 0 1";
    let nodes = |null_move: &str| search(&format!("{UNPRUNED},{null_move}"), knights, 8).nodes;
    assert_ne!(nodes("null_move=prune"), nodes("null_move=off"));
}

#[test]
fn a_stalemated_side_has_no_move_and_a_mated_one_a_lost_score() {
    for player in PLAYERS {
        let stalemate = search(player, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 4);
        assert_eq!((stalemate.best, stalemate.score), (None, 0), "{player}");
        let two = search(player, "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", 6);
        assert_ne!(best(&two), "f5f7", "{player} stalemates");
        assert!(two.score >= MATE - 3, "{player} {two:?}");
        let mated = search(player, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 4);
        assert_eq!((mated.best, mated.score), (None, -MATE), "{player}");
    }
}

#[test]
fn the_side_that_would_lose_gives_its_last_piece_away_for_a_stalemate() {
    for (fen, text) in SACRIFICES {
        for player in PLAYERS {
            let report = search(player, fen, 6);
            assert_eq!(
                (best(&report).as_str(), report.score),
                (text, 0),
                "{player} {fen} {report:?}"
            );
        }
        let (mut position, _) = reach(fen, text);
        let mut captures = MoveList::new();
        position.legal_all(&mut captures);
        assert!(!captures.is_empty(), "{fen}");
        for &mv in &captures {
            let undo = position.make(mv);
            assert!(
                !position.in_check() && position.count_legal_all() == 0,
                "{fen} {mv}"
            );
            position.unmake(mv, undo);
        }
    }
}

/// Black, a pawn down against a queen, has one check after which every move stalemates.
const SACRIFICES: [(&str, &str); 2] = [
    ("8/8/8/8/3q4/1K6/2Q3P1/k7 b - - 0 1", "d4b4"),
    ("8/5P2/8/1Q6/K7/4q3/8/k7 b - - 0 1", "e3a3"),
];

#[test]
fn a_mate_on_the_hundredth_ply_counts_and_one_ply_later_it_is_a_draw() {
    for player in PLAYERS {
        let score = |fen: &str| search(player, fen, 8).score;
        assert_eq!(score("7k/8/6K1/8/8/8/8/R7 w - - 99 90"), MATE - 1, "{player}");
        // A mate in two moves takes three plies.
        assert_eq!(score("7k/8/5K2/8/8/8/8/R7 w - - 97 90"), MATE - 3, "{player}");
        assert_eq!(score("7k/8/5K2/8/8/8/8/R7 w - - 98 90"), 0, "{player}");
        assert_eq!(score("7k/8/5K2/8/8/8/8/R7 w - - 99 90"), 0, "{player}");
        // A pawn's move begins the count again.
        assert!(score("7k/5K2/8/6P1/8/8/8/R7 w - - 99 90") > 500, "{player}");
    }
    let mut position = Board::parse("7k/8/6K1/8/8/8/8/R7 w - - 99 90").unwrap();
    position.make(position.parse_move("a1a8").unwrap());
    assert!(position.is_draw_by_rule() && is_mate(&position));
}

#[test]
fn a_perpetual_check_saves_the_side_that_would_lose() {
    let fen = "6k1/6p1/8/7Q/8/8/rq4PP/6K1 w - - 0 1";
    for player in PLAYERS {
        assert_eq!(search(player, fen, 9).score, 0, "{player}");
    }
}

#[test]
fn the_side_that_wins_does_not_repeat_a_position_of_the_game() {
    // White's queen could go back and forth: both positions have stood before.
    let fen = "8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1";
    let moves = "e2e3 d5d6 e3e2 d6d5";
    for player in PLAYERS {
        let report = search_after(player, fen, moves, 6);
        assert!(
            report.score > 800 && best(&report) != "e2e3",
            "{player} {report:?}"
        );
    }
}

#[test]
fn the_third_occurrence_is_a_draw_by_repetition() {
    let verdict = |fen: &str, moves: &str| reach(fen, moves).1.referee_repetition::<Board>();
    let dance = "g1f3 g8f6 f3g1 f6g8 ";
    assert_eq!(verdict("startpos", dance), None);
    assert_eq!(verdict("startpos", &dance.repeat(2)), Some(Repetition::Draw));
}

#[test]
fn a_position_after_a_double_step_comes_again_unless_a_pawn_could_capture_en_passant() {
    let verdict = |fen: &str, moves: &str| reach(fen, moves).1.referee_repetition::<Board>();
    let dance = "g8f6 g1f3 f6g8 f3g1 ".repeat(2);
    let after = |step: &str| format!("{step} {dance}");
    assert_eq!(verdict("startpos", &after("e2e4")), Some(Repetition::Draw));
    let beside = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(verdict(beside, &after("e2e4")), None, "d4xe3 was possible once");
    assert_eq!(
        verdict(beside, &after("a2a4")),
        Some(Repetition::Draw),
        "no pawn stands beside it"
    );
    // The pawn on d4 is pinned to its king by the rook on d1, and must not capture.
    let pinned = "3k2n1/8/8/8/3p4/8/4P3/3RK1N1 w - - 0 1";
    assert_eq!(verdict(pinned, &after("e2e4")), Some(Repetition::Draw));
    // What could be castled once and no more is another position.
    let kings = "e1e2 e8e7 e2e1 e7e8 ".repeat(2);
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(verdict(castles, &kings), None);
    assert_eq!(
        verdict("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", &kings),
        Some(Repetition::Draw)
    );
}

#[test]
fn no_mate_is_possible_with_one_minor_piece_or_with_bishops_of_one_colour() {
    for dead in [
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/8/7B w - - 0 1",
        "8/8/4k3/8/8/4K3/8/7n w - - 0 1",
        "8/8/4k3/8/6b1/4K3/8/7B w - - 0 1",
        "8/8/4k3/8/8/4K3/6B1/7B b - - 0 1",
        "B6k/1b6/8/3B4/6b1/4K3/8/5b1B w - - 0 1",
        "8/b7/1B6/2b5/3B2k1/8/8/4K1B1 b - - 0 1",
    ] {
        assert!(Board::parse(dead).unwrap().is_draw_by_rule(), "{dead}");
        for player in PLAYERS {
            assert_eq!(search(player, dead, 3).score, 0, "{player} {dead}");
        }
    }
}

#[test]
fn a_game_goes_on_where_the_other_side_could_help_to_a_mate() {
    for (fen, text) in HELPMATES {
        let mut position = Board::parse(fen).unwrap();
        assert!(!position.is_draw_by_rule(), "{fen}");
        position.make(position.parse_move(text).unwrap());
        assert!(is_mate(&position), "{fen} {text}");
    }
}

/// One move before a mate with just these pieces, and the move.
const HELPMATES: [(&str, &str); 9] = [
    ("5N1k/5K2/5N2/8/8/8/8/8 w - - 0 1", "f8g6"),
    ("k7/7B/NK6/8/8/8/8/8 w - - 0 1", "h7e4"),
    ("8/8/8/8/3N4/1K6/8/kn6 w - - 0 1", "d4c2"),
    ("8/8/8/2N5/8/K7/8/kb6 w - - 0 1", "c5b3"),
    ("8/8/8/8/8/BK6/8/kn6 w - - 0 1", "a3b2"),
    ("5K1k/7b/8/B7/8/8/8/8 w - - 0 1", "a5c3"),
    ("6B1/8/8/8/8/8/8/5KBk w - - 0 1", "g8d5"),
    ("8/8/8/7N/8/8/7p/5K1k w - - 0 1", "h5g3"),
    ("8/8/8/8/8/7B/7p/5K1k w - - 0 1", "h3g2"),
];
