//! The rows of an ablation, from what the user asks for.

use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Game;

use crate::kinds::ablate::study::{Skipped, Variant, variants};
use crate::session::error::ExperimentError;

/// The rows of `base`: those of the settings in `only`, or of all if there are none, and one for each of `also`
/// (`name=value`); and the settings that have none.
pub fn rows(
    game: Game,
    base: &Config,
    only: &[String],
    also: &[String],
) -> Result<(Vec<Variant>, Vec<Skipped>), ExperimentError> {
    let (mut rows, skipped) = variants(game, base);
    if !only.is_empty() {
        for name in only {
            check_only(game, name, &rows, &skipped)?;
        }
        rows.retain(|row| only.contains(&row.technique));
    }
    for text in also {
        let variant = variant(game, base, text)
            .map_err(|message| ExperimentError::Input(format!("--also '{text}'{message}")))?;
        if variant.setting == variant.base_setting {
            let message = format!("--also '{text}': the base has that already");
            return Err(ExperimentError::Input(message));
        }
        if !rows.contains(&variant) {
            rows.push(variant);
        }
    }
    let skipped = if only.is_empty() { skipped } else { Vec::new() };
    Ok((rows, skipped))
}

pub(crate) fn variant(game: Game, base: &Config, text: &str) -> Result<Variant, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| " is not of the form name=value".to_owned())?;
    if Config::is_idle(game, name.trim()) {
        return Err(format!(": {} does nothing in {}", name.trim(), game.name()));
    }
    Variant::new(game, base, name.trim(), value.trim()).map_err(|error| format!(": {error}"))
}

/// A name given to --only must have a row, and if it has none the reason is said.
fn check_only(game: Game, name: &str, rows: &[Variant], skipped: &[Skipped]) -> Result<(), ExperimentError> {
    if rows.iter().any(|row| row.technique == name) {
        return Ok(());
    }
    let message = match skipped.iter().find(|skipped| skipped.name() == name) {
        Some(reason) => format!("--only: {reason}"),
        None => match Config::default().set(game, name, "") {
            Err(error @ SettingError::UnknownName { .. }) => format!("--only: {error}"),
            _ => format!("--only: '{name}' is a number; give its other value with --also {name}=VALUE"),
        },
    };
    Err(ExperimentError::Input(message))
}
