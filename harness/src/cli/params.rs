//! `tanren params`.

use clap::Args;

use super::shared::{CliError, GameArg};
use super::tune::space_lines;
use crate::report::{describe_settings, print_data, settings_json};

const EXAMPLES: &str = "\
Examples:
  tanren params
      names, defaults, ranges and what they mean
  tanren params --space 'eval.hand.*,lmr.*'
      a space for `tanren tune`";

/// List every switch and number of the built-in engine.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ParamsArgs {
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
            return print_data(&lines).map_err(CliError::system("print the space"));
        }
        let game = self.game.game();
        let text = if self.json {
            settings_json(game).to_string()
        } else {
            describe_settings(game)
        };
        print_data(&text).map_err(CliError::system("print the table"))
    }
}
