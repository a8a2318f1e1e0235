//! The settings of the built-in engine.

use crate::document::table::{Align, table, titled_table};
use serde_json::{Value, json};
use tanren_engine::config::{Config, PRESETS, Setting, SettingKind};
use tanren_engine::game::Game;

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
        SettingKind::Switch { default } => row["default"] = Value::from(if default { "on" } else { "off" }),
        SettingKind::Choice { choices, .. } => row["choices"] = json!(choices),
        SettingKind::Int {
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

fn kind_name(kind: &SettingKind) -> &'static str {
    match kind {
        SettingKind::Switch { .. } => "switch",
        SettingKind::Choice { .. } => "choice",
        SettingKind::Int { .. } => "int",
    }
}

/// A line for each setting, and the presets.
pub fn describe_settings(game: Game) -> String {
    let header = ["name", "default", "values", "meaning"];
    let rows = Config::settings(game).map(|setting| {
        [
            setting.name.to_owned(),
            setting.default_text(),
            setting.expected(),
            setting.help.to_owned(),
        ]
    });
    let rows: Vec<[String; 4]> = rows.collect();
    let width = rows
        .iter()
        .map(|row| row[0].len())
        .chain([header[0].len()])
        .max()
        .unwrap_or(0);
    let presets = PRESETS
        .iter()
        .map(|(name, help)| vec![format!("{name:width$}"), (*help).to_owned()]);
    let presets: Vec<Vec<String>> = presets.collect();
    format!(
        "{}\npresets:\n{}",
        titled_table(&header, rows, Align::Left),
        table(&presets, Align::Left)
    )
}
