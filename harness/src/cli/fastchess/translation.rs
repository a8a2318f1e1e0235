//! The command that a script becomes.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;

use crate::report::{FastchessStyle, note};
use crate::session::error::ExperimentError;
use crate::session::folder;
use crate::session::stored::Run;

#[derive(Debug)]
pub(super) struct Translation {
    pub(super) command: &'static str,
    pub(super) keys: Vec<(&'static str, String)>,
    /// Options of ours that stood among those of the script.
    pub(super) own: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) style: FastchessStyle,
    /// Options by the names of their engines.
    pub(super) options: Vec<(String, Vec<(String, String)>)>,
}

/// An option that an engine does not take.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RefusedOption {
    pub(super) engine: String,
    pub(super) name: String,
    /// The value, where it is only that.
    pub(super) value: Option<String>,
}

impl Translation {
    /// As theirs does: a folder and a seed of its own for each run. One that goes to a given folder is resumed there, with its seed. Returns the
    /// folder that it made.
    pub(super) fn begin_anew(&mut self) -> Result<Option<PathBuf>, ExperimentError> {
        let is_key = |wanted: &str| self.keys.iter().any(|(key, _)| *key == wanted);
        let seed = self.own_value("--seed").map(str::to_owned);
        let out = self.own_value("--out").map(PathBuf::from);
        if seed.is_none() && !is_key("seed") {
            let stored = out.as_ref().and_then(|folder| Run::open(folder).ok());
            let stored = stored.and_then(|run| run.manifest.spec_toml.parse::<toml::Table>().ok());
            let stored = stored.and_then(|keys| keys.get("seed")?.as_integer());
            let seed = stored.unwrap_or_else(|| (RandomState::new().build_hasher().finish() >> 32) as i64);
            self.keys.push(("seed", seed.to_string()));
        }
        if out.is_none() {
            let name = self.keys.iter().find(|(key, _)| *key == "name");
            let players = || match &self.style.names[..] {
                [a, b] => format!("{a}-vs-{b}"),
                names => format!("tournament-{}", names[0]),
            };
            let name = name.map_or_else(players, |(_, name)| name.clone());
            if let Some(stopped) = folder::last_stopped(&name).filter(|_| !self.style.is_silent) {
                let stopped = stopped.display();
                note(&format!(
                    "an unfinished run is in {stopped}: add --out {stopped} to resume it"
                ));
            }
            let made = folder::claim(&name).map_err(|source| ExperimentError::Unwritable {
                path: PathBuf::from("results"),
                source,
            })?;
            self.own
                .extend(["--out".to_owned(), made.to_string_lossy().into_owned()]);
            return Ok(Some(made));
        }
        Ok(None)
    }

    /// The option that keeps an engine from starting, by what is said of it.
    pub(super) fn refused_option(&self, engine: &str, message: &str) -> Option<RefusedOption> {
        let (_, options) = self.options.iter().find(|(name, _)| name == engine)?;
        let refused = |(name, value): &(String, String)| {
            let is_missing = message.contains(&format!("no option '{name}'"));
            let wrong = format!("option {name} is '{value}'").to_lowercase();
            let is_wrong = message.to_lowercase().contains(&wrong);
            (is_missing || is_wrong).then(|| RefusedOption {
                engine: engine.to_owned(),
                name: name.clone(),
                value: (!is_missing).then(|| value.clone()),
            })
        };
        options.iter().find_map(refused)
    }

    /// The value of an option of ours.
    fn own_value(&self, option: &str) -> Option<&str> {
        let mut words = self.own.iter();
        let word = words.find(|word| word.split('=').next() == Some(option))?;
        word.split_once('=')
            .map(|(_, value)| value)
            .or_else(|| words.next().map(String::as_str))
    }

    /// The command as somebody would type it.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![self.command.to_owned()];
        for (key, value) in &self.keys {
            let long = format!("--{}", key.replace('_', "-"));
            match value.as_str() {
                "true" => words.push(long),
                // A value below zero is none of its own.
                value if value.starts_with('-') => words.push(format!("{long}={value}")),
                value => words.extend([long, value.to_owned()]),
            }
        }
        words.extend(self.own.clone());
        words
    }
}
