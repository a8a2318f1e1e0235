//! Runs that are queued, paused, resumed and stopped from a page.

use std::path::Path;
use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::folder::{Ended, Folder, InFolder};
use crate::running::{Running, wait_until};
use crate::server::{Answer, Server};

const LONG: &str = "command = 'match'\na = 'base'\nb = 'plain'\nnodes = 200\npairs = 4000\nhash = 1\n";
const SHORT: &str = "command = 'match'\na = 'base'\nb = 'plain'\nnodes = 20\npairs = 2\nhash = 1\n";
const QUEUE: &str = "/api/v1/queue";

/// A server with control, and what a browser keeps of its address.
struct Browser {
    server: Server,
    cookie: String,
}

impl Browser {
    fn start(folder: &Path, more: &str) -> Browser {
        let server = Server::start(folder, &format!(". --control {more}"));
        let query = server.address.split_once("/?").unwrap().1;
        let cookie = server.get(&format!("/?{query}")).cookie();
        Browser { server, cookie }
    }

    fn post(&self, path: &str, body: &str, headers: &str) -> Answer {
        let (host, length) = (&self.server.host, body.len());
        self.server.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}Connection: close\r\n\r\n{body}"
        ))
    }

    /// Sends the request that a page of the server itself would send.
    fn request(&self, path: &str, body: &str) -> Answer {
        let (host, cookie) = (&self.server.host, &self.cookie);
        self.post(
            path,
            body,
            &format!("Origin: http://{host}\r\nCookie: {cookie}\r\nX-Tanren: 1\r\n"),
        )
    }

    fn queue(&self, name: &str, text: &str) -> Answer {
        self.request(QUEUE, &json!({ "name": name, "text": text }).to_string())
    }

    #[track_caller]
    fn control(&self, request: &str) {
        let answer = self.request(&format!("/api/v1/control/{request}"), "");
        assert_eq!(answer.status, 200, "{request}: {}", answer.body);
    }

    fn json(&self, path: &str) -> Value {
        let (host, cookie) = (&self.server.host, &self.cookie);
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n");
        serde_json::from_str(&self.server.say(&head).body).unwrap()
    }

    #[track_caller]
    fn wait(&self, what: &str, is_so: impl Fn(&Value) -> bool) {
        wait_until(what, || is_so(&self.json(QUEUE)));
    }

    #[track_caller]
    fn wait_until_idle(&self) {
        self.wait("it is not idle", |queue| {
            queue["playing"].is_null() && queue["waiting"] == json!([])
        });
    }

    #[track_caller]
    fn wait_for_choice(&self, run: &str, request: &str) {
        wait_until(&format!("{run} may not {request}"), || {
            let choices = self.json(&format!("/api/v1/control/{run}"));
            choices["may"]
                .as_array()
                .is_some_and(|may| may.contains(&json!(request)))
        });
    }
}

#[test]
fn of_requests_of_one_name_that_come_at_once_one_is_taken() {
    let folder = Folder::new();
    let browser = Browser::start(&folder, "");
    let begin = Barrier::new(4);
    let request = || {
        begin.wait();
        browser.queue("same", SHORT).status
    };
    let mut codes: Vec<u16> = thread::scope(|scope| {
        let requests: Vec<_> = (0..4).map(|_| scope.spawn(request)).collect();
        requests
            .into_iter()
            .map(|request| request.join().unwrap())
            .collect()
    });
    codes.sort_unstable();
    assert_eq!(codes, [200, 422, 422, 422]);
    browser.wait_until_idle();
    let files = folder.join(".tanren").names();
    assert!(!files.iter().any(|name| name.starts_with('.')), "{files:?}");
}

#[test]
fn a_queued_run_is_paused_resumed_and_stopped_and_the_next_begins() {
    let folder = Folder::new();
    let browser = Browser::start(&folder, "");
    assert_eq!(browser.queue("long", LONG).status, 200);
    assert_eq!(browser.queue("short", SHORT).status, 200);
    browser.wait_for_choice("long", "pause");
    browser.control("long/pause");
    browser.wait("it does not stand still with both", |queue| {
        queue["playing"].is_null() && queue["waiting"] == json!(["long", "short"]) && queue["is_held"] == true
    });
    browser.wait_for_choice("long", "resume");
    browser.control("long/resume");
    browser.wait_for_choice("long", "pause");
    browser.control("long/stop");
    browser.wait_until_idle();
    assert_eq!(browser.json(QUEUE)["failures"], json!({}));
    assert_eq!(folder.read("short/games.csv").lines().count(), 5);
    folder.run("report long --json").ok();
}

#[test]
fn a_run_of_another_process_is_paused_and_keeps_its_games() {
    let folder = Folder::new();
    folder.write("long.toml", LONG);
    let other = Running::start(&folder, "run long.toml --quiet", "m");
    let browser = Browser::start(&folder, "");
    browser.wait_for_choice("m", "pause");
    browser.control("m/pause");
    other.end().ended(130);
    browser.wait_for_choice("m", "resume");
}

#[test]
fn what_is_played_when_the_server_ends_is_saved_and_waits_for_the_next() {
    let folder = Folder::new();
    let mut browser = Browser::start(&folder, "");
    assert_eq!(browser.queue("long", LONG).status, 200);
    browser.wait_for_choice("long", "pause");
    browser.server.end();
    folder.run("report long").ok();
    let browser = Browser::start(&folder, "");
    let queue = browser.json(QUEUE);
    assert_eq!(
        (&queue["waiting"], &queue["is_held"]),
        (&json!(["long"]), &json!(true))
    );
    browser.control("long/resume");
    browser.wait_for_choice("long", "stop");
    browser.control("long/stop");
}

#[test]
fn a_file_with_mistakes_is_refused_in_the_words_of_the_command_and_leaves_nothing() {
    let folder = Folder::new();
    let browser = Browser::start(&folder, "");
    let refused = browser.queue("x", "command = 'match'\na = 'base'\nb = 'plain'\nnodse = 5\n");
    let has_both = refused.body.contains("nodse") && refused.body.contains("nodes");
    assert!(refused.status == 422 && has_both, "{}", refused.body);
    for name in ["../x", "", ".x", "a/b"] {
        assert_eq!(browser.queue(name, SHORT).status, 422, "{name}");
    }
    assert_eq!(browser.queue("short", SHORT).status, 200);
    assert_eq!(browser.queue("short", SHORT).status, 422, "a name that is taken");
    let files = folder.join(".tanren").names();
    assert_eq!(
        files.iter().filter(|name| name.ends_with(".toml")).count(),
        1,
        "{files:?}"
    );
}

#[test]
fn a_program_is_started_only_where_the_server_was_told_so() {
    let folder = Folder::new();
    let browser = Browser::start(&folder, "");
    folder.write("engine.sh", "#!/bin/sh\n: > mark\n");
    let text = SHORT.replace("'plain'", "'usi:sh engine.sh'");
    let refused = browser.queue("x", &text);
    assert!(
        refused.status == 422 && refused.body.contains("--control-programs"),
        "{}",
        refused.body
    );
    // Nor when its folder names one.
    assert_eq!(browser.queue("y", SHORT).status, 200);
    browser.wait_until_idle();
    browser.wait_for_choice("y", "resume");
    folder.write("y/run.toml", &text);
    let refused = browser.request("/api/v1/control/y/resume", "");
    assert!(
        refused.status == 409 && refused.body.contains("--control-programs"),
        "{}",
        refused.body
    );
    assert!(!folder.join("mark").exists());
    drop(browser);
    let browser = Browser::start(&folder, "--control-programs");
    assert_eq!(browser.queue("x", &text).status, 200);
    browser.wait("the engine that is none does not fail", |queue| {
        queue["failures"]["x"].is_string()
    });
}

#[test]
fn a_request_takes_the_token_the_own_origin_and_a_header_of_scripts() {
    let folder = Folder::new();
    let browser = Browser::start(&folder, "");
    let (host, cookie) = (&browser.server.host, &browser.cookie);
    let own = format!("Origin: http://{host}\r\n");
    let kept = format!("Cookie: {cookie}\r\n");
    let forged = format!("Cookie: {}=0\r\n", cookie.split('=').next().unwrap());
    let script = "X-Tanren: 1\r\n";
    let body = json!({ "name": "x", "text": SHORT }).to_string();
    for (headers, status) in [
        (format!("{own}{script}"), 403),
        (format!("{own}{script}{forged}"), 403),
        (format!("{own}{kept}"), 403),
        (format!("{kept}{script}"), 403),
        (format!("Origin: http://evil.example\r\n{kept}{script}"), 403),
        (format!("Origin: null\r\n{kept}{script}"), 403),
        (format!("{own}{kept}{script}"), 200),
    ] {
        assert_eq!(browser.post(QUEUE, &body, &headers).status, status, "{headers}");
    }
    let long =
        format!("POST {QUEUE} HTTP/1.1\r\nHost: {host}\r\n{own}{kept}{script}Content-Length: 99999999\r\n");
    assert_eq!(browser.server.say(&long).status, 413);
    assert_eq!(browser.request("/api/v1/control/nothing/pause", "").status, 404);
    assert_eq!(browser.request("/api/v1/runs", "").status, 405);
    let plain = Server::start(&folder, ". --token");
    let closed = plain.say(&format!(
        "POST {QUEUE} HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 0\r\n",
        plain.host
    ));
    assert_eq!(closed.status, 405);
}
