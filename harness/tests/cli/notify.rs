//! Who is told when a run ends, by the real program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::folder::{Ended, Folder, InFolder};
use crate::running::{Running, signal};
use serde_json::Value;

fn play(folder: &Path, more: &str) -> std::process::Output {
    let args = "match --a base --b plain --nodes 30 --pairs 2 --hash 1 --out m --json --quiet";
    folder.run(&format!("{args} {more}"))
}

/// Answers one request after the other with these codes, and returns what was posted.
fn answering(codes: &'static [u16]) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook?key=secret", listener.local_addr().unwrap());
    let bodies = thread::spawn(move || {
        let answer = |&code: &u16| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut length, mut line) = (0, String::new());
            while reader.read_line(&mut line).unwrap() > 2 {
                if let Some(said) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = said.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            write!(
                stream,
                "HTTP/1.1 {code} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            )
            .unwrap();
            String::from_utf8(body).unwrap()
        };
        codes.iter().map(answer).collect()
    });
    (address, bodies)
}

#[test]
fn an_address_in_trouble_is_asked_again_and_one_that_refuses_is_not() {
    let folder = &Folder::new();
    let (address, bodies) = answering(&[503, 204]);
    let played = play(folder, &format!("--notify-url '{address}'"));
    assert_eq!((played.status.code(), played.message().as_str()), (Some(0), ""));
    let bodies = bodies.join().unwrap();
    assert_eq!(bodies[0], bodies[1]);
    let notice: Value = serde_json::from_str(&bodies[1]).unwrap();
    assert_eq!(notice["result"]["games"], 4);

    let (address, bodies) = answering(&[404]);
    let again = play(folder, &format!("--notify-url '{address}'")).ok();
    assert_eq!(bodies.join().unwrap().len(), 1);
    let said = again.message();
    assert!(
        said.contains("answered 404") && !said.contains("secret"),
        "{said}"
    );
}

#[test]
fn a_signal_ends_a_try_at_an_address_that_never_answers() {
    let folder = &Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook?key=secret", listener.local_addr().unwrap());
    let line = format!("match --nodes 30 --pairs 1 --hash 1 --quiet --notify-url '{address}'");
    let playing = Running::start(folder, &line, "m");
    let _hanging = listener.accept().unwrap();
    let asked = Instant::now();
    signal(playing.pid(), "INT");
    let said = playing.end().ok().message();
    // A try takes ten seconds.
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    assert!(said.contains("a signal came before everybody was told"), "{said}");
    assert!(!said.contains("secret"), "{said}");
}
