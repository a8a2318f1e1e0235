//! `tanren tournament`.

use std::path::Path;

use super::shared::{Plan, PlayKeys};
use crate::config::{TournamentKeys, TournamentSpec};
use crate::session::error::ExperimentError;
use crate::session::kind::Experiment;

pub(super) const EXAMPLES: &str = "\
Examples:
  tanren tournament --player base --player plain --player base,lmr=off --nodes 1000 --rounds 100
      a round robin of three
  tanren tournament --gauntlet 1 --player usi:./new --player usi:./old --player usi:./older --byoyomi 100 --rounds 50
      the first against all others
  tanren tournament --player base --player base,name=half,nodes=500 --nodes 1000 --rounds 200
      one engine under two limits";

impl Plan for TournamentKeys {
    type Work = PlayKeys;
    const PAUSES: bool = true;

    fn plan(&self, _: Option<&Path>) -> Result<Experiment, ExperimentError> {
        Ok(Experiment::new(TournamentSpec::from_keys(self)?))
    }
}
