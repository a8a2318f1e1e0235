//! From a line of text to a command.
//!
//! In: one line. Out: [`Command`]. Must not: know whether the command makes sense now.

use std::iter::Peekable;

/// What a GUI can say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Introduce yourself: `usi` or `uci`.
    Introduce,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value, empty if none was given.
        value: String,
    },
    /// Get ready.
    IsReady,
    /// A new game begins.
    NewGame,
    /// The position to think about.
    Position {
        /// `startpos` or the fields of an SFEN or FEN.
        start: String,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Answer now.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// The game has ended.
    GameOver,
    /// Measure nodes and speed on the fixed positions; not part of a protocol.
    Bench,
    /// Count the sequences of so many moves; not part of a protocol.
    Perft(u32),
    /// Leave.
    Quit,
    /// An empty line, or one that asks for nothing here.
    Nothing,
    /// Anything else.
    Unknown(String),
}

/// The limits of a `go`, times in milliseconds. Black is the first side in shogi and the second in chess.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Left for black.
    pub btime_ms: Option<u64>,
    /// Left for white.
    pub wtime_ms: Option<u64>,
    /// Free for each move after that.
    pub byoyomi_ms: Option<u64>,
    /// Increment of black.
    pub binc_ms: Option<u64>,
    /// Increment of white.
    pub winc_ms: Option<u64>,
    /// Moves until there is more time, this one included.
    pub moves_to_go: Option<u32>,
    /// Exactly this long.
    pub movetime_ms: Option<u64>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Greatest depth.
    pub depth: Option<u32>,
    /// Until told to stop.
    pub infinite: bool,
    /// On the opponent's time.
    pub ponder: bool,
    /// Look for a mate only.
    pub mate: bool,
    /// In so many moves.
    pub mate_moves: Option<u32>,
    /// Search these moves only; all if there are none.
    pub searchmoves: Vec<String>,
    /// Count the sequences of so many moves instead; not part of a protocol.
    pub perft: Option<u32>,
    /// Limits whose number cannot be read, in words. Where they leave no other limit, `depth` is 1: nobody asked for a search
    /// without an end.
    pub unread: Vec<String>,
}

/// What may follow a `go`, and so ends a list of moves.
const GO_WORDS: [&str; 15] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "byoyomi",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "rtime",
    "perft",
];

impl Command {
    /// Understands one line; never fails.
    pub fn parse(line: &str) -> Command {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            None => Command::Nothing,
            Some("usi" | "uci") => Command::Introduce,
            Some("isready") => Command::IsReady,
            Some("usinewgame" | "ucinewgame") => Command::NewGame,
            Some("stop") => Command::Stop,
            Some("ponderhit") => Command::PonderHit,
            Some("gameover") => Command::GameOver,
            Some("quit") => Command::Quit,
            Some("bench") => Command::Bench,
            Some("perft") => match words.next().and_then(|depth| depth.parse().ok()) {
                Some(depth) => Command::Perft(depth),
                None => Command::Unknown(line.trim().to_owned()),
            },
            Some("debug" | "register") => Command::Nothing,
            Some("setoption") => parse_option(line),
            Some("position") => parse_position(words),
            Some("go") => Command::Go(parse_go(words)),
            Some(_) => Command::Unknown(line.trim().to_owned()),
        }
    }
}

fn parse_option(line: &str) -> Command {
    let Some(named) = behind(line, "setoption").and_then(|rest| behind(rest, "name")) else {
        return Command::Unknown(line.trim().to_owned());
    };
    // Names and values may hold blanks: the first `value` that stands alone parts them.
    let mut parts = named.match_indices("value").filter_map(|(at, _)| {
        let value = behind(&named[at..], "value")?;
        let name = &named[..at];
        name.ends_with(char::is_whitespace).then_some((name, value))
    });
    let (name, value) = parts.next().unwrap_or((named, ""));
    Command::SetOption {
        name: name.trim().to_owned(),
        value: value.trim().to_owned(),
    }
}

/// What stands behind `word`, if `text` begins with it.
fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

fn parse_position<'a>(words: impl Iterator<Item = &'a str>) -> Command {
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
    Command::Position {
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
                if words.peek().is_some_and(|word| !GO_WORDS.contains(word)) {
                    go.mate_moves = limit(word, &mut words, &mut go.unread).map(small);
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
                while let Some(text) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.searchmoves.push(text.to_owned());
                }
            }
            _ => {}
        }
    }
    let is_limited = [go.btime_ms, go.wtime_ms, go.byoyomi_ms, go.movetime_ms, go.nodes];
    let is_limited = is_limited.iter().any(Option::is_some) || go.depth.is_some() || go.mate_moves.is_some();
    if !(go.unread.is_empty() || is_limited || go.infinite) {
        go.depth = Some(1);
    }
    go
}

/// Longer than any game; keeps sums of times far from overflow.
const NUMBER_MAX: u64 = 1 << 48;

/// What follows `name`; where that is no number, `unread` gets a word of it.
fn limit<'a>(
    name: &str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    unread: &mut Vec<String>,
) -> Option<u64> {
    let word = words.next_if(|word| !GO_WORDS.contains(word));
    let number = word.and_then(whole);
    if number.is_none() {
        unread.push(format!("{name} '{}' is no number", word.unwrap_or_default()));
    }
    number
}

/// `word` as a number without its fraction; clocks of some GUIs run below zero, which counts as zero.
fn whole(word: &str) -> Option<u64> {
    let number: f64 = word.parse().ok().filter(|number: &f64| number.is_finite())?;
    // A conversion of a number that is too great or too small gives the nearest.
    Some((number as u64).min(NUMBER_MAX))
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_start_and_moves() {
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
        assert_eq!(
            Command::parse(&format!("position sfen {sfen} moves 5i5h 5a5b")),
            Command::Position {
                start: sfen.into(),
                moves: vec!["5i5h".into(), "5a5b".into()]
            }
        );
        assert_eq!(
            Command::parse("position startpos"),
            Command::Position {
                start: "startpos".into(),
                moves: vec![]
            }
        );
    }

    #[test]
    fn go_reads_every_limit_and_skips_what_it_does_not_know() {
        let Command::Go(go) =
            Command::parse("go ponder btime 1000 wtime -5 byoyomi 3000 flux nodes 7 depth 9")
        else {
            panic!("not a go");
        };
        let expected = Go {
            btime_ms: Some(1000),
            wtime_ms: Some(0),
            byoyomi_ms: Some(3000),
            nodes: Some(7),
            depth: Some(9),
            ponder: true,
            ..Go::default()
        };
        assert_eq!(go, expected);
    }

    #[test]
    fn a_limit_that_is_no_number_is_told_and_never_a_search_without_end() {
        let parse = |line| match Command::parse(line) {
            Command::Go(go) => go,
            other => panic!("not a go: {other:?}"),
        };
        let go = parse("go wtime 500.9 btime 1e3");
        assert_eq!(
            (go.wtime_ms, go.btime_ms, go.unread.len()),
            (Some(500), Some(1000), 0)
        );
        let go = parse("go nodes many");
        assert_eq!((go.nodes, go.depth), (None, Some(1)));
        assert_eq!(go.unread, ["nodes 'many' is no number"]);
        let go = parse("go wtime btime 500");
        assert_eq!((go.wtime_ms, go.btime_ms, go.depth), (None, Some(500), None));
        assert_eq!(go.unread, ["wtime '' is no number"]);
        assert_eq!(parse("go depth 4294967296").depth, Some(u32::MAX));
        assert_eq!(parse("go nodes 9223372036854775808").nodes, Some(NUMBER_MAX));
        assert_eq!(parse("go perft x").depth, Some(1));
        assert_eq!(parse("go movetime NaN").depth, Some(1));
        let go = parse("go mate x");
        assert_eq!((go.mate, go.mate_moves, go.depth), (true, None, Some(1)));
        assert_eq!(parse("go mate").depth, None);
        assert_eq!(parse("go mate infinite").depth, None);
    }

    #[test]
    fn the_moves_to_search_end_where_a_limit_begins() {
        let Command::Go(go) = Command::parse("go searchmoves e2e4 d2d4 infinite mate 3") else {
            panic!("not a go");
        };
        let expected = Go {
            searchmoves: vec!["e2e4".into(), "d2d4".into()],
            infinite: true,
            mate: true,
            mate_moves: Some(3),
            ..Go::default()
        };
        assert_eq!(go, expected);
    }

    #[test]
    fn a_position_is_a_fen_as_well() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let expected = Command::Position {
            start: fen.into(),
            moves: vec!["e1e2".into()],
        };
        assert_eq!(
            Command::parse(&format!("position fen {fen} moves e1e2")),
            expected
        );
    }

    #[test]
    fn an_option_may_have_spaces_in_its_value_or_no_value() {
        let parse = |line| Command::parse(line);
        let option = |name: &str, value: &str| Command::SetOption {
            name: name.into(),
            value: value.into(),
        };
        assert_eq!(
            parse("setoption name Book value my book.db"),
            option("Book", "my book.db")
        );
        assert_eq!(parse("setoption name Clear"), option("Clear", ""));
        assert_eq!(parse("setoption\tname Hash\tvalue  8 "), option("Hash", "8"));
        assert_eq!(parse("setoption name Hash value"), option("Hash", ""));
        assert_eq!(
            parse("setoption name a valued thing value v"),
            option("a valued thing", "v")
        );
        assert_eq!(
            parse("setoption naming x"),
            Command::Unknown("setoption naming x".into())
        );
    }

    #[test]
    fn nonsense_is_unknown_and_not_an_error() {
        assert_eq!(Command::parse("  "), Command::Nothing);
        assert_eq!(Command::parse("xyzzy 1 2"), Command::Unknown("xyzzy 1 2".into()));
    }
}
