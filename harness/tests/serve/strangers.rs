//! What those get who have no business there.

use std::fs;
use std::io::Write;
use std::net::TcpStream;

use crate::folder::{Ended, Folder, InFolder};
use crate::play;
use crate::server::Server;

#[test]
fn what_is_outside_the_folder_cannot_be_asked_for() {
    let folder = Folder::new();
    play(&folder, "secret", 1);
    fs::create_dir(folder.join("results")).unwrap();
    std::os::unix::fs::symlink(folder.join("secret"), folder.join("results/link")).unwrap();
    let server = Server::start(&folder, "");
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
fn requests_of_other_hosts_and_sites_and_those_that_are_too_large_are_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder, "");
    let host = &server.host;
    let port = host.split(':').nth(1).unwrap();
    let long = "a".repeat(100_000);
    let many = "X-One: 1\r\n".repeat(200);
    // 0: where more was sent than is read, the answer may be lost with the connection.
    for row in include_str!("requests.txt").lines() {
        let (expected, head) = row.split_once(": ").unwrap();
        let head = head
            .replace("\\n", "\r\n")
            .replace("[HOST]", host)
            .replace("[PORT]", port);
        let head = head.replace("[LONG]", &long).replace("[MANY]", &many);
        let status = server.say(&format!("{head}\r\n")).status.to_string();
        assert!(expected.split('/').any(|one| one == status), "{status}: {row}");
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn who_asks_half_a_question_or_does_not_read_holds_up_nobody() {
    let folder = Folder::new();
    play(&folder, "results/m", 2);
    let server = Server::start(&folder, "");
    let say = |text: &str| {
        let mut stream = TcpStream::connect(&server.host).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let _half: Vec<TcpStream> = (0..200).map(|_| say("GET / HTTP/1.1\r\nHo")).collect();
    let live = format!("GET /live/m HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    let _deaf: Vec<TcpStream> = (0..50).map(|_| say(&live)).collect();
    play(&folder, "results/m", 4);
    assert_eq!(server.get("/runs/m/").status, 200);
}

#[test]
fn with_a_token_nobody_else_is_answered_and_the_address_gives_a_cookie() {
    let folder = Folder::new();
    let server = Server::start(&folder, "--token");
    let token = server.address.split("?token=").nth(1).unwrap();
    assert_eq!(token.len(), 32);
    for path in ["/", "/api/v1/runs", "/?token=0123456789abcdef0123456789abcdef"] {
        assert_eq!(server.get(path).status, 403, "{path}");
    }
    let entered = server.get(&format!("/?token={token}"));
    assert_eq!(entered.status, 303);
    for part in ["location: /\r\n", "httponly; samesite=strict"] {
        assert!(entered.head.contains(part), "{}", entered.head);
    }
    let with = |cookie: &str| {
        let head = format!("GET / HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n", server.host);
        server.say(&head).status
    };
    assert_eq!((with(&entered.cookie()), with("tanren_token=1")), (200, 403));
}

#[test]
fn answers_load_nothing_of_elsewhere_and_names_are_text_on_every_page() {
    let folder = Folder::new();
    play(&folder, "results/m", 1);
    play(&folder, "results/\"><img src=x onerror=alert(1)>", 1);
    let server = Server::start(&folder, "");
    assert_eq!(server.runs().len(), 2);
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
    for path in ["/", "/runs/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E/"] {
        let page = server.get(path);
        assert!(page.status == 200 && !page.body.contains("<img"), "{}", page.body);
    }
}

#[test]
fn an_address_that_others_can_reach_is_refused_with_what_to_do() {
    let folder = Folder::new();
    for host in ["0.0.0.0", "::", "192.0.2.1"] {
        folder.run(&format!("serve --host {host}")).refused("ssh -L");
    }
    folder.run("serve nowhere").refused("nowhere");
}
