//! The settings of the built-in engine.
//!
//! In: a game. Out: a table, a JSON array. Must not: know any particular setting.

use serde_json::{Value, json};
use tanren_engine::config::{Config, Kind, PRESETS, Setting};
use tanren_engine::game::Game;

/// An array of settings.
pub fn settings_json(game: Game) -> Value {
    Config::settings(game).map(as_json).collect()
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

/// A line for each setting, and the presets.
pub fn describe_settings(game: Game) -> String {
    let settings: Vec<&Setting> = Config::settings(game).collect();
    let widest = |text: fn(&Setting) -> String| {
        let widths = settings.iter().map(|setting| text(setting).chars().count());
        widths.max().unwrap_or(0)
    };
    let name_width = widest(|setting| setting.name.to_owned());
    let default_width = widest(Setting::default_text).max("default".len());
    let values_width = widest(Setting::expected).max("values".len());
    let mut text = format!(
        "{:name_width$}  {:default_width$}  {:values_width$}  meaning\n",
        "name", "default", "values"
    );
    for setting in &settings {
        text += &format!(
            "{:name_width$}  {:default_width$}  {:values_width$}  {}\n",
            setting.name,
            setting.default_text(),
            setting.expected(),
            setting.help
        );
    }
    text += "\npresets:\n";
    for (name, help) in PRESETS {
        text += &format!("{name:name_width$}  {help}\n");
    }
    text
}
