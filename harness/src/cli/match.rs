//! `tanren match`.
//!
//! In: arguments. Out: a [`MatchFile`] and the options that change no result. Must not: check what the specification
//! checks.

use std::path::PathBuf;

use clap::Args;
use tanren_engine::game::Game;

use super::shared::{CliError, ConditionArgs, OfA, OfAll, OfB, PgnArgs, PlayArgs, SeatArgs, Usage};
use crate::config::wire::MatchFile;
use crate::config::{Conditions, MatchSpec};
use crate::experiment::{Experiment, RunOptions};
use crate::report::Console;

const EXAMPLES: &str = "\
Examples:
  tanren match --a base --b base,null_move=off --nodes 2000 --pairs 200
      a technique on against off, a fixed number of pairs
  tanren match --a null_move.reduction=2 --b base --nodes 2000 --sprt elo0=0,elo1=5
      a changed number, stopped as soon as the test is decided
  tanren match --a usi:./new --b usi:./old --tc 10+0.1 --sprt elo0=0,elo1=5 --out results/new-vs-old
      the new build of an engine against the old one
  tanren match --game chess --a base --b uci:stockfish,option.Threads=1 --nodes-a 20000 --nodes-b 500
      chess, against another program with fewer nodes";

/// Play A against B in pairs of games, both colours of each opening.
///
/// Without --a and --b: null-move reduction on against off, at 2500 nodes a move if no limit is given; without --pairs and --sprt too, under
/// an SPRT, in about a minute.
/// The same command on the same folder takes up where it stopped.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MatchArgs {
    /// Player A: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,option.NAME=value,... or @file.toml (base).
    #[arg(long, value_name = "PLAYER")]
    a: Option<String>,
    /// Player B (base; without --a too: base,null_move=off).
    #[arg(long, value_name = "PLAYER")]
    b: Option<String>,
    #[command(flatten)]
    both: SeatArgs<OfAll>,
    #[command(flatten)]
    seat_a: SeatArgs<OfA>,
    #[command(flatten)]
    seat_b: SeatArgs<OfB>,
    #[command(flatten)]
    conditions: ConditionArgs<InMatch>,
    /// Where results go (results/<date>-<name> if absent); a folder with an unfinished match is taken up.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pgn: PgnArgs,
    #[command(flatten)]
    play: PlayArgs,
}

impl MatchArgs {
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
        let spec = MatchSpec::from_file(&self.file())?;
        let options = self.play.run_options(self.out.as_deref());
        Ok((Experiment::Match(Box::new(spec)), options))
    }

    fn file(&self) -> MatchFile {
        MatchFile {
            players: [self.a.clone(), self.b.clone()],
            common: self.both.keys.clone(),
            seats: [self.seat_a.keys.clone(), self.seat_b.keys.clone()],
            conditions: self.conditions.keys.clone(),
            ..MatchFile::default()
        }
    }
}

#[derive(Debug, Clone)]
struct InMatch;

impl Usage for InMatch {}
