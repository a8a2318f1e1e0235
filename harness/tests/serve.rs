//! `tanren serve` as a browser, a script and an attacker meet it.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![cfg(all(unix, feature = "web"))]

#[expect(dead_code, reason = "no columns are compared here")]
mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use common::{run, stderr, tanren};
use serde_json::Value;

/// A server that ends with its test.
struct Server {
    child: Child,
    /// What it printed.
    address: String,
    host: String,
}

/// An answer.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Server {
        let mut command = tanren();
        command.arg("serve").args(arguments).current_dir(folder);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut address)
            .unwrap();
        let address = address.trim().to_owned();
        let host = address
            .trim_start_matches("http://")
            .split('/')
            .next()
            .unwrap()
            .to_owned();
        Server { child, address, host }
    }

    fn get(&self, path: &str) -> Answer {
        self.say(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.host))
    }

    /// Sends a head whose end and `Connection` are added.
    fn say(&self, head: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        // A server that refuses in the middle may not read to the end.
        drop(stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()));
        let mut bytes = Vec::new();
        drop(stream.read_to_end(&mut bytes));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        Answer {
            status: head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap()),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    /// The runs, once each that can be read is counted.
    fn runs(&self) -> Vec<Value> {
        for _ in 0..600 {
            let runs = self.json("/api/v1/runs?count=1000")["runs"]
                .as_array()
                .unwrap()
                .clone();
            if runs.iter().all(|run| !run["state"].is_null()) {
                return runs;
            }
            sleep(Duration::from_millis(100));
        }
        panic!("the runs are not counted");
    }
}

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
        let line = lines.find(|line| line.starts_with("data: ")).unwrap();
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
fn what_is_outside_the_folder_cannot_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "secret", "1");
    fs::create_dir(folder.path().join("results")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret"), folder.path().join("results/link")).unwrap();
    let server = Server::start(folder.path(), &[]);
    assert!(server.runs().is_empty());
    for path in [
        "/runs/../secret/",
        "/runs/..%2fsecret/",
        "/runs/%2e%2e/secret/",
        "/runs/link/",
        "/runs//etc/",
        "/api/v1/runs/../secret",
        "/api/v1/runs/..%2Fsecret/games",
        "/fragment/..%2fsecret",
        "/live/..%2fsecret",
        "/runs/%00/",
        "/runs/%ff/",
        "/../secret/ledger.sqlite",
    ] {
        let status = server.get(path).status;
        assert!([400, 404].contains(&status), "{path}: {status}");
    }
}

#[test]
fn a_name_of_another_host_that_points_here_gets_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for host in [
        "rebound.example",
        "rebound.example:80",
        "127.0.0.1",
        "localhost.rebound.example",
    ] {
        assert_eq!(
            server.say(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n")).status,
            421,
            "{host}"
        );
    }
    assert_eq!(server.say("GET / HTTP/1.0\r\n").status, 421);
    let port = server.host.split(':').nth(1).unwrap();
    assert_eq!(
        server
            .say(&format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n"))
            .status,
        200
    );
}

#[test]
fn a_request_of_another_site_that_would_change_something_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let host = &server.host;
    let foreign = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n"
    );
    assert_eq!(server.say(&foreign).status, 403);
    let own = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 0\r\n"
    );
    assert_eq!(server.say(&own).status, 405);
    let silent = format!("DELETE / HTTP/1.1\r\nHost: {host}\r\n");
    assert_eq!(server.say(&silent).status, 403);
}

#[test]
fn requests_that_are_too_large_are_refused_and_the_next_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let host = &server.host;
    let long = "a".repeat(100_000);
    let line = server
        .say(&format!("GET /{long} HTTP/1.1\r\nHost: {host}\r\n"))
        .status;
    let header = server
        .say(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Long: {long}\r\n"))
        .status;
    let many = "X-One: 1\r\n".repeat(200);
    let headers = server
        .say(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n{many}"))
        .status;
    // Where more was sent than is read, the answer may be lost with the connection.
    for status in [line, header, headers] {
        assert!([0, 414, 431].contains(&status), "{status}");
    }
    let body = server
        .say(&format!(
            "GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n"
        ))
        .status;
    assert_eq!(body, 413);
    assert_eq!(server.say("nonsense\r\n").status, 400);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn half_a_request_on_many_connections_keeps_nobody_else_from_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.host).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get("/").status, 200);
    drop(slow);
}

#[test]
fn who_does_not_read_holds_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "results/m", "2");
    let server = Server::start(folder.path(), &[]);
    let deaf: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.host).unwrap();
            write!(stream, "GET /live/m HTTP/1.1\r\nHost: {}\r\n\r\n", server.host).unwrap();
            stream
        })
        .collect();
    play(folder.path(), "results/m", "4");
    assert_eq!(server.get("/runs/m/").status, 200);
    drop(deaf);
}

#[test]
fn with_a_token_nobody_else_is_answered_and_the_address_gives_a_cookie() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--token"]);
    let token = server.address.split("?token=").nth(1).unwrap();
    assert_eq!(token.len(), 32);
    assert_eq!(server.get("/").status, 403);
    assert_eq!(server.get("/api/v1/runs").status, 403);
    assert_eq!(server.get("/?token=0123456789abcdef0123456789abcdef").status, 403);
    let entered = server.get(&format!("/?token={token}"));
    assert_eq!(entered.status, 303);
    assert!(entered.head.contains("location: /\r\n"), "{}", entered.head);
    assert!(
        entered.head.contains("httponly; samesite=strict"),
        "{}",
        entered.head
    );
    let cookie = entered
        .head
        .split("set-cookie: ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    let with = |cookie: &str| {
        server.say(&format!(
            "GET / HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n",
            server.host
        ))
    };
    assert_eq!(with(cookie).status, 200);
    assert_eq!(with("tanren_token=1").status, 403);
}

#[test]
fn every_answer_says_that_nothing_of_elsewhere_may_be_loaded() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "results/m", "1");
    let server = Server::start(folder.path(), &[]);
    for path in ["/", "/runs/m/", "/nothing", "/api/v1/runs", "/metrics"] {
        let head = server.get(path).head;
        for line in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(line), "{path}: {head}");
        }
        assert!(!head.contains("access-control-allow-origin"), "{path}");
    }
}

#[test]
fn names_of_runs_and_players_are_text_on_every_page() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "results/\"><img src=x onerror=alert(1)>", "1");
    let server = Server::start(folder.path(), &[]);
    let runs = server.runs();
    assert_eq!(runs.len(), 1);
    let list = server.get("/").body;
    assert!(!list.contains("<img"), "{list}");
    let page = server.get("/runs/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E/");
    assert_eq!(page.status, 200);
    assert!(!page.body.contains("<img"));
}

#[test]
fn an_address_that_others_can_reach_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for host in ["0.0.0.0", "::", "192.0.2.1"] {
        let refused = run(folder.path(), &["serve", "--host", host]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains("--socket"), "{}", stderr(&refused));
    }
    let missing = run(folder.path(), &["serve", "nowhere"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("nowhere"), "{}", stderr(&missing));
}

#[test]
fn a_reverse_proxy_finds_it_at_a_socket_which_is_gone_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let mut server = Server::start(folder.path(), &["--socket", "s"]);
    assert_eq!(server.address, "unix:s");
    let mut stream = std::os::unix::net::UnixStream::connect(&path).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: club.example\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let taken = run(folder.path(), &["serve", "--socket", "s"]);
    assert_eq!(taken.status.code(), Some(2));
    let pid = server.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-s", "INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
    assert!(!path.exists());
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
