//! The search of both games: mates, the rules that end a game without one, and the limits it must keep.

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Position};
use tanren_engine::search::{MATE, MATE_IN_MAX, Report, Searchable};
use tanren_engine::{chess, shogi};

use crate::common::{best, depth, legal_all, nodes, reach, rows, search as search_from};

const PLAYERS: [&str; 2] = ["base", "sayuri"];

fn search<P: Searchable>(player: &str, text: &str, depth_max: u32) -> Report<P::Move> {
    search_from::<P>(player, &reach(text, ""), &depth(depth_max)).0
}

fn chess(player: &str, fen: &str, depth_max: u32) -> Report<chess::Move> {
    search::<chess::Board>(player, fen, depth_max)
}

/// Is there a mate within so many plies by checks alone? By brute force.
fn is_mate(position: &shogi::Board, plies: u32) -> bool {
    let checks = legal_all(position)
        .into_iter()
        .filter(|mv| position.gives_check(*mv));
    checks.into_iter().any(|mv| {
        let mut after = position.clone();
        after.make(mv);
        legal_all(&after).into_iter().all(|answer| {
            let mut next = after.clone();
            next.make(answer);
            plies > 2 && is_mate(&next, plies - 2)
        })
    })
}

#[test]
fn the_problems_of_shogi_are_mates_and_most_are_solved_in_a_few_thousand_nodes() {
    let (mut compared, mut solved) = (0, 0);
    for line in include_str!("../../../openings/problems/shogi-tsume.sfen").lines() {
        let Some((sfen, plies)) = line.split_once(" ; mate ") else {
            continue;
        };
        let plies = plies.parse().unwrap();
        let start = reach::<shogi::Board>(sfen, "");
        if plies <= 5 {
            assert!(is_mate(&start.0, plies), "{sfen}");
            assert!(plies == 1 || !is_mate(&start.0, plies - 2), "{sfen}");
            compared += 1;
        }
        let (report, _) = search_from("base", &start, &nodes(3_000));
        solved += u32::from(report.score >= MATE_IN_MAX);
    }
    assert!(compared >= 30 && solved >= 45, "{compared}, {solved} of 80");
}

#[test]
fn mates_in_shogi_are_found_and_scored_by_their_distance() {
    // Gold on the head of the king, backed by a pawn.
    let one = search::<shogi::Board>("base", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 4);
    assert_eq!((best(&one).as_str(), one.score), ("G*5b", MATE - 1));
    let three = search::<shogi::Board>("base", "7k1/9/9/7N1/9/9/9/9/4K4 b 2G 1", 8);
    assert_eq!(three.score, MATE - 3, "{three:?}");
    let mated = search::<shogi::Board>("base", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2", 4);
    assert_eq!((mated.best, mated.score), (None, -MATE));
    // The king in the corner is shut in by its own lance and knight; a knight guards the square in front of it. A pushed
    // pawn mates, a dropped one must not.
    let pushed = search::<shogi::Board>("plain", "7nk/7l1/8P/7N1/9/9/9/9/4K4 b - 1", 1);
    assert_eq!(pushed.score, MATE - 1);
    let dropped = search::<shogi::Board>("plain", "7nk/7l1/9/7N1/9/9/9/9/4K4 b P 1", 1);
    assert!(dropped.score < MATE_IN_MAX);
}

#[test]
fn mates_in_one_to_five_moves_of_chess_are_found_at_their_distance() {
    let rows = rows("chess_mates.csv");
    for row in &rows {
        let moves: i32 = row[1].parse().unwrap();
        let plies = 2 * moves - 1;
        // What a player prunes it sees later, and it would stop at a longer mate that it finds before.
        for (player, first) in [("base,mate_stop=off", row[2].parse().unwrap()), ("sayuri", plies)] {
            let sees = |depth: i32| chess(player, &row[0], depth as u32).score == MATE - plies;
            assert!((first..=first + 2).any(sees), "{player}: {row:?}");
        }
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
        let chosen = |null_move: &str| best(&chess(&format!("{UNPRUNED},{null_move}"), &row[0], depth));
        assert_eq!(chosen("null_move=off"), row[2], "{row:?}");
        assert_eq!(chosen("null_move=prune"), row[3], "{row:?}");
        assert_eq!(
            chosen("null_move=prune,null_move.verification=4"),
            row[2],
            "{row:?}"
        );
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
    for (fen, is_tried) in [
        ("8/8/8/3pK3/2kP4/8/8/8 w - - 0 1", false),
        ("8/8/8/3pK3/2kP4/8/N6n/8 w - - 0 1", true),
    ] {
        let nodes = |null_move: &str| chess(&format!("{UNPRUNED},{null_move}"), fen, 8).nodes;
        assert_eq!(
            nodes("null_move=prune") != nodes("null_move=off"),
            is_tried,
            "{fen}"
        );
    }
}

#[test]
fn a_stalemated_side_has_no_move_and_a_mated_one_a_lost_score() {
    for player in PLAYERS {
        let stalemate = chess(player, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 4);
        assert_eq!((stalemate.best, stalemate.score), (None, 0), "{player}");
        let two = chess(player, "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", 6);
        assert!(
            best(&two) != "f5f7" && two.score >= MATE - 3,
            "{player} stalemates: {two:?}"
        );
        let mated = chess(player, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 4);
        assert_eq!((mated.best, mated.score), (None, -MATE), "{player}");
    }
}

#[test]
fn the_side_that_would_lose_is_saved_by_a_stalemate_or_a_perpetual_check() {
    // Black, a pawn down against a queen, has one check after which every move stalemates.
    let sacrifices = [
        ("8/8/8/8/3q4/1K6/2Q3P1/k7 b - - 0 1", "d4b4"),
        ("8/5P2/8/1Q6/K7/4q3/8/k7 b - - 0 1", "e3a3"),
    ];
    for player in PLAYERS {
        for (fen, text) in sacrifices {
            let report = chess(player, fen, 6);
            assert_eq!(
                (best(&report).as_str(), report.score),
                (text, 0),
                "{player} {fen}"
            );
        }
        let perpetual = "6k1/6p1/8/7Q/8/8/rq4PP/6K1 w - - 0 1";
        assert_eq!(chess(player, perpetual, 9).score, 0, "{player}");
        let dead = "8/8/4k3/8/6b1/4K3/8/7B w - - 0 1";
        assert_eq!(chess(player, dead, 3).score, 0, "{player}");
    }
}

#[test]
fn a_mate_on_the_hundredth_ply_counts_and_one_ply_later_it_is_a_draw() {
    for player in PLAYERS {
        let score = |fen: &str| chess(player, fen, 8).score;
        // A mate in two moves takes three plies.
        for (fen, expected) in [
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", MATE - 1),
            ("7k/8/5K2/8/8/8/8/R7 w - - 97 90", MATE - 3),
            ("7k/8/5K2/8/8/8/8/R7 w - - 98 90", 0),
            ("7k/8/5K2/8/8/8/8/R7 w - - 99 90", 0),
        ] {
            assert_eq!(score(fen), expected, "{player} {fen}");
        }
        // A pawn's move begins the count again.
        assert!(score("7k/5K2/8/6P1/8/8/8/R7 w - - 99 90") > 500, "{player}");
    }
}

#[test]
fn a_side_far_behind_takes_a_repetition_and_one_far_ahead_avoids_it() {
    // White's queen could go back and forth: both positions have stood before.
    let queen = reach::<chess::Board>("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1", "e2e3 d5d6 e3e2 d6d5");
    for player in PLAYERS {
        let (report, _) = search_from(player, &queen, &depth(6));
        assert!(
            report.score > 800 && best(&report) != "e2e3",
            "{player} {report:?}"
        );
    }
    let behind = reach::<shogi::Board>("4k4/9/9/9/9/9/9/9/4K4 b 2R2B 1", "5i5h 5a5b 5h5i");
    let (report, _) = search_from("base", &behind, &depth(4));
    assert_eq!((best(&report).as_str(), report.score), ("5b5a", 0));
    let ahead = reach::<shogi::Board>("4k4/9/9/9/9/9/9/9/4K4 w 2R2B 1", "5a5b 5i5h 5b5a");
    let (report, _) = search_from("base", &ahead, &depth(4));
    assert!(report.score > 1000 && best(&report) != "5h5i", "{report:?}");
}

#[test]
fn a_declaration_that_wins_next_turn_is_seen() {
    // 28 points stand in the camp; the king needs one step, and nothing can stop it.
    let sfen = "RB5BR/9/PPPP1PPPP/4K4/9/9/9/6gsg/6gsk b - 1";
    let report = search::<shogi::Board>("plain", sfen, 3);
    assert_eq!((best(&report).as_str(), report.score), ("5d5c", MATE - 3));
    let blind = search::<shogi::Board>("plain,declaration=off", sfen, 3);
    assert!(blind.score < MATE - 3, "{}", blind.score);
}

#[test]
fn every_technique_can_be_switched_and_still_plays_legally_within_its_nodes() {
    let sfen = "ln1g5/1r4k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b b BG2SLPnp 61";
    let start = reach::<shogi::Board>(sfen, "");
    let names = Config::settings(Game::Shogi).map(|setting| setting.name);
    for name in names.filter(|name| !name.starts_with("eval")) {
        for value in ["on", "off", "prune", "reduce", "24", "27"] {
            let player = format!("{name}={value}");
            if Config::parse(Game::Shogi, &player).is_err() {
                continue;
            }
            let (report, _) = search_from(&player, &start, &nodes(3000));
            assert_eq!(report.nodes, 3000, "{player}");
            assert!(start.0.is_legal(report.best.unwrap()), "{player}");
        }
    }
}
