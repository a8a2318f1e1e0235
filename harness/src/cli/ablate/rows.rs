//! The rows of an ablation, from what the user asks for.
//!
//! In: arguments, a base. Out: what to change, and what is left out and why. Must not: play.

use serde_json::json;
use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Game;

use super::super::error::CliError;
use super::AblateArgs;
use crate::config::PlayerSpec;
use crate::report::print_data;
use crate::study::ablate::{Skipped, Variant, variants};

impl AblateArgs {
    /// The rows that are asked for, and what has none.
    pub(super) fn rows(
        &self,
        game: Game,
        base: &PlayerSpec,
    ) -> Result<(Vec<Variant>, Vec<Skipped>), CliError> {
        let (all, skipped) = variants(game, base.builtin()?);
        let mut rows = all;
        if !self.only.is_empty() {
            for name in &self.only {
                check_only(game, name, &rows, &skipped)?;
            }
            rows.retain(|row| self.only.contains(&row.technique));
        }
        for text in &self.also {
            let (name, value) = text
                .split_once('=')
                .ok_or_else(|| CliError::Input(format!("--also '{text}' is not of the form name=value")))?;
            let variant = Variant::new(game, base.builtin()?, name.trim(), value.trim())
                .map_err(|error| CliError::Input(format!("--also '{text}': {error}")))?;
            if variant.setting == variant.base_setting {
                let message = format!("--also '{text}': the base has that already");
                return Err(CliError::Input(message));
            }
            if !rows.contains(&variant) {
                rows.push(variant);
            }
        }
        let skipped = if self.only.is_empty() { skipped } else { Vec::new() };
        Ok((rows, skipped))
    }
}

/// A name given to --only must have a row, and if it has none the reason is said.
fn check_only(game: Game, name: &str, rows: &[Variant], skipped: &[Skipped]) -> Result<(), CliError> {
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
    Err(CliError::Input(message))
}

/// Shows what would be measured.
pub(super) fn list(args: &AblateArgs, variants: &[Variant], skipped: &[Skipped]) -> Result<(), CliError> {
    let rows = variants.iter().map(Variant::assignment);
    let reasons = skipped.iter().map(ToString::to_string);
    let text = if args.json {
        json!({ "rows": rows.collect::<Vec<_>>(), "left_out": reasons.collect::<Vec<_>>() }).to_string()
    } else {
        let rows = variants
            .iter()
            .map(|row| format!("{}  (base: {})\n", row.assignment(), row.base_setting));
        let reasons = reasons.map(|reason| format!("left out: {reason}\n"));
        rows.chain(reasons).collect()
    };
    print_data(&text).map_err(CliError::system("print the result"))
}
