//! A player as a file or a table of one.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use serde::{Deserialize, Serialize};
use toml::Value;

use super::library::read_library;
use super::place::resolve_program_keys;
use super::process::{EngineProtocol, ProcessSpec, SSH};
use super::process_text::{ENVIRONMENT, OPTION, refuse_controls};
use super::source::{Source, read_keys};
use super::{ConfigError, Mistake, Mistakes};

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
    /// The game that it is for, shogi or chess; in the other it is refused.
    #[arg(long)]
    pub game: Option<String>,
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

    /// The file at `path`, which holds `text`. Paths that it names are looked for from its folder first.
    pub(super) fn parse(path: &Path, text: &str) -> Result<(PlayerFile, Source), Mistakes> {
        let source = Source::parse(text, &path.display().to_string())?;
        let mut table = source.table.clone();
        resolve_program_keys(&mut table, path.parent().unwrap_or(Path::new("")));
        let mut wrong = Mistakes::default();
        let file = PlayerFile::read(&table, &mut wrong);
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
            game: self.game.clone(),
            preset: self.preset.clone(),
            settings: self.settings.clone(),
            ..PlayerFile::default()
        };
        *self != builtin_only
    }
}

impl ProcessSpec {
    /// From the keys of a file; `None` if they name no command.
    pub(super) fn from_file(file: &PlayerFile) -> Result<Option<ProcessSpec>, Mistake> {
        let refuse = |key: &str, message: String| Mistake::new(key, message);
        let Some(command) = &file.command else {
            let is_program = file.has_process_keys();
            let message = "there are keys of a program, but no command";
            return if is_program {
                Err(refuse("", message.to_owned()))
            } else {
                Ok(None)
            };
        };
        if file.preset.is_some() || !file.settings.is_empty() {
            let message = "preset and settings are for the built-in engine, command is for an external one";
            return Err(refuse("command", message.to_owned()));
        }
        let protocol = file.protocol.as_deref().unwrap_or("usi");
        let protocol = EngineProtocol::from_name(protocol).ok_or_else(|| {
            refuse(
                "protocol",
                format!("protocol is '{protocol}', but must be usi or uci"),
            )
        })?;
        let spec = ProcessSpec::new(protocol, command);
        let mut spec = spec.map_err(|message| refuse("command", message))?;
        spec.arguments.clone_from(&file.arguments);
        let mut set = |place: &str, key: &str, value: &str| {
            spec.set(key, value).map_err(|message| refuse(place, message))
        };
        for (name, value) in flat(&file.options) {
            set(&format!("options.{name}"), &format!("{OPTION}{name}"), &value)?;
        }
        for (name, value) in &file.environment {
            set(
                &format!("environment.{name}"),
                &format!("{ENVIRONMENT}{name}"),
                value,
            )?;
        }
        for line in &file.commands {
            set("commands", "init", line)?;
        }
        let single = [
            ("directory", file.directory.clone()),
            ("restart", file.restart.clone()),
            ("ponder", file.ponder.map(|ponder| ponder.to_string())),
            ("ping", file.ping.map(|ping| ping.to_string())),
            (
                "time_margin_ms",
                file.time_margin_ms.map(|margin| margin.to_string()),
            ),
            ("ping_ms", file.ping_ms.map(|ms| ms.to_string())),
            ("on_fault", file.on_fault.clone()),
            ("memory_mib", file.memory_mib.map(|mib| mib.to_string())),
            ("white_pov", file.white_pov.map(|is_on| is_on.to_string())),
        ];
        for (key, value) in single {
            value.map_or(Ok(()), |value| set(key, key, &value))?;
        }
        let text = refuse_controls(&spec.text()).and_then(|()| spec.check_text());
        text.map_err(|message| refuse("command", message))?;
        Ok(Some(spec))
    }

    /// The keys that `from_file` takes to this program again.
    pub fn file(&self) -> PlayerFile {
        let value = |text: &String| {
            let number = text
                .parse()
                .ok()
                .filter(|number: &i64| number.to_string() == *text);
            let switch = || text.parse().ok().map(Value::Boolean);
            number
                .map(Value::Integer)
                .or_else(switch)
                .unwrap_or_else(|| text.clone().into())
        };
        let options = self
            .options
            .iter()
            .map(|(name, text)| (name.clone(), value(text)));
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let program = text(&self.command);
        PlayerFile {
            protocol: Some(self.protocol.name().to_owned()),
            command: Some(match &self.host {
                Some(host) => format!("{SSH}{host}:{program}"),
                None => program,
            }),
            arguments: self.arguments.clone(),
            directory: self.directory.as_deref().map(text),
            environment: self.environment.iter().cloned().collect(),
            options: options.collect(),
            commands: self.initial_commands.clone(),
            restart: self.restarts_each_game.then(|| "game".to_owned()),
            time_margin_ms: self.time_margin_ms,
            ponder: self.ponder.then_some(true),
            ping: self.ping,
            ping_ms: self.ping_ms,
            on_fault: (!self.on_fault.is_unsaid()).then(|| self.on_fault.to_string()),
            memory_mib: self.memory_mib,
            white_pov: self.white_pov.then_some(true),
            ..PlayerFile::default()
        }
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
            Value::Table(inner) => flatten(&format!("{name}."), inner, flat),
            Value::String(text) => flat.push((name, text.clone())),
            other => flat.push((name, other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_the_same_read_back_from_its_file() {
        for text in [
            "usi:engine",
            "uci:ssh:me@box:/opt/engine -x,option.Threads=1",
            "uci:engine \"a b\",option.Threads=01,option.Book=true,option.Skill Level=-3,option.a.b=,option.Net=x y,env.A=1,directory=/run,\
             init=x,restart=game,time_margin_ms=5,ponder=on,ping=off,ping_ms=7,on_fault=stall=stop,memory_mib=64,white_pov=on",
        ] {
            let (_, spec) = ProcessSpec::parse(text).unwrap().unwrap();
            let file: toml::Table = spec.file().text().parse().unwrap();
            let mut wrong = Mistakes::default();
            let file = PlayerFile::read(&file, &mut wrong);
            assert_eq!(ProcessSpec::from_file(&file).unwrap().unwrap(), spec, "{text}");
            assert!(wrong.is_empty());
        }
    }
}
