//! The program, spoken to as a GUI would.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Engine {
    child: Child,
    input: ChildStdin,
    pub(crate) output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tanren-engine"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Engine { child, input, output }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// What it says up to the first line that starts with one of `words`, which `|` separates.
    pub(crate) fn until(&mut self, words: &str) -> Vec<String> {
        let is_last = |line: &String| words.split('|').any(|word| line.starts_with(word));
        let mut said: Vec<String> = Vec::new();
        while !said.last().is_some_and(is_last) {
            said.push(self.output.next().unwrap().unwrap());
        }
        said
    }

    /// Says `lines`, each after the answer to the one before.
    pub(crate) fn tell(&mut self, lines: &[&str]) -> Vec<String> {
        let mut said = Vec::new();
        for line in lines {
            self.say(line);
            let answer = match line.split(' ').next().unwrap() {
                "usi" => "usiok",
                "uci" => "uciok",
                "isready" => "readyok",
                "perft" => "info string perft",
                "go" => "bestmove|checkmate|info string perft",
                _ => continue,
            };
            said.extend(self.until(answer));
        }
        said
    }

    pub(crate) fn end(mut self) -> Vec<String> {
        drop(self.input);
        let said = self.output.map(Result::unwrap).collect();
        assert!(self.child.wait().unwrap().success());
        said
    }
}

pub(crate) fn run(arguments: &[&str], lines: &[&str]) -> Vec<String> {
    let mut engine = Engine::start(arguments);
    let mut said = engine.tell(lines);
    said.extend(engine.end());
    said
}

pub(crate) fn converse(lines: &[&str]) -> Vec<String> {
    run(&[], lines)
}

pub(crate) fn uci(lines: &[&str]) -> Vec<String> {
    let said = converse(&[&["uci"], lines].concat());
    let start = said.iter().position(|line| line == "uciok").unwrap();
    said[start + 1..].to_vec()
}

pub(crate) fn has(said: &[String], text: &str) -> bool {
    said.iter().any(|line| line.contains(text))
}

/// The word after `name` in the last line that has it.
pub(crate) fn last_value<'a>(said: &'a [String], name: &str) -> &'a str {
    let key = format!("{name} ");
    let line = said.iter().rev().find(|line| line.contains(&key)).unwrap();
    line.split(&key).nth(1).unwrap().split(' ').next().unwrap()
}

pub(crate) fn bestmove(said: &[String]) -> &str {
    last_value(said, "bestmove")
}

pub(crate) fn nodes_of_last(lines: &[&str]) -> u64 {
    last_value(&converse(lines), " nodes").parse().unwrap()
}

pub(crate) const MATED: &str = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
