//! `tanren check`.

use clap::Args;

use super::shared::{CliError, GameArg, print_document};
use crate::config::{Mistakes, Timeouts};
use crate::tools::compliance::{document, examine};
use tanren_core::player::Finding;

/// Examine another engine: does it start, keep its time, stop, ponder, castle, play the same again, leave?
///
/// Exit code 0 if everything is as it should be, 1 if not.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The engine: usi:COMMAND,option.NAME=value,..., uci:COMMAND..., @NAME or @file.toml.
    engine: String,
    #[command(flatten)]
    options: CheckOptions,
}

#[derive(Debug, Args)]
pub(super) struct CheckOptions {
    /// What it plays (what its protocol says).
    #[arg(long, value_enum)]
    game: Option<GameArg>,
    /// Hash table that it is asked for in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4)]
    hash: usize,
    /// How long it may take to start and to be ready, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 60_000)]
    startup_ms: u64,
    /// How long it may take for any move, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    stall_ms: u64,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

impl CheckOptions {
    pub(super) fn examine(&self, engine: &str) -> Result<Vec<Finding>, CliError> {
        let timeouts = Timeouts {
            startup_ms: self.startup_ms,
            stall_ms: self.stall_ms,
        };
        let usual = || Mistakes::default().game(None, [&engine.to_owned()]);
        let game = self.game.map_or_else(usual, GameArg::game);
        Ok(examine(game, engine, timeouts, self.hash)?)
    }
}

impl CheckArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let found = self.options.examine(&self.engine)?;
        print_document(self.options.json, &document(&found))?;
        let of = found.len();
        match found.iter().filter(|finding| !finding.is_passed).count() {
            0 => Ok(()),
            failed => Err(CliError::Failed { failed, of }),
        }
    }
}
