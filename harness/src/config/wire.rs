//! Files as the user writes them, before anything is checked but their shape.
//!
//! In: TOML text. Out: structs of optional keys, unknown keys refused. Must not: give a key a meaning.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{ConfigError, resolve};

/// Every key of a match with its default and its meaning; also read by [`MatchFile::defaults`].
pub const MATCH_DEFAULTS: &str = include_str!("match.toml");

/// The commands that a file can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// `tanren match`.
    Match,
    /// `tanren tournament`.
    Tournament,
    /// `tanren tune`.
    Tune,
    /// `tanren odds`.
    Odds,
    /// `tanren ablate`.
    Ablate,
}

impl Command {
    /// What the file at `path` asks for; `None` if it does not say.
    ///
    /// # Errors
    /// Unreadable, not TOML, or an unknown command.
    pub fn read(path: &Path) -> Result<Option<Command>, ConfigError> {
        /// Other keys belong to the command.
        #[derive(Deserialize)]
        struct Head {
            command: Option<Command>,
        }
        let text = read_text(path)?;
        let head: Head = toml::from_str(&text).map_err(|error| bad_file(path, &error))?;
        Ok(head.command)
    }
}

/// A match as keys; each has the name of its command-line option, with `_` for `-`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "match.toml explains every key, once")]
pub struct MatchFile {
    pub command: Option<Command>,
    pub name: Option<String>,
    pub game: Option<String>,
    pub a: Option<String>,
    pub b: Option<String>,
    pub label_a: Option<String>,
    pub label_b: Option<String>,
    pub nodes: Option<u64>,
    pub nodes_a: Option<u64>,
    pub nodes_b: Option<u64>,
    pub depth: Option<u32>,
    pub depth_a: Option<u32>,
    pub depth_b: Option<u32>,
    pub movetime: Option<u64>,
    pub movetime_a: Option<u64>,
    pub movetime_b: Option<u64>,
    pub tc: Option<String>,
    pub tc_a: Option<String>,
    pub tc_b: Option<String>,
    pub byoyomi: Option<u64>,
    pub byoyomi_a: Option<u64>,
    pub byoyomi_b: Option<u64>,
    pub time_margin: Option<u64>,
    pub overhead: Option<u64>,
    pub whole_seconds: Option<bool>,
    pub pairs: Option<u64>,
    pub sprt: Option<String>,
    pub openings: Option<String>,
    pub order: Option<String>,
    pub seed: Option<u64>,
    pub hash: Option<usize>,
    pub repeat: Option<bool>,
    pub node_jitter: Option<u32>,
    pub max_plies: Option<u32>,
    pub declaration: Option<String>,
    pub repetition: Option<String>,
    pub resign: Option<String>,
    pub draw: Option<String>,
    pub startup_ms: Option<u64>,
    pub stall_ms: Option<u64>,
    pub on_fault: Option<String>,
    /// Never written: the players are, in full.
    #[serde(default, skip_serializing)]
    pub player: PlayerTables,
}

/// Players by name.
pub type PlayerTables = BTreeMap<String, PlayerFile>;

impl MatchFile {
    /// Reads a match from a file. The files that it names are looked for from its own folder, then from the working
    /// directory.
    ///
    /// # Errors
    /// Unreadable, or not TOML of this shape (with line and column).
    pub fn read(path: &Path) -> Result<MatchFile, ConfigError> {
        let text = read_text(path)?;
        let mut file: MatchFile = toml::from_str(&text).map_err(|error| bad_file(path, &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let players = [&mut file.a, &mut file.b].into_iter().flatten();
        resolve_files(file.openings.as_mut(), players, folder);
        Ok(file)
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
    /// The language of another program, usi or uci; `usi` if absent.
    pub protocol: Option<String>,
    /// Another program; this and all that follows are for such players.
    pub command: Option<String>,
    /// What it is called with.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The folder it runs in.
    pub directory: Option<String>,
    /// Added to its environment.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Options of the engine, by the names that it announces.
    #[serde(default)]
    options: toml::Table,
    /// Lines that it is told once, after the options.
    #[serde(default)]
    pub commands: Vec<String>,
    /// `fault` (after a fault only) or `game`.
    pub restart: Option<String>,
    /// How far it may exceed its time, in milliseconds.
    pub time_margin_ms: Option<u64>,
    /// Does it think on its opponent's time?
    pub ponder: Option<bool>,
    /// What follows from its faults, instead of what the match says.
    pub on_fault: Option<String>,
}

impl PlayerFile {
    pub(super) fn read(path: &Path) -> Result<PlayerFile, ConfigError> {
        let text = read_text(path)?;
        toml::from_str(&text).map_err(|error| bad_file(path, &error))
    }

    /// Is there a key that only another program has?
    pub(super) fn has_process_keys(&self) -> bool {
        let builtin_only = PlayerFile {
            name: self.name.clone(),
            preset: self.preset.clone(),
            settings: self.settings.clone(),
            ..PlayerFile::default()
        };
        *self != builtin_only
    }

    /// The engine's options as pairs of name and value text.
    pub(super) fn options(&self) -> Vec<(String, String)> {
        let mut flat = Vec::new();
        flatten("", &self.options, &mut flat);
        flat
    }

    /// The settings as pairs of dotted name and value text.
    pub(super) fn assignments(&self) -> Vec<(String, String)> {
        let mut flat = Vec::new();
        flatten("", &self.settings, &mut flat);
        flat
    }
}

/// Looks for the files that a specification in `folder` names there first.
pub(super) fn resolve_files<'a>(
    openings: Option<&'a mut String>,
    players: impl Iterator<Item = &'a mut String>,
    folder: &Path,
) {
    if let Some(openings) = openings {
        *openings = resolve(openings, folder);
    }
    for player in players {
        if let Some(path) = player.strip_prefix('@') {
            *player = format!("@{}", resolve(path, folder));
        }
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

pub(super) fn read_text(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn bad_file(path: &Path, error: &toml::de::Error) -> ConfigError {
    ConfigError::BadFile {
        path: path.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    }
}
