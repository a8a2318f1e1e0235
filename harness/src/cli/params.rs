//! `tanren params`.

use clap::Args;

use super::shared::{CliError, GameArg, print, print_document};
use super::tune::space_lines;
use crate::tools::params::document;

/// List every switch and number of the built-in engine.
#[derive(Debug, Args)]
pub(super) struct ParamsArgs {
    /// Only these settings, each with what belongs to it: `lmr`, `eval.hand`, `*.margin` (all).
    #[arg(value_name = "PATTERN", conflicts_with = "space")]
    patterns: Vec<String>,
    /// The game whose settings and defaults are listed.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// Print a space for `tanren tune` instead: the numbers of these names, `*` for anything, separated by commas.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', conflicts_with = "json")]
    space: Vec<String>,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

impl ParamsArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if !self.space.is_empty() {
            let lines = space_lines(self.game.game(), &self.space)?;
            return print(&lines);
        }
        print_document(self.json, &document(self.game.game(), &self.patterns)?)
    }
}
