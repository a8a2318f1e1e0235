//! What follows from faults: a loss, the pair again, or the end of the run.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder, holds};

/// Plays three pairs of the engine with a fault against the built-in one, one after the other.
fn play(folder: &Path, engine: &str, more: &str) -> Output {
    let fixed = "match --b plain --nodes 20 --max-plies 16 --pairs 3 --concurrency 1 --quiet --out m --a";
    folder.run(&format!("{fixed} '{engine}' {more}"))
}

fn crashing(at: u32) -> String {
    format!(
        "usi:{} crash-in-thought {at},name=faulty",
        example("fault_engine").display()
    )
}

/// Crashes in the first game of all and never again.
fn crashing_once(folder: &Path) -> String {
    format!("{},env.FAULT_ONCE={}", crashing(2), folder.join("once").display())
}

/// How many games ended by a crash, and how many there are.
fn crashes(folder: &Path) -> (usize, usize) {
    let games = folder.rows("m/games.csv");
    let crashed = games.iter().filter(|row| row.iter().any(|cell| cell == "crash"));
    (crashed.count(), games.len())
}

#[test]
fn a_fault_that_the_referee_finds_is_told_like_any_other() {
    let folder = &Folder::new();
    let engine = format!(
        "usi:{} false-declaration 2,name=faulty",
        example("fault_engine").display()
    );
    let output = play(folder, &engine, "");
    output.says(["wrong_declaration", "that the rules do not give"]);
}

#[test]
fn a_pair_is_played_again_after_a_fault_that_passes() {
    let folder = &Folder::new();
    let output = play(folder, &crashing_once(folder), "--on-fault crash=replay").ok();
    assert_eq!(crashes(folder), (0, 6));
    output.says(["faulty: crash once", "(1 pair played again)"]);
    assert_eq!(folder.rows("m/replayed.csv"), [vec!["1", "1", "faulty", "crash"]]);
    let spec = folder.read("m/run.toml");
    assert!(spec.contains("on_fault = \"crash=replay\""), "{spec}");
    fs::remove_file(folder.join("m/replayed.csv")).unwrap();
    folder.run("report m").ok();
    assert_eq!(folder.rows("m/replayed.csv").len(), 1, "it is kept in the ledger");
}

#[test]
fn a_fault_that_comes_back_is_a_loss_in_the_end() {
    let folder = &Folder::new();
    let replay = "--on-fault all=replay:2";
    let unjudged = "--faults-max 100 --faults-in-a-row 0";
    let output = play(folder, &crashing(2), &format!("{replay} {unjudged}")).ok();
    assert_eq!(crashes(folder), (6, 6));
    assert_eq!(folder.rows("m/replayed.csv").len(), 2 * 3);
    output.says(["crash 12 times, first: "]);
    output.says(["(6 pairs played again)"]);
}

#[test]
fn a_run_that_a_fault_stops_goes_on_with_the_same_command() {
    let folder = &Folder::new();
    // The ninth move of one process is in its second game.
    let engine = crashing_once(folder).replace("thought 2", "thought 9");
    let stop = "--on-fault stall=replay,crash=stop";
    let output = play(folder, &engine, stop);
    let message = output.ended(3).message();
    holds(&message, ["'faulty' was at fault (crash) in game 2 of pair 1"]);
    assert_eq!(crashes(folder), (0, 0), "half a pair is no result");
    play(folder, &engine, "--on-fault crash=loss").ended(2);
    play(folder, &engine, stop).ok();
    assert_eq!(crashes(folder), (0, 6));
}

#[test]
fn a_policy_of_a_player_comes_before_that_of_the_match() {
    let folder = &Folder::new();
    let text = format!(
        "command = \"match\"\na = \"faulty\"\nb = \"plain\"\nnodes = 20\npairs = 1\nmax_plies = 16\non_fault = \"all=loss\"\n\
         [player.faulty]\ncommand = {:?}\narguments = [\"crash-in-thought\", \"2\"]\non_fault = \"crash=stop\"\n",
        example("fault_engine").display().to_string()
    );
    folder.write("spec.toml", text);
    folder.run("run spec.toml --out m --quiet").ended(3);
    let own = format!("{},on_fault=crash=loss,stall=stop", crashing(2));
    folder
        .run(&format!(
            "tournament --player '{own}' --player plain --nodes 20 --pairs 1 --max-plies 16 \
            --on-fault all=stop --quiet --out t"
        ))
        .ok();
}

#[test]
fn a_tournament_stops_too_and_a_policy_that_is_none_is_bad_input() {
    let folder = &Folder::new();
    let engine = crashing(2);
    let tournament = format!(
        "tournament --player plain --player '{engine}' --nodes 20 --pairs 2 --quiet --out t \
        --on-fault"
    );
    let output = folder.run(&format!("{tournament} crash=stop")).ended(3);
    output.says(["'faulty' was at fault (crash)"]);
    play(folder, &crashing(2), "--on-fault crash=cry").refused("'cry' is no action");
}
