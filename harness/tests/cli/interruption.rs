//! Runs that are stopped, politely or not, and resumed.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::common::columns_but_times;
use crate::folder::{Ended, Folder, InFolder};
use crate::running::{Running, signal, wait_until};

const MATCH: &str = "match --a base --b base,null_move=off --nodes 300 --concurrency 2";

/// These files of two runs are the same but for times.
fn assert_same(folder: &Path, runs: [&str; 2], files: &[&str]) {
    for file in files {
        let [one, other] = runs.map(|run| {
            let text = folder.read(format!("{run}/{file}"));
            if ["games.csv", "nodes.csv"]
                .iter()
                .any(|timed| file.ends_with(timed))
            {
                columns_but_times(&text)
            } else {
                text
            }
        });
        assert_eq!(one, other, "{file}");
    }
}

/// Kills a command after each of these times, and finishes it: the files are those of an undisturbed run.
fn kill_and_finish(line: &str, times_ms: impl Iterator<Item = u64>, files: &[&str]) {
    let folder = &Folder::new();
    let quiet = format!("{line} --quiet");
    folder.run(&format!("{quiet} --out whole")).ok();
    for time_ms in times_ms {
        let running = Running::start(folder, &quiet, "killed");
        sleep(Duration::from_millis(time_ms));
        running.kill();
    }
    folder.run(&format!("{quiet} --out killed")).ok();
    assert_same(folder, ["whole", "killed"], files);
}

#[test]
fn a_match_killed_again_and_again_ends_like_an_undisturbed_one() {
    let files = ["games.csv", "games.sfen", "summary.csv", "run.toml"];
    kill_and_finish(
        &format!("{MATCH} --pairs 40"),
        (2..8).map(|round| 90 * round),
        &files,
    );
}

#[test]
fn a_count_of_nodes_killed_again_and_again_ends_like_an_undisturbed_one() {
    let line = "nodes --depth 7 --limit-positions 40 --hash 1 --concurrency 2";
    let files = [
        "nodes.csv",
        "nodes_summary.csv",
        "counters.csv",
        "distances.csv",
        "nodes.svg",
    ];
    kill_and_finish(line, (1..6).map(|round| 60 * round), &files);
}

#[test]
fn a_tuning_is_the_same_on_one_worker_and_two_and_after_a_kill() {
    let folder = &Folder::new();
    folder.write(
        "space.txt",
        "eval.hand.pawn, 100, 0, 400, 40, 0.05\nlmr.base, 700, 0, 4096, 300, 0.05\n",
    );
    let line = "tune --space space.txt --nodes 40 --hash 1 --max-plies 60 --pairs-per-iteration 2 --method spsa --quiet \
        --iterations 40 --confirm-pairs 3 --concurrency";
    folder.run(&format!("{line} 1 --out one")).ok();
    folder.run(&format!("{line} 2 --out two")).ok();
    let running = Running::start(folder, &format!("{line} 2"), "killed");
    running.wait_for_a_new_game();
    running.kill();
    folder.run(&format!("{line} 2 --out killed")).ok();
    for other in ["two", "killed"] {
        let files = ["spsa.csv", "tuned.toml", "summary.csv", "confirm/games.csv"];
        assert_same(folder, ["one", other], &files);
    }
}

#[test]
fn a_polite_signal_saves_says_how_to_go_on_and_tells_the_shell() {
    // Two close together are one wish.
    for (names, code) in [(&["INT"][..], 130), (&["TERM"], 143), (&["INT", "INT"], 130)] {
        let folder = &Folder::new();
        let running = Running::start(folder, &format!("{MATCH} --pairs 10000"), "m");
        running.wait_for_games();
        names.iter().for_each(|name| signal(running.pid(), name));
        running.end().ended(code).says(["to go on:", "--out m"]);
        assert_eq!(folder.column("m/summary.csv", "verdict"), ["interrupted"]);
    }
}

#[test]
fn a_stopped_count_of_nodes_says_how_to_go_on_and_leaves_readable_files() {
    let folder = &Folder::new();
    let running = Running::start(folder, "nodes --config base --depth 100", "n");
    running.wait_for_games();
    signal(running.pid(), "INT");
    running.end().ended(130).says(["to go on:"]);
    assert_eq!(folder.rows("n/nodes_summary.csv").len(), 100);
    assert!(folder.join("n/nodes.svg").exists());
}

#[test]
fn an_interrupted_simulation_keeps_its_rows_and_the_same_command_goes_on() {
    let folder = &Folder::new();
    let line = "simulate --elo1 80 --matches 3000 --concurrency 1";
    let rows = || std::fs::read_to_string(folder.join("s.csv")).unwrap_or_default();
    let running = Running::start(folder, line, "s.csv");
    // The first row is written when the handler has long been there, and two rows are still to come.
    wait_until("no row", || !rows().is_empty());
    signal(running.pid(), "INT");
    running.end().ended(130).says(["the same command resumes"]);
    assert!(rows().lines().count() < 4);
    for out in ["s.csv", "undisturbed.csv"] {
        folder.run(&format!("{line} --out {out}")).ok();
    }
    assert_eq!(rows(), folder.read("undisturbed.csv"));
}

#[test]
fn a_second_process_on_the_same_folder_is_refused() {
    let folder = &Folder::new();
    let line = format!("{MATCH} --pairs 10000");
    let first = Running::start(folder, &line, "m");
    first.wait_for_games();
    folder
        .run(&format!("{line} --out m"))
        .refused("in use by another process");
    first.kill();
}
