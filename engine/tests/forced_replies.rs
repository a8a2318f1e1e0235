//! Moves that are the only ones that do not lose by force, at the root and inside the tree.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{Counters, MATE_IN_MAX, Report, Searcher, Silent, Technique};
use tanren_engine::shogi::{Board, Move};
use tanren_engine::time::Limits;

/// Roots in check: `POSITION ; only MOVE`, or `POSITION ; holding COUNT`.
const SUITE: &str = include_str!("../../openings/problems/shogi-evasions.sfen");
const NODES: u64 = 60_000;

fn roots(label: &str) -> Vec<(Board, &'static str)> {
    let lines = SUITE.lines().filter(|line| !line.starts_with('#'));
    let labelled = lines.filter_map(|line| line.split_once(" ; "));
    labelled
        .filter_map(|(start, told)| Some((Board::parse(start).unwrap(), told.strip_prefix(label)?)))
        .collect()
}

fn search(player: &str, position: &Board) -> (Report<Move>, Counters) {
    let config = Config::parse(Game::Shogi, player).unwrap();
    let limits = Limits {
        nodes_max: Some(NODES),
        ..Limits::default()
    };
    let mut counters = Counters::default();
    let path = Path::new(position);
    let report =
        Searcher::new(&config, 16).search_counted(position, &path, &limits, &mut Silent, &mut counters);
    (report, counters)
}

/// Is the root answered before its nodes are used, for another reason than a mate of its own?
fn is_answered_early(player: &str, position: &Board) -> bool {
    let (report, _) = search(player, position);
    report.nodes < NODES && report.score.abs() < MATE_IN_MAX
}

#[test]
fn more_forced_roots_are_answered_early_where_unsure_moves_are_asked_and_no_other_root_is() {
    let rule = "base,second_best_stop=on";
    let asking = "base,second_best_stop=on,second_best_stop.verify=12,forced_reply=on";
    let found = |player: &str| {
        let forced = roots("only ");
        assert_eq!(forced.len(), 24);
        let early = forced.iter().filter(|(root, _)| is_answered_early(player, root));
        early.count()
    };
    let [without, with] = [rule, asking].map(found);
    assert!(without >= 8 && with >= without + 5, "{without}, {with}");
    for (root, _) in roots("holding ").iter().take(30) {
        assert!(!is_answered_early(asking, root), "{root}");
    }
}

#[test]
fn a_root_that_is_answered_early_is_answered_with_the_move_that_holds() {
    let asking = "base,second_best_stop=on,second_best_stop.verify=12,forced_reply=on";
    let mut answered = 0;
    for (root, only) in roots("only ") {
        if is_answered_early(asking, &root) {
            let (report, _) = search(asking, &root);
            assert_eq!(report.best.unwrap().to_string(), only, "{root}");
            answered += 1;
        }
    }
    assert!(answered > 0);
}

#[test]
fn the_hash_table_remembers_that_a_reply_is_forced_and_the_reply_is_searched_deeper() {
    let acted = |player: &str| {
        let mut all = Counters::default();
        let mut nodes = 0;
        for (root, _) in roots("only ").iter().take(8) {
            let (report, counters) = search(player, root);
            all.add_all(&counters);
            nodes += report.nodes;
        }
        (
            all.tries(Technique::ForcedReply),
            all.successes(Technique::ForcedReply),
            nodes,
        )
    };
    assert_eq!(acted("base").0, 0);
    let plain = acted("base,mate_stop=off,forced_reply=on,forced_reply.extension=off");
    let extended = acted("base,mate_stop=off,forced_reply=on");
    assert!(plain.1 > 0 && extended.1 > 0 && extended.0 > extended.1);
    assert_ne!(plain.1, extended.1, "an extension changes what is searched");
}
