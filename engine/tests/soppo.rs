//! Pruning by region (SS-Cut, DS-Cut) in whole searches, and counters that add up.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Path};
use tanren_engine::search::{Counters, Distribution, MATE, Report, Searchable, Searcher, Silent, Technique};
use tanren_engine::shogi::Board;
use tanren_engine::time::Limits;

const ENDGAME: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
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

fn search<P: Searchable>(player: &str, text: &str, depth: u32, counters: &mut Counters) -> Report<P::Move> {
    let position = P::parse(text).unwrap();
    let limits = Limits {
        depth_max: Some(depth),
        ..Limits::default()
    };
    let config = Config::parse(Game::Shogi, player).unwrap();
    Searcher::new(&config, 1).search_counted(&position, &Path::new(&position), &limits, &mut Silent, counters)
}

fn nodes(player: &str, text: &str) -> u64 {
    search::<Board>(player, text, 9, &mut Counters::default()).nodes
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
    let mut counters = Counters::default();
    search::<Board>("tacos-ss,soppo.attack=off", ENDGAME, 6, &mut counters);
    assert!(
        counters
            .buckets(Distribution::SeenAttack)
            .iter()
            .all(|&count| count == 0)
    );
    assert!(
        counters.buckets(Distribution::SeenOther)[6..]
            .iter()
            .any(|&count| count > 0)
    );
}

/// The sum of the buckets from `distance` on.
fn beyond(counters: &Counters, distributions: [Distribution; 3], distance: usize) -> u64 {
    let far =
        distributions.map(|distribution| counters.buckets(distribution)[distance..].iter().sum::<u64>());
    far.iter().sum()
}

#[test]
fn a_move_that_is_not_generated_never_cuts_and_one_that_comes_up_first_may() {
    use Distribution::{CutAttack, CutDefence, CutOther};
    let cuts = |player| {
        let mut counters = Counters::default();
        search::<Board>(player, ENDGAME, 6, &mut counters);
        beyond(&counters, [CutAttack, CutDefence, CutOther], 1)
    };
    assert!(cuts("tacos-ss,soppo.distance=0") > 0);
    assert_eq!(cuts("tacos-ss,soppo.distance=0,soppo.stage=generation"), 0);
}

#[test]
fn generated_moves_are_counted_whether_they_come_up_or_not_and_before_any_is_left_out() {
    use Distribution::{
        GeneratedAttack, GeneratedDefence, GeneratedOther, SeenAttack, SeenDefence, SeenOther,
    };
    let (seen, generated) = (
        [SeenAttack, SeenDefence, SeenOther],
        [GeneratedAttack, GeneratedDefence, GeneratedOther],
    );
    let mut counters = Counters::default();
    search::<Board>("plain", ENDGAME, 3, &mut counters);
    assert!(beyond(&counters, seen, 0) > 0);
    assert!(beyond(&counters, seen, 0) < beyond(&counters, generated, 0));
    for (seen, generated) in seen.into_iter().zip(generated) {
        let (seen, generated) = (counters.buckets(seen), counters.buckets(generated));
        assert!(
            seen.iter()
                .zip(generated)
                .all(|(seen, generated)| *seen <= generated)
        );
    }
    let mut cut = Counters::default();
    search::<Board>("plain,soppo=static,soppo.stage=generation", ENDGAME, 3, &mut cut);
    assert!(beyond(&cut, generated, 6) > 0);
}

#[test]
fn a_node_left_without_a_move_is_worth_its_evaluation_and_mates_nobody() {
    let strict = "tacos-ss,soppo.distance=0,soppo.exempt=off,soppo.phase_min=0,soppo.stage=generation";
    for text in ["4k4/9/9/9/9/9/9/9/4K4 b - 1", "startpos"] {
        let report = search::<Board>(strict, text, 6, &mut Counters::default());
        assert!(
            report.best.is_some() && report.score.abs() < MATE - 1000,
            "{report:?}"
        );
    }
}

#[test]
fn dropping_every_judged_move_mates_nobody_and_leaves_the_root_a_move() {
    let strict = "tacos-ss,soppo.distance=0,soppo.exempt=off,soppo.phase_min=0";
    for text in ["startpos", "4k4/9/9/9/9/9/9/9/4K4 b - 1"] {
        let report = search::<Board>(strict, text, 6, &mut Counters::default());
        assert!(
            report.best.is_some() && report.score.abs() < MATE - 1000,
            "{report:?}"
        );
    }
}

#[test]
fn a_far_move_is_not_played_at_the_root_unless_the_root_is_spared() {
    // The silver goes where it attacks the rook, seven files from the king.
    let far = "4k4/9/9/9/r8/9/9/9/4K4 b S 1";
    let best = |player| {
        let report = search::<Board>(player, far, 1, &mut Counters::default());
        report.best.unwrap()
    };
    let strict = "tacos-ss,soppo.distance=0,soppo.phase_min=0";
    assert!(!best(strict).is_drop(), "only the king is exempt");
    let spared = search::<Board>(
        &format!("{strict},soppo.root=off"),
        far,
        1,
        &mut Counters::default(),
    );
    assert_eq!(
        spared,
        search::<Board>("tacos-n", far, 1, &mut Counters::default())
    );
}

fn total(counters: &Counters, distributions: &[Distribution]) -> u64 {
    distributions
        .iter()
        .flat_map(|&distribution| counters.buckets(distribution))
        .sum()
}

fn assert_sums(counters: &Counters, what: &str) {
    use Distribution::{CutAttack, CutDefence, CutMove, CutOther, SeenAttack, SeenDefence, SeenOther};
    let cuts = counters.tries(Technique::FirstMoveCut);
    assert!(cuts > 0, "{what}");
    assert_eq!(total(counters, &[CutMove]), cuts, "{what}");
    assert_eq!(counters.successes(Technique::Expanded), cuts, "{what}");
    assert_eq!(
        counters.buckets(CutMove)[0],
        counters.successes(Technique::FirstMoveCut),
        "{what}"
    );
    assert_eq!(counters.tries(Technique::SoppoCut), cuts, "{what}");
    let judged = total(counters, &[CutAttack, CutDefence, CutOther]);
    assert_eq!(judged, counters.successes(Technique::SoppoCut), "{what}");
    let seen = total(counters, &[SeenAttack, SeenDefence, SeenOther]);
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
    assert_eq!(
        names.iter().position(|name| name == "cut_move.1"),
        Some(Technique::ALL.len())
    );
}

#[test]
fn counters_add_up_and_change_no_search_whoever_plays() {
    for player in PLAYERS {
        for text in ["startpos", ENDGAME] {
            let depth = if player == "plain" { 2 } else { 6 };
            let mut counters = Counters::default();
            let counted = search::<Board>(player, text, depth, &mut counters);
            assert_eq!(
                counted,
                search::<Board>(player, text, depth, &mut Counters::default()),
                "{player}"
            );
            assert_sums(&counters, player);
            assert_eq!(counters.tries(Technique::SoppoStaticBest), u64::from(depth));
        }
    }
    let mut counters = Counters::default();
    let counted = search::<tanren_engine::chess::Board>("tacos-ds", "startpos", 6, &mut counters);
    let expected = search::<tanren_engine::chess::Board>("tacos-n", "startpos", 6, &mut Counters::default());
    assert_eq!(counted, expected, "chess has no regions");
    assert_sums(&counters, "chess");
}
