//! From a job's keys to the command line that runs it.
//!
//! In: a job, the file it names, the options of its command. Out: words, parsed and checked, as an experiment.

use std::num::NonZero;
use std::path::Path;

use clap::ArgAction;

use super::declared::Declared;
use super::error::CliError;
use crate::config::{
    ConfigError, Mistake, Mistakes, Place, Refusal, RefusalKind, diagnose, is_word_of, nearest, resolve_files,
};
use crate::experiment::{Experiment, PlannedJob, Role, RunOptions};
#[cfg(feature = "cluster")]
use crate::fleet::FleetOptions;
use crate::queue::{Job, Key, keys_of};

/// Options that a queue gives to its jobs itself.
const NOT_KEYS: [&str; 9] = [
    "out",
    "quiet",
    "json",
    "notify",
    "notify-url",
    "pause-after",
    "nice",
    "help",
    "version",
];
/// Keys of a run's file that are no options of its command, or have no meaning in a queue.
const FILE_KEYS: [&str; 2] = ["command", "name"];

/// What the queue gives to each of its jobs that does not say otherwise.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Added {
    pub(in crate::cli) pins_cores: bool,
    pub(in crate::cli) concurrency: Option<NonZero<usize>>,
    pub(in crate::cli) oversubscribes: bool,
    #[cfg(feature = "cluster")]
    pub(in crate::cli) fleet: Option<FleetOptions>,
}

/// Where the keys of a job stand.
#[derive(Debug)]
pub(in crate::cli) struct JobPlaces {
    job: Job,
    keys: Vec<(Key, String)>,
    origin: String,
}

impl JobPlaces {
    /// A mistake at the key that gives `role`, or at the job.
    pub(in crate::cli) fn mistake(&self, role: Role, message: &str) -> Mistake {
        let job = &self.job;
        let (names, element): (&[&str], usize) = match (role, job.command.name()) {
            (Role::Player(number), "tournament") => (&["player"], number),
            (Role::Player(number), "nodes") => (&["config"], number),
            (Role::Player(_), "tune") => (&["player"], 0),
            (Role::Player(_), "ablate") => (&["base"], 0),
            (Role::Player(0), _) => (&["a"], 0),
            (Role::Player(_), _) => (&["b"], 0),
            (Role::Tables, _) => (&["syzygy"], 0),
            (Role::Openings, _) => (&["openings"], 0),
            (Role::Positions, _) => (&["positions"], 0),
            (Role::Suite, _) => (&["file"], 0),
            (Role::Pairs, _) => (&["pairs", "rounds", "confirm_pairs"], 0),
        };
        let key = self
            .keys
            .iter()
            .find(|(key, _)| names.contains(&key.name.as_str()));
        let (place, origin) = key.map_or((job.place, &self.origin), |(key, origin)| {
            (key.elements.get(element).copied().unwrap_or(key.place), origin)
        });
        Mistake {
            origin: origin.clone(),
            place,
            message: format!("job '{}': {message}", job.name),
        }
    }
}

/// `job`, which stands in the file `origin`, with its options understood, and where they stand.
///
/// # Errors
/// All that is wrong with them.
pub(in crate::cli) fn planned(
    job: &Job,
    origin: &str,
    declared: Declared,
    added: &Added,
) -> Result<(PlannedJob, JobPlaces), Vec<Mistake>> {
    let line = Line {
        job,
        origin,
        declared,
    };
    let cli = (declared.command)();
    let options = job.command.words().fold(&cli, |command, word| {
        let found = command.find_subcommand(word);
        found.unwrap_or_else(|| unreachable!("every command of a queue is one of the program"))
    });
    let mut mistakes = Vec::new();
    let mut keys: Vec<(Key, String)> = Vec::new();
    if let Some((path, place)) = &job.spec {
        match line.file_keys(path, *place) {
            Ok(of_file) => keys = of_file,
            Err(found) => mistakes.extend(found),
        }
        keys.retain(|(key, _)| !job.keys.iter().any(|own| own.name == key.name));
    }
    let is_whole = mistakes.is_empty();
    let folder = Path::new(origin).parent().unwrap_or(Path::new(""));
    let own = job.keys.iter();
    keys.extend(own.map(|key| (resolved(key.clone(), folder), origin.to_owned())));
    let mut words: Vec<Word> = Vec::new();
    for (number, (key, origin)) in keys.iter().enumerate() {
        match line.words(options, key) {
            Ok(texts) => words.extend((0..).zip(texts).map(|(element, text)| Word {
                key: number,
                element,
                text,
            })),
            Err(message) => mistakes.push(line.mistake(origin, key.place, &message)),
        }
    }
    // What a file that cannot be read says of the other keys is not known.
    let read = is_whole
        .then(|| line.read(&words, &keys, &mut mistakes))
        .flatten();
    let has = |name: &str| options.get_arguments().any(|option| name_of(option) == name);
    if let Some((_, place)) = job.budget_pairs.filter(|_| !has("pause-after")) {
        let message = format!("{} plays no pairs, so it has no budget_pairs", job.command.name());
        mistakes.push(line.mistake(origin, place, &message));
    }
    let Some((experiment, own)) = read.filter(|_| mistakes.is_empty()) else {
        return Err(mistakes);
    };
    let planned = PlannedJob {
        job: job.clone(),
        arguments: line.arguments(words.iter()),
        experiment,
        options: RunOptions {
            concurrency: own.concurrency.or(added.concurrency),
            oversubscribe: own.oversubscribe || added.oversubscribes,
            pin_cores: own.pin_cores || added.pins_cores,
            #[cfg(feature = "cluster")]
            fleet: own.fleet.or_else(|| added.fleet.clone()),
            pause_after: job.budget_pairs.and_then(|(pairs, _)| NonZero::new(pairs)),
            ..own
        },
    };
    let places = JobPlaces {
        job: job.clone(),
        keys,
        origin: origin.to_owned(),
    };
    Ok((planned, places))
}

/// A word of the command line, and the value that it stands for.
struct Word {
    /// The number of its key.
    key: usize,
    /// The number of its value, if the key has an array of them.
    element: usize,
    text: String,
}

impl Word {
    fn place(&self, keys: &[(Key, String)]) -> Place {
        let (key, _) = &keys[self.key];
        key.elements.get(self.element).copied().unwrap_or(key.place)
    }

    fn is_named_in(&self, message: &str, keys: &[(Key, String)]) -> bool {
        let value = self
            .text
            .split_once('=')
            .map_or(self.text.as_str(), |(_, value)| value);
        is_word_of(message, &keys[self.key].0.name) || (value.chars().count() > 1 && message.contains(value))
    }
}

/// `key` of a file in `folder`; a file that it names is looked for there first.
fn resolved(mut key: Key, folder: &Path) -> Key {
    let mut table = toml::Table::from_iter([(key.name.clone(), key.value.clone())]);
    resolve_files(&mut table, folder);
    if let Some(value) = table.remove(&key.name) {
        key.value = value;
    }
    key
}

/// A job on the way to its command line.
struct Line<'a> {
    job: &'a Job,
    origin: &'a str,
    declared: Declared,
}

impl Line<'_> {
    fn mistake(&self, origin: &str, place: Place, message: &str) -> Mistake {
        Mistake {
            origin: origin.to_owned(),
            place,
            message: format!("job '{}': {message}", self.job.name),
        }
    }

    fn arguments<'w>(&self, words: impl Iterator<Item = &'w Word>) -> Vec<String> {
        let command = self.job.command.words().map(str::to_owned);
        command.chain(words.map(|word| word.text.clone())).collect()
    }

    /// What the words come to; nothing and all that is refused if they cannot be run.
    fn read(
        &self,
        words: &[Word],
        keys: &[(Key, String)],
        mistakes: &mut Vec<Mistake>,
    ) -> Option<(Experiment, RunOptions)> {
        let is_named = |word: usize, message: &str| words[word].is_named_in(message, keys);
        let (read, found) = diagnose(words.len(), is_named, |left_out| {
            let kept = words
                .iter()
                .zip(left_out)
                .filter(|(_, is_left_out)| !**is_left_out);
            self.attempt(&self.arguments(kept.map(|(word, _)| word)))
        });
        for (word, message) in found {
            mistakes.push(match word {
                None => self.mistake(self.origin, self.job.place, &message),
                Some(word) => {
                    let word = &words[word];
                    self.mistake(&keys[word.key].1, word.place(keys), &message)
                }
            });
        }
        read
    }

    /// What the command makes of `arguments`.
    fn attempt(&self, arguments: &[String]) -> Result<(Experiment, RunOptions), Refusal> {
        let words = std::iter::once("tanren").chain(arguments.iter().map(String::as_str));
        let part = (self.declared.part)(&words.collect::<Vec<_>>()).map_err(|error| of_parser(&error))?;
        let experiment = part.ok_or_else(|| Refusal {
            message: format!("{} is no command of a queue", self.job.command.name()),
            kind: RefusalKind::Key,
        })?;
        let checked = experiment.and_then(|part| {
            part.0.check_new()?;
            Ok(part)
        });
        checked.map_err(|error| match error {
            CliError::Experiment(error) => error.refusal(),
            other => Refusal {
                message: other.to_string(),
                kind: RefusalKind::Key,
            },
        })
    }

    /// The keys of the file that the job names.
    fn file_keys(&self, path: &str, place: Place) -> Result<Vec<(Key, String)>, Vec<Mistake>> {
        let text = std::fs::read_to_string(path).map_err(|source| {
            let error = ConfigError::Unreadable {
                path: path.into(),
                source,
            };
            vec![self.mistake(self.origin, place, &error.to_string())]
        })?;
        let keys = keys_of(&text, path).map_err(Mistakes::into_vec)?;
        let command = keys.iter().find(|key| key.name == "command");
        if let Some(key) = command.filter(|key| key.value.as_str() != Some(self.job.command.name())) {
            let message = format!(
                "'{path}' is for the command {}, but the job runs {}",
                key.value,
                self.job.command.name()
            );
            return Err(vec![self.mistake(self.origin, place, &message)]);
        }
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let options = keys
            .into_iter()
            .filter(|key| !FILE_KEYS.contains(&key.name.as_str()));
        Ok(options
            .map(|key| (resolved(key, folder), path.to_owned()))
            .collect())
    }

    /// The words of one key, one for each of its values.
    fn words(&self, options: &clap::Command, key: &Key) -> Result<Vec<String>, String> {
        let long = key.name.replace('_', "-");
        let is_called = |option: &&clap::Arg| {
            let aliases = option.get_all_aliases().unwrap_or_default();
            name_of(option) == long || aliases.contains(&long.as_str())
        };
        let option = options.get_arguments().find(is_called);
        let Some(option) = option.filter(|_| !NOT_KEYS.contains(&long.as_str())) else {
            return Err(unknown_key(options, key));
        };
        if matches!(option.get_action(), ArgAction::SetTrue) {
            return match &key.value {
                toml::Value::Boolean(true) => Ok(vec![format!("--{long}")]),
                toml::Value::Boolean(false) => Ok(Vec::new()),
                other => Err(format!("{} is {other}, but must be true or false", key.name)),
            };
        }
        let values = match &key.value {
            toml::Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        let texts = values.iter().map(|value| {
            let text = match value {
                toml::Value::String(text) => text.clone(),
                toml::Value::Boolean(_) => return Err(format!("{} is {value}, but takes a value", key.name)),
                other => other.to_string(),
            };
            Ok(if option.is_positional() {
                text
            } else {
                format!("--{long}={text}")
            })
        });
        texts.collect()
    }
}

/// The parser's refusal in one line, with its advice.
fn of_parser(error: &clap::Error) -> Refusal {
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n");
    let first = paragraphs.next().unwrap_or_default();
    let mut message = first.trim_start_matches("error: ").replace('\n', " ");
    for tip in paragraphs.filter_map(|paragraph| paragraph.trim_start().strip_prefix("tip: ")) {
        message += &format!(" ({})", tip.trim_end());
    }
    let kind = match error.kind() {
        clap::error::ErrorKind::MissingRequiredArgument => RefusalKind::Missing,
        _ => RefusalKind::Key,
    };
    Refusal { message, kind }
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
        .filter(|name| !crate::queue::KEYS.contains(&name.as_str()))
        .collect();
    names.sort();
    let known = names.iter().map(String::as_str).chain(crate::queue::KEYS);
    if let Some(near) = nearest(&key.name, known) {
        return format!("unknown key '{}' (did you mean '{near}'?)", key.name);
    }
    format!(
        "unknown key '{}'; besides {} there are: {}",
        key.name,
        crate::queue::KEYS.join(", "),
        names.join(", ")
    )
}
