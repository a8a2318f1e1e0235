//! Engines whose words do not fit the games: said before the first of them.

use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder};

#[test]
fn an_engine_that_does_not_answer_may_be_of_the_other_protocol() {
    let folder = &Folder::new();
    let engine = example("fault_engine").display().to_string();
    let cases = [
        (
            format!("usi:{engine} uci-in-silence"),
            "shogi",
            "is it a UCI engine? Describe it as uci:COMMAND",
        ),
        (
            format!("uci:{engine} none"),
            "chess",
            "is it a USI engine? Describe it as usi:COMMAND",
        ),
    ];
    for (player, game, expected) in cases {
        let line = format!("match --game {game} --a '{player}' --b base --pairs 1 --startup-ms 300 --out m");
        folder.run(&line).refused(expected);
        assert!(!folder.join("m").exists());
    }
}

#[test]
fn chess960_is_refused_before_the_first_game_because_the_games_are_ordinary_chess() {
    let folder = &Folder::new();
    let engine = example("fault_engine").display().to_string();
    let player = format!("uci:{engine} uci-in-silence,option.UCI_Chess960=true");
    let args = format!("match --game chess --a '{player}' --b base --pairs 1 --out m");
    folder.run(&args).refused("option UCI_Chess960 is on");
    assert!(!folder.join("m").exists());
    let output = folder.run(&format!("check '{player}' --game chess")).ended(1);
    let text = output.text();
    assert!(text.contains("option UCI_Chess960 is on"), "{text}");
}
