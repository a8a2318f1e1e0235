//! How games end on the clock and by adjudication, as a user meets it.

use crate::folder::{Ended, Folder, InFolder};

#[test]
fn built_in_players_keep_within_tiny_clocks() {
    // The machine may be busy, so the margin is wide; the sums show that nobody lives off it.
    const PATIENCE: &str = "--time-margin 5000";
    let folder = &Folder::new();
    let clocks: [(&str, &str, u64); 3] = [
        ("base", "--tc 0.3+0 --overhead 10", 300),
        ("byoyomi", "--byoyomi-a 12 --tc-b 0.2+0.002 --overhead 5", 2_000),
        ("both", "--tc 0.1 --byoyomi 5 --overhead 3 --whole-seconds", 2_000),
    ];
    for (name, clock, time_ms_max) in clocks {
        let players = "match --a base --b plain --pairs 1 --quiet --concurrency 1";
        let out = format!("--out {name} --max-plies 60");
        folder.run(&format!("{players} {clock} {PATIENCE} {out}")).ok();
        let out = folder.join(name);
        assert!(
            !out.column("games.csv", "reason")
                .contains(&"time_loss".to_owned()),
            "{name}"
        );
        for time in ["time_a_ms", "time_b_ms"] {
            let times: Vec<u64> = out
                .column("games.csv", time)
                .iter()
                .map(|ms| ms.parse().unwrap())
                .collect();
            assert!(
                times
                    .iter()
                    .all(|&ms| (1..=2 * time_ms_max + 1_000).contains(&ms)),
                "{name}: {times:?}"
            );
        }
    }
}

#[test]
fn a_player_without_time_loses_on_time() {
    let folder = &Folder::new();
    let players = "match --a base --b plain --pairs 1 --quiet --out m";
    // A millisecond for a whole game, and a search of one each time.
    let clocks = "--nodes-a 60 --tc-b 0.001 --time-margin 0 --overhead 0";
    folder.run(&format!("{players} {clocks}")).ok();
    let out = folder.join("m");
    assert_eq!(out.column("games.csv", "reason"), ["time_loss", "time_loss"]);
    assert_eq!(out.column("games.csv", "winner"), ["a", "a"]);
}

#[test]
fn adjudication_ends_games_early_and_is_part_of_the_specification() {
    let folder = &Folder::new();
    let plain = "match --a base --b plain --nodes 60 --quiet --pairs 4";
    let adjudicated = "--resign score=400,moves=2 --draw from=10,moves=3,score=20";
    folder.run(&format!("{plain} --out p")).ok();
    folder.run(&format!("{plain} {adjudicated} --out m")).ok();
    let reasons = folder.column("m/games.csv", "reason");
    assert!(reasons.contains(&"adjudicated_win".to_owned()), "{reasons:?}");
    assert!(
        !folder
            .column("p/games.csv", "reason")
            .contains(&"adjudicated_win".to_owned())
    );
    folder
        .run(&format!("{plain} --out m"))
        .refused("resign: 'score=400,moves=2' there, 'none' wanted now");
    folder.run("run m/run.toml --out m --quiet").ok();
}
