//! What a line of an engine means.

use std::str::FromStr;

use crate::config::EngineProtocol;
use crate::record::Score;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum EngineLine<'a> {
    Introduced,
    Ready,
    Name(&'a [u8]),
    Option(&'a [u8]),
    /// `info …`, and the words of its principal variation, none if it has none or if it is not of the first one.
    Info(Info, &'a [u8]),
    /// `info string …`
    Text(&'a [u8]),
    /// `None`: `bestmove` without anything that could be a move.
    Best(Option<BestMove<'a>>),
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BestMove<'a> {
    /// A word, which should be a move, and the move that the engine expects as the answer.
    Move {
        text: &'a str,
        ponder: Option<&'a str>,
    },
    Resign,
    Win,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// The score from the engine's own view.
    pub(super) score: Option<Score>,
    pub(super) time_ms: Option<u64>,
    /// Is the score a bound only, so that more of the same depth is to come?
    pub(super) is_bound: bool,
}

impl Info {
    /// What is known after `later` was said too. A bound does not replace a score: an engine that is stopped while it searches
    /// again has not said what the position is worth, and games are adjudicated by what it did say.
    pub(super) fn update(&mut self, later: Info) {
        self.depth = later.depth.or(self.depth);
        self.nodes = later.nodes.or(self.nodes);
        self.time_ms = later.time_ms.or(self.time_ms);
        let is_news = !later.is_bound || self.is_bound || self.score.is_none();
        if later.score.is_some() && is_news {
            self.score = later.score;
            self.is_bound = later.is_bound;
        }
    }
}

impl<'a> EngineLine<'a> {
    pub(super) fn parse(line: &'a [u8]) -> EngineLine<'a> {
        let mut words = Words(line);
        match words.next() {
            Some(b"info") => {
                let text = Words(words.0).next() == Some(b"string");
                if text {
                    words.next();
                    return EngineLine::Text(words.0.trim_ascii());
                }
                let (info, variation) = parse_info(words);
                EngineLine::Info(info, variation)
            }
            Some(b"bestmove") => EngineLine::Best(parse_best(words)),
            Some(b"usiok" | b"uciok") => EngineLine::Introduced,
            Some(b"readyok") => EngineLine::Ready,
            Some(b"option") => EngineLine::Option(words.0.trim_ascii()),
            Some(b"id") if words.next() == Some(b"name") => EngineLine::Name(words.0.trim_ascii()),
            _ => EngineLine::Other,
        }
    }
}

/// The words of a line, divided by spaces or tabs.
struct Words<'a>(&'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.0.trim_ascii_start();
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.0 = rest;
        Some(word)
    }
}

fn number<N: FromStr>(word: Option<&[u8]>) -> Option<N> {
    str::from_utf8(word?).ok()?.parse().ok()
}

fn parse_info(mut words: Words<'_>) -> (Info, &[u8]) {
    let mut info = Info::default();
    let mut is_first = true;
    let mut variation: &[u8] = &[];
    while let Some(word) = words.next() {
        match word {
            b"depth" => info.depth = number(words.next()),
            b"nodes" => info.nodes = number(words.next()),
            b"multipv" => is_first = number(words.next()).is_none_or(|rank: u32| rank <= 1),
            b"time" => info.time_ms = number(words.next()),
            b"lowerbound" | b"upperbound" => info.is_bound = true,
            b"score" => info.score = parse_score(&mut words).or(info.score),
            // Words of moves or of a text are not words of the protocol.
            b"pv" => {
                variation = words.0.trim_ascii();
                break;
            }
            b"string" | b"refutation" | b"currline" => break,
            _ => {}
        }
    }
    if is_first {
        return (info, variation);
    }
    let nodes_alone = Info {
        nodes: info.nodes,
        ..Info::default()
    };
    (nodes_alone, &[])
}

pub(super) fn texts(line: &[u8]) -> impl Iterator<Item = &str> {
    Words(line).map_while(|word| str::from_utf8(word).ok())
}

fn parse_score(words: &mut Words<'_>) -> Option<Score> {
    match words.next()? {
        b"cp" => number(words.next()).map(Score::Centipawns),
        b"mate" => match words.next()? {
            b"+" => Some(Score::Mate(1)),
            b"-" => Some(Score::Mate(-1)),
            word => number(Some(word)).map(Score::Mate),
        },
        _ => None,
    }
}

/// UCI counts the moves to a mate, and everything else counts plies.
pub(super) fn in_plies(protocol: EngineProtocol, score: Score) -> Score {
    match (protocol, score) {
        (EngineProtocol::Uci, Score::Mate(moves @ 1..)) => Score::Mate(moves.saturating_mul(2) - 1),
        (EngineProtocol::Uci, Score::Mate(moves)) => Score::Mate(moves.saturating_mul(2)),
        _ => score,
    }
}

fn parse_best(mut words: Words<'_>) -> Option<BestMove<'_>> {
    Some(match words.next()? {
        b"resign" => BestMove::Resign,
        b"win" => BestMove::Win,
        word => BestMove::Move {
            text: str::from_utf8(word).ok()?,
            ponder: match words.next() {
                Some(b"ponder") => words.next().and_then(|word| str::from_utf8(word).ok()),
                _ => None,
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &[u8] = include_bytes!("lines.txt");

    #[test]
    fn lines_are_read_as_the_protocols_have_them() {
        let read = LINES.split(|&byte| byte == b'\n').map(|line| {
            let said = match EngineLine::parse(line) {
                EngineLine::Info(info, words) => {
                    format!("{info:?} {:?}", texts(words).collect::<Vec<_>>())
                }
                EngineLine::Name(text) => format!("name {:?}", String::from_utf8_lossy(text)),
                EngineLine::Option(text) => format!("option {:?}", String::from_utf8_lossy(text)),
                other => format!("{other:?}"),
            };
            format!("{}\n    {said}", line.escape_ascii())
        });
        insta::assert_snapshot!(read.collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn a_bound_stands_until_a_score_is_told_and_replaces_none() {
        let mut known = Info::default();
        for (line, expected) in [
            ("info depth 3 score cp 10 lowerbound", 10),
            ("info depth 3 score cp 20 lowerbound", 20),
            ("info depth 3 score cp 30", 30),
            ("info depth 4 score cp -900 upperbound", 30),
            ("info depth 4 nodes 7", 30),
            ("info depth 4 score cp -5", -5),
        ] {
            let EngineLine::Info(info, _) = EngineLine::parse(line.as_bytes()) else {
                panic!("{line}");
            };
            known.update(info);
            assert_eq!(known.score, Some(Score::Centipawns(expected)), "{line}");
        }
        assert_eq!((known.depth, known.nodes), (Some(4), Some(7)));
    }

    #[test]
    fn mates_of_uci_are_told_in_moves_of_the_side_to_move_and_those_of_usi_in_plies() {
        for (moves, expected) in [(1, 1), (2, 3), (5, 9), (-1, -2), (-4, -8), (0, 0)] {
            let told = Score::Mate(moves);
            assert_eq!(in_plies(EngineProtocol::Uci, told), Score::Mate(expected));
            assert_eq!(in_plies(EngineProtocol::Usi, told), told);
        }
        let score = Score::Centipawns(7);
        assert_eq!(in_plies(EngineProtocol::Uci, score), score);
    }
}
