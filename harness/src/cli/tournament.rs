//! `tanren tournament`.

use std::path::Path;

use clap::Args;

use super::shared::{CliError, OutputArgs, PauseArgs, PgnArgs, Plan, PlayKeys, Work};
use crate::config::{Refusals, TournamentKeys, TournamentSpec};
use crate::experiment::{Experiment, ExperimentError};
use crate::report::Console;

const EXAMPLES: &str = "\
Examples:
  tanren tournament --player base --player plain --player base,lmr=off --nodes 1000 --rounds 100
      a round robin of three
  tanren tournament --gauntlet 1 --player usi:./new --player usi:./old --player usi:./older --byoyomi 100 --rounds 50
      the first against all others
  tanren tournament --player base --player base,name=half,nodes=500 --nodes 1000 --rounds 200
      one engine under two limits";

/// Play a round robin or a gauntlet of many players in pairs of games, and rate them.
///
/// Round by round every pairing gets the same next opening, so that a tournament that is stopped is a shorter one. The
/// same command on the same folder resumes where it stopped.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TournamentArgs {
    #[command(flatten)]
    keys: TournamentKeys,
    #[command(flatten)]
    play: PlayKeys,
    #[command(flatten)]
    pause: PauseArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    pgn: PgnArgs,
}

impl Plan for TournamentKeys {
    type Work = PlayKeys;
    const PAUSES: bool = true;

    fn plan(&self, _: Option<&Path>) -> Result<Experiment, ExperimentError> {
        Ok(Experiment::Tournament(Box::new(TournamentSpec::from_keys(self)?)))
    }
}

impl TournamentArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let spec = TournamentSpec::from_keys(&self.keys)?;
        let out = self.output.out.as_deref();
        let pgn = self.pgn.live(spec.conditions.game, out)?;
        let printing = self.output.printing();
        let mut console = Console::new(printing.manner()).with_pgn(pgn);
        let options = self.play.run_options(out, Some(&self.pause))?;
        printing.run_told(&Experiment::Tournament(Box::new(spec)), &options, &mut console)
    }

    /// Refuses what cannot be played, as far as it can be told without programs and openings.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let mut wrong = Refusals::default();
        self.play.options(&mut wrong);
        wrong.check()?;
        Ok(self.keys.plan(None)?.check_new()?)
    }
}
