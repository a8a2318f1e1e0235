//! Keys of specifications as they are written: options of a command and keys of a file are fields of one struct.
//!
//! A key says nothing of its range or default; what makes a specification of the keys does, and its help ends with the default in
//! parentheses. Rare keys stand under [`ADVANCED`] and are shown by `--help-all`.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "comments of keys are the text of --help, where brackets are what may be left out"
)]

use std::ffi::OsString;

use clap::builder::{Resettable, StyledStr};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use toml::Table;

/// The heading of options that `--help` leaves out.
pub const ADVANCED: &str = "Advanced";

/// A count, with `k` for thousands or `M` for millions: `1k`, `2.5M`, `20000`.
///
/// # Errors
/// Anything else.
pub fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let (digits, factor) = match plain.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1e3),
        None => match plain.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 1e6),
            None => {
                return plain
                    .parse()
                    .map_err(|_| "it must be a whole number such as 20000, 20k or 2M".to_owned());
            }
        },
    };
    let number = digits.parse().ok().map(|number: f64| number * factor);
    let number = number.filter(|number| (0.0..9e15).contains(number) && number.fract() == 0.0);
    let number = number.ok_or_else(|| "it must be a whole number such as 20000, 20k or 2M".to_owned())?;
    Ok(number as u64)
}

/// What bounds each move of a player: one of them, or `tc` with `byoyomi`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Limits")]
#[serde(default)]
pub struct LimitKeys {
    /// Nodes per move, such as 20k (1000 if no limit is given).
    #[arg(long, value_name = "N", value_parser = count)]
    pub nodes: Option<u64>,
    /// Depth of each move in plies.
    #[arg(long, value_name = "D")]
    pub depth: Option<u32>,
    /// Time for each move in milliseconds.
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Time control in seconds: 10+0.1, 5:00+3, 40/60+0.5.
    ///
    /// [MOVES/]BASE+INC; the base is added again after so many moves. It may have a --byoyomi too.
    #[arg(long, value_name = "BASE+INC")]
    pub tc: Option<String>,
    /// Byoyomi: milliseconds for each move once the clock is used up.
    #[arg(long, value_name = "MS")]
    pub byoyomi: Option<u64>,
}

/// A player's name and limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[serde(default)]
pub struct SeatKeys {
    /// What reports call the player, instead of the player itself or its file's name.
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub limit: LimitKeys,
}

/// How many pairs are played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Length")]
#[serde(default)]
pub struct LengthKeys {
    /// Most pairs (200; with --sprt one for each opening).
    #[arg(long, value_name = "N", value_parser = count, alias = "rounds")]
    #[serde(alias = "rounds")]
    pub pairs: Option<u64>,
    /// Stop as soon as a sequential test is decided, such as 0,5 or stc.
    ///
    /// elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic, or one of stc, ltc, nonreg, openbench, openbench-nonreg.
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub repeat: RepeatKeys,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Length")]
#[serde(default)]
pub struct RepeatKeys {
    /// Reuse openings if there are more pairs than openings.
    #[arg(long)]
    pub repeat: bool,
}

/// What the games of every kind of run are played under.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Games")]
#[serde(default)]
pub struct GameKeys {
    /// What is played: shogi or chess (chess with a uci: player, else shogi).
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub openings: OpeningKeys,
    /// Hash table of each player in MiB (4).
    #[arg(long, value_name = "MIB")]
    pub hash: Option<usize>,
    /// Vary the node limit of each game by up to this percentage (0).
    #[arg(long, value_name = "PERCENT", hide = true, help_heading = ADVANCED)]
    pub node_jitter: Option<u32>,
    #[command(flatten)]
    #[serde(flatten)]
    pub rules: RuleKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub clock: ClockKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub faults: FaultKeys,
    /// Part of the default folder's name.
    #[arg(long, value_name = "NAME", hide = true, help_heading = ADVANCED)]
    pub name: Option<String>,
    /// Where it is played, for the game records.
    #[arg(long, value_name = "TEXT", hide = true, help_heading = ADVANCED)]
    pub site: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Games")]
#[serde(default)]
pub struct OpeningKeys {
    /// Positions, games or a book, or random:PLIES (the built-in suite if absent).
    ///
    /// SFEN, FEN, EPD, PGN, KIF, CSA, Polyglot or YaneuraOu, also .gz, .zst or .bz2. random:PLIES makes openings of random moves, balanced by a short search.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// Plies played of each game of --openings (all; 16 of a book of moves).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    pub plies: Option<u32>,
    /// Order of openings: random or sequential (random).
    #[arg(long, value_name = "ORDER", hide = true, help_heading = ADVANCED)]
    pub order: Option<String>,
    /// Begin at opening N of that order (1).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    pub first_opening: Option<u64>,
    /// Seed of the opening order and of --node-jitter (1).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Rules")]
#[serde(default)]
pub struct RuleKeys {
    /// Longest game in plies, then a draw; 0 for no limit (512).
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u32>,
    /// Resign rule: score=600,moves=3[,both] (off).
    ///
    /// A player loses once its score is -SCORE centipawns or worse for MOVES of its moves in a row. With both, its opponent must agree; that is the default if a player is an external engine, and both=off switches it off.
    #[arg(long, value_name = "RULE")]
    pub resign: Option<String>,
    /// Draw rule: from=40,moves=8,score=10 (off).
    ///
    /// A game is drawn once both players' scores stay within SCORE centipawns of 0 for MOVES moves each, from ply FROM after the opening on.
    #[arg(long, value_name = "RULE")]
    pub draw: Option<String>,
    /// Declaration rule: 27, 24, 27h, 24h, try or off (27).
    ///
    /// With 27h and 24h Gote counts the pieces that a handicap took off the board. With try a king wins that reaches 5a (Sente) or 5i (Gote).
    #[arg(long, value_name = "RULE", hide = true, help_heading = ADVANCED)]
    pub declaration: Option<String>,
    /// A fourth repetition ends the game: on or off (on).
    #[arg(long, value_name = "RULE", hide = true, help_heading = ADVANCED)]
    pub repetition: Option<String>,
    /// Draw when a flag falls and the opponent cannot mate by any legal moves (FIDE 6.9; chess).
    #[arg(long, hide = true, help_heading = ADVANCED)]
    pub timeout_draw: bool,
    /// End chess games by the Syzygy tables in this folder.
    #[arg(long, value_name = "DIR", hide = true, help_heading = ADVANCED)]
    pub syzygy: Option<String>,
}

/// How clocks are read; without a clock none may be given, but for the margin of an external engine's time for a move.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = ADVANCED)]
#[serde(default)]
pub struct ClockKeys {
    /// How far a move may overstep its clock, or --movetime (100).
    #[arg(long, value_name = "MS", hide = true)]
    pub time_margin: Option<u64>,
    /// Time on a game clock that built-in players leave unused (30).
    #[arg(long, value_name = "MS", hide = true)]
    pub overhead: Option<u64>,
    /// Subtract whole seconds only, as in shogi tournaments.
    #[arg(long, hide = true)]
    pub whole_seconds: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Engines")]
#[serde(default)]
pub struct FaultKeys {
    /// What follows from a fault: loss, replay or stop (loss).
    ///
    /// For all faults, for some (crash=replay,stall=stop), or both: stop,crash=replay. replay:N replays the pair up to N times (3); then the fault is a loss.
    #[arg(long, value_name = "POLICY")]
    pub on_fault: Option<String>,
    /// A run is invalid if a player's faults end more than this share of its games; 100 for no limit (2).
    #[arg(long, value_name = "PERCENT", hide = true, help_heading = ADVANCED)]
    pub faults_max: Option<u32>,
    /// This many faults of one player in a row make a run invalid; 0 for no limit (5).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    pub faults_in_a_row: Option<u32>,
    /// Memory limit of each external engine in MiB.
    #[arg(long, value_name = "MIB", hide = true, help_heading = ADVANCED)]
    pub engine_memory: Option<u64>,
    /// Treat protocol violations as losses: illegal variations, retracted mates, late answers to stop.
    #[arg(long, hide = true, help_heading = ADVANCED)]
    pub strict: bool,
}

/// How long external engines are waited for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[command(next_help_heading = ADVANCED)]
#[serde(default)]
pub struct TimeoutKeys {
    /// Timeout for an external engine's start, in milliseconds (60000).
    #[arg(long, value_name = "MS", hide = true)]
    pub startup_ms: Option<u64>,
    /// Timeout for a move without a time limit, in milliseconds (10000).
    #[arg(long, value_name = "MS", hide = true)]
    pub stall_ms: Option<u64>,
}

/// A match.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[serde(default)]
pub struct MatchKeys {
    /// Player A: a preset, settings, a path, usi:COMMAND, uci:COMMAND or @file.toml (base).
    ///
    /// Settings follow a comma: base,lmr=off. An engine takes option.NAME=value, and every player name=NAME or a limit of its own, such as nodes=500.
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    pub a: Option<String>,
    /// Player B (base; without --a: base,quiescence_see=off).
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    pub b: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub limit: LimitKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub of_a: Of<'a'>,
    #[command(flatten)]
    #[serde(flatten)]
    pub of_b: Of<'b'>,
    #[command(flatten)]
    #[serde(flatten)]
    pub length: LengthKeys,
    /// One game for each opening instead of a pair, with the colours by turns.
    #[arg(long, hide = true, help_heading = ADVANCED)]
    pub single_games: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub games: GameKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub timeouts: TimeoutKeys,
    /// `[player.NAME]`: players as in files, to be named by `a` and `b`. Never written: the players are, in full.
    #[arg(skip)]
    pub player: Table,
}

/// A round robin or a gauntlet.
#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[command(mut_arg("pairs", |pairs| pairs.help("Pairs of each pairing, also --rounds (50)")))]
#[command(mut_arg("sprt", |sprt| sprt.help("Report a sequential test for each pairing: elo0=0,elo1=5,... as for a match. A decided pairing plays on").long_help(None::<&str>)))]
#[serde(default)]
pub struct TournamentKeys {
    /// A player, once for each: a preset, settings, a path, usi:COMMAND, uci:COMMAND or @file.toml.
    ///
    /// It may have a name and a limit of its own: base,name=half,nodes=500.
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    #[serde(deserialize_with = "texts")]
    pub player: Vec<String>,
    /// round-robin or gauntlet (round-robin).
    #[arg(long, value_name = "FORMAT", hide = true, help_heading = ADVANCED)]
    pub format: Option<String>,
    /// Only the first N players meet all others (1 with --format gauntlet).
    #[arg(long, value_name = "N", help_heading = "Players")]
    pub gauntlet: Option<usize>,
    /// Stop pairings when the order of the two is known, so that games go where it is not; --pairs is the most of each.
    #[arg(long, help_heading = "Players")]
    pub adaptive: bool,
    /// Rate the others relative to this player, which has this rating.
    #[arg(long, value_name = "PLAYER=ELO", hide = true, help_heading = ADVANCED)]
    pub anchor: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub limit: LimitKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub length: LengthKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub games: GameKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub timeouts: TimeoutKeys,
    /// `[PLAYERS, PAIRS]` for each time that players were added: how many there were before, and how many pairs they had begun.
    #[arg(skip)]
    pub grown: Vec<[u64; 2]>,
}

/// One text or a list of them; a table among them is taken as its inline text.
///
/// # Errors
/// Anything else.
pub fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let values = match toml::Value::deserialize(deserializer)? {
        toml::Value::Array(values) => values,
        value => vec![value],
    };
    let text = |value| match value {
        toml::Value::String(text) => Ok(text),
        table @ toml::Value::Table(_) => Ok(table.to_string()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        other => Err(D::Error::custom(format!("{other} is no text"))),
    };
    values.into_iter().map(text).collect()
}

/// Texts that may also stand in one, separated by commas.
///
/// # Errors
/// Anything else.
pub fn listed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let texts = texts(deserializer)?;
    Ok(texts
        .iter()
        .flat_map(|text| text.split(','))
        .map(str::to_owned)
        .collect())
}

/// The keys of one player: each with `_a` or `_b` behind its name. A player's own text may hold them as well, so `--help` leaves
/// them out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Of<const SIDE: char> {
    pub keys: SeatKeys,
}

impl<const SIDE: char> From<SeatKeys> for Of<SIDE> {
    fn from(keys: SeatKeys) -> Self {
        Of { keys }
    }
}

impl<const SIDE: char> Args for Of<SIDE> {
    fn augment_args(command: Command) -> Command {
        let inner = SeatKeys::augment_args(Command::new(""));
        command.args(inner.get_arguments().map(|arg| {
            let id = format!("{}_{SIDE}", arg.get_id());
            let of_side = |help: &StyledStr| {
                StyledStr::from(format!("Of player {} alone: {help}", SIDE.to_ascii_uppercase()))
            };
            arg.clone()
                .long(id.replace('_', "-"))
                .id(id)
                .help(Resettable::from(arg.get_help().map(of_side)))
                .long_help(Resettable::from(arg.get_long_help().map(of_side)))
                .help_heading(ADVANCED)
                .hide(true)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SIDE: char> FromArgMatches for Of<SIDE> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let command = SeatKeys::augment_args(Command::new("").no_binary_name(true));
        let mut words = Vec::new();
        for arg in command.get_arguments() {
            let id = format!("{}_{SIDE}", arg.get_id());
            for value in matches.get_raw(&id).into_iter().flatten() {
                let mut word = OsString::from(format!("--{}=", arg.get_long().unwrap_or_default()));
                word.push(value);
                words.push(word);
            }
        }
        Ok(SeatKeys::from_arg_matches(&command.try_get_matches_from(words)?)?.into())
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<'de, const SIDE: char> Deserialize<'de> for Of<SIDE> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let suffix = format!("_{SIDE}");
        let all = Table::deserialize(deserializer)?.into_iter();
        let own = all.filter_map(|(key, value)| Some((key.strip_suffix(&suffix)?.to_owned(), value)));
        let keys: SeatKeys = own.collect::<Table>().try_into().map_err(D::Error::custom)?;
        Ok(keys.into())
    }
}
