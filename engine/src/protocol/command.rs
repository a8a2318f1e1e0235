//! From a line of text to a command.
//!
//! In: one line. Out: [`Command`]. Must not: know whether the command makes sense now.

/// What a GUI can say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Introduce yourself.
    Usi,
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
        /// `startpos` or the fields of an SFEN.
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
    /// Measure nodes and speed on the fixed positions; not part of USI.
    Bench,
    /// Leave.
    Quit,
    /// An empty line.
    Nothing,
    /// Anything else.
    Unknown(String),
}

/// The limits of a `go`, times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Go {
    /// Left for the first side.
    pub btime_ms: Option<u64>,
    /// Left for the second side.
    pub wtime_ms: Option<u64>,
    /// Free for each move after that.
    pub byoyomi_ms: Option<u64>,
    /// Increment of the first side.
    pub binc_ms: Option<u64>,
    /// Increment of the second side.
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
}

impl Command {
    /// Understands one line; never fails.
    pub fn parse(line: &str) -> Command {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            None => Command::Nothing,
            Some("usi") => Command::Usi,
            Some("isready") => Command::IsReady,
            Some("usinewgame") => Command::NewGame,
            Some("stop") => Command::Stop,
            Some("ponderhit") => Command::PonderHit,
            Some("gameover") => Command::GameOver,
            Some("quit") => Command::Quit,
            Some("bench") => Command::Bench,
            Some("setoption") => parse_option(line),
            Some("position") => parse_position(words),
            Some("go") => Command::Go(parse_go(words)),
            Some(_) => Command::Unknown(line.trim().to_owned()),
        }
    }
}

fn parse_option(line: &str) -> Command {
    let Some((_, rest)) = line.split_once(" name ") else {
        return Command::Unknown(line.trim().to_owned());
    };
    let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
    Command::SetOption {
        name: name.trim().to_owned(),
        value: value.trim().to_owned(),
    }
}

fn parse_position<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let mut start = Vec::new();
    let mut moves = Vec::new();
    let mut in_moves = false;
    for word in words {
        match word {
            "moves" if !in_moves => in_moves = true,
            _ if in_moves => moves.push(word.to_owned()),
            "sfen" if start.is_empty() => {}
            _ => start.push(word),
        }
    }
    Command::Position {
        start: start.join(" "),
        moves,
    }
}

fn parse_go<'a>(mut words: impl Iterator<Item = &'a str>) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "mate" => go.mate = true,
            "btime" => go.btime_ms = number(&mut words),
            "wtime" => go.wtime_ms = number(&mut words),
            "byoyomi" => go.byoyomi_ms = number(&mut words),
            "binc" => go.binc_ms = number(&mut words),
            "winc" => go.winc_ms = number(&mut words),
            "movestogo" => go.moves_to_go = number(&mut words).and_then(|moves| u32::try_from(moves).ok()),
            "movetime" => go.movetime_ms = number(&mut words),
            "nodes" => go.nodes = number(&mut words),
            "depth" => go.depth = number(&mut words).and_then(|depth| u32::try_from(depth).ok()),
            _ => {}
        }
    }
    go
}

/// Longer than any game; keeps sums of times far from overflow.
const NUMBER_MAX: u64 = 1 << 48;

/// The next word as a number; clocks of some GUIs run below zero, which counts as zero.
fn number<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<u64> {
    let number: i64 = words.next()?.parse().ok()?;
    Some(u64::try_from(number).unwrap_or(0).min(NUMBER_MAX))
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
    }

    #[test]
    fn nonsense_is_unknown_and_not_an_error() {
        assert_eq!(Command::parse("  "), Command::Nothing);
        assert_eq!(Command::parse("xyzzy 1 2"), Command::Unknown("xyzzy 1 2".into()));
    }
}
