//! What the searches of a match said, move by move.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};

use tanren_engine::game::Game;

/// A file of records, read game by game.
pub(crate) struct Scores {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
    game: Game,
}

fn is_move(line: &str) -> bool {
    line.len() == 7 && line.starts_with(['+', '-']) && line.as_bytes()[1..5].iter().all(u8::is_ascii_digit)
}

impl Scores {
    pub(crate) fn open(folder: &Path, game: Game) -> Result<Self, String> {
        let format = if game == Game::Shogi { "csa" } else { "pgn" };
        let path = folder.join(format!("games.{format}"));
        let file = File::open(&path).map_err(|error| {
            format!(
                "{}: {error} (tanren report {} --records {format} writes it)",
                path.display(),
                folder.display()
            )
        })?;
        Ok(Scores {
            path,
            lines: BufReader::new(file).lines(),
            game,
        })
    }

    /// For each move of the next game its score from the first side's view in centipawns, if it has one.
    pub(crate) fn next_game(&mut self) -> Result<Vec<Option<f32>>, String> {
        match self.game {
            Game::Shogi => self.next_csa(),
            Game::Chess => self.next_pgn(),
        }
    }

    fn next_csa(&mut self) -> Result<Vec<Option<f32>>, String> {
        let mut scores = Vec::new();
        for line in self.lines.by_ref() {
            let line = line.map_err(|error| format!("{}: {error}", self.path.display()))?;
            if line == "/" {
                break;
            }
            if is_move(&line) {
                scores.push(None);
            // The moves that an external engine expects follow the score.
            } else if let Some(score) = line
                .strip_prefix("'** ")
                .and_then(|comment| comment.split(' ').next())
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

    /// A game of PGN: tags, an empty line, moves with comments `{+0.31/7 ...}` in pawns from the mover's view, an empty line.
    fn next_pgn(&mut self) -> Result<Vec<Option<f32>>, String> {
        let mut scores: Vec<Option<f32>> = Vec::new();
        let (mut sign, mut in_comment, mut has_begun) = (1.0, false, false);
        for line in self.lines.by_ref() {
            let line = line.map_err(|error| format!("{}: {error}", self.path.display()))?;
            if line.starts_with('[') {
                if line.starts_with("[FEN ") && line.contains(" b ") {
                    sign = -1.0;
                }
                continue;
            }
            if line.is_empty() {
                if !has_begun {
                    continue;
                }
                break;
            }
            has_begun = true;
            for word in line.split_whitespace() {
                if let Some(comment) = word.strip_prefix('{') {
                    let pawns = comment
                        .split('/')
                        .next()
                        .and_then(|text| text.parse::<f32>().ok());
                    let of_white = if scores.len() % 2 == 1 { sign } else { -sign };
                    if let Some(last) = scores.last_mut() {
                        *last = pawns.map(|pawns| 100.0 * of_white * pawns);
                    }
                    in_comment = true;
                } else if !in_comment
                    && !word.ends_with('.')
                    && word.starts_with(|first: char| first.is_ascii_alphabetic())
                {
                    scores.push(None);
                }
                if word.ends_with('}') {
                    in_comment = false;
                }
            }
        }
        Ok(scores)
    }
}
