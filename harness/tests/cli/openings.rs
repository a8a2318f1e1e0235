//! `tanren openings`: suites are made alike, checked, and never lost.

use crate::folder::{Ended, Folder, InFolder};

#[test]
fn openings_are_generated_alike_at_any_concurrency_and_pass_their_own_check() {
    let folder = &Folder::new();
    for (name, concurrency) in [("one.sfen", "1"), ("two.sfen", "2")] {
        let more = format!("--out {name} --concurrency {concurrency} --nodes 200 --quiet");
        let args = format!("openings generate --count 20 --seed 5 {more}");
        folder.run(&args).ok();
    }
    let read = |name: &str| folder.read(name);
    assert_eq!(read("one.sfen"), read("two.sfen"));
    let checked = folder.run("openings check one.sfen --json");
    assert_eq!(
        (
            checked.json()["positions"].as_u64(),
            checked.json()["duplicates"].as_u64()
        ),
        (Some(20), Some(0))
    );
}

#[test]
fn wrong_lines_of_a_suite_are_all_listed_and_repeated_ones_can_be_left_out() {
    let folder = &Folder::new();
    let good = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    folder.write("bad.sfen", format!("{good}x\n{good}y\n"));
    let output = folder.run("openings check bad.sfen").ended(2);
    output.says(["line 2", "line 4"]);
    folder.write("twice.sfen", format!("# head\n{good}{good}"));
    folder.run("openings dedup twice.sfen --out once.sfen").ok();
    let once = folder.read("once.sfen");
    assert_eq!(once, format!("# head\n{good}"));
}

#[test]
fn the_built_in_suite_holds_at_least_20000_distinct_quiet_positions() {
    let folder = &Folder::new();
    let value = folder.run("openings stats --json").json();
    assert!(value["positions"].as_u64() >= Some(20_000), "{value}");
    assert_eq!(value["duplicates"], 0);
    assert_eq!(value["in_check"], 0);
}

#[test]
fn a_suite_is_not_overwritten_unasked() {
    let folder = &Folder::new();
    folder.write("mine.sfen", "precious");
    let args = "openings generate --count 1 --nodes 100 --out mine.sfen --quiet";
    folder.run(args).ended(2);
    assert_eq!(folder.read("mine.sfen"), "precious");
    folder.run(&format!("{args} --force")).ok();
    assert_ne!(folder.read("mine.sfen"), "precious");
}

#[test]
fn a_suite_names_the_player_that_made_it_and_another_program_cannot() {
    let folder = &Folder::new();
    let make = |player: &str, name: &str| {
        let common = "openings generate --count 20 --nodes 200 --quiet";
        let more = format!("--player '{player}' --out {name}");
        folder.run(&format!("{common} {more}"))
    };
    make("foundation", "frozen.sfen").ok();
    make("base", "base.sfen").ok();
    let lines = |name: &str| {
        let text = folder.read(name);
        let (head, positions) = text.split_once('\n').unwrap();
        (head.to_owned(), positions.to_owned())
    };
    let (frozen, base) = (lines("frozen.sfen"), lines("base.sfen"));
    assert!(frozen.0.ends_with(" --player foundation"), "{}", frozen.0);
    assert!(!base.0.contains("--player"), "{}", base.0);
    assert_ne!(frozen.1, base.1);
    for (player, reason) in [("fundation", "foundation"), ("usi:./engine", "external engine")] {
        make(player, "none.sfen").refused(reason);
    }
    assert!(!folder.join("none.sfen").exists());
}
