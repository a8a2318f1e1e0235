//! `tanren serve` as a browser, a script and an attacker meet it.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![cfg(all(unix, feature = "web"))]

mod boards;
#[expect(dead_code, reason = "no columns are compared here")]
#[path = "../common/mod.rs"]
mod common;
mod control;
#[expect(dead_code, reason = "stdout is not compared here")]
#[path = "../common/folder.rs"]
mod folder;
#[cfg(feature = "cluster")]
mod private;
#[expect(dead_code, reason = "games are not waited for here")]
#[path = "../common/running.rs"]
mod running;
mod server;
mod strangers;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use folder::{Ended, Folder, InFolder, quoted};
use running::{Running, wait_until};
use serde_json::{Value, json};
use server::Server;

fn play(folder: &Path, out: &str, pairs: u32) {
    let out = quoted(out);
    folder
        .run(&format!(
            "match --a base --b base,lmr=off --nodes 60 --pairs {pairs} --out {out} --quiet"
        ))
        .ok();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    fs::copy(from.join("ledger.sqlite"), to.join("ledger.sqlite")).unwrap();
}

fn run_named<'a>(runs: &'a [Value], name: &str) -> &'a Value {
    runs.iter().find(|run| run["run"] == name).unwrap()
}

#[test]
fn a_run_is_listed_shown_and_told_in_json_with_its_games_and_left_as_it_was() {
    let folder = Folder::new();
    play(&folder, "results/a b", 3);
    let ledger = folder.join("results/a b/ledger.sqlite");
    let before = fs::read(&ledger).unwrap();
    let reported = folder.run("report 'results/a b' --json").json();
    let server = Server::start(&folder, "");
    let runs = server.runs();
    let listed = run_named(&runs, "a b");
    for (key, value) in [
        ("kind", json!("match")),
        ("state", json!("over")),
        ("done", json!(3)),
        ("planned", json!(3)),
        ("players", json!(["base", "base,lmr=off"])),
    ] {
        assert_eq!(listed[key], value, "{key}");
    }
    let list = server.get("/").body;
    assert!(list.contains("runs/a%20b/"), "{list}");
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
    assert!(server.get("/fragment/a%20b").body.contains("id=\"content\""));
    assert_eq!(server.json("/api/v1/runs/a%20b"), reported);
    assert_eq!(reported["verdict"], listed["verdict"]);
    let number = |games: &Value, row: usize| games["rows"][row]["n"].clone();
    let games = server.json("/api/v1/runs/a%20b/games?from=2&count=2");
    assert_eq!([number(&games, 0), number(&games, 1)], [json!(3), json!(4)]);
    let last = server.json("/api/v1/runs/a%20b/games?last=1&count=2");
    assert_eq!(number(&last, 1), json!(6));
    let metrics = server.get("/metrics").body;
    for line in [
        "tanren_run_games{run=\"a b\",kind=\"match\"} 6\n",
        "tanren_run_state{run=\"a b\",kind=\"match\",state=\"over\"} 1\n",
    ] {
        assert!(metrics.contains(line), "{metrics}");
    }
    assert_eq!(fs::read(&ledger).unwrap(), before);
}

#[test]
fn a_page_is_told_when_a_match_of_another_process_continues() {
    let folder = Folder::new();
    play(&folder, "results/m", 2);
    let server = Server::start(&folder, "--lang ja");
    assert!(server.get("/runs/m/").body.contains("<html lang=\"ja\">"));
    let mut stream = TcpStream::connect(&server.host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET /live/m HTTP/1.1\r\nHost: {}\r\n\r\n", server.host).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let mut next_version = || -> i64 {
        // Games in progress are told between changes.
        let line = lines.find(|line| line.starts_with("data: {\"version\"")).unwrap();
        let data: Value = serde_json::from_str(&line["data: ".len()..]).unwrap();
        data["version"].as_i64().unwrap()
    };
    // What it was when it was first looked at comes as one change or two.
    let first = next_version();
    play(&folder, "results/m", 5);
    while server.json("/api/v1/runs/m")["pairs"] != 5 {
        assert!(next_version() > first);
    }
}

#[test]
fn a_run_begins_and_ends_while_it_is_watched() {
    let folder = Folder::new();
    fs::create_dir(folder.join("results")).unwrap();
    let server = Server::start(&folder, "");
    assert!(server.runs().is_empty());
    let line = "match --a base --b base,lmr=off --nodes 60 --pairs 40 --quiet";
    let playing = Running::start(&folder, line, "results/m");
    wait_until("the run is not over", || {
        server.get("/runs/m/");
        server.json("/api/v1/runs")["runs"][0]["state"] == "over"
    });
    playing.end().ok();
    wait_until("not all is counted", || {
        server.json("/api/v1/runs/m")["pairs"] == 40
    });
}

#[test]
fn hundreds_of_runs_are_listed_in_pages() {
    let folder = Folder::new();
    play(&folder, "one", 1);
    for number in 0..300 {
        let to = format!("results/group-{}/run-{number}", number % 7);
        copy(&folder.join("one"), &folder.join(to));
    }
    let server = Server::start(&folder, "");
    for (query, count) in [
        ("", 100),
        ("?from=250&count=100", 50),
        ("?from=9999999999999999999&count=0", 0),
    ] {
        let listed = server.json(&format!("/api/v1/runs{query}"));
        let runs = listed["runs"].as_array().unwrap().len();
        assert_eq!((&listed["total"], runs), (&json!(300), count), "{query}");
    }
    let page = server.get("/?from=100&count=100").body;
    assert_eq!(page.matches("<tr data-run=").count(), 100);
    assert!(page.contains("?from=200&amp;count=100"));
}

#[test]
fn folders_that_are_damaged_or_of_something_else_are_listed_with_what_is_wrong() {
    let folder = Folder::new();
    play(&folder, "results/good", 2);
    let results = folder.join("results");
    copy(&results.join("good"), &results.join("torn"));
    let mut torn = fs::read(results.join("torn/ledger.sqlite")).unwrap();
    torn[4_096..].fill(0x5a);
    for (name, text) in [
        ("junk", b"no database".to_vec()),
        ("empty", Vec::new()),
        ("torn", torn),
    ] {
        fs::create_dir_all(results.join(name)).unwrap();
        fs::write(results.join(name).join("ledger.sqlite"), text).unwrap();
    }
    fs::create_dir_all(results.join("folder/ledger.sqlite")).unwrap();
    let server = Server::start(&folder, "");
    let runs = server.runs();
    assert_eq!(
        (runs.len(), &run_named(&runs, "good")["state"]),
        (4, &json!("over"))
    );
    assert_eq!(server.get("/runs/good/").status, 200);
    for name in ["junk", "empty", "torn"] {
        let listed = run_named(&runs, name);
        assert_eq!(listed["state"], "unreadable", "{listed}");
        assert!(listed["error"].as_str().unwrap().contains(name), "{listed}");
        let page = server.get(&format!("/runs/{name}/"));
        assert!(
            page.status == 500 && page.body.contains("ledger"),
            "{}",
            page.body
        );
        assert_eq!(server.get(&format!("/api/v1/runs/{name}")).status, 500);
    }
}
