//! From the keys of a job of a queue to what is run.

use std::num::NonZero;
use std::path::Path;

use clap::{Args, Command};
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::{PlayKeys, Work, WorkKeys};
use crate::config::{ConfigError, Mistake, Mistakes, Source, read_text, resolve, resolve_files};
use crate::kinds::inspection::Role;
use crate::kinds::queue::run::PlannedJob;
use crate::kinds::queue::{KEYS, QueueJob};
use crate::session::error::ExperimentError;
use crate::session::kind::Workload;
use crate::session::options::RunOptions;

/// Keys of a run's file that are no options of its command, or have no meaning in a queue.
const FILE_KEYS: [&str; 2] = ["command", "name"];

/// The options of a job whose keys are among those of `source`.
fn options<W: Work + DeserializeOwned + Default>(source: &Source, wrong: &mut Mistakes) -> RunOptions {
    let all: Vec<&str> = source.table.keys().map(String::as_str).collect();
    source.read::<W>(&all, wrong).options(wrong)
}

/// How a job of `source` is worked on, and the options that say so.
fn work_of(workload: Workload, source: &Source, wrong: &mut Mistakes) -> (RunOptions, Command) {
    match workload {
        Workload::Games => (
            options::<PlayKeys>(source, wrong),
            PlayKeys::augment_args(Command::new("")),
        ),
        Workload::Searches => (
            options::<WorkKeys>(source, wrong),
            WorkKeys::augment_args(Command::new("")),
        ),
        Workload::Nothing => (RunOptions::default(), Command::new("")),
    }
}

/// `job`, which stands in a file of `folder`, with its keys understood, and where they stand; `common` options are those of every job
/// that does not say otherwise.
pub(in crate::cli) fn planned(
    job: &QueueJob,
    folder: &Path,
    common: &RunOptions,
) -> Result<(PlannedJob, Source), Mistakes> {
    let named = |mistake: Mistake| Mistake {
        message: format!("job '{}': {}", job.name, mistake.message),
        ..mistake
    };
    let mut source = job.source.clone();
    source.table.retain(|key, _| !KEYS.contains(&key));
    resolve_files(&mut source.table, folder);
    let spec = job.spec.as_ref().map(|path| resolve(path, folder));
    if let Some(path) = &spec {
        let of_file = of_file(job, path);
        source = source.over(of_file.map_err(|found| found.into_iter().map(named).collect::<Mistakes>())?);
    }
    let kind = job.command;
    let mut wrong = Mistakes::default();
    let (own, how) = work_of(kind.workload, &source, &mut wrong);
    let how: Vec<&str> = how
        .get_arguments()
        .map(|option| option.get_id().as_str())
        .collect();
    let mut mistakes = Mistakes::default();
    if job.budget_pairs.is_some() && !kind.pauses {
        let message = format!(
            "{} does not stop after a number of pairs: leave budget_pairs out, or give budget_minutes",
            kind.name
        );
        mistakes.add(job.source.mistake("budget_pairs", message));
    }
    mistakes.extend(source.placed(wrong));
    let experiment = (kind.keys.parse)(&source, &how).and_then(|experiment| {
        experiment.check_new()?;
        Ok(experiment)
    });
    match experiment {
        Ok(experiment) if mistakes.is_empty() => {
            let planned = PlannedJob {
                job: job.clone(),
                arguments: words(job, &(kind.keys.options)(), &source.table),
                experiment,
                options: RunOptions {
                    concurrency: own.concurrency.or(common.concurrency),
                    oversubscribe: own.oversubscribe || common.oversubscribe,
                    pin_cores: own.pin_cores || common.pin_cores,
                    #[cfg(feature = "cluster")]
                    fleet: own.fleet.or_else(|| common.fleet.clone()),
                    pause_after: job.budget_pairs.and_then(NonZero::new),
                    ..own
                },
            };
            return Ok((planned, source));
        }
        Ok(_) => {}
        Err(ExperimentError::Config(error)) => match error.placed(&source) {
            ConfigError::Mistakes(found) => mistakes.extend(found),
            other => mistakes.add(source.mistake("", other.to_string())),
        },
        Err(error) => mistakes.add(source.mistake("", error.to_string())),
    }
    let told = mistakes.into_iter().map(|mistake| match &spec {
        Some(path) if mistake.is_in(path) => {
            let untold = ConfigError::from(mistake).of_named(Path::new(path));
            match untold {
                ConfigError::Mistakes(told) => told,
                untold => job.source.mistake("spec", untold.to_string()).into(),
            }
        }
        _ => mistake.into(),
    });
    let mut all = Mistakes::default();
    told.for_each(|mistakes| all.extend(mistakes.into_iter().map(named)));
    Err(all.sorted())
}

/// The keys of the file that the job names.
fn of_file(job: &QueueJob, path: &str) -> Result<Source, Mistakes> {
    let refuse = |message: String| Mistakes::from(job.source.mistake("spec", message));
    let text = read_text(Path::new(path)).map_err(|error| refuse(error.to_string()))?;
    let source = Source::parse(&text, path);
    let mut source = source.map_err(|found| match ConfigError::from(found).of_named(Path::new(path)) {
        ConfigError::Mistakes(found) => found,
        untold => refuse(untold.to_string()),
    })?;
    let command = job.command.name;
    if let Some(other) = source
        .table
        .get("command")
        .filter(|other| other.as_str() != Some(command))
    {
        return Err(refuse(format!(
            "'{path}' is for the command {other}, but the job runs {command}"
        )));
    }
    source.table.retain(|key, _| !FILE_KEYS.contains(&key));
    resolve_files(
        &mut source.table,
        Path::new(path).parent().unwrap_or(Path::new("")),
    );
    Ok(source)
}

/// The job as a command line, which tells it from other jobs; nothing reads it.
fn words(job: &QueueJob, options: &Command, table: &Table) -> Vec<String> {
    let is_positional = |key: &str| options.get_positionals().any(|option| option.get_id() == key);
    let mut words: Vec<String> = job.command.name.split('-').map(str::to_owned).collect();
    for (key, value) in table {
        let long = key.replace('_', "-");
        let values = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values {
            match value {
                Value::Boolean(true) => words.push(format!("--{long}")),
                Value::Boolean(false) => {}
                Value::String(text) if is_positional(key) => words.push(text.clone()),
                Value::String(text) => words.push(format!("--{long}={text}")),
                other => words.push(format!("--{long}={other}")),
            }
        }
    }
    words
}

/// The key of a run's file, or of a job, that gives `role`.
pub(in crate::cli) fn place_of(source: &Source, role: Role) -> String {
    let names = match role {
        Role::Player(number) => {
            let side = if number == 0 { "a" } else { "b" };
            vec![
                side.to_owned(),
                format!("player.{number}"),
                format!("config.{number}"),
                "player".to_owned(),
                "base".to_owned(),
            ]
        }
        Role::Tables => vec!["syzygy".to_owned()],
        Role::Openings => vec!["openings".to_owned()],
        Role::Positions => vec!["positions".to_owned()],
        Role::Suite => vec!["file".to_owned()],
        Role::Pairs => ["pairs", "rounds", "confirm_pairs"].map(str::to_owned).to_vec(),
    };
    names
        .into_iter()
        .find(|name| source.has(name))
        .unwrap_or_default()
}
