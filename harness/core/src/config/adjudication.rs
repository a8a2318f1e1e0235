//! When a referee ends a game that the players' scores have decided.

use std::fmt;
use std::str::FromStr;

/// A player whose own score has been hopeless for some of its moves in a row loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResignRule {
    /// In centipawns: hopeless is `-score` or less.
    pub score: i32,
    pub moves: u32,
    /// Must the opponent's score have been `score` or more for as many of its moves?
    pub both: bool,
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

struct Parts<'a> {
    option: &'static str,
    example: &'static str,
    text: &'a str,
    values: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Parts<'a> {
    fn read(option: &'static str, example: &'static str, text: &'a str) -> Parts<'a> {
        let value = |part: &'a str| match part.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (part.trim(), None),
        };
        Parts {
            option,
            example,
            text,
            values: text.split(',').map(value).collect(),
        }
    }

    fn refuse(&self, reason: String) -> AdjudicationError {
        AdjudicationError {
            option: self.option,
            text: self.text.to_owned(),
            reason,
            example: self.example,
        }
    }

    fn number(&mut self, name: &str, range: std::ops::RangeInclusive<u32>) -> Result<u32, AdjudicationError> {
        let at = self.values.iter().position(|(part, _)| *part == name);
        let (_, value) = at
            .map(|at| self.values.remove(at))
            .ok_or_else(|| self.refuse(format!("{name} is missing")))?;
        let number = value
            .and_then(|value| value.parse().ok())
            .filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let value = value.unwrap_or_default();
            self.refuse(format!(
                "{name} is '{value}', but must be from {} to {}",
                range.start(),
                range.end()
            ))
        })
    }

    fn flag(&mut self, name: &str) -> bool {
        let at = self.values.iter().position(|part| *part == (name, None));
        at.map(|at| self.values.remove(at)).is_some()
    }

    /// Nothing may be left.
    fn finish(self) -> Result<(), AdjudicationError> {
        match self.values.first() {
            None => Ok(()),
            Some((name, _)) => Err(self.refuse(format!("'{name}' is not known or given twice"))),
        }
    }
}

impl FromStr for ResignRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = Parts::read("resign", "score=600,moves=3 or score=600,moves=3,both", text);
        let rule = ResignRule {
            score: parts.number("score", 1..=SCORE_MAX)? as i32,
            moves: parts.number("moves", 1..=MOVES_MAX)?,
            both: parts.flag("both"),
        };
        parts.finish().map(|()| rule)
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = if self.both { ",both" } else { "" };
        write!(f, "score={},moves={}{both}", self.score, self.moves)
    }
}

impl FromStr for DrawRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = Parts::read("draw", "from=40,moves=8,score=10", text);
        let rule = DrawRule {
            from_ply: parts.number("from", 0..=MOVES_MAX)?,
            moves: parts.number("moves", 1..=MOVES_MAX)?,
            score: parts.number("score", 0..=SCORE_MAX)? as i32,
        };
        parts.finish().map(|()| rule)
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
