//! Files as the user writes them, before anything is checked but their shape.
//!
//! In: TOML text. Out: structs of optional keys, unknown keys refused. Must not: give a key a meaning.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ConfigError;

/// Every key of a match with its default and its meaning; also read by [`MatchFile::defaults`].
pub const MATCH_DEFAULTS: &str = include_str!("match.toml");

/// The commands that a file can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// `tanren match`.
    Match,
}

/// A match as keys; each has the name of its command-line option, with `_` for `-`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "match.toml explains every key, once")]
pub struct MatchFile {
    pub command: Option<Command>,
    pub name: Option<String>,
    pub game: Option<String>,
    pub a: Option<String>,
    pub b: Option<String>,
    pub nodes: Option<u64>,
    pub nodes_a: Option<u64>,
    pub nodes_b: Option<u64>,
    pub depth: Option<u32>,
    pub depth_a: Option<u32>,
    pub depth_b: Option<u32>,
    pub movetime: Option<u64>,
    pub movetime_a: Option<u64>,
    pub movetime_b: Option<u64>,
    pub pairs: Option<u64>,
    pub sprt: Option<String>,
    pub openings: Option<String>,
    pub seed: Option<u64>,
    pub hash: Option<usize>,
    pub repeat: Option<bool>,
    pub node_jitter: Option<u32>,
    pub max_plies: Option<u32>,
    pub declaration: Option<String>,
}

impl MatchFile {
    /// Reads a match from a file.
    ///
    /// # Errors
    /// Unreadable, or not TOML of this shape (with line and column).
    pub fn read(path: &Path) -> Result<MatchFile, ConfigError> {
        let text = read_text(path)?;
        toml::from_str(&text).map_err(|error| bad_file(path, &error))
    }

    /// What holds for the keys that are not given.
    pub fn defaults() -> MatchFile {
        toml::from_str(MATCH_DEFAULTS).unwrap_or_else(|error| unreachable!("match.toml: {error}"))
    }
}

/// A player as a file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerFile {
    /// What reports call it; the file's name if absent.
    pub name: Option<String>,
    /// Where it starts from; `base` if absent.
    pub preset: Option<String>,
    /// Changes to the preset, by setting name; a dotted name may be quoted or spelt as a table.
    #[serde(default)]
    pub settings: toml::Table,
}

impl PlayerFile {
    pub(super) fn read(path: &Path) -> Result<PlayerFile, ConfigError> {
        let text = read_text(path)?;
        toml::from_str(&text).map_err(|error| bad_file(path, &error))
    }

    /// The settings as pairs of dotted name and value text.
    pub(super) fn assignments(&self) -> Vec<(String, String)> {
        let mut flat = Vec::new();
        flatten("", &self.settings, &mut flat);
        flat
    }
}

fn flatten(prefix: &str, table: &toml::Table, flat: &mut Vec<(String, String)>) {
    for (key, value) in table {
        let name = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner) => flatten(&format!("{name}."), inner, flat),
            toml::Value::String(text) => flat.push((name, text.clone())),
            other => flat.push((name, other.to_string())),
        }
    }
}

fn read_text(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

fn bad_file(path: &Path, error: &toml::de::Error) -> ConfigError {
    ConfigError::BadFile {
        path: path.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    }
}
