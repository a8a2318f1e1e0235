//! A conversation with the real program, one line after the other.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program at the other end of two pipes.
pub(crate) struct Conversation {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Conversation {
    /// Starts it.
    pub(crate) fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tanren-engine"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Conversation { child, input, output }
    }

    /// Tells it a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// What it says up to the first line that starts with `word`.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut said: Vec<String> = Vec::new();
        while !said.last().is_some_and(|line| line.starts_with(word)) {
            said.push(self.output.next().unwrap().unwrap());
        }
        said
    }

    /// Tells it lines, and waits for the answer to each that has one. What it said in all.
    pub(crate) fn tell(&mut self, lines: &[&str]) -> Vec<String> {
        let mut said = Vec::new();
        for line in lines {
            self.say(line);
            let answer = match line.split(' ').next().unwrap() {
                "usi" => "usiok",
                "uci" => "uciok",
                "isready" => "readyok",
                "perft" => "info string perft",
                "go" if line.contains(" perft ") => "info string perft",
                "go" => "bestmove",
                _ => continue,
            };
            said.extend(self.until(answer));
        }
        said
    }

    /// Ends its input; what it still said.
    pub(crate) fn end(mut self) -> Vec<String> {
        drop(self.input);
        let said = self.output.map(Result::unwrap).collect();
        assert!(self.child.wait().unwrap().success());
        said
    }
}

/// What is said in answer to these lines, each after the answer to the one before.
pub(crate) fn converse(lines: &[&str]) -> Vec<String> {
    let mut conversation = Conversation::start();
    let mut said = conversation.tell(lines);
    said.extend(conversation.end());
    said
}

/// The nodes that the last search of a conversation came to.
pub(crate) fn nodes_of_last(lines: &[&str]) -> u64 {
    let said = converse(lines);
    let last = said.iter().rev().find(|line| line.contains(" nodes ")).unwrap();
    let nodes = last.split(" nodes ").nth(1).unwrap().split(' ').next();
    nodes.unwrap().parse().unwrap()
}
