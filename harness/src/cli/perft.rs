//! `tanren perft`.

use clap::Args;

use super::shared::{CliError, GameArg, print_document};
use crate::tools::perft::count_moves;

/// Count the sequences of legal moves to a depth.
#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// startpos or a position in the game's notation.
    #[arg(long, default_value = "startpos", value_name = "POSITION")]
    position: String,
    /// Plies.
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Also show the count behind each first move.
    #[arg(long)]
    divide: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl PerftArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let found = count_moves(self.game.game(), &self.position, self.depth, self.divide)?;
        print_document(self.json, &found)
    }
}
