//! The search on shogi: mates, repetition and declaration, and the limits it must keep.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{MATE, Report, Searcher, Silent};
use tanren_engine::shogi::{Board, Move};
use tanren_engine::time::Limits;

fn config(text: &str) -> Config {
    Config::parse(Game::Shogi, text).unwrap()
}

fn depth(depth_max: u32) -> Limits {
    Limits {
        depth_max: Some(depth_max),
        ..Limits::default()
    }
}

/// Searches the position that `moves` lead to from `sfen`.
fn search(config: &Config, sfen: &str, moves: &str, limits: &Limits) -> Report<Move> {
    let mut position = Board::parse(sfen).unwrap();
    let mut path = Path::new(&position);
    for text in moves.split_whitespace() {
        position.make(position.parse_move(text).unwrap());
        path.push(&position);
    }
    Searcher::new(config, 1).search(&position, &path, limits, &mut Silent)
}

fn best(report: &Report<Move>) -> String {
    report.best.unwrap().to_string()
}

#[test]
fn mates_in_one_and_three_are_found_and_scored_by_their_distance() {
    let base = Config::default();
    // Gold on the head of the king, backed by a pawn.
    let one = search(&base, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "", &depth(4));
    assert_eq!((best(&one).as_str(), one.score), ("G*5b", MATE - 1));
    let three = search(&base, "7k1/9/9/7N1/9/9/9/9/4K4 b 2G 1", "", &depth(8));
    assert_eq!(three.score, MATE - 3, "{three:?}");
}

#[test]
fn a_mated_side_has_no_move_and_a_lost_score() {
    let report = search(
        &Config::default(),
        "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2",
        "",
        &depth(4),
    );
    assert_eq!((report.best, report.score), (None, -MATE));
}

#[test]
fn a_declaration_that_wins_next_turn_is_seen() {
    // 28 points stand in the camp; the king needs one step, and nothing can stop it.
    let sfen = "RB5BR/9/PPPP1PPPP/4K4/9/9/9/6gsg/6gsk b - 1";
    let report = search(&config("plain"), sfen, "", &depth(3));
    assert_eq!((best(&report).as_str(), report.score), ("5d5c", MATE - 3));
    let blind = search(&config("plain,declaration=off"), sfen, "", &depth(3));
    assert!(blind.score < MATE - 3, "{}", blind.score);
}

#[test]
fn every_technique_can_be_switched_and_still_plays_legally_within_its_nodes() {
    let sfen = "ln1g5/1r4k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b b BG2SLPnp 61";
    let position = Board::parse(sfen).unwrap();
    let limits = Limits {
        nodes_max: Some(3000),
        ..Limits::default()
    };
    let names = Config::settings(Game::Shogi).map(|setting| setting.name);
    for name in names.filter(|name| !name.starts_with("eval")) {
        let base = Config::default();
        for value in ["on", "off", "prune", "reduce", "24", "27"] {
            let mut changed = base.clone();
            if changed.set(Game::Shogi, name, value).is_err() {
                continue;
            }
            let report = search(&changed, sfen, "", &limits);
            assert_eq!(report.nodes, 3000, "{name}={value}");
            assert!(position.is_legal(report.best.unwrap()), "{name}={value}");
        }
    }
}

#[test]
fn a_side_far_behind_takes_a_repetition_and_one_far_ahead_avoids_it() {
    let base = Config::default();
    let behind = search(
        &base,
        "4k4/9/9/9/9/9/9/9/4K4 b 2R2B 1",
        "5i5h 5a5b 5h5i",
        &depth(4),
    );
    assert_eq!((best(&behind).as_str(), behind.score), ("5b5a", 0));
    let ahead = search(
        &base,
        "4k4/9/9/9/9/9/9/9/4K4 w 2R2B 1",
        "5a5b 5i5h 5b5a",
        &depth(4),
    );
    assert_ne!(best(&ahead), "5h5i");
    assert!(ahead.score > 1000, "{}", ahead.score);
}
