//! Where legality is tested changes no search.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

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
    for base in ["foundation", "foundation,quiescence_evasions=off"] {
        let (mut early_generated, mut late_generated) = (0, 0);
        for text in ATTACKS {
            let (expected, late) = search(base, text);
            for switches in [
                "drop_pawn_mate=generation",
                "king_evasions=early",
                "drop_pawn_mate=generation,king_evasions=early",
            ] {
                let (report, _) = search(&format!("{base},{switches}"), text);
                assert_eq!(report, expected, "{base},{switches}: {text}");
            }
            let (_, early) = search(&format!("{base},king_evasions=early"), text);
            early_generated += early.tries(Technique::EvasionsLegal);
            late_generated += late.tries(Technique::EvasionsLegal);
        }
        assert!(
            early_generated < late_generated,
            "{base}: {early_generated}, {late_generated}"
        );
    }
}
