//! `tanren tournament`.
//!
//! In: arguments. Out: a [`TournamentFile`], and what is played of it. Must not: check what the specification checks.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, PlayArgs};
use crate::config::{ConfigError, TournamentFile, TournamentPlayer, TournamentSpec};
use crate::experiment::{Experiment, RunOptions};

const EXAMPLES: &str = "\
Examples:
  tanren tournament --player base --player plain --player base,lmr=off --nodes 1000 --rounds 100
      a round robin of three
  tanren tournament --gauntlet 1 --player usi:./new --player usi:./old --player usi:./older --byoyomi 100 --rounds 50
      the first against all others
  tanren tournament --player base --player '{ name = \"half\", player = \"base\", nodes = 500 }' --nodes 1000 --rounds 200
      one engine under two limits";

/// Play a round robin or a gauntlet of many players in pairs of games, and rate them.
///
/// Round by round every pairing gets the same next opening, so that a tournament that is stopped is a shorter one. The
/// same command on the same folder takes up where it stopped.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TournamentArgs {
    /// What is played: shogi or chess (shogi).
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// A player, once for each: as --a of a match, or '{ name = "NAME", player = "PLAYER", nodes = N }' with a name or a limit
    /// (nodes, depth, movetime) of its own.
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// Who meets whom: round-robin or gauntlet (round-robin).
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The first N players meet all others, and nobody else meets (1 with --format gauntlet).
    #[arg(long, value_name = "N")]
    gauntlet: Option<usize>,
    /// Pairs of each pairing, which are the rounds (50).
    #[arg(long, value_name = "N", visible_alias = "rounds")]
    pairs: Option<u64>,
    /// Nodes a move (1000 if no limit is given).
    #[arg(long, value_name = "N", group = "limit")]
    nodes: Option<u64>,
    /// Depth of each move in plies.
    #[arg(long, value_name = "D", group = "limit")]
    depth: Option<u32>,
    /// Time for each move in milliseconds.
    #[arg(long, value_name = "MS", group = "limit")]
    movetime: Option<u64>,
    /// Game clock of each player: BASE+INC in seconds, such as 10+0.1 or 5:00+3.
    #[arg(long, value_name = "BASE+INC", group = "limit")]
    tc: Option<String>,
    /// Milliseconds for each move when the clock is used up; with --tc or alone.
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// With a clock: a move may overstep it by so many milliseconds (100).
    #[arg(long, value_name = "MS")]
    time_margin: Option<u64>,
    /// With a clock: what built-in players leave unused of it for each move, in milliseconds (30).
    #[arg(long, value_name = "MS")]
    overhead: Option<u64>,
    /// With a clock: a move takes the whole seconds of its time off it, as in shogi tournaments.
    #[arg(long)]
    whole_seconds: bool,
    /// Say of each pairing what a sequential test says: elo0=0,elo1=5,... as for a match. A pairing that is decided plays on.
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// One position a line (the built-in suite if absent).
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// The order in which openings are used, none again before all were: random or sequential (random).
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Orders the openings and varies the node limits (1).
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Hash table of each player in MiB (4).
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    /// Use openings again when there are more rounds than openings.
    #[arg(long)]
    repeat: bool,
    /// Vary the node limits of each game by up to this many percent, the same for both players (0).
    #[arg(long, value_name = "PERCENT")]
    node_jitter: Option<u32>,
    /// A game of so many plies is a draw; 0 for no limit (512).
    #[arg(long, value_name = "N")]
    max_plies: Option<u32>,
    /// The declaration rule: 27, 24 or off (27).
    #[arg(long, value_name = "RULE")]
    declaration: Option<String>,
    /// Whether a repetition ends the game: on or off (on).
    #[arg(long, value_name = "RULE")]
    repetition: Option<String>,
    /// A player loses whose score is hopeless for some moves: score=600,moves=3 or score=600,moves=3,both.
    #[arg(long, value_name = "RULE")]
    resign: Option<String>,
    /// A game is drawn in which nobody sees an advantage: from=40,moves=8,score=10.
    #[arg(long, value_name = "RULE")]
    draw: Option<String>,
    /// How long another program may take to start and to be ready, in milliseconds (10000).
    #[arg(long, value_name = "MS")]
    startup_ms: Option<u64>,
    /// How long another program may take for a move without a limit in time, in milliseconds (10000).
    #[arg(long, value_name = "MS")]
    stall_ms: Option<u64>,
    /// What follows from a fault: KIND=loss|replay|stop,... with kinds as in docs/src/engines.md or all; replay:N plays the pair
    /// again N times at most, replay alone 3 times (all=loss).
    #[arg(long, value_name = "POLICY")]
    on_fault: Option<String>,
    /// Part of the default folder's name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where results go (results/<date>-<name> if absent); a folder with an unfinished tournament is taken up.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    play: PlayArgs,
}

impl TournamentArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (experiment, options) = self.experiment()?;
        self.play.printing().run(&experiment, &options)
    }

    /// What is to be played, and how.
    pub(super) fn experiment(&self) -> Result<(Experiment, RunOptions), CliError> {
        let spec = TournamentSpec::from_file(&self.file()?)?;
        let options = self.play.run_options(self.out.as_deref());
        Ok((Experiment::Tournament(Box::new(spec)), options))
    }

    fn file(&self) -> Result<TournamentFile, ConfigError> {
        let players = self.players.iter().map(|text| TournamentPlayer::parse(text));
        Ok(TournamentFile {
            command: None,
            name: self.name.clone(),
            game: self.game.clone(),
            format: self.format.clone(),
            gauntlet: self.gauntlet,
            pairs: self.pairs,
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
            tc: self.tc.clone(),
            byoyomi: self.byoyomi,
            time_margin: self.time_margin,
            overhead: self.overhead,
            whole_seconds: self.whole_seconds.then_some(true),
            sprt: self.sprt.clone(),
            openings: self.openings.clone(),
            order: self.order.clone(),
            seed: self.seed,
            hash: self.hash,
            repeat: self.repeat.then_some(true),
            node_jitter: self.node_jitter,
            max_plies: self.max_plies,
            declaration: self.declaration.clone(),
            repetition: self.repetition.clone(),
            resign: self.resign.clone(),
            draw: self.draw.clone(),
            startup_ms: self.startup_ms,
            stall_ms: self.stall_ms,
            on_fault: self.on_fault.clone(),
            player: players.collect::<Result<_, _>>()?,
        })
    }
}
