//! `tanren odds`.

use std::num::NonZero;
use std::path::Path;

use clap::Args;
use serde::Deserialize;

use super::shared::{CliError, OutputArgs, PauseArgs, Plan, PlayKeys, Work};
use crate::config::{
    A, B, GameKeys, LengthKeys, LimitKeys, MatchKeys, MatchSpec, Of, Refusals, RepeatKeys, SeatKeys,
    TimeoutKeys,
};
use crate::kinds::odds::OddsSpec;
use crate::session::error::ExperimentError;
use crate::session::kind::Experiment;

const EXAMPLES: &str = "\
Examples:
  tanren odds --a base --b base,null_move=off --nodes 1000 --pairs 2000 --out results/null-move-odds
      how many nodes a technique is worth
  tanren odds --a usi:./new --b usi:./old --byoyomi 200 --pairs 500
      how much time a new build is worth
  tanren odds --a base --b usi:./other,depth=8 --nodes 10000 --pairs 500
      how many nodes it takes to be as strong as an external engine to depth 8";

/// Find the ratio of nodes (or time) at which A and B are equally strong.
///
/// B always plays with the limit given, A with a multiple of it that is chosen anew for every batch of pairs: near the
/// ratio at which the players seem even by all batches before. A ratio below 1 says that A needs less.
///
/// B may have a limit of another kind: --nodes 10000 --b base,depth=8 finds how many times 10,000 nodes make A as strong as B
/// to depth 8.
///
/// The same command on the same folder resumes where it stopped, with more --pairs too.
///
/// Files: odds.csv, odds.svg, and the folder of a match for each batch (batches/...).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct OddsArgs {
    #[command(flatten)]
    keys: OddsKeys,
    #[command(flatten)]
    play: PlayKeys,
    #[command(flatten)]
    pause: PauseArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(super) struct OddsKeys {
    /// Player A, whose limit varies: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,... or @file.toml, each with a name of
    /// its own if need be: ,name=NAME (base).
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    a: Option<String>,
    /// Player B, with a limit of another kind if need be: ,depth=8.
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    b: Option<String>,
    /// Pairs in all; rounded up to whole batches (1000).
    #[arg(long, value_name = "N", help_heading = "Length")]
    pairs: Option<NonZero<u64>>,
    /// Pairs of a batch, all at one ratio (50).
    #[arg(long, value_name = "N", help_heading = "Length")]
    batch: Option<NonZero<u64>>,
    /// Greatest ratio either way (64).
    #[arg(long, value_name = "RATIO", help_heading = "Length")]
    ratio_max: Option<f64>,
    #[command(flatten)]
    #[serde(flatten)]
    repeat: RepeatKeys,
    #[command(flatten)]
    #[serde(flatten)]
    limit: LimitKeys,
    #[command(flatten)]
    #[serde(flatten)]
    of_a: Of<SeatKeys, A>,
    #[command(flatten)]
    #[serde(flatten)]
    of_b: Of<SeatKeys, B>,
    #[command(flatten)]
    #[serde(flatten)]
    games: GameKeys,
    #[command(flatten)]
    #[serde(flatten)]
    timeouts: TimeoutKeys,
}

impl Plan for OddsKeys {
    type Work = PlayKeys;

    fn plan(&self, _: Option<&Path>) -> Result<Experiment, ExperimentError> {
        let (pairs, batch) = (
            self.pairs.map_or(1000, NonZero::get),
            self.batch.map_or(50, NonZero::get),
        );
        let games = MatchKeys {
            a: Some(self.a.clone().unwrap_or_else(|| "base".to_owned())),
            b: self.b.clone(),
            limit: self.limit.clone(),
            of_a: self.of_a.clone(),
            of_b: self.of_b.clone(),
            length: LengthKeys {
                pairs: Some(batch),
                repeat: self.repeat.clone(),
                ..LengthKeys::default()
            },
            games: self.games.clone(),
            timeouts: self.timeouts.clone(),
            ..MatchKeys::default()
        };
        let mut wrong = Refusals::default();
        wrong.unless(self.b.is_some(), "", || {
            "there is no player B: give b, such as --b base,null_move=off".to_owned()
        });
        wrong.unless(self.of_a.keys.limit.is_empty(), "a", || {
            "the limit of A is what is looked for: give that of B, such as nodes".to_owned()
        });
        let spec = MatchSpec::checked(&games, &mut wrong);
        let spec = OddsSpec::new(
            OddsSpec::games_of(&games, spec),
            pairs,
            batch,
            self.ratio_max.unwrap_or(64.0),
        );
        Ok(Experiment::new(ExperimentError::with_all(wrong, spec)?))
    }
}

impl OddsArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let out = self.output.out.as_deref();
        let options = self.play.run_options(out, Some(&self.pause))?;
        self.output.printing().run(&self.keys.plan(out)?, &options)
    }
}
