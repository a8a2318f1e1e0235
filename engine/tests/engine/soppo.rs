//! Pruning by region (SS-Cut, DS-Cut) in whole searches, and counters that add up.

use tanren_engine::chess;
use tanren_engine::search::{Counters, Distribution, MATE, Report, Technique};
use tanren_engine::shogi::{Board, Move};
use tanren_engine::time::Limits;

use crate::common::{SHOGI_ATTACK as ENDGAME, reach, search as search_from};

const PLAYERS: [&str; 8] = [
    "tacos-n",
    "tacos-ss",
    "tacos-ds",
    "tacos-ds,soppo.pooled=off,soppo.samples_min=20,soppo.phase_min=0",
    "tacos-ss,soppo.metric=manhattan,soppo.exempt=off,soppo.phase_min=0",
    "tacos-ss,soppo.stage=generation",
    "tacos-ds,soppo.stage=generation,soppo.samples_min=20",
    "plain",
];

const SEEN: &str = "soppo_seen.";
const CUT: &str = "soppo_cut.";
const GENERATED: &str = "soppo_generated.";

/// The distributions of this name, or whose names begin so.
fn distributions(name: &str) -> impl Iterator<Item = Distribution> {
    let all = Distribution::ALL.into_iter();
    all.filter(move |distribution| distribution.name().starts_with(name))
}

fn search(player: &str, text: &str, plies: u32) -> (Report<Move>, Counters) {
    search_from::<Board>(player, &reach(text, ""), &Limits::depth(plies))
}

fn nodes(player: &str, text: &str) -> u64 {
    search(player, text, 9).0.nodes
}

fn buckets(counters: &Counters, name: &str, from: usize) -> u64 {
    let buckets = distributions(name).map(|distribution| counters.buckets(distribution));
    buckets.flat_map(|buckets| buckets.into_iter().skip(from)).sum()
}

#[test]
fn both_cuts_search_other_nodes_in_the_endgame_and_the_same_before_it() {
    let base = nodes("tacos-n", ENDGAME);
    for player in [
        "tacos-ss",
        "tacos-ds,soppo.samples_min=20",
        "tacos-ss,soppo.stage=generation",
        "tacos-ds,soppo.samples_min=20,soppo.stage=generation",
    ] {
        assert_ne!(nodes(player, ENDGAME), base, "{player}");
        assert_eq!(
            nodes(player, "startpos"),
            nodes("tacos-n", "startpos"),
            "{player}"
        );
    }
}

#[test]
fn a_kind_that_is_switched_off_is_not_dropped() {
    let all_off = "tacos-ss,soppo.attack=off,soppo.defence=off,soppo.other=off";
    assert_eq!(nodes(all_off, ENDGAME), nodes("tacos-n", ENDGAME));
    let (_, counters) = search("tacos-ss,soppo.attack=off", ENDGAME, 6);
    assert_eq!(buckets(&counters, "soppo_seen.attack", 0), 0);
    assert!(buckets(&counters, "soppo_seen.other", 6) > 0);
}

#[test]
fn a_move_that_is_not_generated_never_cuts_and_one_that_comes_up_first_may() {
    let cuts = |player, depth| buckets(&search(player, ENDGAME, depth).1, CUT, 1);
    assert!((4..=9).any(|depth| cuts("tacos-ss,soppo.distance=0", depth) > 0));
    assert_eq!(cuts("tacos-ss,soppo.distance=0,soppo.stage=generation", 7), 0);
}

#[test]
fn generated_moves_are_counted_whether_they_come_up_or_not_and_before_any_is_left_out() {
    let (_, counters) = search("plain", ENDGAME, 3);
    assert!(buckets(&counters, SEEN, 0) > 0);
    assert!(buckets(&counters, SEEN, 0) < buckets(&counters, GENERATED, 0));
    for (seen, generated) in distributions(SEEN).zip(distributions(GENERATED)) {
        let pairs = counters
            .buckets(seen)
            .into_iter()
            .zip(counters.buckets(generated));
        assert!(pairs.into_iter().all(|(seen, generated)| seen <= generated));
    }
    let (_, cut) = search("plain,soppo=static,soppo.stage=generation", ENDGAME, 3);
    assert!(buckets(&cut, GENERATED, 6) > 0);
}

#[test]
fn dropping_every_judged_move_mates_nobody_and_leaves_the_root_a_move() {
    let strict = "tacos-ss,soppo.distance=0,soppo.exempt=off,soppo.phase_min=0";
    for more in ["", ",soppo.stage=generation"] {
        for text in ["startpos", "4k4/9/9/9/9/9/9/9/4K4 b - 1"] {
            let (report, _) = search(&format!("{strict}{more}"), text, 6);
            assert!(
                report.best.is_some() && report.score.abs() < MATE - 1000,
                "{report:?}"
            );
        }
    }
}

#[test]
fn a_far_move_is_not_played_at_the_root_unless_the_root_is_spared() {
    // The silver goes where it attacks the rook, seven files from the king.
    let search = |player: &str| search(player, "4k4/9/9/9/r8/9/9/9/4K4 b S 1", 1).0;
    let strict = "tacos-ss,soppo.distance=0,soppo.phase_min=0";
    assert!(!search(strict).best.unwrap().is_drop(), "only the king is exempt");
    assert_eq!(search(&format!("{strict},soppo.root=off")), search("tacos-n"));
}

fn assert_sums(counters: &Counters, what: &str) {
    let cuts = counters.tries(Technique::FirstMoveCut);
    assert!(cuts > 0, "{what}");
    assert_eq!(buckets(counters, "cut_move", 0), cuts, "{what}");
    let first = counters.buckets(Distribution::CutMove)[0];
    assert_eq!(first, counters.successes(Technique::FirstMoveCut), "{what}");
    assert_eq!(counters.successes(Technique::Expanded), cuts, "{what}");
    assert_eq!(counters.tries(Technique::SoppoCut), cuts, "{what}");
    let (judged, seen) = (buckets(counters, CUT, 0), buckets(counters, SEEN, 0));
    assert_eq!(judged, counters.successes(Technique::SoppoCut), "{what}");
    assert!(
        counters.tries(Technique::Soppo) <= seen && judged <= seen,
        "{what}"
    );
    let [legal, searched] = [Technique::EvasionsLegal, Technique::EvasionsSearched];
    assert_eq!(counters.tries(legal), counters.tries(searched), "{what}");
    assert!(
        counters.successes(searched) <= counters.successes(legal),
        "{what}"
    );
    for technique in Technique::ALL {
        assert!(
            counters.successes(technique) <= counters.tries(technique),
            "{what}: {technique:?}"
        );
    }
    let names = Counters::names();
    assert_eq!(names.len(), counters.rows().count());
    let first_bucket = names.iter().position(|name| name == "cut_move.1");
    assert_eq!(first_bucket, Some(Technique::ALL.len()));
}

#[test]
fn counters_add_up_and_are_the_same_in_every_search_whoever_plays() {
    for player in PLAYERS {
        for text in ["startpos", ENDGAME] {
            let depth = if player == "plain" { 2 } else { 6 };
            let (_, counters) = search(player, text, depth);
            assert_sums(&counters, player);
            assert_eq!(counters.tries(Technique::SoppoStaticBest), u64::from(depth));
        }
    }
    let chess = |player| search_from::<chess::Board>(player, &reach("startpos", ""), &Limits::depth(6));
    assert_eq!(chess("tacos-ds").0, chess("tacos-n").0, "no endgame, no cut");
    assert_sums(&chess("tacos-ds").1, "chess");
}
