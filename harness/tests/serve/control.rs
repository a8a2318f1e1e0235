//! Runs that are queued, paused, resumed and stopped from a page.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{run, stderr, tanren};
use crate::server::{Answer, Server};

const LONG: &str = "command = 'match'\na = 'base'\nb = 'plain'\nnodes = 200\npairs = 4000\nhash = 1\n";
const SHORT: &str = "command = 'match'\na = 'base'\nb = 'plain'\nnodes = 20\npairs = 2\nhash = 1\n";

/// A server with control, and what a browser keeps of its address.
struct Desk {
    server: Server,
    cookie: String,
}

impl Desk {
    fn start(folder: &Path, more: &[&str]) -> Desk {
        let arguments = [&[".", "--control"][..], more].concat();
        let server = Server::start(folder, &arguments);
        let query = server.address.split_once("/?").unwrap().1.to_owned();
        let given = server.get(&format!("/?{query}"));
        let cookie = given.head.split_once("set-cookie: ").unwrap().1;
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Desk { server, cookie }
    }

    fn post(&self, path: &str, body: &str, more: &str) -> Answer {
        let host = &self.server.host;
        let length = body.len();
        self.server.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{more}Connection: close\r\n\r\n{body}"
        ))
    }

    /// As an own page asks.
    fn wish(&self, path: &str, body: &str) -> Answer {
        let (host, cookie) = (&self.server.host, &self.cookie);
        self.post(
            path,
            body,
            &format!("Origin: http://{host}\r\nCookie: {cookie}\r\nX-Tanren: 1\r\n"),
        )
    }

    fn queue(&self, name: &str, text: &str) -> Answer {
        self.wish(
            "/api/v1/queue",
            &json!({ "name": name, "text": text }).to_string(),
        )
    }

    fn json(&self, path: &str) -> Value {
        let (host, cookie) = (&self.server.host, &self.cookie);
        let answer = self.server.say(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
        ));
        serde_json::from_str(&answer.body).unwrap()
    }

    /// Waits until the line is as it should be.
    fn wait(&self, what: &str, is_so: impl Fn(&Value) -> bool) {
        for _ in 0..600 {
            if is_so(&self.json("/api/v1/queue")) {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("{what}: {}", self.json("/api/v1/queue"));
    }

    fn wait_for_choice(&self, run: &str, wish: &str) {
        for _ in 0..600 {
            let choices = self.json(&format!("/api/v1/control/{run}"));
            if choices["may"]
                .as_array()
                .is_some_and(|may| may.contains(&json!(wish)))
            {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("{run} may not {wish}");
    }
}

fn games(folder: &Path) -> usize {
    fs::read_to_string(folder.join("games.csv"))
        .unwrap_or_default()
        .lines()
        .count()
}

#[test]
fn of_orders_of_one_name_that_come_at_once_one_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::start(folder.path(), &[]);
    let begin = std::sync::Barrier::new(4);
    let order = || {
        begin.wait();
        desk.queue("same", SHORT).status
    };
    let codes: Vec<u16> = std::thread::scope(|scope| {
        let orders: Vec<_> = (0..4).map(|_| scope.spawn(order)).collect();
        orders.into_iter().map(|order| order.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().filter(|&&code| code == 200).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|&&code| code == 422).count(), 3, "{codes:?}");
    desk.wait("it is played once", |line| {
        line["playing"].is_null() && line["waiting"] == json!([])
    });
    let kept = fs::read_dir(folder.path().join(".tanren")).unwrap();
    let names: Vec<_> = kept
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let examined = names.iter().filter(|name| name.starts_with('.'));
    assert_eq!(examined.count(), 0, "{names:?}");
}

#[test]
fn a_queued_run_is_paused_resumed_and_stopped_and_the_next_begins() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::start(folder.path(), &[]);
    assert_eq!(desk.queue("long", LONG).status, 200);
    assert_eq!(desk.queue("short", SHORT).status, 200);
    desk.wait_for_choice("long", "pause");
    assert_eq!(desk.wish("/api/v1/control/long/pause", "").status, 200);
    desk.wait("it stands still with both", |line| {
        line["playing"].is_null() && line["waiting"] == json!(["long", "short"]) && line["is_held"] == true
    });
    desk.wait_for_choice("long", "resume");
    assert_eq!(desk.wish("/api/v1/control/long/resume", "").status, 200);
    desk.wait_for_choice("long", "pause");
    assert_eq!(desk.wish("/api/v1/control/long/stop", "").status, 200);
    desk.wait("the short one is played to its end", |line| {
        line["playing"].is_null() && line["waiting"] == json!([]) && line["failures"] == json!({})
    });
    assert_eq!(games(&folder.path().join("short")), 5);
    let stopped = run(folder.path(), &["report", "long", "--json"]);
    assert_eq!(stopped.status.code(), Some(0), "{}", stderr(&stopped));
}

#[test]
fn a_run_of_another_process_is_paused_and_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = tanren();
    fs::write(folder.path().join("long.toml"), LONG).unwrap();
    other
        .args(["run", "long.toml", "--out", "m", "--quiet"])
        .current_dir(folder.path());
    let mut other = other.stderr(Stdio::null()).spawn().unwrap();
    let desk = Desk::start(folder.path(), &[]);
    desk.wait_for_choice("m", "pause");
    let paused = desk.wish("/api/v1/control/m/pause", "");
    assert_eq!(paused.status, 200, "{}", paused.body);
    assert_eq!(other.wait().unwrap().code(), Some(130));
    desk.wait_for_choice("m", "resume");
}

#[test]
fn what_is_played_when_the_server_ends_is_saved_and_waits_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    {
        let mut desk = Desk::start(folder.path(), &[]);
        assert_eq!(desk.queue("long", LONG).status, 200);
        desk.wait_for_choice("long", "pause");
        desk.server.end();
    }
    assert!(!run(folder.path(), &["report", "long"]).stdout.is_empty());
    let desk = Desk::start(folder.path(), &[]);
    let line = desk.json("/api/v1/queue");
    assert_eq!(
        (&line["waiting"], &line["is_held"]),
        (&json!(["long"]), &json!(true))
    );
    assert_eq!(desk.wish("/api/v1/control/long/resume", "").status, 200);
    desk.wait_for_choice("long", "stop");
    desk.wish("/api/v1/control/long/stop", "");
}

#[test]
fn a_file_with_mistakes_is_refused_in_the_words_of_the_command_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::start(folder.path(), &[]);
    let refused = desk.queue("x", "command = 'match'\na = 'base'\nb = 'plain'\nnodse = 5\n");
    assert_eq!(refused.status, 422);
    assert!(
        refused.body.contains("nodse") && refused.body.contains("nodes"),
        "{}",
        refused.body
    );
    for name in ["../x", "", ".x", "a/b"] {
        assert_eq!(desk.queue(name, SHORT).status, 422, "{name}");
    }
    assert_eq!(desk.queue("short", SHORT).status, 200);
    assert_eq!(desk.queue("short", SHORT).status, 422, "a name that is taken");
    let texts = fs::read_dir(folder.path().join(".tanren")).unwrap();
    let texts = texts.filter(|file| {
        file.as_ref()
            .unwrap()
            .path()
            .extension()
            .is_some_and(|end| end == "toml")
    });
    assert_eq!(texts.count(), 1);
}

#[test]
fn a_program_is_started_only_where_the_server_was_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let text = SHORT.replace("'plain'", "'usi:/bin/true'");
    let desk = Desk::start(folder.path(), &[]);
    let refused = desk.queue("x", &text);
    assert_eq!(refused.status, 422);
    assert!(refused.body.contains("--control-programs"), "{}", refused.body);
    drop(desk);
    let desk = Desk::start(folder.path(), &["--control-programs"]);
    assert_eq!(desk.queue("x", &text).status, 200);
    desk.wait("the engine that is none fails", |line| {
        line["failures"]["x"].is_string()
    });
}

#[test]
fn a_run_that_is_resumed_starts_a_program_only_where_the_server_was_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let engine = folder.path().join("engine.sh");
    std::fs::write(&engine, format!("#!/bin/sh\n: > '{}'\n", mark.display())).unwrap();
    let desk = Desk::start(folder.path(), &[]);
    assert_eq!(desk.queue("x", SHORT).status, 200);
    desk.wait("it is over", |line| {
        line["playing"].is_null() && line["waiting"] == json!([])
    });
    desk.wait_for_choice("x", "resume");
    let file = folder.path().join("x/run.toml");
    let text = SHORT.replace("'plain'", &format!("'usi:sh {}'", engine.display()));
    std::fs::write(&file, text).unwrap();
    let refused = desk.wish("/api/v1/control/x/resume", "");
    assert_eq!(refused.status, 409);
    assert!(refused.body.contains("--control-programs"), "{}", refused.body);
    assert!(!mark.exists());
}

#[test]
fn a_wish_takes_the_token_the_own_origin_and_a_header_of_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::start(folder.path(), &[]);
    let (host, cookie) = (&desk.server.host, &desk.cookie);
    let own = format!("Origin: http://{host}\r\n");
    let kept = format!("Cookie: {cookie}\r\n");
    let script = "X-Tanren: 1\r\n";
    let body = json!({ "name": "x", "text": SHORT }).to_string();
    for (headers, status) in [
        (format!("{own}{script}"), 403),
        (
            format!("{own}{script}Cookie: {}=0\r\n", cookie.split('=').next().unwrap()),
            403,
        ),
        (format!("{own}{kept}"), 403),
        (format!("{kept}{script}"), 403),
        (format!("Origin: http://evil.example\r\n{kept}{script}"), 403),
        (format!("Origin: null\r\n{kept}{script}"), 403),
        (format!("{own}{kept}{script}"), 200),
    ] {
        assert_eq!(
            desk.post("/api/v1/queue", &body, &headers).status,
            status,
            "{headers}"
        );
    }
    let long = format!(
        "POST /api/v1/queue HTTP/1.1\r\nHost: {host}\r\n{own}{kept}{script}Content-Length: 99999999\r\n"
    );
    assert_eq!(desk.server.say(&long).status, 413);
    assert_eq!(desk.wish("/api/v1/control/nothing/pause", "").status, 404);
    assert_eq!(desk.wish("/api/v1/runs", "").status, 405);

    let plain = Server::start(folder.path(), &[".", "--token"]);
    let closed = plain.say(&format!(
        "POST /api/v1/queue HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 0\r\n",
        plain.host
    ));
    assert_eq!(closed.status, 405);
}
