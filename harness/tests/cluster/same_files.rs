//! Every kind of run gives the files that one machine gives.

use crate::support::{Fleet, assert_same, begin, of_hosts, play_here};

/// Plays `command` on two workers and on this machine.
fn plays_the_same(command: &[&str]) -> Option<Fleet> {
    let fleet = Fleet::start(2)?;
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, command);
    let status = run.end();
    assert!(status.success(), "{status}: {}", run.said());
    play_here(&fleet, command);
    assert_same(&fleet);
    Some(fleet)
}

#[test]
fn a_match_is_the_same() {
    plays_the_same(&[
        "match",
        "--a",
        "base",
        "--b",
        "base,null_move=off",
        "--nodes",
        "200",
        "--pairs",
        "24",
    ]);
}

#[test]
fn a_match_that_ends_early_is_the_same() {
    plays_the_same(&[
        "match",
        "--a",
        "base",
        "--b",
        "plain",
        "--nodes",
        "200",
        "--pairs",
        "200",
        "--sprt",
        "elo0=-50,elo1=50",
    ]);
}

#[test]
fn a_match_of_chess_with_the_coordinator_playing_too_is_the_same() {
    let Some(fleet) = Fleet::start(1) else { return };
    let command = [
        "match",
        "--game",
        "chess",
        "--a",
        "base",
        "--b",
        "base,null_move=off",
        "--nodes",
        "200",
        "--pairs",
        "24",
    ];
    let _workers = fleet.workers(1);
    let mut run = begin(&fleet, &[&command[..], &["--slots", "1"]].concat());
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &command);
    assert_same(&fleet);
}

#[test]
fn a_tournament_is_the_same() {
    plays_the_same(&[
        "tournament",
        "--player",
        "base",
        "--player",
        "plain",
        "--player",
        "base,lmr=off",
        "--nodes",
        "100",
        "--pairs",
        "6",
    ]);
}

#[test]
fn a_tuning_that_keeps_its_start_is_the_same() {
    plays_the_same(&[
        "tune",
        "--tune",
        "futility.*",
        "--iterations",
        "5",
        "--pairs-per-iteration",
        "2",
        "--nodes",
        "100",
    ]);
}

#[test]
fn a_tuning_with_its_confirming_match_is_the_same() {
    let fleet = plays_the_same(&[
        "tune",
        "--method",
        "spsa",
        "--tune",
        "futility.*",
        "--iterations",
        "5",
        "--pairs-per-iteration",
        "2",
        "--nodes",
        "100",
        "--confirm-pairs",
        "6",
    ]);
    let Some(fleet) = fleet else { return };
    let pairs = of_hosts(&fleet, "pairs");
    let pairs = pairs.iter().map(|(_, count)| count.parse::<u64>().unwrap());
    assert_eq!(
        pairs.sum::<u64>(),
        10,
        "the tuning says who played, as the match does"
    );
}

#[test]
fn a_study_of_odds_is_the_same() {
    plays_the_same(&[
        "odds",
        "--a",
        "base",
        "--b",
        "base,lmr=off",
        "--nodes",
        "100",
        "--pairs",
        "16",
        "--batch",
        "4",
    ]);
}

#[test]
fn an_ablation_is_the_same() {
    plays_the_same(&[
        "ablate",
        "--only",
        "lmr,null_move",
        "--nodes",
        "100",
        "--pairs",
        "6",
    ]);
}
