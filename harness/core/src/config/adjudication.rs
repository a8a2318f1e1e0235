//! When a referee ends a game that the players' scores have decided.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A player whose own score has been hopeless for some of its moves in a row loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResignRule {
    /// In centipawns: hopeless is `-score` or less.
    pub score: i32,
    pub moves: u32,
    /// Must the opponent's score have been `score` or more for as many of its moves? `None`: if a player is an external engine.
    pub both: Option<bool>,
}

/// A game in which both players have seen no advantage for some moves in a row is a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawRule {
    /// Plies from the opening before which no game is ended.
    pub from_ply: u32,
    pub moves: u32,
    /// In centipawns: no advantage is a score from `-score` to `score`.
    pub score: i32,
}

/// A rule that is none; the message names the part and says what is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{option} '{text}': {reason} (expected a form like {example})")]
pub struct AdjudicationError {
    option: &'static str,
    text: String,
    reason: String,
    example: &'static str,
}

const SCORE_MAX: u32 = 1_000_000;
const MOVES_MAX: u32 = 10_000;

/// The numbers of these names, each in its range, and whether `flag` stands among them; nothing else may.
fn read<const N: usize>(
    text: &str,
    names: [(&str, RangeInclusive<u32>); N],
    flag: &str,
) -> Result<([u32; N], bool), String> {
    let parts = text.split(',').map(|part| match part.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (part.trim(), None),
    });
    let mut parts: Vec<(&str, Option<&str>)> = parts.collect();
    let mut numbers = [0; N];
    for ((name, range), number) in names.iter().zip(&mut numbers) {
        let at = parts.iter().position(|(part, _)| part == name);
        let (_, value) = parts.remove(at.ok_or_else(|| format!("{name} is missing"))?);
        let value = value.unwrap_or_default();
        let read = value.parse().ok().filter(|number| range.contains(number));
        *number = read.ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            format!("{name} is '{value}', but must be from {low} to {high}")
        })?;
    }
    let at = parts.iter().position(|part| *part == (flag, None));
    let has_flag = at.map(|at| parts.remove(at)).is_some();
    match parts.first() {
        None => Ok((numbers, has_flag)),
        Some((name, _)) => Err(format!("'{name}' is not known or given twice")),
    }
}

impl FromStr for ResignRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = [("score", 1..=SCORE_MAX), ("moves", 1..=MOVES_MAX)];
        let one = text.strip_suffix(",both=off");
        let ([score, moves], both) =
            read(one.unwrap_or(text), names, "both").map_err(|reason| AdjudicationError {
                option: "resign",
                text: text.to_owned(),
                reason,
                example: "score=600,moves=3, score=600,moves=3,both or score=600,moves=3,both=off",
            })?;
        Ok(ResignRule {
            score: score as i32,
            moves,
            both: if one.is_some() {
                Some(false)
            } else {
                both.then_some(true)
            },
        })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = match self.both {
            None => "",
            Some(true) => ",both",
            Some(false) => ",both=off",
        };
        write!(f, "score={},moves={}{both}", self.score, self.moves)
    }
}

impl FromStr for DrawRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = [
            ("from", 0..=MOVES_MAX),
            ("moves", 1..=MOVES_MAX),
            ("score", 0..=SCORE_MAX),
        ];
        let ([from_ply, moves, score], _) = read(text, names, "").map_err(|reason| AdjudicationError {
            option: "draw",
            text: text.to_owned(),
            reason,
            example: "from=40,moves=8,score=10",
        })?;
        Ok(DrawRule {
            from_ply,
            moves,
            score: score as i32,
        })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "from={},moves={},score={}",
            self.from_ply, self.moves, self.score
        )
    }
}
