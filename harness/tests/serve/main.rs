//! `tanren serve` as a browser, a script and an attacker meet it.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![cfg(all(unix, feature = "web"))]

mod boards;
#[expect(dead_code, reason = "no columns are compared here")]
#[path = "../common/mod.rs"]
mod common;
mod control;
#[cfg(feature = "cluster")]
mod private;
mod server;
mod strangers;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use common::{run, stderr, tanren};
use serde_json::Value;
use server::Server;

fn play(folder: &Path, out: &str, pairs: &str) {
    let played = run(
        folder,
        &[
            "match",
            "--a",
            "base",
            "--b",
            "base,lmr=off",
            "--nodes",
            "60",
            "--pairs",
            pairs,
            "--out",
            out,
            "--quiet",
        ],
    );
    assert!(played.status.success(), "{}", stderr(&played));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    fs::copy(from.join("ledger.sqlite"), to.join("ledger.sqlite")).unwrap();
}

fn run_named<'a>(runs: &'a [Value], name: &str) -> &'a Value {
    runs.iter().find(|run| run["run"] == name).unwrap()
}

#[test]
fn a_run_is_listed_shown_and_told_in_json_with_its_games() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "results/a b", "3");
    let server = Server::start(folder.path(), &[]);
    let runs = server.runs();
    let listed = run_named(&runs, "a b");
    assert_eq!(listed["kind"], "match");
    assert_eq!(listed["state"], "over");
    assert_eq!(listed["done"], 3);
    assert_eq!(listed["planned"], 3);
    assert_eq!(listed["players"], serde_json::json!(["base", "base,lmr=off"]));
    let list = server.get("/");
    assert!(list.body.contains("runs/a%20b/"), "{}", list.body);
    let page = server.get("/runs/a%20b/");
    assert_eq!(page.status, 200);
    for part in [
        "<!DOCTYPE html>",
        "id=\"live-state\"",
        "id=\"game-board\"",
        "base,lmr=off",
    ] {
        assert!(page.body.contains(part), "{part}");
    }
    let found = server.json("/api/v1/runs/a%20b");
    assert_eq!(found["pairs"], 3);
    assert_eq!(found["verdict"], listed["verdict"]);
    let games = server.json("/api/v1/runs/a%20b/games?from=2&count=2");
    let numbers: Vec<u64> = games["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["n"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [3, 4]);
    let last = server.json("/api/v1/runs/a%20b/games?last=1&count=2");
    assert_eq!(last["rows"][1]["n"], 6);
    let metrics = server.get("/metrics").body;
    assert!(
        metrics.contains("tanren_run_games{run=\"a b\",kind=\"match\"} 6\n"),
        "{metrics}"
    );
    assert!(
        metrics.contains("tanren_run_state{run=\"a b\",kind=\"match\",state=\"over\"} 1\n"),
        "{metrics}"
    );
}

#[test]
fn the_list_tells_the_same_of_a_run_as_its_summary() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "results/m", "4");
    let reported = run(folder.path(), &["report", "results/m", "--json"]);
    let reported: Value = serde_json::from_slice(&reported.stdout).unwrap();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.json("/api/v1/runs/m"), reported);
}

#[test]
fn a_page_is_told_when_a_match_in_another_process_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "results/m", "2");
    let server = Server::start(folder.path(), &["--lang", "ja"]);
    let mut stream = TcpStream::connect(&server.host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET /live/m HTTP/1.1\r\nHost: {}\r\n\r\n", server.host).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let mut next = || -> i64 {
        // Games in progress are told between changes.
        let line = lines.find(|line| line.starts_with("data: {\"version\"")).unwrap();
        let data: Value = serde_json::from_str(&line["data: ".len()..]).unwrap();
        data["version"].as_i64().unwrap()
    };
    // What it was when it was first looked at comes as one change or two.
    let first = next();
    play(folder.path(), "results/m", "5");
    let mut changes = 0;
    loop {
        let version = next();
        assert!(version > first);
        changes += 1;
        let now = server.json("/api/v1/runs/m")["pairs"].as_u64().unwrap();
        if now == 5 {
            break;
        }
        assert!(changes < 50, "{now} pairs");
    }
    let fragment = server.get("/fragment/m");
    assert!(fragment.body.contains("id=\"content\""));
    assert!(server.get("/runs/m/").body.contains("<html lang=\"ja\">"));
}

#[test]
fn a_run_begins_and_ends_while_it_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("results")).unwrap();
    let server = Server::start(folder.path(), &[]);
    assert!(server.runs().is_empty());
    let mut command = tanren();
    command.args([
        "match",
        "--a",
        "base",
        "--b",
        "base,lmr=off",
        "--nodes",
        "60",
        "--pairs",
        "40",
    ]);
    command
        .args(["--out", "results/m", "--quiet"])
        .current_dir(folder.path());
    let mut playing = command.spawn().unwrap();
    let mut state = String::new();
    let is_over = || {
        let runs = server.json("/api/v1/runs");
        runs["runs"][0]["state"] == "over"
    };
    for _ in 0..600 {
        if is_over() {
            state = "over".to_owned();
            break;
        }
        server.get("/runs/m/");
        sleep(Duration::from_millis(100));
    }
    assert!(playing.wait().unwrap().success());
    assert_eq!(state, "over");
    assert_eq!(server.json("/api/v1/runs/m")["pairs"], 40);
}

#[test]
fn hundreds_of_runs_are_listed_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "one", "1");
    for number in 0..300 {
        copy(
            &folder.path().join("one"),
            &folder
                .path()
                .join(format!("results/group-{}/run-{number}", number % 7)),
        );
    }
    let server = Server::start(folder.path(), &[]);
    let first = server.json("/api/v1/runs");
    assert_eq!(first["total"], 300);
    assert_eq!(first["runs"].as_array().unwrap().len(), 100);
    let last = server.json("/api/v1/runs?from=250&count=100");
    assert_eq!(last["runs"].as_array().unwrap().len(), 50);
    let page = server.get("/?from=100&count=100").body;
    assert_eq!(page.matches("<tr data-run=").count(), 100);
    assert!(page.contains("?from=200&amp;count=100"));
    assert_eq!(
        server.json("/api/v1/runs?from=9999999999999999999&count=0")["total"],
        300
    );
}

#[test]
fn folders_that_are_damaged_or_of_something_else_are_listed_with_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    play(folder.path(), "results/good", "2");
    fs::create_dir(results.join("junk")).unwrap();
    fs::write(results.join("junk/ledger.sqlite"), "no database").unwrap();
    fs::create_dir(results.join("empty")).unwrap();
    fs::write(results.join("empty/ledger.sqlite"), "").unwrap();
    copy(&results.join("good"), &results.join("torn"));
    let ledger = results.join("torn/ledger.sqlite");
    let mut bytes = fs::read(&ledger).unwrap();
    for byte in bytes.iter_mut().skip(4_096) {
        *byte = 0x5a;
    }
    fs::write(&ledger, bytes).unwrap();
    fs::create_dir_all(results.join("folder/ledger.sqlite")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let runs = server.runs();
    assert_eq!(run_named(&runs, "good")["state"], "over");
    for name in ["junk", "empty", "torn"] {
        let listed = run_named(&runs, name);
        assert_eq!(listed["state"], "unreadable", "{listed}");
        assert!(listed["error"].as_str().unwrap().contains(name), "{listed}");
        let page = server.get(&format!("/runs/{name}/"));
        assert_eq!(page.status, 500);
        assert!(page.body.contains("ledger"), "{}", page.body);
        assert_eq!(server.get(&format!("/api/v1/runs/{name}")).status, 500);
    }
    assert_eq!(runs.len(), 4);
    assert_eq!(server.get("/runs/good/").status, 200);
}

#[test]
fn what_is_shown_is_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "results/m", "2");
    let ledger = folder.path().join("results/m/ledger.sqlite");
    let before = fs::read(&ledger).unwrap();
    {
        let server = Server::start(folder.path(), &[]);
        server.runs();
        assert_eq!(server.get("/runs/m/").status, 200);
    }
    assert_eq!(fs::read(&ledger).unwrap(), before);
}
