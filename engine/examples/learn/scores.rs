//! What the searches of a match said, move by move.
//!
//! In: `games.csa`, which `tanren report DIR --records csa` writes. Out: the scores of one game after another. Must not: know
//! the moves.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};

/// A file of records, read game by game.
pub(crate) struct Scores {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
}

fn is_move(line: &str) -> bool {
    line.len() == 7 && line.starts_with(['+', '-']) && line.as_bytes()[1..5].iter().all(u8::is_ascii_digit)
}

impl Scores {
    pub(crate) fn open(folder: &Path) -> Result<Self, String> {
        let path = folder.join("games.csa");
        let file = File::open(&path).map_err(|error| {
            format!(
                "{}: {error} (tanren report {} --records csa writes it)",
                path.display(),
                folder.display()
            )
        })?;
        Ok(Scores {
            path,
            lines: BufReader::new(file).lines(),
        })
    }

    /// For each move of the next game its score from black's view in centipawns, if it has one.
    pub(crate) fn next_game(&mut self) -> Result<Vec<Option<f32>>, String> {
        let mut scores = Vec::new();
        for line in self.lines.by_ref() {
            let line = line.map_err(|error| format!("{}: {error}", self.path.display()))?;
            if line == "/" {
                break;
            }
            if is_move(&line) {
                scores.push(None);
            } else if let Some(score) = line.strip_prefix("'** ")
                && let Some(last) = scores.last_mut()
            {
                let score = score
                    .parse()
                    .map_err(|_| format!("{}: '{score}' is no score", self.path.display()))?;
                *last = Some(score);
            }
        }
        Ok(scores)
    }
}
