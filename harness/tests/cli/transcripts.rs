//! What a user types and sees: each file of `transcripts` is played again.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::rc::Rc;
use std::thread;

use crate::shell::{Shell, Words};
use crate::transcript::play_all;

#[test]
fn transcripts_hold() {
    // They wait more than they compute.
    play_all("cli/transcripts", 4, words);
}

fn words() -> Words {
    Rc::new(|shell, words, _| match *words {
        // An address `[NAME]` that answers so and writes what is posted to a file; without codes it never answers.
        ["hook", name, ref codes @ ..] => {
            hook(shell, name, codes);
            Some(String::new())
        }
        _ => None,
    })
}

fn hook(shell: &mut Shell, name: &str, codes: &[&str]) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook?key=secret", listener.local_addr().unwrap());
    shell.run(&format!("let {name} '{address}'"), "");
    let codes: Vec<String> = codes.iter().map(|&code| code.to_owned()).collect();
    let file = shell.folder.join(name);
    thread::spawn(move || {
        for code in &codes {
            answer(listener.accept().unwrap().0, code, &file);
        }
        let _hanging = listener.accept();
        thread::park();
    });
}

/// Writes the body behind those before.
fn answer(mut stream: TcpStream, code: &str, file: &Path) {
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
    let before = fs::read_to_string(file).unwrap_or_default();
    fs::write(
        file,
        format!("{before}{code}: {}\n", String::from_utf8(body).unwrap()),
    )
    .unwrap();
    write!(
        stream,
        "HTTP/1.1 {code} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
}
