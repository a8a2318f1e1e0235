//! The settings of the built-in engine.

use serde_json::{Value, json};
use tanren_engine::config::{Config, PRESETS, Setting, SettingKind};
use tanren_engine::game::Game;

use crate::document::Document;
use crate::document::language::said;
use crate::document::table::{Align, table, titled_table};

/// A line for each setting, and the presets; an array of the settings.
pub fn document(game: Game) -> Document<'static> {
    Document::of_text(text(game), Config::settings(game).map(value).collect::<Value>())
}

fn value(setting: &Setting) -> Value {
    let mut row = json!({
        "name": setting.name,
        "kind": "int",
        "default": setting.default_text(),
        "min": null,
        "max": null,
        "step": null,
        "help": setting.help,
    });
    match setting.kind {
        SettingKind::Switch { default } => {
            row["kind"] = json!("switch");
            row["default"] = json!(if default { "on" } else { "off" });
        }
        SettingKind::Choice { choices, .. } => {
            row["kind"] = json!("choice");
            row["choices"] = json!(choices);
        }
        SettingKind::Int {
            default,
            min,
            max,
            step,
        } => {
            row["default"] = json!(default);
            row["min"] = json!(min);
            row["max"] = json!(max);
            row["step"] = json!(step);
        }
    }
    row
}

fn text(game: Game) -> String {
    let header = ["name", "default", "values", "meaning"];
    let rows = Config::settings(game).map(|setting| {
        let (name, help) = (setting.name.to_owned(), said(setting.help).into_owned());
        let values = match setting.kind {
            SettingKind::Switch { .. } => "on, off".to_owned(),
            SettingKind::Choice { choices, .. } => choices.join(", "),
            SettingKind::Int { min, max, .. } => said(&format!("{min} to {max}")).into_owned(),
        };
        [name, setting.default_text(), values, help]
    });
    let rows: Vec<[String; 4]> = rows.collect();
    let names = rows.iter().map(|row| row[0].len());
    let width = names.chain([header[0].len()]).max().unwrap_or(0);
    let presets = PRESETS
        .iter()
        .map(|(name, help)| vec![format!("{name:width$}"), said(help).into_owned()]);
    let presets: Vec<Vec<String>> = presets.collect();
    format!(
        "{}\npresets:\n{}",
        titled_table(&header, rows, Align::Left),
        table(&presets, Align::Left)
    )
}
