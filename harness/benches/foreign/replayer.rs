//! A USI engine that answers at once with the next move of one fixed game.
//!
//! In: USI on standard input. Out: moves. Must not: cost more than it has to, since it shares cores with who is measured.

use std::io::{self, BufRead, Write};

/// Legal plies from the start position, after which it resigns.
const GAME: &str = include_str!("replayer.game");

/// Plies of a game.
pub(super) fn plies() -> usize {
    GAME.split_whitespace().count()
}

/// Answers until it is told to leave.
pub(super) fn serve() -> io::Result<()> {
    let answers = GAME.split_whitespace().chain(["resign"]);
    let answers: Vec<String> = answers
        .map(|mv| format!("info depth 1 nodes 1 score cp 0\nbestmove {mv}\n"))
        .collect();
    let mut input = io::stdin().lock();
    // One write for each answer: standard output passes on all that ends with a line.
    let mut output = io::stdout().lock();
    let (mut line, mut plies) = (Vec::new(), 0);
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match line.first() {
            // `position sfen BOARD SIDE HANDS NUMBER moves a b c`: words tell how many moves there are.
            Some(b'p') => {
                let words = 1 + line.iter().filter(|&&byte| byte == b' ').count();
                plies = words.saturating_sub(WORDS_BEFORE_MOVES);
            }
            Some(b'g') if line.starts_with(b"go") => {
                output.write_all(answers[plies.min(answers.len() - 1)].as_bytes())?;
            }
            Some(b'u') if line.starts_with(b"usi\n") => output.write_all(b"id name Replayer\nusiok\n")?,
            Some(b'i') => output.write_all(b"readyok\n")?,
            Some(b'q') => return Ok(()),
            _ => {}
        }
    }
}

/// `position`, `sfen`, its four parts and `moves`.
const WORDS_BEFORE_MOVES: usize = 7;
