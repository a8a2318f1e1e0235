//! Each search technique on a position where it must show what it does.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::config::Config;
use tanren_engine::game::Path;
use tanren_engine::search::{Counters, MATE, Report, Searchable, Searcher, Silent, Technique};
use tanren_engine::time::Limits;
use tanren_engine::{chess, shogi};

fn search<P: Searchable>(config: &str, text: &str, depth_max: u32) -> (Report<P::Move>, Counters) {
    let config = Config::parse(P::GAME, config).unwrap();
    let position = P::parse(text).unwrap();
    let limits = Limits {
        depth_max: Some(depth_max),
        ..Limits::default()
    };
    let mut counters = Counters::default();
    let report = Searcher::<P>::new(&config, 4).search_counted(
        &position,
        &Path::new(&position),
        &limits,
        &mut Silent,
        &mut counters,
    );
    (report, counters)
}

/// A middle game of shogi with an attack going on.
const ATTACK: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
/// A middle game of chess with everything hanging.
const TACTICS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Black's rook must leave the corner: White wins by waiting, and a pass would save Black.
const ZUGZWANG: &str = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1";

#[test]
fn a_verification_refutes_passes_in_zugzwang() {
    let (_, unverified) = search::<chess::Board>("foundation,null_move=prune", ZUGZWANG, 12);
    assert_eq!(unverified.tries(Technique::NullMoveVerification), 0);
    let (_, verified) = search::<chess::Board>(
        "foundation,null_move=prune,null_move.verification=2",
        ZUGZWANG,
        12,
    );
    assert!(
        verified.successes(Technique::NullMoveVerification) < verified.tries(Technique::NullMoveVerification),
        "no pass was refuted"
    );
}

#[test]
fn probcut_returns_from_nodes_where_a_capture_is_far_above_beta_in_both_games() {
    let (off, none) = search::<shogi::Board>("base", ATTACK, 9);
    assert_eq!(none.tries(Technique::ProbCut), 0);
    let (on, some) = search::<shogi::Board>("probcut=on", ATTACK, 9);
    assert!(some.successes(Technique::ProbCut) > 0);
    assert_ne!(on.nodes, off.nodes);
    let (_, hard) = search::<chess::Board>("probcut=on,fail_soft=off", TACTICS, 8);
    assert!(hard.successes(Technique::ProbCut) > 0);
}

#[test]
fn singular_moves_are_extended_and_nodes_with_two_good_moves_cut_in_both_games() {
    let (_, none) = search::<shogi::Board>("base", ATTACK, 10);
    assert_eq!(none.tries(Technique::Singular), 0);
    let (_, soft) = search::<shogi::Board>("singular=on,singular.depth_min=4", ATTACK, 10);
    let (_, hard) = search::<chess::Board>("singular=on,singular.depth_min=4,fail_soft=off", TACTICS, 9);
    for counters in [soft, hard] {
        assert!(counters.successes(Technique::Singular) > 0);
        assert!(counters.successes(Technique::Multicut) > 0);
    }
}

#[test]
fn a_recapture_is_singular_and_searched_deeper_than_without_the_extension() {
    // Black must retake on e5: all else leaves White a queen up.
    let forced = "4k3/8/3p4/4Q3/8/8/8/4K3 b - - 0 1";
    let (off, _) = search::<chess::Board>("foundation", forced, 9);
    let extended = "foundation,singular=on,singular.depth_min=4,singular.multicut=off,singular.negative=0";
    let (on, counters) = search::<chess::Board>(extended, forced, 9);
    assert!(counters.successes(Technique::Singular) > 0);
    assert_eq!(on.best, off.best);
    assert!(
        on.pv.len() > off.pv.len(),
        "{} and {} moves",
        on.pv.len(),
        off.pv.len()
    );
    assert!(on.seldepth > off.seldepth, "{} and {}", on.seldepth, off.seldepth);
}

#[test]
fn a_mate_in_three_is_seen_at_depth_one_when_quiescence_looks_for_mates() {
    let three = "7k1/9/9/7N1/9/9/9/9/4K4 b 2G 1";
    let score = |config, depth| search::<shogi::Board>(config, three, depth).0.score;
    assert!(score("plain", 1) < MATE - 3);
    assert_eq!(score("plain,quiescence_mate_in_one=on", 1), MATE - 3);
    assert_eq!(
        score(
            "plain,hash=on,hash.quiescence=on,fail_soft=off,quiescence_mate_in_one=on",
            1
        ),
        MATE - 3
    );
    let on = "mate_in_one=on,quiescence_mate_in_one=on";
    let (_, counters) = search::<shogi::Board>(on, ATTACK, 8);
    assert!(counters.successes(Technique::MateInOne) > 0);
}

#[test]
fn an_only_reply_is_extended_and_remembered_without_changing_what_a_plain_search_finds() {
    let (_, none) = search::<shogi::Board>("base", ATTACK, 9);
    assert_eq!(
        none.tries(Technique::OneReply) + none.tries(Technique::OneReplyHash),
        0
    );
    let both = "one_reply_extension=on,one_reply_hash=on";
    let (_, soft) = search::<shogi::Board>(both, ATTACK, 9);
    let (_, hard) = search::<chess::Board>(&format!("foundation,{both},fail_soft=off"), TACTICS, 9);
    for counters in [soft, hard] {
        assert!(counters.successes(Technique::OneReply) > 0);
        assert!(counters.successes(Technique::OneReplyHash) > 0);
    }
    // Knowing that a move is the only one must not change values, only the work of finding them.
    let (off, _) = search::<shogi::Board>("plain,hash=on", ATTACK, 3);
    let (on, _) = search::<shogi::Board>("plain,hash=on,one_reply_hash=on", ATTACK, 3);
    assert_eq!((on.score, on.best), (off.score, off.best));
}

#[test]
fn each_kind_of_history_and_reduction_changes_the_search_and_speaks_for_moves_that_cut() {
    let (off, none) = search::<shogi::Board>("foundation", ATTACK, 9);
    for (name, technique) in [
        ("counter_moves", Technique::CounterMoves),
        ("capture_history", Technique::CaptureHistory),
        ("continuation.4", Technique::Continuation4),
        ("correction", Technique::Correction),
        ("lmr.research", Technique::LmrResearch),
    ] {
        if name != "lmr.research" {
            assert_eq!(none.tries(technique), 0, "{name}");
        }
        assert_eq!(none.successes(technique), 0, "{name}");
        let (on, some) = search::<shogi::Board>(&format!("foundation,{name}=on"), ATTACK, 9);
        assert!(some.successes(technique) > 0, "{name}");
        assert_ne!(on.nodes, off.nodes, "{name}");
        let (_, chess) = search::<chess::Board>(&format!("foundation,{name}=on"), TACTICS, 8);
        assert!(chess.successes(technique) > 0, "{name} in chess");
    }
    for change in [
        "lmr.hash_capture=1024",
        "lmr.formula=roots",
        "history.malus=50",
        "history.limit=4096",
    ] {
        let (changed, _) = search::<shogi::Board>(&format!("foundation,{change}"), ATTACK, 9);
        assert_ne!(changed.nodes, off.nodes, "{change}");
    }
}

#[test]
fn each_way_of_sayuri_that_has_a_setting_changes_the_search_of_both_games() {
    let (shogi, _) = search::<shogi::Board>("foundation", ATTACK, 9);
    let (chess, _) = search::<chess::Board>("foundation", TACTICS, 8);
    for change in [
        "lmr.moves_percent=60",
        "futility.material=on",
        "history.growth=square",
        "capture_order=victim",
        "check_extension.losing=on",
    ] {
        let config = format!("foundation,{change}");
        assert_ne!(
            search::<shogi::Board>(&config, ATTACK, 9).0.nodes,
            shogi.nodes,
            "{change}"
        );
        assert_ne!(
            search::<chess::Board>(&config, TACTICS, 8).0.nodes,
            chess.nodes,
            "{change} in chess"
        );
    }
    let deepening = "foundation,iid=on,hash.quiescence=off";
    let fixed = format!("{deepening},iid.depth=4");
    let nodes = |config: &str| search::<chess::Board>(config, TACTICS, 9).0.nodes;
    assert_ne!(nodes(&fixed), nodes(deepening));
}

#[test]
fn a_verification_refutes_passes_under_fail_hard_too() {
    let config = "foundation,null_move=prune,null_move.verification=2,fail_soft=off";
    let (_, counters) = search::<chess::Board>(config, ZUGZWANG, 12);
    let (tries, successes) = (
        counters.tries(Technique::NullMoveVerification),
        counters.successes(Technique::NullMoveVerification),
    );
    assert!(0 < successes && successes < tries, "{successes} of {tries}");
}
