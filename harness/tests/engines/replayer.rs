//! A USI engine that answers at once with the next move of one fixed game, for measuring what a runner costs.
//!
//! Play it from the start position, against itself.

use std::io::{self, BufRead, Write};

/// 111 legal plies, after which it resigns.
const GAME: &str = include_str!("replayer.game");

fn main() -> io::Result<()> {
    let moves: Vec<&str> = GAME.split_whitespace().collect();
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let (mut line, mut plies) = (String::new(), 0);
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let text = line.as_bytes();
        match text.first() {
            // `position … moves a b c`: a space stands before every move.
            Some(b'p') => {
                plies = match line.find(" moves ") {
                    Some(at) => text[at + 6..].iter().filter(|&&byte| byte == b' ').count(),
                    None => 0,
                }
            }
            Some(b'g') if line.starts_with("go") => {
                let best = moves.get(plies).unwrap_or(&"resign");
                output.write_all(format!("info depth 1 nodes 1 score cp 0\nbestmove {best}\n").as_bytes())?;
                output.flush()?;
            }
            Some(b'u') if line.trim_end() == "usi" => {
                output.write_all(b"id name Replayer\nusiok\n")?;
                output.flush()?;
            }
            Some(b'i') => {
                output.write_all(b"readyok\n")?;
                output.flush()?;
            }
            Some(b'q') => return Ok(()),
            _ => {}
        }
    }
}
