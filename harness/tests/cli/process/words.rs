//! Engines whose words do not fit the games: said before the first of them.

use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder, holds};

#[test]
fn an_engine_of_the_other_protocol_is_named_as_one_long_before_its_time_to_start_is_over() {
    let folder = &Folder::new();
    let engine = example("fault_engine").display().to_string();
    let cases = [
        (
            format!("usi:{engine} uci-with-words"),
            "shogi",
            "it speaks UCI, not USI: describe it as uci:COMMAND",
        ),
        (
            format!("uci:{engine} none"),
            "chess",
            "it speaks USI, not UCI: describe it as usi:COMMAND",
        ),
    ];
    for (player, game, expected) in cases {
        let args =
            format!("match --game {game} --a '{player}' --b base --pairs 1 --startup-ms 600000 --out m");
        folder.run(&args).refused(expected);
        assert!(!folder.join("m").exists());
    }
    let player = format!("usi:{engine} uci-in-silence");
    let output = folder
        .run(&format!("check '{player}' --startup-ms 600000"))
        .ended(1);
    let text = output.text();
    holds(&text, ["FAIL", "it speaks UCI, not USI"]);
}

#[test]
fn an_engine_that_starts_slowly_is_waited_for_even_if_it_speaks_both_protocols() {
    let folder = &Folder::new();
    let engine = example("fault_engine").display().to_string();
    let player = format!("usi:{engine} slow-in-both");
    let args = format!("match --a '{player}' --b base --nodes 10 --pairs 1 --out m");
    folder.run(&args).ok();
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
