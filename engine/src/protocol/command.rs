//! From a line of text to a command, whether or not it makes sense now.

use std::iter::Peekable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProtocolCommand {
    Introduce,
    SetOption {
        name: String,
        value: String,
    },
    IsReady,
    NewGame,
    Position {
        /// `startpos` or the fields of an SFEN or FEN.
        start: String,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    PonderHit,
    GameOver,
    /// `bench` and `perft` belong to no protocol.
    Bench,
    Perft(u32),
    Quit,
    /// An empty line, or one that asks for nothing here.
    Nothing,
    Unknown(String),
}

/// The limits of a `go`, times in milliseconds. Black is the first side in shogi and the second in chess.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Go {
    pub(super) btime_ms: Option<u64>,
    pub(super) wtime_ms: Option<u64>,
    pub(super) byoyomi_ms: Option<u64>,
    pub(super) binc_ms: Option<u64>,
    pub(super) winc_ms: Option<u64>,
    /// Moves to the next time control, this one included.
    pub(super) moves_to_go: Option<u32>,
    pub(super) movetime_ms: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) mate: bool,
    /// The number after `mate`: moves in UCI, milliseconds in USI.
    pub(super) mate_limit: Option<u64>,
    pub(super) searchmoves: Vec<String>,
    pub(super) perft: Option<u32>,
    /// Limits whose number cannot be read, in words. Where they leave no other limit, `depth` is 1 rather than an
    /// endless search.
    pub(super) unread: Vec<String>,
}

/// What ends a list of moves after `go`.
const GO_WORDS: &str = "searchmoves ponder wtime btime winc binc byoyomi movestogo movetime depth nodes mate infinite rtime perft";

fn is_go_word(word: &str) -> bool {
    GO_WORDS.split(' ').any(|known| known == word)
}

impl ProtocolCommand {
    pub(super) fn parse(line: &str) -> ProtocolCommand {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            None => ProtocolCommand::Nothing,
            Some("usi" | "uci") => ProtocolCommand::Introduce,
            Some("isready") => ProtocolCommand::IsReady,
            Some("usinewgame" | "ucinewgame") => ProtocolCommand::NewGame,
            Some("stop") => ProtocolCommand::Stop,
            Some("ponderhit") => ProtocolCommand::PonderHit,
            Some("gameover") => ProtocolCommand::GameOver,
            Some("quit") => ProtocolCommand::Quit,
            Some("bench") if words.next().is_none() => ProtocolCommand::Bench,
            Some("perft") => match words.next().map(str::parse) {
                Some(Ok(depth)) if words.next().is_none() => ProtocolCommand::Perft(depth),
                _ => unknown(line),
            },
            Some("debug" | "register") => ProtocolCommand::Nothing,
            Some("setoption") => parse_option(line),
            Some("position") => parse_position(words),
            Some("go") => ProtocolCommand::Go(parse_go(words)),
            Some(_) => unknown(line),
        }
    }
}

/// As much of it as can be told.
fn unknown(line: &str) -> ProtocolCommand {
    const CHARS: usize = 200;
    ProtocolCommand::Unknown(line.trim().chars().take(CHARS).collect())
}

fn parse_option(line: &str) -> ProtocolCommand {
    let Some(named) = after(line, "setoption").and_then(|rest| after(rest, "name")) else {
        return unknown(line);
    };
    // Names and values may hold blanks: the first `value` that stands alone parts them.
    let mut parts = named.match_indices("value").filter_map(|(at, _)| {
        let value = after(&named[at..], "value")?;
        let name = &named[..at];
        name.ends_with(char::is_whitespace).then_some((name, value))
    });
    let (name, value) = parts.next().unwrap_or((named, ""));
    ProtocolCommand::SetOption {
        name: name.trim().to_owned(),
        value: value.trim().to_owned(),
    }
}

/// The rest of `text`, if it begins with `word`.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

fn parse_position<'a>(words: impl Iterator<Item = &'a str>) -> ProtocolCommand {
    let mut start = Vec::new();
    let mut moves = Vec::new();
    let mut in_moves = false;
    for word in words {
        match word {
            "moves" if !in_moves => in_moves = true,
            _ if in_moves => moves.push(word.to_owned()),
            "sfen" | "fen" if start.is_empty() => {}
            _ => start.push(word),
        }
    }
    ProtocolCommand::Position {
        start: start.join(" "),
        moves,
    }
}

fn parse_go<'a>(words: impl Iterator<Item = &'a str>) -> Go {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut number = || limit(word, &mut words, &mut go.unread);
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "mate" => {
                go.mate = true;
                if words.peek().is_some_and(|word| !is_go_word(word)) {
                    go.mate_limit = limit(word, &mut words, &mut go.unread);
                }
            }
            "btime" => go.btime_ms = number(),
            "wtime" => go.wtime_ms = number(),
            "byoyomi" => go.byoyomi_ms = number(),
            "binc" => go.binc_ms = number(),
            "winc" => go.winc_ms = number(),
            "movestogo" => go.moves_to_go = number().map(small),
            "movetime" => go.movetime_ms = number(),
            "nodes" => go.nodes = number(),
            "depth" => go.depth = number().map(small),
            "perft" => go.perft = number().map(small),
            "searchmoves" => {
                while let Some(text) = words.next_if(|word| !is_go_word(word)) {
                    go.searchmoves.push(text.to_owned());
                }
            }
            _ => {}
        }
    }
    let is_limited = [go.btime_ms, go.wtime_ms, go.byoyomi_ms, go.movetime_ms, go.nodes];
    let is_limited = is_limited.iter().any(Option::is_some) || go.depth.is_some() || go.mate_limit.is_some();
    if !(go.unread.is_empty() || is_limited || go.infinite) {
        go.depth = Some(1);
    }
    go
}

/// Longer than any game; keeps sums of times far from overflow.
const NUMBER_MAX: u64 = 1 << 48;

/// The number that follows `name`; `unread` says why there is none.
fn limit<'a>(
    name: &str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    unread: &mut Vec<String>,
) -> Option<u64> {
    let word = words.next_if(|word| !is_go_word(word));
    let number = word.and_then(whole);
    if number.is_none() {
        unread.push(format!("{name} '{}' is not a number", word.unwrap_or_default()));
    }
    number
}

/// `word` as a number without its fraction; clocks of some GUIs run below zero, which counts as zero.
fn whole(word: &str) -> Option<u64> {
    let number: f64 = word.parse().ok().filter(|number: &f64| number.is_finite())?;
    // A conversion of a number that is too great or too small gives the nearest.
    Some((number as u64).min(NUMBER_MAX))
}

pub(super) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match ProtocolCommand::parse(line) {
            ProtocolCommand::Go(go) => go,
            other => panic!("not a go: {other:?}"),
        }
    }

    #[test]
    fn a_position_is_a_start_and_moves() {
        let (sfen, fen) = ("4k4/9/9/9/9/9/9/9/4K4 b - 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        for (line, start, moves) in [
            (
                format!("sfen {sfen} moves 5i5h 5a5b"),
                sfen,
                &["5i5h", "5a5b"][..],
            ),
            (format!("fen {fen} moves e1e2"), fen, &["e1e2"]),
            ("startpos".to_owned(), "startpos", &[]),
        ] {
            let expected = ProtocolCommand::Position {
                start: start.into(),
                moves: moves.iter().map(|text| (*text).to_owned()).collect(),
            };
            assert_eq!(ProtocolCommand::parse(&format!("position {line}")), expected);
        }
    }

    #[test]
    fn go_reads_every_limit_and_skips_what_it_does_not_know() {
        let expected = Go {
            btime_ms: Some(1000),
            wtime_ms: Some(0),
            byoyomi_ms: Some(3000),
            nodes: Some(7),
            depth: Some(9),
            ponder: true,
            ..Go::default()
        };
        let line = "go ponder btime 1000 wtime -5 byoyomi 3000 flux nodes 7 depth 9";
        assert_eq!(go(line), expected);
        let expected = Go {
            searchmoves: vec!["e2e4".into(), "d2d4".into()],
            infinite: true,
            mate: true,
            mate_limit: Some(3),
            ..Go::default()
        };
        assert_eq!(go("go searchmoves e2e4 d2d4 infinite mate 3"), expected);
    }

    #[test]
    fn a_limit_that_is_not_a_number_is_told_and_never_a_search_without_end() {
        let clock = go("go wtime 500.9 btime 1e3");
        assert_eq!((clock.wtime_ms, clock.btime_ms), (Some(500), Some(1000)));
        assert_eq!(go("go nodes many").unread, ["nodes 'many' is not a number"]);
        assert_eq!(go("go wtime btime 500").unread, ["wtime '' is not a number"]);
        assert_eq!(go("go wtime btime 500").btime_ms, Some(500));
        assert_eq!(go("go nodes 9223372036854775808").nodes, Some(NUMBER_MAX));
        for (line, depth) in [
            ("go nodes many", Some(1)),
            ("go wtime btime 500", None),
            ("go depth 4294967296", Some(u32::MAX)),
            ("go perft x", Some(1)),
            ("go movetime NaN", Some(1)),
            ("go mate x", Some(1)),
            ("go mate", None),
            ("go mate infinite", None),
        ] {
            assert_eq!(go(line).depth, depth, "{line}");
        }
    }

    #[test]
    fn an_option_may_have_spaces_in_its_value_or_no_value() {
        for (line, name, value) in [
            ("setoption name Book value my book.db", "Book", "my book.db"),
            ("setoption name Clear", "Clear", ""),
            ("setoption\tname Hash\tvalue  8 ", "Hash", "8"),
            ("setoption name Hash value", "Hash", ""),
            ("setoption name a valued thing value v", "a valued thing", "v"),
        ] {
            let (name, value) = (name.to_owned(), value.to_owned());
            assert_eq!(
                ProtocolCommand::parse(line),
                ProtocolCommand::SetOption { name, value }
            );
        }
    }

    #[test]
    fn nonsense_is_unknown_and_not_an_error() {
        assert_eq!(ProtocolCommand::parse("  "), ProtocolCommand::Nothing);
        for line in ["xyzzy 1 2", "setoption naming x"] {
            assert_eq!(
                ProtocolCommand::parse(line),
                ProtocolCommand::Unknown(line.into())
            );
        }
    }
}
