//! From a job's keys to the command line that runs it.
//!
//! In: a job, the file it names, the options of its command. Out: words, parsed and checked, as an experiment.

use std::num::NonZero;
use std::path::Path;

use clap::ArgAction;

use super::declared::{Declared, Part};
use super::error::CliError;
use crate::config::{ConfigError, resolve};
use crate::experiment::{Experiment, PlannedJob, RunOptions};
use crate::queue::{Job, Key, Place, QueueError, keys_of};

/// Options that a queue gives to its jobs itself.
const NOT_KEYS: [&str; 7] = ["out", "quiet", "json", "pause-after", "nice", "help", "version"];
/// Keys of a run's file that are no options of its command, or have no meaning in a queue.
const FILE_KEYS: [&str; 2] = ["command", "name"];

/// What the queue gives to each of its jobs that does not say otherwise.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Added {
    pub(in crate::cli) pins_cores: bool,
    pub(in crate::cli) concurrency: Option<NonZero<usize>>,
    pub(in crate::cli) oversubscribes: bool,
}

/// `job`, which stands in the file `origin`, with its options understood.
pub(in crate::cli) fn planned(
    job: &Job,
    origin: &str,
    declared: Declared,
    added: Added,
) -> Result<PlannedJob, CliError> {
    let line = Line { job, origin };
    let cli = (declared.command)();
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
    let words = std::iter::once("tanren").chain(arguments.iter().map(String::as_str));
    let words: Vec<&str> = words.collect();
    let part = (declared.part)(&words).map_err(|error| line.refuse(&error, &keys))?;
    let (experiment, own) = line.experiment(part)?;
    let has = |name: &str| options.get_arguments().any(|option| name_of(option) == name);
    if let Some((_, place)) = job.budget_pairs.filter(|_| !has("pause-after")) {
        let message = format!("{} plays no pairs, so it has no budget_pairs", job.command.name());
        return Err(line.error(origin, place, message));
    }
    Ok(PlannedJob {
        job: job.clone(),
        arguments,
        experiment,
        options: RunOptions {
            concurrency: own.concurrency.or(added.concurrency),
            oversubscribe: own.oversubscribe || added.oversubscribes,
            pin_cores: own.pin_cores || added.pins_cores,
            pause_after: job.budget_pairs.and_then(|(pairs, _)| NonZero::new(pairs)),
            ..own
        },
    })
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

/// A job on the way to its command line.
struct Line<'a> {
    job: &'a Job,
    origin: &'a str,
}

impl Line<'_> {
    /// What the command would run; what it would refuse is a mistake of the job.
    fn experiment(&self, part: Part) -> Result<(Experiment, RunOptions), CliError> {
        let experiment = part.ok_or_else(|| {
            let message = format!("{} is no command of a queue", self.job.command.name());
            self.error(self.origin, self.job.place, message)
        })?;
        experiment.map_err(|error| self.error(self.origin, self.job.place, error.to_string()))
    }

    fn error(&self, origin: &str, place: Place, message: String) -> CliError {
        CliError::from(QueueError {
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
