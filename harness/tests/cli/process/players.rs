//! Other programs as players, for real: this workspace's engine as a child, and engines of others where they are
//! installed.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::common::columns_but_times;
use crate::engines::{example, own_engine};
use crate::folder::{Ended, Folder, InFolder, holds, quoted};
use crate::process::faulty;

const QUICK: &str = "match --nodes 300 --pairs 3 --quiet";

fn games_of(folder: &Path, name: &str, a: &str, more: &str) -> String {
    let args = format!("{QUICK} --a '{a}' --b plain --out {name} {more}");
    folder.run(&args).ok();
    folder.read(format!("{name}/games.csv"))
}

#[test]
fn our_engine_as_a_child_plays_the_moves_and_counts_the_nodes_of_the_one_built_in() {
    let engine = format!("usi:{}", own_engine().display());
    let child = " --tunables,option.null_move=off,option.lmr=false";
    for (built_in, keys, more) in [
        ("base", "", ""),
        ("base", "", "--node-jitter 30"),
        ("base,null_move=off,lmr=off", child, "--concurrency 1"),
    ] {
        let folder = &Folder::new();
        let inside = games_of(folder, "inside", built_in, more);
        let outside = games_of(folder, "outside", &format!("{engine}{keys}"), more);
        assert_eq!(columns_but_times(&inside), columns_but_times(&outside));
        assert_eq!(
            folder.read("inside/games.sfen"),
            folder.read("outside/games.sfen")
        );
    }
}

#[test]
fn a_file_describes_a_program_and_the_run_is_taken_up_from_another_folder() {
    let folder = &Folder::new();
    let text = format!(
        "name = \"mine\"\ncommand = {:?}\narguments = [\"--tunables\"]\n[options]\n\"null_move\" = \"off\"\n",
        own_engine().display().to_string()
    );
    folder.write("mine.toml", text);
    let games = games_of(folder, "m", "@mine.toml", "");
    fs::create_dir(folder.join("elsewhere")).unwrap();
    let output = folder
        .join("elsewhere")
        .run("run ../m/run.toml --out ../m --quiet --json")
        .ok();
    assert_eq!(output.json()["a"], "mine");
    assert_eq!(folder.read("m/games.csv"), games);
}

#[test]
fn a_changed_program_is_another_run() {
    let folder = &Folder::new();
    let program = folder.join("engine");
    fs::copy(example("fault_engine"), &program).unwrap();
    let match_of =
        || folder.run("match --a usi:./engine --b plain --max-plies 4 --nodes 5 --pairs 1 --out m");
    assert_eq!(match_of().status.code(), Some(0));
    assert_eq!(match_of().status.code(), Some(0), "the same program goes on");
    let mut bytes = fs::read(&program).unwrap();
    bytes.push(0);
    fs::write(&program, bytes).unwrap();
    match_of().refused("program a (SHA-256)");
}

#[test]
fn what_was_said_is_written_down_on_request_and_what_was_expected_in_records() {
    let folder = &Folder::new();
    let child = format!("usi:{}", own_engine().display());
    games_of(folder, "m", &child, "--engine-log talk --concurrency 1");
    let logs: Vec<String> = fs::read_dir(folder.join("talk"))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let all = logs.concat();
    holds(
        &all,
        ["> usi\n", "< usiok\n", "> position sfen ", "> go nodes 300\n"],
    );
    holds(&all, ["< bestmove ", "> gameover ", "> quit\n"]);
    folder.run("report m --records csa,kif").ok();
    let csa = folder.read("m/games.csa");
    let scores = csa.lines().filter(|line| line.starts_with("'** "));
    let (with, without): (Vec<&str>, Vec<&str>) = scores.partition(|line| line.split(' ').count() > 2);
    // The child is one of two players; the other one is built in and tells none.
    assert!(with.len() > 20 && without.len() > 20, "{with:?} {without:?}");
    let kif = folder.read("m/kif/000001.kifu");
    assert!(kif.contains("*読み筋 "), "{kif}");
}

#[test]
fn an_engine_is_started_again_for_every_game_on_request() {
    let folder = &Folder::new();
    let logs_of = |name: &str, key: &str| {
        let child = format!("usi:{}{key}", own_engine().display());
        let more = format!("--max-plies 6 --engine-log {name} --concurrency 1");
        games_of(folder, &format!("m-{name}"), &child, &more);
        let names = fs::read_dir(folder.join(name)).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".log")).count()
    };
    assert_eq!(logs_of("once", ""), 1);
    assert_eq!(logs_of("anew", ",restart=game"), 6);
}

#[test]
fn fairy_stockfish_plays_shogi_and_chess() {
    let Some(fairy) = installed("fairy-stockfish") else {
        return;
    };
    let folder = &Folder::new();
    let shogi = format!("usi:{fairy}");
    games_of(folder, "shogi", &shogi, "--nodes-a 100");
    assert_all_by_the_rules(folder, "shogi");
    let chess = format!("uci:{fairy},option.UCI_Variant=chess");
    games_of(folder, "chess", &chess, "--nodes-a 100 --game chess");
    assert_all_by_the_rules(folder, "chess");
}

#[test]
fn gpsusi_plays_under_a_time_for_each_move() {
    let Some(gps) = installed("gpsusi") else { return };
    let folder = &Folder::new();
    let engine = format!("usi:{gps},time_margin_ms=5000");
    // It reads large files when it starts.
    let args = format!(
        "match --a '{engine}' --b plain --byoyomi-a 100 --nodes-b 50 --pairs 1 --out m --max-plies 30 --startup-ms 60000 --quiet"
    );
    folder.run(&args).ok();
    assert_all_by_the_rules(folder, "m");
}

fn assert_all_by_the_rules(folder: &Path, name: &str) {
    let reasons = folder.column(format!("{name}/games.csv"), "reason");
    let all = "no_legal_move resignation repetition perpetual_check max_plies drawn_by_rule stalemate";
    let is_one = |reason: &String| all.split(' ').any(|one| one == reason);
    assert!(reasons.len() >= 2 && reasons.iter().all(is_one), "{reasons:?}");
}

/// The path of a program of Debian's games, or a loud word that it is absent.
fn installed(name: &str) -> Option<String> {
    let path = format!("/usr/games/{name}");
    if Path::new(&path).is_file() {
        return Some(path);
    }
    // Not by a macro, whose output is hidden where a test succeeds.
    let word = format!("SKIPPED: {path} is not installed (apt-get install fairy-stockfish gpsshogi)\n");
    io::stderr().write_all(word.as_bytes()).unwrap();
    None
}

#[test]
fn check_passes_our_engine_and_fails_one_that_does_not_stop() {
    let folder = &Folder::new();
    let good = format!("usi:{}", own_engine().display());
    let output = folder.run(&format!("check '{good}' --json"));
    let rows = output.json();
    let failed: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["passed"] != true)
        .collect();
    // A machine that is busy with other things may keep nobody's time.
    assert!(
        failed
            .iter()
            .all(|row| row["detail"].as_str().unwrap().starts_with("time_loss: ")),
        "{failed:?}"
    );
    assert!(rows.as_array().unwrap().len() >= 8);
    let bad = faulty("hang-at-go");
    let output = folder.run(&format!("check '{bad}' --stall-ms 300")).ended(1);
    output.prints(["pass  starts", "FAIL  stops when told"]);
    for missing in ["usi:no-such-engine", "usi:./no-such-engine"] {
        folder.run(&format!("check '{missing}'")).refused("cannot read");
    }
}

#[test]
fn node_odds_of_a_child_are_those_of_the_engine_built_in_and_time_odds_are_played() {
    let folder = &Folder::new();
    let child = format!("usi:{}", own_engine().display());
    let odds = |name: &str, b: &str, limit: &str| {
        let fixed = format!("odds --a plain --pairs 4 --batch 2 --json --out {name} --b '{b}'");
        let output = folder.run(&format!("{fixed} {limit}")).ok();
        output.json()
    };
    let nodes = "--nodes 200";
    let inside = odds("inside", "base", nodes);
    let outside = odds("outside", &child, nodes);
    assert_eq!(inside["batches"], outside["batches"]);
    let more = "--movetime 5 --pin-cores --engine-log talk";
    let timed = odds("timed", &child, more);
    assert_eq!(timed["unit"], "milliseconds");
    let mut talk = fs::read_dir(folder.join("talk")).unwrap();
    assert!(talk.next().is_some(), "what the engine said");
    folder
        .run(&format!("odds --b '{child},option.nonsense=1' --out x"))
        .refused("");
    assert!(!folder.join("x").exists());
}

#[test]
fn a_command_with_both_quotation_marks_is_read_again_from_its_run() {
    let folder = &Folder::new();
    let child = quoted(&format!(
        "usi:{} none \"a'b\"'\"c d'",
        example("fault_engine").display()
    ));
    folder
        .run(&format!(
            "match --a base --b {child} --nodes 50 --pairs 2 --out first"
        ))
        .ok();
    folder.run("report first").ok();
    folder.run("run first/run.toml --out again --quiet").ok();
    assert_eq!(folder.read("again/run.toml"), folder.read("first/run.toml"));
}
