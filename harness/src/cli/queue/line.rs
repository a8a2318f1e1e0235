//! From a job's keys to the command line that runs it.
//!
//! In: a job, the file it names, the options of its command. Out: words, parsed and checked. Must not: run anything.

use std::num::NonZero;
use std::path::Path;

use clap::{ArgAction, CommandFactory, Parser};

use super::super::error::CliError;
use super::super::{Cli, Command};
use crate::config::{ConfigError, resolve};
use crate::queue::{Job, Key, Place, QueueError, keys_of};

/// Options that a queue gives to its jobs itself.
const NOT_KEYS: [&str; 7] = ["out", "quiet", "json", "pause-after", "nice", "help", "version"];
/// Keys of a run's file that are no options of its command, or have no meaning in a queue.
const FILE_KEYS: [&str; 2] = ["command", "name"];

/// A job whose options have been understood.
pub(super) struct Line<'a> {
    pub(super) job: &'a Job,
    /// What decides its results.
    pub(super) arguments: Vec<String>,
    /// The command with everything the queue adds.
    pub(super) command: Command,
}

/// What the queue gives to each of its jobs, if its command knows it.
pub(super) struct Added<'a> {
    pub(super) folder: &'a Path,
    pub(super) is_quiet: bool,
    pub(super) pins_cores: bool,
    pub(super) concurrency: Option<NonZero<usize>>,
}

impl<'a> Line<'a> {
    /// The line of `job`, which stands in the file `origin`.
    pub(super) fn new(job: &'a Job, origin: &str, added: &Added<'_>) -> Result<Line<'a>, CliError> {
        let line = Builder { job, origin };
        let cli = Cli::command();
        let options = job.command.words().fold(&cli, |command, word| {
            let found = command.find_subcommand(word);
            found.unwrap_or_else(|| unreachable!("every command of a queue is one of the program"))
        });
        let mut keys: Vec<(Key, String)> = Vec::new();
        if let Some((path, place)) = &job.spec {
            keys = line.file_keys(path, *place)?;
            keys.retain(|(key, _)| !job.keys.iter().any(|own| own.name == key.name));
        }
        keys.extend(job.keys.iter().map(|key| (key.clone(), origin.to_owned())));
        let mut arguments: Vec<String> = job.command.words().map(str::to_owned).collect();
        for (key, origin) in &keys {
            line.push(&mut arguments, options, key, origin)?;
        }
        let mut all = vec!["tanren".to_owned()];
        all.extend(arguments.iter().cloned());
        all.extend(line.additions(options, added)?);
        let parsed = Cli::try_parse_from(&all).map_err(|error| line.refuse(&error, &keys))?;
        let line = Line {
            job,
            arguments,
            command: parsed.command,
        };
        line.check(origin)?;
        Ok(line)
    }

    /// What the command itself would refuse before it starts.
    fn check(&self, origin: &str) -> Result<(), CliError> {
        let checked = match &self.command {
            Command::Match(args) => args.spec().map(drop),
            Command::Tournament(args) => args.spec().map(drop),
            Command::Tune(args) if !args.bench => args.spec().map(drop),
            _ => Ok(()),
        };
        checked.map_err(|error| {
            CliError::Queue(QueueError {
                origin: origin.to_owned(),
                place: self.job.place,
                message: format!("job '{}': {error}", self.job.name),
            })
        })
    }
}

/// `key` of a file in `folder`; a file that it names is looked for there first, as [`MatchFile::read`] does.
///
/// [`MatchFile::read`]: crate::config::wire::MatchFile::read
fn resolved(mut key: Key, folder: &Path) -> Key {
    if let toml::Value::String(text) = &mut key.value {
        match (key.name.as_str(), text.strip_prefix('@')) {
            ("openings" | "positions", _) => *text = resolve(text, folder),
            ("a" | "b", Some(path)) => *text = format!("@{}", resolve(path, folder)),
            _ => {}
        }
    }
    key
}

struct Builder<'a> {
    job: &'a Job,
    origin: &'a str,
}

impl Builder<'_> {
    fn error(&self, origin: &str, place: Place, message: String) -> CliError {
        CliError::Queue(QueueError {
            origin: origin.to_owned(),
            place,
            message: format!("job '{}': {message}", self.job.name),
        })
    }

    /// The keys of the file that the job names.
    fn file_keys(&self, path: &str, place: Place) -> Result<Vec<(Key, String)>, CliError> {
        let text = std::fs::read_to_string(path).map_err(|source| {
            let error = ConfigError::Unreadable {
                path: path.into(),
                source,
            };
            self.error(self.origin, place, error.to_string())
        })?;
        let keys = keys_of(&text, path)?;
        let command = keys.iter().find(|key| key.name == "command");
        if let Some(key) = command.filter(|key| key.value.as_str() != Some(self.job.command.name())) {
            let message = format!(
                "'{path}' is for the command {}, but the job runs {}",
                key.value,
                self.job.command.name()
            );
            return Err(self.error(self.origin, place, message));
        }
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let options = keys
            .into_iter()
            .filter(|key| !FILE_KEYS.contains(&key.name.as_str()));
        Ok(options
            .map(|key| (resolved(key, folder), path.to_owned()))
            .collect())
    }

    /// Adds the words of one key.
    fn push(
        &self,
        words: &mut Vec<String>,
        options: &clap::Command,
        key: &Key,
        origin: &str,
    ) -> Result<(), CliError> {
        let refuse = |message: String| Err(self.error(origin, key.place, message));
        let long = key.name.replace('_', "-");
        let option = options.get_arguments().find(|option| name_of(option) == long);
        let Some(option) = option.filter(|_| !NOT_KEYS.contains(&long.as_str())) else {
            return refuse(unknown_key(options, key));
        };
        if matches!(option.get_action(), ArgAction::SetTrue) {
            return match &key.value {
                toml::Value::Boolean(true) => {
                    words.push(format!("--{long}"));
                    Ok(())
                }
                toml::Value::Boolean(false) => Ok(()),
                other => refuse(format!("{} is {other}, but must be true or false", key.name)),
            };
        }
        let values = match &key.value {
            toml::Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values {
            let text = match value {
                toml::Value::String(text) => text.clone(),
                toml::Value::Boolean(_) => {
                    return refuse(format!("{} is {value}, but takes a value", key.name));
                }
                other => other.to_string(),
            };
            words.push(if option.is_positional() {
                text
            } else {
                format!("--{long}={text}")
            });
        }
        Ok(())
    }

    /// The options that the queue adds.
    fn additions(&self, options: &clap::Command, added: &Added<'_>) -> Result<Vec<String>, CliError> {
        let has = |name: &str| options.get_arguments().any(|option| name_of(option) == name);
        let is_key = |name: &str| self.job.keys.iter().any(|key| key.name == name);
        let mut words = Vec::new();
        if has("out") {
            words.push("--out".to_owned());
            words.push(added.folder.join(&self.job.name).to_string_lossy().into_owned());
        }
        if added.is_quiet && has("quiet") {
            words.push("--quiet".to_owned());
        }
        if let Some(concurrency) = added
            .concurrency
            .filter(|_| has("concurrency") && !is_key("concurrency"))
        {
            words.push(format!("--concurrency={concurrency}"));
        }
        if added.pins_cores && has("pin-cores") && !is_key("pin_cores") {
            words.push("--pin-cores".to_owned());
        }
        if let Some((pairs, place)) = self.job.budget_pairs {
            if !has("pause-after") {
                let message = format!(
                    "{} plays no pairs, so it has no budget_pairs",
                    self.job.command.name()
                );
                return Err(self.error(self.origin, place, message));
            }
            words.push(format!("--pause-after={pairs}"));
        }
        Ok(words)
    }

    /// The parser's refusal at the key that it is about.
    fn refuse(&self, error: &clap::Error, keys: &[(Key, String)]) -> CliError {
        let text = error.to_string();
        let paragraph = text.split("\n\n").next().unwrap_or_default();
        let message = paragraph.trim_start_matches("error: ").replace('\n', " ");
        let is_about = |key: &Key| {
            let long = format!("'--{}", key.name.replace('_', "-"));
            message.match_indices(&long).any(|(at, _)| {
                let after = message[at + long.len()..].chars().next();
                matches!(after, Some(' ' | '\'' | '='))
            })
        };
        match keys.iter().find(|(key, _)| is_about(key)) {
            Some((key, origin)) => self.error(origin, key.place, message),
            None => self.error(self.origin, self.job.place, message),
        }
    }
}

/// The name of an option, or of a positional argument.
fn name_of(option: &clap::Arg) -> String {
    let long = option.get_long().unwrap_or(option.get_id().as_str());
    long.replace('_', "-")
}

fn unknown_key(options: &clap::Command, key: &Key) -> String {
    let mut names: Vec<String> = options
        .get_arguments()
        .map(name_of)
        .filter(|name| !NOT_KEYS.contains(&name.as_str()))
        .map(|name| name.replace('-', "_"))
        .collect();
    names.sort();
    format!(
        "unknown key '{}'; besides {} there are: {}",
        key.name,
        crate::queue::KEYS.join(", "),
        names.join(", ")
    )
}
