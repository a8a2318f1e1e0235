//! `tanren match`, and what it shares with `tanren tournament`.

use std::path::Path;

use clap::Args;
use tanren_engine::game::Game;

use super::shared::{CliError, OutputArgs, PauseArgs, PgnArgs, Plan, PlayKeys, Work};
use crate::config::{MatchKeys, MatchSpec, Refusals, TournamentSpec};
use crate::report::Console;
use crate::session::error::ExperimentError;
use crate::session::kind::Experiment;

pub(super) const EXAMPLES: &str = "\
Examples:
  tanren match --a base --b base,null_move=off --nodes 2000 --pairs 200
      a technique on against off, a fixed number of pairs
  tanren match --a null_move.reduction=2 --b base --nodes 2000 --sprt elo0=0,elo1=5
      a changed number, stopped as soon as the test is decided
  tanren match --a usi:./new --b usi:./old --tc 10+0.1 --sprt elo0=0,elo1=5 --out results/new-vs-old
      the new build of an engine against the old one
  tanren match --game chess --a base,nodes=20000 --b uci:stockfish,option.Threads=1,nodes=500
      chess, against an external engine with fewer nodes";

/// Games whose PGN may be written while they are played.
#[derive(Debug, Args)]
pub(super) struct GamesArgs<K: Plan<Work = PlayKeys>> {
    #[command(flatten)]
    keys: K,
    #[command(flatten)]
    play: PlayKeys,
    #[command(flatten)]
    pause: PauseArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    pgn: PgnArgs,
}

impl Plan for MatchKeys {
    type Work = PlayKeys;
    const PAUSES: bool = true;

    fn plan(&self, _: Option<&Path>) -> Result<Experiment, ExperimentError> {
        Ok(Experiment::new(MatchSpec::from_keys(self)?))
    }
}

impl<K: Plan<Work = PlayKeys>> GamesArgs<K> {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let out = self.output.out.as_deref();
        let experiment = self.keys.plan(out)?;
        let pgn = self.pgn.live(game(&experiment), out)?;
        let printing = self.output.printing();
        let mut console = Console::new(printing.manner()).with_pgn(pgn);
        let options = self.play.run_options(out, Some(&self.pause))?;
        printing.run_told(&experiment, &options, &mut console)
    }

    /// Refuses what cannot be played, as far as it can be told without programs and openings.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let mut wrong = Refusals::default();
        self.play.options(&mut wrong);
        wrong.check()?;
        Ok(self.keys.plan(None)?.check_new()?)
    }
}

fn game(experiment: &Experiment) -> Game {
    let of_match = experiment.spec::<MatchSpec>().map(|spec| &spec.conditions);
    let of_tournament = || experiment.spec::<TournamentSpec>().map(|spec| &spec.conditions);
    let conditions = of_match.or_else(of_tournament);
    conditions.map_or(Game::Shogi, |conditions| conditions.game)
}
