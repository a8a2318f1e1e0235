//! Each search technique on a position where it must show what it does.

use tanren_engine::search::{Counters, MATE, MATE_IN_MAX, Report, Searchable, Technique};
use tanren_engine::time::Limits;
use tanren_engine::{chess, shogi};

use crate::common::{CHESS_TACTICS, SHOGI_ATTACK, SHOGI_STARTS, reach, search as search_from};

fn search<P: Searchable>(player: &str, text: &str, depth_max: u32) -> (Report<P::Move>, Counters) {
    search_from::<P>(player, &reach(text, ""), &Limits::depth(depth_max))
}

fn attack(player: &str, depth: u32) -> (Report<shogi::Move>, Counters) {
    search::<shogi::Board>(player, SHOGI_ATTACK, depth)
}

fn tactics(player: &str, depth: u32) -> (Report<chess::Move>, Counters) {
    search::<chess::Board>(player, CHESS_TACTICS, depth)
}

#[test]
fn a_verification_refutes_passes_in_zugzwang() {
    // Black's rook must leave the corner: White wins by waiting, and a pass would save Black.
    let zugzwang = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1";
    for (more, is_verified) in [
        ("", false),
        (",null_move.verification=2", true),
        (",null_move.verification=2,fail_soft=off", true),
    ] {
        let player = format!("foundation,null_move=prune{more}");
        let (_, counters) = search::<chess::Board>(&player, zugzwang, 12);
        let tries = counters.tries(Technique::NullMoveVerification);
        assert_eq!(tries > 0, is_verified);
        assert!(
            !is_verified || counters.successes(Technique::NullMoveVerification) < tries,
            "{player}"
        );
    }
}

#[test]
fn passes_after_blunders_and_far_above_beta_are_some_of_all_passes() {
    let (_, counters) = tactics("sayuri", 8);
    for technique in [Technique::NullMoveAfterBlunder, Technique::NullMoveFarAboveBeta] {
        let (tries, successes) = (counters.tries(technique), counters.successes(technique));
        assert!(0 < successes && successes < tries, "{technique:?}");
        assert!(tries < counters.tries(Technique::NullMove), "{technique:?}");
    }
}

#[test]
fn techniques_that_are_off_by_default_act_in_both_games_where_they_are_switched_on() {
    for (player, techniques) in [
        ("probcut=on", &[Technique::ProbCut][..]),
        (
            "singular=on,singular.depth_min=4,singular.multicut=on",
            &[Technique::Singular, Technique::Multicut],
        ),
        (
            "one_reply_extension=on,one_reply_hash=on",
            &[Technique::OneReply, Technique::OneReplyHash],
        ),
    ] {
        let (off, none) = attack("foundation", 10);
        let (on, soft) = attack(&format!("foundation,{player}"), 10);
        let (_, hard) = tactics(&format!("foundation,{player},fail_soft=off"), 9);
        assert_ne!(on.nodes, off.nodes, "{player}");
        for &technique in techniques {
            assert_eq!(none.tries(technique), 0, "{player}");
            assert!(
                soft.successes(technique) > 0 && hard.successes(technique) > 0,
                "{player}"
            );
        }
    }
    // Knowing that a move is the only one must not change values, only the work of finding them.
    let [off, on] = ["plain,hash=on", "plain,hash=on,one_reply_hash=on"].map(|player| attack(player, 3).0);
    assert_eq!((on.score, on.best), (off.score, off.best));
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
    let score = |player| search::<shogi::Board>(player, three, 1).0.score;
    assert!(score("plain") < MATE - 3);
    for player in [
        "plain,quiescence_mate_in_one=on",
        "plain,hash=on,hash.quiescence=on,fail_soft=off,quiescence_mate_in_one=on",
    ] {
        assert_eq!(score(player), MATE - 3, "{player}");
    }
    let (_, counters) = attack("mate_in_one=on,quiescence_mate_in_one=on", 8);
    assert!(counters.successes(Technique::MateInOne) > 0);
}

#[test]
fn each_kind_of_history_and_reduction_changes_the_search_and_speaks_for_moves_that_cut() {
    let (off, none) = attack("foundation", 9);
    for (name, technique) in [
        ("counter_moves", Technique::CounterMoves),
        ("capture_history", Technique::CaptureHistory),
        ("continuation.4", Technique::Continuation4),
        ("correction", Technique::Correction),
        ("lmr.research", Technique::LmrResearch),
    ] {
        assert_eq!(none.successes(technique), 0, "{name}");
        let player = format!("foundation,{name}=on");
        let ((on, some), (_, chess)) = (attack(&player, 9), tactics(&player, 8));
        assert!(
            some.successes(technique) > 0 && chess.successes(technique) > 0,
            "{name}"
        );
        assert_ne!(on.nodes, off.nodes, "{name}");
    }
}

#[test]
fn each_number_and_choice_changes_the_search_of_both_games() {
    let nodes = |more: &str| {
        let player = format!("foundation{more}");
        (attack(&player, 9).0.nodes, tactics(&player, 8).0.nodes)
    };
    let (shogi, chess) = nodes("");
    for change in [
        ",lmr.hash_capture=1024",
        ",lmr.formula=roots",
        ",lmr.moves_percent=60",
        ",lmr.root_moves_min=20",
        ",futility.material=on",
        ",futility.capture=50",
        ",futility.improving=100",
        ",history.malus=50",
        ",history.limit=4096",
        ",history.unanswered=100",
        ",history.research=100",
        ",history.attacked=on",
        ",history.check=3000",
        ",quiescence_see.margin=100",
        ",eval_history=on",
        ",history.growth=square",
        ",capture_order=victim",
        ",check_extension.losing=on",
    ] {
        let changed = nodes(change);
        assert!(changed.0 != shogi && changed.1 != chess, "{change}");
    }
    for (base, change) in [
        (",iid=on,hash.quiescence=off", ",iid.depth=4"),
        (",correction=on", ",correction.pieces=0"),
        (",singular=on,singular.double=on", ",singular.triple_margin=0"),
    ] {
        let ((shogi, chess), changed) = (nodes(base), nodes(&format!("{base}{change}")));
        assert!(changed.0 != shogi && changed.1 != chess, "{base}{change}");
    }
}

#[test]
fn early_and_late_tests_of_legality_search_the_same_nodes() {
    for base in [
        "foundation",
        "foundation,delta_pruning=off,quiescence_evasions=off",
        "foundation,delta_pruning=off,quiescence_evasions=off,futility.rest=on",
    ] {
        let (mut early_generated, mut late_generated, mut pinned) = (0, 0, 0);
        for text in [
            SHOGI_ATTACK,
            "4k4/9/4+P4/3G1G3/9/9/9/4r4/3K5 b BSNPr 1",
            SHOGI_STARTS[2],
        ] {
            let search = |more: &str| search::<shogi::Board>(&format!("{base}{more}"), text, 9);
            let (expected, late) = search("");
            for switches in [
                ",drop_pawn_mate=generation",
                ",king_evasions=early",
                ",drop_pawn_mate=generation,king_evasions=early",
                ",generation=whole",
                ",pins=early",
                ",legal_moves=generation",
                ",generation=whole,legal_moves=generation",
            ] {
                // Delta pruning notes what an illegal capture could gain at most, and the limit of evasions counts them.
                let tests_captures = switches.contains("pins") || switches.contains("legal_moves");
                if tests_captures && !base.contains("delta_pruning=off") {
                    continue;
                }
                assert_eq!(search(switches).0, expected, "{base}{switches}: {text}");
            }
            assert_eq!(search(",legal_moves=generation").1.tries(Technique::Legality), 0);
            let illegal = |counters: &Counters| {
                counters.tries(Technique::EvasionsLegal) - counters.successes(Technique::EvasionsLegal)
            };
            pinned += illegal(&late) - illegal(&search(",pins=early").1);
            early_generated += search(",king_evasions=early").1.tries(Technique::EvasionsLegal);
            late_generated += late.tries(Technique::EvasionsLegal);
        }
        assert!(
            early_generated < late_generated,
            "{base}: {early_generated}, {late_generated}"
        );
        assert!(pinned > 0, "{base}: no evasion by a pinned piece was kept back");
    }
    for text in [
        "startpos",
        CHESS_TACTICS,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let [staged, whole] =
            ["base", "base,generation=whole"].map(|player| search::<chess::Board>(player, text, 8).0);
        assert_eq!(staged, whole, "{text}");
    }
}

const FORCED_NODES: u64 = 60_000;

/// Roots in check: `only MOVE` does not lose by force, or `holding COUNT` moves do not.
fn evasions(label: &str) -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("../../../openings/problems/shogi-evasions.sfen").lines();
    let labelled = lines.filter_map(|line| line.split_once(" ; "));
    labelled
        .filter_map(|(start, told)| Some((start, told.strip_prefix(label)?)))
        .collect()
}

fn forced(player: &str, root: &str) -> (Report<shogi::Move>, Counters) {
    search_from::<shogi::Board>(player, &reach(root, ""), &Limits::nodes(FORCED_NODES))
}

/// The answer to a root that comes before the nodes are used, for another reason than a mate of its own.
fn early_answer(player: &str, root: &str) -> Option<String> {
    let (report, _) = forced(player, root);
    let is_early = report.nodes < FORCED_NODES && report.score.abs() < MATE_IN_MAX;
    report.best.filter(|_| is_early).map(|mv| mv.to_string())
}

#[test]
fn forced_roots_are_answered_early_where_unsure_moves_are_asked_and_no_other_root_is() {
    let rule = "foundation,second_best_stop=on";
    let asking =
        "foundation,second_best_stop=on,second_best_stop.verify=12,forced_reply=on,forced_reply.extension=on";
    let found = |player: &str| {
        let roots = evasions("only ");
        assert_eq!(roots.len(), 24);
        let answers = roots
            .iter()
            .filter_map(|(root, only)| Some((early_answer(player, root)?, *only)));
        answers.inspect(|(answer, only)| assert_eq!(answer, only)).count()
    };
    let [without, with] = [rule, asking].map(found);
    assert!(without >= 3 && with >= without + 5, "{without}, {with}");
    for (root, _) in &evasions("holding ")[..30] {
        assert_eq!(early_answer(asking, root), None, "{root}");
    }
}

#[test]
fn the_hash_table_remembers_that_a_reply_is_forced_and_the_reply_is_searched_deeper() {
    let acted = |player: &str| {
        let mut all = Counters::default();
        for (root, _) in evasions("only ").iter().take(8) {
            all.add_all(&forced(player, root).1);
        }
        (
            all.tries(Technique::ForcedReply),
            all.successes(Technique::ForcedReply),
        )
    };
    assert_eq!(acted("base").0, 0);
    let plain = acted("base,mate_stop=off,forced_reply=on,forced_reply.extension=off");
    let extended = acted("base,mate_stop=off,forced_reply=on");
    assert!(plain.1 > 0 && extended.1 > 0 && extended.0 > extended.1);
    assert_ne!(plain.1, extended.1, "an extension changes what is searched");
}
