//! `tanren tournament`.
//!
//! In: arguments. Out: a [`TournamentFile`], and what is played of it. Must not: check what the specification checks.

use std::path::PathBuf;

use clap::Args;
use tanren_engine::game::Game;

use super::shared::{CliError, ConditionArgs, OfAll, PgnArgs, PlayArgs, SeatArgs, Usage};
use crate::config::{Conditions, ConfigError, TournamentFile, TournamentPlayer, TournamentSpec};
use crate::experiment::{Experiment, RunOptions};
use crate::report::Console;

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
    /// A player, once for each: as --a of a match, or '{ name = "NAME", player = "PLAYER", nodes = N }' with a name or a limit
    /// (nodes, depth, movetime, tc, byoyomi) of its own.
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// Who meets whom: round-robin or gauntlet (round-robin).
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The first N players meet all others, and nobody else meets (1 with --format gauntlet).
    #[arg(long, value_name = "N")]
    gauntlet: Option<usize>,
    /// Give this player, by what reports call it, this rating; the others are rated beside it, with the intervals of their differences.
    #[arg(long, value_name = "PLAYER=ELO")]
    anchor: Option<String>,
    #[command(flatten)]
    all: SeatArgs<OfAll>,
    #[command(flatten)]
    conditions: ConditionArgs<InTournament>,
    /// Where results go (results/<date>-<name> if absent); a folder with an unfinished tournament is taken up.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pgn: PgnArgs,
    #[command(flatten)]
    play: PlayArgs,
}

impl TournamentArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (experiment, options) = self.experiment()?;
        let pgn = self.pgn.live(self.game()?, self.out.as_deref())?;
        let printing = self.play.printing();
        let mut console = Console::new(printing.manner()).with_pgn(pgn);
        printing.run_told(&experiment, &options, &mut console)
    }

    fn game(&self) -> Result<Game, CliError> {
        Ok(Conditions::from_keys(&self.conditions.keys)?.game)
    }

    /// The same as a job of a queue.
    pub(super) fn job(&self) -> Result<(Experiment, RunOptions), CliError> {
        self.pgn.refuse_in_queue()?;
        self.experiment()
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
            format: self.format.clone(),
            gauntlet: self.gauntlet,
            anchor: self.anchor.clone(),
            common: self.all.keys.clone(),
            conditions: self.conditions.keys.clone(),
            players: players.collect::<Result<_, _>>()?,
        })
    }
}

#[derive(Debug, Clone)]
struct InTournament;

impl Usage for InTournament {
    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("pairs", "Pairs of each pairing, which are the rounds (50)"),
        (
            "sprt",
            "Say of each pairing what a sequential test says: elo0=0,elo1=5,... as for a match. A pairing that is decided \
             plays on",
        ),
    ];
    const ALIASES: &'static [(&'static str, &'static str)] = &[("pairs", "rounds")];
}
