//! `tanren run`.
//!
//! In: queue or specification files. Out: the same calls as from the command line.
//! Must not: have options of its own that decide results.

use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::play::{PlayOptions, play_match};
use super::queue::QueueRun;
use super::tournament::play_tournament;
use super::tune::{TuneSpec, play_tuning};
use crate::config::wire::{Command, MatchFile};
use crate::config::{ConfigError, MatchSpec, TournamentFile, TournamentSpec};
use crate::queue::{EXAMPLE, Queue};
use crate::report::print_data;

const EXAMPLES: &str = "\
Examples:
  tanren run --example > night.toml; tanren run night.toml --dry-run
      a queue that explains every key, and its plan
  tanren run night.toml --out results/night
      the night; the same command goes on where it stopped
  tanren run results/null-move/run.toml --out results/again
      an earlier match again";

/// Run a night's queue, or play what specification files say, one after the other.
///
/// A queue is a file of [[job]] tables, each a command with a name, a condition on earlier jobs, a priority and a budget;
/// --example prints one that explains every key. Each job has a folder below --out. The same command on the same folder takes
/// up where it stopped; a job that fails does not stop the others (exit code 1 at the end).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// One queue, or files such as the run.toml of an earlier run.
    #[arg(required_unless_present = "example", value_name = "FILE.toml")]
    files: Vec<PathBuf>,
    /// Where results go; for one file only (results/<date>-<name of the file> for a queue).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print a queue's plan with the time that each job may take, and run nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print a queue file that explains every key, and run nothing.
    #[arg(long)]
    example: bool,
    #[command(flatten)]
    options: PlayOptions,
}

impl RunArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.example {
            return print_data(EXAMPLE).map_err(CliError::system("print the example"));
        }
        if self.files.len() > 1 && self.out.is_some() {
            return Err(CliError::Input(
                "--out is for one file, but there are several".to_owned(),
            ));
        }
        match self.queue()? {
            Some(queue) => self.run_queue(&queue),
            None if self.dry_run => Err(CliError::Input(
                "--dry-run is for a queue, a file of [[job]] tables".to_owned(),
            )),
            None => self.run_files(),
        }
    }

    /// The queue, if the one file is one.
    fn queue(&self) -> Result<Option<Queue>, CliError> {
        for path in &self.files {
            let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
                path: path.clone(),
                source,
            })?;
            if !Queue::is_queue(&text) {
                continue;
            }
            if self.files.len() > 1 {
                let message = format!("'{}' is a queue and must be run alone", path.display());
                return Err(CliError::Input(message));
            }
            return Ok(Some(Queue::parse(&text, &path.display().to_string())?));
        }
        Ok(None)
    }

    fn run_queue(&self, queue: &Queue) -> Result<(), CliError> {
        if !self.options.is_fit_for_queue() {
            let message = "--pause-after is for one run; the jobs of a queue have budget_pairs".to_owned();
            return Err(CliError::Input(message));
        }
        let run = QueueRun {
            path: &self.files[0],
            queue,
            out: self.out.as_deref(),
            options: &self.options,
        };
        if self.dry_run { run.plan() } else { run.run() }
    }

    fn run_files(&self) -> Result<(), CliError> {
        let specs = self.files.iter().map(|path| Spec::read(path));
        // All files are checked before the first game of the first one.
        let specs: Vec<Spec> = specs.collect::<Result<_, CliError>>()?;
        specs.iter().try_for_each(|spec| match spec {
            Spec::Match(spec) => play_match(spec, self.out.as_deref(), &self.options),
            Spec::Tournament(spec) => play_tournament(spec, self.out.as_deref(), &self.options),
            Spec::Tune(spec) => play_tuning(spec, self.out.as_deref(), &self.options),
        })
    }
}

/// What a file of one run says.
enum Spec {
    Match(Box<MatchSpec>),
    Tournament(Box<TournamentSpec>),
    Tune(Box<TuneSpec>),
}

impl Spec {
    fn read(path: &Path) -> Result<Spec, CliError> {
        match Command::read(path)? {
            Some(Command::Match) => Ok(Spec::Match(Box::new(MatchSpec::from_file(&MatchFile::read(
                path,
            )?)?))),
            Some(Command::Tournament) => {
                let file = TournamentFile::read(path)?;
                Ok(Spec::Tournament(Box::new(TournamentSpec::from_file(&file)?)))
            }
            Some(Command::Tune) => Ok(Spec::Tune(Box::new(TuneSpec::read(path)?))),
            None => {
                let message = format!(
                    "'{}' does not say its command, such as command = \"match\"",
                    path.display()
                );
                Err(CliError::Input(message))
            }
        }
    }
}
