//! `tanren params`.
//!
//! In: a game. Out: the table of its settings. Must not: know any particular setting.

use clap::Args;
use serde_json::{Value, json};
use tanren_engine::config::{Config, Kind, PRESETS, Setting};

use super::shared::{CliError, GameArg};
use super::tune::space_lines;
use crate::report::{print_data, text_table};

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
    /// The game whose evaluation weights are listed.
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
        let settings = Config::settings(self.game.game());
        let text = if self.json {
            Value::Array(settings.map(as_json).collect()).to_string()
        } else {
            table(settings)
        };
        print_data(&text).map_err(CliError::system("print the table"))
    }
}

fn as_json(setting: &Setting) -> Value {
    let mut row = json!({
        "name": setting.name,
        "kind": kind_name(&setting.kind),
        "default": setting.default_text(),
        "min": null,
        "max": null,
        "step": null,
        "help": setting.help,
    });
    match setting.kind {
        Kind::Switch { default } => row["default"] = Value::from(if default { "on" } else { "off" }),
        Kind::Choice { choices, .. } => row["choices"] = json!(choices),
        Kind::Int {
            default,
            min,
            max,
            step,
        } => {
            row["default"] = Value::from(default);
            row["min"] = Value::from(min);
            row["max"] = Value::from(max);
            row["step"] = Value::from(step);
        }
    }
    row
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Switch { .. } => "switch",
        Kind::Choice { .. } => "choice",
        Kind::Int { .. } => "int",
    }
}

fn table(settings: impl Iterator<Item = &'static Setting>) -> String {
    let header = ["name", "default", "values", "meaning"].map(str::to_owned);
    let rows = settings.map(|setting| {
        let name = setting.name.to_owned();
        [
            name,
            setting.default_text(),
            setting.expected(),
            setting.help.to_owned(),
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).map(Vec::from).collect();
    let width = rows.iter().map(|row| row[0].len()).max().unwrap_or(0);
    let presets = PRESETS
        .iter()
        .map(|(name, help)| vec![format!("{name:width$}"), (*help).to_owned()]);
    let presets: Vec<Vec<String>> = presets.collect();
    format!("{}\npresets:\n{}", text_table(&rows), text_table(&presets))
}
