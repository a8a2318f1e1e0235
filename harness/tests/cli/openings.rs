//! `tanren openings`: suites are made alike, checked, and never lost.

use std::fs;

use crate::common::{json, run, stderr};

#[test]
fn openings_are_generated_alike_at_any_concurrency_and_pass_their_own_check() {
    let folder = tempfile::tempdir().unwrap();
    for (name, concurrency) in [("one.sfen", "1"), ("two.sfen", "2")] {
        let more = [
            "--out",
            name,
            "--concurrency",
            concurrency,
            "--nodes",
            "200",
            "--quiet",
        ];
        let args = [
            &["openings", "generate", "--count", "20", "--seed", "5"][..],
            &more,
        ]
        .concat();
        assert_eq!(run(folder.path(), &args).status.code(), Some(0));
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("one.sfen"), read("two.sfen"));
    let checked = run(folder.path(), &["openings", "check", "one.sfen", "--json"]);
    assert_eq!(
        (
            json(&checked)["positions"].as_u64(),
            json(&checked)["duplicates"].as_u64()
        ),
        (Some(20), Some(0))
    );
}

#[test]
fn wrong_lines_of_a_suite_are_all_listed_and_repeated_ones_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let good = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    fs::write(folder.path().join("bad.sfen"), format!("{good}x\n{good}y\n")).unwrap();
    let output = run(folder.path(), &["openings", "check", "bad.sfen"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("line 2") && stderr(&output).contains("line 4"),
        "{}",
        stderr(&output)
    );
    fs::write(folder.path().join("twice.sfen"), format!("# head\n{good}{good}")).unwrap();
    let output = run(
        folder.path(),
        &["openings", "dedup", "twice.sfen", "--out", "once.sfen"],
    );
    assert_eq!(output.status.code(), Some(0));
    let once = fs::read_to_string(folder.path().join("once.sfen")).unwrap();
    assert_eq!(once, format!("# head\n{good}"));
}

#[test]
fn the_built_in_suite_holds_at_least_20000_distinct_quiet_positions() {
    let folder = tempfile::tempdir().unwrap();
    let value = json(&run(folder.path(), &["openings", "stats", "--json"]));
    assert!(value["positions"].as_u64() >= Some(20_000), "{value}");
    assert_eq!(
        (value["duplicates"].as_u64(), value["in_check"].as_u64()),
        (Some(0), Some(0))
    );
}

#[test]
fn a_suite_is_not_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.sfen"), "precious").unwrap();
    let args = [
        "openings",
        "generate",
        "--count",
        "1",
        "--nodes",
        "100",
        "--out",
        "mine.sfen",
        "--quiet",
    ];
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        fs::read_to_string(folder.path().join("mine.sfen")).unwrap(),
        "precious"
    );
    let output = run(folder.path(), &[&args[..], &["--force"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_ne!(
        fs::read_to_string(folder.path().join("mine.sfen")).unwrap(),
        "precious"
    );
}

#[test]
fn a_suite_names_the_player_that_made_it_and_another_program_cannot() {
    let folder = tempfile::tempdir().unwrap();
    let make = |player: &str, name: &str| {
        let common = [
            "openings", "generate", "--count", "20", "--nodes", "200", "--quiet",
        ];
        let more = ["--player", player, "--out", name];
        run(folder.path(), &[&common[..], &more].concat())
    };
    assert_eq!(make("foundation", "frozen.sfen").status.code(), Some(0));
    assert_eq!(make("base", "base.sfen").status.code(), Some(0));
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let (head, positions) = text.split_once('\n').unwrap();
        (head.to_owned(), positions.to_owned())
    };
    let (frozen, base) = (lines("frozen.sfen"), lines("base.sfen"));
    assert!(frozen.0.ends_with(" --player foundation"), "{}", frozen.0);
    assert!(!base.0.contains("--player"), "{}", base.0);
    assert_ne!(frozen.1, base.1);
    for (player, reason) in [("fundation", "foundation"), ("usi:./engine", "another program")] {
        let output = make(player, "none.sfen");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
    assert!(!folder.path().join("none.sfen").exists());
}
