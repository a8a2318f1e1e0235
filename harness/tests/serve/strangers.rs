//! What who has no business there gets.

use std::fs;
use std::io::Write;
use std::net::TcpStream;

use crate::common::{run, stderr};
use crate::play;
use crate::server::Server;

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
        assert!(stderr(&refused).contains("ssh -L"), "{}", stderr(&refused));
    }
    let missing = run(folder.path(), &["serve", "nowhere"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("nowhere"), "{}", stderr(&missing));
}
