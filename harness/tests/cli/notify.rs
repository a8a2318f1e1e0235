//! Who is told when a run ends, by the real program.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::common::tanren;
use crate::folder::{Ended, Folder, InFolder, words};
use serde_json::Value;

fn play(folder: &Path, more: &str) -> std::process::Output {
    let args = "match --a base --b plain --nodes 30 --pairs 2 --hash 1 --out m --json --quiet";
    folder.run(&format!("{args} {more}"))
}

fn told(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
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
fn a_command_reads_what_came_of_the_run() {
    let folder = &Folder::new();
    let played = play(folder, "--notify 'cat > told.json; echo noise'").ok();
    let notice = told(&folder.join("told.json"));
    assert_eq!(notice["kind"], "match");
    assert_eq!(notice["folder"], folder.join("m").display().to_string());
    assert_eq!(notice["exit_code"], 0);
    assert!(notice["error"].is_null());
    assert_eq!(notice["verdict"], "fixed_length");
    assert_eq!(notice["is_over"], true);
    assert_eq!(notice["result"], played.json(), "and stdout has the result alone");
    assert!(notice["text"].as_str().unwrap().contains("pairs"), "{notice}");
}

#[test]
fn a_command_that_fails_is_a_warning_and_the_run_stands() {
    let folder = &Folder::new();
    let played = play(folder, "--notify 'exit 9'").ok();
    played.says(["warning: --notify 'exit 9': ended with exit status: 9"]);
    assert_eq!(played.json()["games"], 4);
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
    let line = format!("match --nodes 30 --pairs 1 --hash 1 --out m --quiet --notify-url '{address}'");
    let mut command = tanren();
    command
        .args(words(&line))
        .current_dir(folder)
        .stderr(Stdio::piped());
    let playing = command.spawn().unwrap();
    let _hanging = listener.accept().unwrap();
    let asked = Instant::now();
    crate::signal(playing.id(), "INT");
    let said = playing.wait_with_output().unwrap().ok().message();
    // A try takes ten seconds.
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    assert!(said.contains("a signal came before everybody was told"), "{said}");
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn a_night_tells_of_its_end_once_and_with_its_exit_code() {
    let folder = &Folder::new();
    let night = "[[job]]\nname = 'one'\ncommand = 'match'\na = 'base'\nb = 'plain'\nnodes = 30\npairs = 1\n\
                 [[job]]\nname = 'two'\ncommand = 'match'\na = 'base'\nb = 'plain'\nnodes = 30\npairs = 1\n";
    folder.write("n.toml", night);
    let args = "run n.toml --out n --quiet --notify 'cat >> told.jsonl; echo >> told.jsonl'";
    folder.run(args).ok();
    // One line, one notice.
    let notice = told(&folder.join("told.jsonl"));
    assert_eq!(notice["kind"], "night");
    assert_eq!(notice["folder"], folder.join("n").display().to_string());
}

#[test]
fn what_never_began_is_not_told_and_an_address_that_is_none_is_refused() {
    let folder = &Folder::new();
    play(folder, "--notify 'touch told' --openings missing.sfen").ended(2);
    assert!(!folder.join("told").exists());
    for address in ["example.org/hook", "ftp://example.org/"] {
        play(folder, &format!("--notify-url '{address}'")).refused("http://");
    }
}
