//! A player as a file or a table of one.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::library::read_library;
use super::source::{Source, read_keys};
use super::{ConfigError, Mistakes};

pub type PlayerTables = BTreeMap<String, PlayerFile>;

#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize, Serialize)]
#[serde(default)]
pub struct PlayerFile {
    /// What reports call it; the file's name if absent.
    #[arg(long)]
    pub name: Option<String>,
    /// What an external engine called itself when it was added to the engine library; decides nothing.
    #[arg(long)]
    pub id_name: Option<String>,
    /// Where it starts from; `base` if absent.
    #[arg(long)]
    pub preset: Option<String>,
    /// Changes to the preset, by setting name; a dotted name may be quoted or spelt as a table.
    #[arg(skip)]
    pub settings: toml::Table,
    /// The language of an external engine, usi or uci; `usi` if absent.
    #[arg(long)]
    pub protocol: Option<String>,
    /// An external engine; this and all that follows are for such players.
    #[arg(long)]
    pub command: Option<String>,
    #[arg(long)]
    pub arguments: Vec<String>,
    #[arg(long)]
    pub directory: Option<String>,
    #[arg(skip)]
    pub environment: BTreeMap<String, String>,
    /// Options of the engine, by the names that it announces.
    #[arg(skip)]
    pub options: toml::Table,
    /// Lines that it is told once, after the options.
    #[arg(long)]
    pub commands: Vec<String>,
    /// `fault` (after a fault only) or `game`.
    #[arg(long)]
    pub restart: Option<String>,
    /// How far it may exceed its time, in milliseconds.
    #[arg(long)]
    pub time_margin_ms: Option<u64>,
    #[arg(long)]
    pub ponder: Option<bool>,
    /// Is it asked whether it is ready before each move, while no clock runs? Engines of UCI are, by default, under a game clock.
    #[arg(long)]
    pub ping: Option<bool>,
    /// How long it may take to say so before it has lost, in milliseconds; `--stall-ms` if absent.
    #[arg(long)]
    pub ping_ms: Option<u64>,
    /// What follows from its faults, instead of what the match says.
    #[arg(long)]
    pub on_fault: Option<String>,
    /// The memory that it may use at most, in MiB.
    #[arg(long)]
    pub memory_mib: Option<u64>,
    /// Does it give its scores from White's point of view?
    #[arg(long)]
    pub white_pov: Option<bool>,
}

impl PlayerFile {
    pub(super) fn read(table: &toml::Table, wrong: &mut Mistakes) -> PlayerFile {
        read_keys(table, &["settings", "environment", "options"], wrong)
    }

    /// The file at `path`, which holds `text`.
    pub(super) fn parse(path: &Path, text: &str) -> Result<(PlayerFile, Source), Mistakes> {
        let source = Source::parse(text, &path.display().to_string())?;
        let mut wrong = Mistakes::default();
        let file = PlayerFile::read(&source.table, &mut wrong);
        match source.placed(wrong) {
            wrong if wrong.is_empty() => Ok((file, source)),
            wrong => Err(wrong),
        }
    }

    /// What the engine library has by this name.
    pub fn of_library(name: &str) -> Result<PlayerFile, ConfigError> {
        let (text, path) = read_library(name)?;
        let read = PlayerFile::parse(&path, &text);
        let (file, _) = read.map_err(|wrong| ConfigError::from(wrong).of_named(&path))?;
        Ok(file)
    }

    /// As a file that says only what is set.
    pub fn text(&self) -> String {
        let mut table = toml::Table::try_from(self).unwrap_or_default();
        table.retain(|_, value| {
            let is_empty = value.as_array().is_some_and(Vec::is_empty)
                || value.as_table().is_some_and(toml::Table::is_empty);
            !is_empty
        });
        table.to_string()
    }

    /// Is there a key that only an external engine has?
    pub(super) fn has_process_keys(&self) -> bool {
        let builtin_only = PlayerFile {
            name: self.name.clone(),
            id_name: self.id_name.clone(),
            preset: self.preset.clone(),
            settings: self.settings.clone(),
            ..PlayerFile::default()
        };
        *self != builtin_only
    }
}

/// A table as pairs of dotted name and value text.
pub(super) fn flat(table: &toml::Table) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    flatten("", table, &mut pairs);
    pairs
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
