//! Where legality is tested changes no search.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::chess;
use tanren_engine::config::Config;
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{Counters, Report, Searcher, Silent, Technique};
use tanren_engine::shogi::{Board, Move};
use tanren_engine::time::Limits;

/// An attack with pawns in hand on both sides, and kings in check all over the tree.
const ATTACKS: [&str; 3] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "4k4/9/4+P4/3G1G3/9/9/9/4r4/3K5 b BSNPr 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
];

fn search(player: &str, text: &str) -> (Report<Move>, Counters) {
    let config = Config::parse(Game::Shogi, player).unwrap();
    let position = Board::parse(text).unwrap();
    let limits = Limits {
        depth_max: Some(9),
        ..Limits::default()
    };
    let mut counters = Counters::default();
    let path = Path::new(&position);
    let report =
        Searcher::new(&config, 1).search_counted(&position, &path, &limits, &mut Silent, &mut counters);
    (report, counters)
}

#[test]
fn early_and_late_tests_search_the_same_nodes() {
    for base in [
        "foundation",
        "foundation,delta_pruning=off,quiescence_evasions=off",
    ] {
        let (mut early_generated, mut late_generated, mut pinned) = (0, 0, 0);
        for text in ATTACKS {
            let (expected, late) = search(base, text);
            for switches in [
                "drop_pawn_mate=generation",
                "king_evasions=early",
                "drop_pawn_mate=generation,king_evasions=early",
                "generation=whole",
                "pins=early",
                "legal_moves=generation",
                "generation=whole,legal_moves=generation",
            ] {
                // Delta pruning notes what an illegal capture could gain at most, and the limit of evasions counts them.
                let tests_captures = switches.contains("pins") || switches.contains("legal_moves");
                if tests_captures && !base.contains("delta_pruning=off") {
                    continue;
                }
                let (report, _) = search(&format!("{base},{switches}"), text);
                assert_eq!(report, expected, "{base},{switches}: {text}");
            }
            let (_, whole) = search(&format!("{base},legal_moves=generation"), text);
            assert_eq!(whole.tries(Technique::Legality), 0);
            let illegal = |counters: &Counters| {
                counters.tries(Technique::EvasionsLegal) - counters.successes(Technique::EvasionsLegal)
            };
            let (_, pins) = search(&format!("{base},pins=early"), text);
            pinned += illegal(&late) - illegal(&pins);
            let (_, early) = search(&format!("{base},king_evasions=early"), text);
            early_generated += early.tries(Technique::EvasionsLegal);
            late_generated += late.tries(Technique::EvasionsLegal);
        }
        assert!(
            early_generated < late_generated,
            "{base}: {early_generated}, {late_generated}"
        );
        assert!(pinned > 0, "{base}: no evasion by a pinned piece was kept back");
    }
}

#[test]
fn chess_generated_in_stages_or_at_once_searches_the_same_nodes() {
    for text in [
        "startpos",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let position = chess::Board::parse(text).unwrap();
        let limits = Limits {
            depth_max: Some(8),
            ..Limits::default()
        };
        let [staged, whole] = ["base", "base,generation=whole"].map(|player| {
            let config = Config::parse(Game::Chess, player).unwrap();
            Searcher::new(&config, 1).search(&position, &Path::new(&position), &limits, &mut Silent)
        });
        assert_eq!(staged, whole, "{text}");
    }
}
