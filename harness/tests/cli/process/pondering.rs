//! Thinking on the opponent's time.

use std::fs;

use crate::common::{run, stderr};
use crate::engines::{example, own_engine};

#[test]
fn an_engine_that_ponders_hears_of_every_hit_and_is_stopped_after_every_miss_and_game() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("usi:{},ponder=on", own_engine().display());
    let fixed = [
        "match",
        "--b",
        "plain",
        "--depth",
        "3",
        // Every game ends while the engine thinks on.
        "--max-plies",
        "21",
        "--pairs",
        "2",
        "--quiet",
        "--concurrency",
        "1",
    ];
    let log = ["--engine-log", "talk", "--out", "m", "--a", &engine];
    let output = run(folder.path(), &[&fixed[..], &log].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let games = fs::read_to_string(folder.path().join("m/games.csv")).unwrap();
    assert!(
        !games.contains("stall") && !games.contains("malformed_bestmove"),
        "{games}"
    );
    let talk = fs::read_to_string(folder.path().join("talk/a-1.log")).unwrap();
    let (mut is_pondering, mut is_stopped) = (false, false);
    let (mut hits, mut misses) = (0, 0);
    for line in talk
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(_, said)| said)
    {
        if line.starts_with("> ") {
            assert!(!is_stopped, "'{line}' before the answer to 'stop'");
        }
        match line {
            _ if line.starts_with("> go ponder") => is_pondering = true,
            "> ponderhit" => {
                assert!(std::mem::take(&mut is_pondering));
                hits += 1;
            }
            "> stop" => {
                assert!(std::mem::take(&mut is_pondering));
                is_stopped = true;
                misses += 1;
            }
            _ if line.starts_with("< bestmove") => {
                assert!(!is_pondering, "an answer before the end of pondering");
                is_stopped = false;
            }
            _ => {}
        }
    }
    assert!(hits > 0 && misses > 0, "{hits} hits, {misses} misses");
}

#[test]
fn an_answer_too_many_after_the_last_move_costs_no_game() {
    let folder = tempfile::tempdir().unwrap();
    // Its third question, after its first move and what it expects then.
    let engine = format!(
        "usi:{} second-bestmove 3,ponder=on,env.FAULT_ONCE={}",
        example("fault_engine").display(),
        folder.path().join("once").display()
    );
    let fixed = [
        "match",
        "--b",
        "plain",
        "--nodes",
        "20",
        "--max-plies",
        "3",
        "--pairs",
        "2",
        "--quiet",
    ];
    let output = run(
        folder.path(),
        &[&fixed[..], &["--concurrency", "1", "--out", "m", "--a", &engine]].concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(folder.path().join("once").exists(), "the fault happened");
    let games = fs::read_to_string(folder.path().join("m/games.csv")).unwrap();
    assert_eq!(games.matches(",max_plies,").count(), 4, "{games}");
}
