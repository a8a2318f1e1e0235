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
    Best(Best<'a>),
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Best<'a> {
    /// A word, which should be a move, and the move that the engine expects as the answer.
    Move {
        text: &'a str,
        ponder: Option<&'a str>,
    },
    Resign,
    Win,
    Nonsense,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// From the engine's own view.
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

fn parse_best(mut words: Words<'_>) -> Best<'_> {
    match words.next() {
        Some(b"resign") => Best::Resign,
        Some(b"win") => Best::Win,
        Some(word) => {
            let Ok(text) = str::from_utf8(word) else {
                return Best::Nonsense;
            };
            let ponder = match words.next() {
                Some(b"ponder") => words.next().and_then(|word| str::from_utf8(word).ok()),
                _ => None,
            };
            Best::Move { text, ponder }
        }
        None => Best::Nonsense,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Info {
        match EngineLine::parse(line.as_bytes()) {
            EngineLine::Info(info, _) => info,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn cp(score: i32) -> Option<Score> {
        Some(Score::Centipawns(score))
    }

    #[test]
    fn an_info_line_tells_what_is_known_of_the_first_variation_in_any_order() {
        let none = Info::default();
        let nodes_alone = |nodes| Info {
            nodes: Some(nodes),
            ..none
        };
        let score_alone = |score| Info {
            score: Some(score),
            ..none
        };
        let known = Info {
            depth: Some(7),
            score: cp(-31),
            ..nodes_alone(12345)
        };
        let bound = Info {
            time_ms: Some(3),
            is_bound: true,
            ..known
        };
        for (line, expected) in [
            (
                "info depth 7 seldepth 9 score cp -31 nodes 12345 pv 7g7f depth 99",
                known,
            ),
            (
                "info nodes 12345 novelty 5 score cp -31 lowerbound time 3 depth 7",
                bound,
            ),
            ("info score mate -4", score_alone(Score::Mate(-4))),
            ("info score mate +", score_alone(Score::Mate(1))),
            ("info score mate -", score_alone(Score::Mate(-1))),
            ("info score mate +12", score_alone(Score::Mate(12))),
            ("info multipv 1 score cp 5", score_alone(Score::Centipawns(5))),
            (
                "info depth 9 multipv 2 score cp 5 nodes 70 pv 2g2f",
                nodes_alone(70),
            ),
            ("info string depth 5 score cp 7", none),
            ("info depth", none),
            ("info depth -1 nodes 99999999999999999999999 score cp high", none),
        ] {
            assert_eq!(info(line), expected, "{line}");
        }
        let no_text = EngineLine::parse(b"info depth \xff nodes 5 \xfe");
        assert_eq!(no_text, EngineLine::Info(nodes_alone(5), &[]));
    }

    #[test]
    fn a_bound_stands_until_a_score_is_told_and_replaces_none() {
        let mut known = Info::default();
        let mut score_after = |line: &'static str| {
            known.update(info(line));
            known.score
        };
        assert_eq!(score_after("info depth 3 score cp 10 lowerbound"), cp(10));
        assert_eq!(score_after("info depth 3 score cp 20 lowerbound"), cp(20));
        assert_eq!(score_after("info depth 3 score cp 30"), cp(30));
        assert_eq!(score_after("info depth 4 score cp -900 upperbound"), cp(30));
        assert_eq!(score_after("info depth 4 nodes 7"), cp(30));
        assert_eq!(score_after("info depth 4 score cp -5"), cp(-5));
        assert_eq!((known.depth, known.nodes), (Some(4), Some(7)));
    }

    #[test]
    fn mates_of_uci_are_told_in_moves_of_the_side_to_move_and_those_of_usi_in_plies() {
        let plies = |protocol, mate| in_plies(protocol, Score::Mate(mate));
        for (moves, expected) in [(1, 1), (2, 3), (5, 9), (-1, -2), (-4, -8), (0, 0)] {
            assert_eq!(plies(EngineProtocol::Uci, moves), Score::Mate(expected));
            assert_eq!(plies(EngineProtocol::Usi, moves), Score::Mate(moves));
        }
        assert_eq!(
            in_plies(EngineProtocol::Uci, Score::Centipawns(7)),
            Score::Centipawns(7)
        );
    }

    #[test]
    fn the_principal_variation_is_the_rest_of_the_line_of_the_first_one() {
        let variation = |line: &'static str| match EngineLine::parse(line.as_bytes()) {
            EngineLine::Info(_, variation) => texts(variation).collect::<Vec<_>>(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(
            variation("info depth 3 pv 7g7f  3c3d 2g2f "),
            ["7g7f", "3c3d", "2g2f"]
        );
        assert_eq!(variation("info multipv 2 depth 3 pv 7g7f"), [""; 0]);
        assert_eq!(variation("info string pv 7g7f"), [""; 0]);
        assert_eq!(variation("info pv"), [""; 0]);
    }

    #[test]
    fn the_rest_of_the_protocol_is_told_apart() {
        let word = |text, ponder| EngineLine::Best(Best::Move { text, ponder });
        for (line, expected) in [
            ("bestmove 7g7f", word("7g7f", None)),
            ("bestmove  P*5e \t ponder 3c3d ", word("P*5e", Some("3c3d"))),
            ("bestmove resign", EngineLine::Best(Best::Resign)),
            ("bestmove win", EngineLine::Best(Best::Win)),
            ("bestmove", EngineLine::Best(Best::Nonsense)),
            ("bestmoves 7g7f", EngineLine::Other),
            ("usiok", EngineLine::Introduced),
            ("readyok", EngineLine::Ready),
            ("id name An Engine 1.0", EngineLine::Name(b"An Engine 1.0")),
            ("id author Somebody", EngineLine::Other),
            (
                "option name Hash type spin",
                EngineLine::Option(b"name Hash type spin"),
            ),
            ("", EngineLine::Other),
        ] {
            assert_eq!(EngineLine::parse(line.as_bytes()), expected, "{line}");
        }
        let no_text = EngineLine::parse(b"bestmove \xff");
        assert_eq!(no_text, EngineLine::Best(Best::Nonsense));
    }
}
