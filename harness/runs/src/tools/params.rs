//! The settings of the built-in engine.

use serde_json::{Value, json};
use tanren_engine::config::{Config, PRESETS, Setting, SettingKind};
use tanren_engine::game::Game;

use crate::config::did_you_mean;
use crate::document::Document;
use crate::document::language::said;
use crate::document::table::{Align, table, titled_table};
use crate::kinds::tune::optimizer::matches;
use crate::session::error::{ExperimentError, Result};

/// A line for each setting, and the presets; an array of the settings. With `patterns` only the settings of these names and what
/// belongs to them, such as the numbers of a technique.
pub fn document(game: Game, patterns: &[String]) -> Result<Document<'static>> {
    let is_of = |pattern: &str, name: &str| {
        let is_below = |rest: &str| rest.starts_with('.');
        matches(pattern, name) || name.strip_prefix(pattern).is_some_and(is_below)
    };
    let names = || Config::settings(game).map(|setting| setting.name);
    if let Some(pattern) = patterns
        .iter()
        .find(|pattern| !names().any(|name| is_of(pattern, name)))
    {
        let meant = did_you_mean(pattern, names());
        let message = format!("no setting is called '{pattern}'{meant}; `tanren params` lists all");
        return Err(ExperimentError::Input(message));
    }
    let wanted = |name| patterns.is_empty() || patterns.iter().any(|pattern| is_of(pattern, name));
    let settings: Vec<&Setting> = Config::settings(game)
        .filter(|setting| wanted(setting.name))
        .collect();
    let text = settings_text(&settings)
        + &if patterns.is_empty() {
            presets_text()
        } else {
            String::new()
        };
    let values = settings.into_iter().map(value).collect::<Value>();
    Ok(Document::of_text(text, values))
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

fn settings_text(settings: &[&Setting]) -> String {
    let rows = settings.iter().map(|setting| {
        let (name, help) = (setting.name.to_owned(), said(setting.help).into_owned());
        let values = match setting.kind {
            SettingKind::Switch { .. } => "on, off".to_owned(),
            SettingKind::Choice { choices, .. } => choices.join(", "),
            SettingKind::Int { min, max, .. } => said(&format!("{min} to {max}")).into_owned(),
        };
        [name, setting.default_text(), values, help]
    });
    titled_table(&["name", "default", "values", "meaning"], rows, Align::Left)
}

fn presets_text() -> String {
    let presets = PRESETS
        .iter()
        .map(|(name, help)| vec![(*name).to_owned(), said(help).into_owned()]);
    let presets: Vec<Vec<String>> = presets.collect();
    format!("\npresets:\n{}", table(&presets, Align::Left))
}
