//! `tanren report --records` and `tanren replay` as a user meets them.

use std::fs;
use std::path::Path;

use crate::common::columns_but_times;
use crate::folder::{Ended, Folder, InFolder};
use crate::verify::rewrite;

fn play(folder: &Path, more: &str) {
    let players = "match --a base --b plain --pairs 2 --quiet --out m";
    folder.run(&format!("{players} {more}")).ok();
}

#[test]
fn records_hold_every_game_and_are_the_same_each_time() {
    let folder = &Folder::new();
    play(folder, "--nodes 60");
    let write = || {
        folder.run("report m --records csa,kif").ok();
        let csa = folder.read("m/games.csa");
        let kif: Vec<String> = (1..=4)
            .map(|game| folder.read(format!("m/kif/{game:06}.kifu")))
            .collect();
        (csa, kif)
    };
    let (csa, kif) = write();
    assert_eq!(csa.matches("V2.2\n").count(), 4);
    assert_eq!(csa.matches("\n/\n").count(), 3);
    let moves = folder.read("m/games.sfen");
    for (kif, line) in kif.iter().zip(moves.lines()) {
        let plies = line.split(" moves ").nth(1).unwrap().split(' ').count();
        let numbered = kif
            .lines()
            .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
            .count();
        assert!(numbered > plies, "{plies} moves and an end: {kif}");
        assert!(!kif.contains("( 0:00"), "no times under a node limit");
    }
    assert_eq!(write(), (csa, kif));
    folder.run("report m --records pgn").refused("pgn is for chess");
}

#[test]
fn a_game_under_a_node_limit_is_the_same_when_played_again() {
    let folder = &Folder::new();
    play(folder, "--nodes 60 --node-jitter 30");
    for choice in ["--game 1", "--game 4", "--pair 2", "--pair 1 --game 2"] {
        let output = folder.run(&format!("replay m {choice}")).ok();
        assert!(output.text().contains(": the same, "));
    }
    let value = folder.run("replay m --game 3 --json").json();
    assert_eq!(value["game"], 3);
    assert_eq!(value["same"], true);
    let both = folder.run("replay m --pair 2 --json").json();
    assert_eq!(both.as_array().map(Vec::len), Some(2));
    assert_eq!((both[0].clone(), both[1]["game"].as_u64()), (value, Some(4)));
    for wrong in ["--game 5", "--game 0", "--pair 1 --game 3", ""] {
        folder.run(&format!("replay m {wrong}")).ended(2);
    }
}

#[test]
fn games_are_searched_again_to_tell_how_often_each_technique_acted_for_each_player() {
    let folder = &Folder::new();
    let conditions = "--nodes 600 --node-jitter 20 --pairs 2 --out m";
    let players = "match --a base --b base,null_move=off";
    folder.run(&format!("{players} {conditions}")).ok();
    let counted = folder.run("replay m --counters --json").json();
    let tries = |player: &str, technique: &str| {
        let rows = counted.as_array().unwrap().iter();
        let mut rows = rows.filter(|row| row["player"] == player && row["technique"] == technique);
        let row = rows.next().unwrap();
        assert_eq!(row["games"], 4);
        row["tries"].as_u64().unwrap()
    };
    assert!(tries("base", "null_move") > 0);
    assert_eq!(tries("base,null_move=off", "null_move"), 0);
    assert!(tries("base,null_move=off", "lmr") > 0);
    let text = folder.run("replay m --counters --pair 2 --game 1").text();
    assert!(
        text.starts_with("1 games searched again") && text.contains("null_move"),
        "{text}"
    );
    folder.run("replay m --counters --pair 9").ended(2);
    let clash = "replay m --counters --pairs 2 --pair 1";
    folder.run(clash).ended(2);
}

#[test]
fn a_game_of_a_tournament_with_varied_nodes_is_the_same_when_played_again() {
    let folder = &Folder::new();
    let varied = "--nodes 120 --node-jitter 30 --pairs 1 --out t";
    let players = "--player base --player plain --player tacos-n";
    let _output = folder.run(&format!("tournament {players} {varied}")).ok();
    for pair in ["1", "2", "3"] {
        let output = folder.run(&format!("replay t --pair '{pair}'")).ok();
        assert_eq!(output.text().matches(": the same, ").count(), 2);
    }
}

#[test]
fn a_game_that_goes_another_way_is_shown_with_the_ply() {
    let folder = &Folder::new();
    play(folder, "--nodes 60");
    rewrite(&folder.join("m"), |manifest, _| {
        manifest.spec_toml = manifest.spec_toml.replace("60", "61");
    });
    let text = folder.run("replay m --game 1").ended(1).text();
    assert!(
        text.starts_with("game 1: different from ply ") && text.contains(" then, "),
        "{text}"
    );
}

#[test]
fn a_game_on_the_clock_is_shown_and_not_played_again() {
    let folder = &Folder::new();
    let clock = "--byoyomi 2 --time-margin 5000 --overhead 1 --max-plies 30";
    play(folder, clock);
    let output = folder.run("replay m --game 2");
    output.says(["where time decides"]);
    folder.run("replay m --counters").refused("where time decides");
    let moves = folder.read("m/games.sfen");
    assert_eq!(output.text().trim(), moves.lines().nth(1).unwrap());
}

#[test]
fn a_specification_is_played_on_from_another_directory() {
    let folder = &Folder::new();
    fs::create_dir(folder.join("elsewhere")).unwrap();
    let openings = "4k4/9/9/9/4p4/9/9/9/4K4 b R 1\n4k4/9/9/9/4p4/9/9/9/4K4 b B 1\n";
    folder.write("mine.sfen", openings);
    folder.write(
        "careful.toml",
        "preset = \"plain\"\n[settings]\nnull_move = \"prune\"\n",
    );
    let own = "--openings mine.sfen --nodes 60 --max-plies 20 --out m --quiet";
    let players = "match --pairs 2 --a @careful.toml --b plain";
    folder.run(&format!("{players} {own}")).ok();
    let games = || columns_but_times(&folder.read("m/games.csv"));
    let (before, elsewhere) = (games(), folder.join("elsewhere"));
    let again = elsewhere.run("run ../m/run.toml --out ../m --json --quiet").ok();
    assert_eq!(
        again.json()["a"].as_str(),
        Some("careful"),
        "a label outlives its file"
    );
    assert_eq!(games(), before);
    assert!(!elsewhere.join("m").exists());
}
