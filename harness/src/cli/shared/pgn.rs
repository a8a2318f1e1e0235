//! A PGN that grows while games are played.
//!
//! In: words. Out: a [`LivePgn`].

use std::path::{Path, PathBuf};

use clap::Args;
use tanren_engine::game::Game;

use super::CliError;
use crate::experiment::ExperimentError;
use crate::report::LivePgn;

/// The options of a PGN of one's own; they change no result.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PgnArgs {
    /// Write each game of chess to this PGN as soon as it is counted, in the order of the count; a run that is taken up goes on
    /// with its file.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Replace what --pgn names, whatever it is.
    #[arg(long, requires = "pgn")]
    force: bool,
}

impl PgnArgs {
    /// The file, if one is wanted, of a run of `game` that goes to `out`.
    pub(in crate::cli) fn live(&self, game: Game, out: Option<&Path>) -> Result<Option<LivePgn>, CliError> {
        let Some(path) = &self.pgn else {
            return Ok(None);
        };
        if game != Game::Chess {
            let message =
                "--pgn is for chess: the games of shogi are written by tanren report DIR --records csa,kif";
            return Err(ExperimentError::Input(message.to_owned()).into());
        }
        Ok(Some(LivePgn::prepare(path, out, self.force)?))
    }

    /// A queue has no file for its jobs.
    pub(in crate::cli) fn refuse_in_queue(&self) -> Result<(), CliError> {
        match self.pgn {
            None => Ok(()),
            Some(_) => Err(ExperimentError::Input(
                "pgn is no key of a job: tanren report DIR --records pgn writes the games of its folder"
                    .to_owned(),
            )
            .into()),
        }
    }
}
