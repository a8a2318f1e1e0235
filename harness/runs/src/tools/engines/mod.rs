//! The engine library: engines by name in the user's folder for configurations.

mod known;

pub use known::{KnownEngine, known_engines};

use std::fs::{self, File};
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};
use tanren_engine::game::Game;

use crate::config::{
    ConfigError, PlayerFile, PlayerSpec, ProcessSpec, Timeouts, did_you_mean, is_library_name, library_file,
    library_names,
};
use crate::document::Document;
use crate::document::file::write_text;
use crate::document::number::plural;
use crate::document::table::{Align, titled_table};
use crate::interrupt::Interrupt;
use crate::player::{ExaminedFiles, Introduction, Launch, probe, program_path};
use crate::sanitize;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::{unanswered, unreadable};

/// Held while the library is changed.
const LOCK: &str = ".lock";
const HASH_MIB: usize = 16;
const ID_NAME_CHARS_MAX: usize = 200;

/// An engine to be added.
#[derive(Debug)]
pub struct NewEngine {
    pub name: String,
    /// As it was typed, for messages.
    pub command: String,
    pub process: ProcessSpec,
    /// What reports call it; its name if absent.
    pub label: Option<String>,
    pub startup_ms: u64,
    /// Are options of known engines left out?
    pub is_plain: bool,
    /// May it replace an engine of this name?
    pub replaces: bool,
}

/// Refuses a name that `@NAME` cannot give.
pub fn check_name(name: &str) -> Result<()> {
    if is_library_name(name) {
        return Ok(());
    }
    let message = format!(
        "'{}' cannot name an engine: use up to 64 letters, digits, '.', '_', '+' and '-', a letter or digit first, and no .toml at \
         the end",
        sanitize::line(name)
    );
    Err(ExperimentError::Input(message))
}

impl NewEngine {
    /// Refuses a name that is taken, as far as this can be told before it is added.
    pub fn check(&self) -> Result<()> {
        check_name(&self.name)?;
        if self.replaces || !library_file(&self.name)?.exists() {
            return Ok(());
        }
        let name = &self.name;
        Err(ExperimentError::Input(format!(
            "the engine library has '{name}' already: give another name, or --force to replace it"
        )))
    }

    /// Starts it, and writes down what it is.
    pub fn add(mut self) -> Result<Document<'static>> {
        self.check()?;
        let unread = |error: &io::Error| unreadable(&self.command, &self.process, error);
        ExaminedFiles::default()
            .examine(&self.process)
            .map_err(|error| unread(&error))?;
        if self.process.host.is_none() {
            let program = program_path(&self.process).and_then(std::path::absolute);
            self.process.command = program.map_err(|error| unread(&error))?;
        }
        let said = self.start()?;
        let known = KnownEngine::of(self.process.protocol, &said).filter(|_| !self.is_plain);
        let suggested = self.take_suggestions(known, &said);
        if !suggested.is_empty() {
            self.start()?;
        }
        let path = library_file(&self.name)?;
        self.write(&path, &said, known, &suggested)?;
        Ok(self.told(&path, &said, known, &suggested))
    }

    fn start(&self) -> Result<Introduction> {
        let timeouts = Timeouts {
            startup_ms: self.startup_ms,
            ..Timeouts::default()
        };
        let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
        let launch = Launch::new(self.process.clone(), timeouts, HASH_MIB, &interrupt);
        probe(&launch).map_err(|no_answer| unanswered(&self.command, &interrupt, no_answer))
    }

    /// Sets the options that are suggested for it and that it has not been given; what they are.
    fn take_suggestions(
        &mut self,
        known: Option<&KnownEngine>,
        said: &Introduction,
    ) -> Vec<(String, String)> {
        let mut suggested = known.map(|known| known.suggested(said)).unwrap_or_default();
        let given = &mut self.process.options;
        suggested.retain(|(name, _)| !given.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)));
        given.extend(suggested.iter().cloned());
        suggested
    }

    fn write(
        &self,
        path: &Path,
        said: &Introduction,
        known: Option<&KnownEngine>,
        suggested: &[(String, String)],
    ) -> Result<()> {
        let _held = hold(path)?;
        self.check()?;
        let id_name = sanitize::short(&said.name, ID_NAME_CHARS_MAX);
        let file = PlayerFile {
            name: self.label.clone(),
            id_name: Some(sanitize::line(&id_name).into_owned()).filter(|name| !name.is_empty()),
            ..self.process.file()
        };
        let mut text = format!(
            "# The player @{} of the engine library; edit it freely.\n",
            self.name
        );
        if let Some(known) = known {
            for line in remarks(known, suggested) {
                text += &format!("# {line}\n");
            }
        }
        Ok(write_text(path, &(text + &file.text()))?)
    }

    fn told(
        &self,
        path: &Path,
        said: &Introduction,
        known: Option<&KnownEngine>,
        suggested: &[(String, String)],
    ) -> Document<'static> {
        let id_name = sanitize::line(&said.name);
        let (name, protocol) = (&self.name, self.process.protocol.name());
        let mut lines = format!(
            "added @{name}: '{id_name}', {protocol}, {}, in {}\n",
            plural(said.options.len() as u64, "option"),
            path.display()
        );
        for line in known.map(|known| remarks(known, suggested)).unwrap_or_default() {
            lines += &format!("{line}\n");
        }
        let options: Map<String, Value> = suggested
            .iter()
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        let values = json!({
            "name": name,
            "file": path.to_string_lossy(),
            "protocol": protocol,
            "id_name": id_name,
            "player": self.process.text(),
            "known": known.map(|known| &known.name),
            "suggested": options,
        });
        Document::of_text(lines, values)
    }
}

/// What is known of an engine, a line each.
fn remarks(known: &KnownEngine, suggested: &[(String, String)]) -> Vec<String> {
    let set: Vec<String> = suggested
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut lines = Vec::new();
    if !set.is_empty() {
        lines.push(format!("options set for {}: {}", known.name, set.join(", ")));
    }
    lines.push(format!("{}: {}", known.name, known.note.replace('`', "")));
    lines
}

/// Makes the library's folder and holds it until what is returned is dropped.
fn hold(path: &Path) -> Result<File> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let unwritable = ExperimentError::unwritable(folder);
    let held = || {
        fs::create_dir_all(folder)?;
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(LOCK))?;
        file.lock()?;
        Ok(file)
    };
    held().map_err(unwritable)
}

/// An engine of the library, as far as its file can be read.
struct Entry {
    name: String,
    file: PlayerFile,
    player: Result<PlayerSpec, ConfigError>,
}

impl Entry {
    fn read(name: String) -> Entry {
        let file = PlayerFile::of_library(&name).unwrap_or_default();
        let text = format!("@{name}");
        let read = |game| PlayerSpec::parse(game, &name, &text);
        let player = match read(Game::Shogi) {
            Err(error) => read(Game::Chess).map_err(|_| error),
            player => player,
        };
        Entry { name, file, player }
    }

    fn protocol(&self) -> &'static str {
        match &self.player {
            Ok(player) => player
                .process()
                .map_or("built-in", |process| process.protocol.name()),
            Err(_) => "",
        }
    }

    /// The file of its program; where it is not here, how it is called.
    fn program(&self) -> String {
        let process = self.player.as_ref().ok().and_then(PlayerSpec::process);
        let text = |process: &ProcessSpec| {
            let command = process.command.to_string_lossy();
            match &process.host {
                Some(host) => format!("ssh:{host}:{command}"),
                None => command.into_owned(),
            }
        };
        process.map(text).unwrap_or_default()
    }

    /// Why it cannot play, if that can be seen without starting it.
    fn fault(&self) -> Option<String> {
        let player = match &self.player {
            Ok(player) => player,
            Err(error) => return Some(error.to_string()),
        };
        let process = player.process().filter(|process| process.host.is_none())?;
        let found = program_path(process).and_then(|path| path.metadata());
        match found {
            Ok(found) if found.is_file() => None,
            Ok(_) => Some("its program is no file".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some("its program is not there".to_owned())
            }
            Err(error) => Some(error.to_string()),
        }
    }

    fn row(&self) -> [String; 5] {
        let id_name = self.file.id_name.clone().unwrap_or_default();
        let state = self.fault().map_or("ok", |_| "✗");
        [&self.name, self.protocol(), &id_name, &self.program(), state]
            .map(|text| sanitize::line(text).into_owned())
    }

    fn value(&self) -> Value {
        let process = self.player.as_ref().ok().and_then(PlayerSpec::process);
        json!({
            "name": self.name,
            "protocol": self.protocol(),
            "id_name": self.file.id_name,
            "program": self.program(),
            "player": process.map(ProcessSpec::text),
            "fault": self.fault(),
        })
    }
}

fn entries() -> impl Iterator<Item = Entry> {
    library_names().into_iter().map(Entry::read)
}

/// The names of the library, and why an engine cannot play where that can be seen without starting it.
pub(super) fn names_and_faults() -> impl Iterator<Item = (String, Option<String>)> {
    entries().map(|entry| {
        let fault = entry.fault();
        (entry.name, fault)
    })
}

/// A line for each engine of the library.
pub fn list() -> Result<Document<'static>> {
    let entries: Vec<Entry> = entries().collect();
    let names = ["name", "protocol", "engine", "program", "state"];
    let text = if entries.is_empty() {
        let folder = library_file("NAME")?;
        let folder = folder.parent().unwrap_or(Path::new(""));
        format!(
            "The engine library is empty. Add an engine: tanren engines add NAME COMMAND\n({})\n",
            folder.display()
        )
    } else {
        let faults = entries
            .iter()
            .filter_map(|entry| Some((&entry.name, entry.fault()?)));
        let faults = faults.map(|(name, fault)| format!("✗ {name}: {}\n", sanitize::line(&fault)));
        titled_table(&names, entries.iter().map(Entry::row), Align::Left) + &faults.collect::<String>()
    };
    Ok(Document::of_text(
        text,
        entries.iter().map(Entry::value).collect::<Value>(),
    ))
}

/// Takes engines out of the library, or none if one of them is not in it.
pub fn remove(names: &[String]) -> Result<()> {
    for name in names {
        check_name(name)?;
        if !library_file(name)?.exists() {
            let known = library_names();
            let meant = did_you_mean(name, known.iter().map(String::as_str));
            return Err(ExperimentError::Input(format!(
                "the engine library has no '{name}'{meant}"
            )));
        }
    }
    for name in names {
        let path = library_file(name)?;
        let _held = hold(&path)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(ExperimentError::unwritable(&path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}
