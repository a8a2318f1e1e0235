//! Specifications: defaults, refusals, and what is written down of them.

use super::*;
use crate::config::{MoveLimit, OpeningSource};

fn file(text: &str) -> MatchKeys {
    MatchKeys::parse(text, "test").unwrap()
}

fn refusal(text: &str) -> String {
    MatchSpec::from_keys(&file(text)).unwrap_err().to_string()
}

#[test]
fn no_key_at_all_is_null_move_reduction_on_against_off_under_an_sprt_with_a_cap() {
    let spec = MatchSpec::from_keys(&MatchKeys::default()).unwrap();
    assert_eq!(
        spec.seats.map(|seat| seat.player.label),
        ["base", "base,null_move=off"]
    );
    assert!(spec.conditions.sprt.is_some() && spec.conditions.pairs.is_some());
    assert_eq!(spec.conditions.openings, OpeningSource::BuiltIn);
}

#[test]
fn without_players_and_a_limit_the_null_move_has_the_nodes_to_act() {
    let limits = |text: &str| {
        let spec = MatchSpec::from_keys(&file(text)).unwrap();
        spec.seats.map(|seat| seat.limit)
    };
    assert_eq!(limits("pairs = 3"), [MoveLimit::Nodes(2500); 2]);
    assert_eq!(limits("depth = 3"), [MoveLimit::Depth(3); 2]);
    assert_eq!(
        limits("nodes_b = 9"),
        [MoveLimit::Nodes(2500), MoveLimit::Nodes(9)]
    );
    assert_eq!(limits("a = \"base\""), [MoveLimit::Nodes(1000); 2]);
    let own = limits("depth = 5\nnodes_a = 1000");
    assert_eq!(own, [MoveLimit::Nodes(1000), MoveLimit::Depth(5)]);
}

#[test]
fn the_clock_of_one_player_replaces_all_that_is_given_for_both() {
    let spec = MatchSpec::from_keys(&file("tc = \"10+0.1\"\nbyoyomi = 500\nbyoyomi_a = 70\n")).unwrap();
    assert_eq!(
        spec.seats.map(|seat| seat.limit.to_string()),
        ["byoyomi 70 ms", "tc 10+0.1 byoyomi 500 ms"]
    );
}

#[test]
fn wrong_values_are_refused_with_their_names() {
    let cases = [
        ("pairs = 0", "pairs is 0"),
        ("nodes = 0", "nodes is 0"),
        ("nodes_b = 0", "nodes of player b is 0"),
        ("nodes = 5\ndepth = 2", "several limits (nodes 5, depth 2)"),
        ("hash = 0", "hash is 0"),
        ("node_jitter = 95", "node_jitter is 95"),
        ("node_jitter = 5\ndepth = 3", "player a plays by depth 3"),
        ("declaration = \"30\"", "unknown declaration rule '30'"),
        (
            "order = \"alphabetical\"",
            "unknown order of the openings 'alphabetical'",
        ),
        ("game = \"go\"", "unknown game 'go'"),
        ("tc = \"5\"\nnodes = 3", "several limits (nodes 3, tc 5+0)"),
        (
            "tc_b = \"ten\"",
            "time control of player b 'ten': expected BASE+INC",
        ),
        ("byoyomi = 0", "there is no time"),
        ("byoyomi = 99999999999", "byoyomi is 99999999999"),
        ("time_margin = 5", "time_margin is about game clocks"),
        ("byoyomi = 50\ntime_margin = 90000000", "time_margin is 90000000"),
        ("node_jitter = 5\ntc = \"1+1\"", "player a plays by tc 1+1"),
        ("resign = \"score=1\"", "moves is missing"),
        ("draw = \"soon\"", "from is missing"),
        ("repetition = \"maybe\"", "unknown repetition rule 'maybe'"),
        ("repetition = \"off\"\nmax_plies = 0", "give max_plies"),
        ("name = \"../x\"", "name '../x'"),
        ("sprt = \"elo0=5,elo1=5\"", "elo1=5 must be greater than elo0=5"),
    ];
    for (text, expected) in cases {
        let message = refusal(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn more_pairs_than_openings_are_refused_unless_they_may_repeat() {
    let spec = MatchSpec::from_keys(&file("pairs = 11")).unwrap();
    let refused = spec.conditions.pairs_max(10).unwrap_err().to_string();
    assert!(refused.contains("--repeat"), "{refused}");
    assert_eq!(spec.conditions.pairs_max(11).unwrap(), 11);
    let spec = MatchSpec::from_keys(&file("pairs = 11\nrepeat = true")).unwrap();
    assert_eq!(spec.conditions.pairs_max(10).unwrap(), 11);
}

#[test]
fn identical_players_are_a_mirror_until_something_tells_them_apart() {
    let is_mirror = |text: &str| MatchSpec::from_keys(&file(text)).unwrap().is_mirror();
    let same = "a = \"base\"\nb = \"base\"\n";
    assert!(is_mirror(same));
    for more in [
        "node_jitter = 20",
        "nodes_a = 20",
        "movetime = 20",
        "byoyomi = 20",
    ] {
        assert!(!is_mirror(&format!("{same}{more}")), "{more}");
    }
    assert!(!is_mirror("a = \"base\"\nb = \"plain\""));
}
