//! `tanren run`.
//!
//! In: queue or specification files. Out: the same calls as from the command line.
//! Must not: have options of its own that decide results.

use std::path::{Path, PathBuf};

use clap::Args;

use super::shared::{Added, CliError, Declared, PlayArgs, finish, planned};
use crate::config::ConfigError;
use crate::experiment::{Experiment, Findings, NightSpec};
use crate::queue::{EXAMPLE, JobState, Queue};
use crate::report::{Console, Manner, describe_plan, plan_json, print_data};

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
    play: PlayArgs,
}

impl RunArgs {
    pub(super) fn run(&self, declared: Declared) -> Result<(), CliError> {
        if self.example {
            return print_data(EXAMPLE).map_err(CliError::system("print the example"));
        }
        if self.files.len() > 1 && self.out.is_some() {
            return Err(CliError::input(
                "--out is for one file, but there are several".to_owned(),
            ));
        }
        match self.queue(declared)? {
            Some(queue) => self.run_queue(&queue),
            None if self.dry_run => Err(CliError::input(
                "--dry-run is for a queue, a file of [[job]] tables".to_owned(),
            )),
            None => self.run_files(),
        }
    }

    /// The queue, if the one file is one.
    fn queue(&self, declared: Declared) -> Result<Option<NightSpec>, CliError> {
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
                return Err(CliError::input(message));
            }
            return self.night(path, text, declared).map(Some);
        }
        Ok(None)
    }

    /// The queue of this text, every job of it checked.
    fn night(&self, path: &Path, text: String, declared: Declared) -> Result<NightSpec, CliError> {
        let origin = path.display().to_string();
        let queue = Queue::parse(&text, &origin)?;
        let options = self.play.run_options(None);
        let added = Added {
            pins_cores: options.pin_cores,
            concurrency: options.concurrency,
            oversubscribes: options.oversubscribe,
        };
        let jobs = queue
            .jobs()
            .iter()
            .map(|job| planned(job, &origin, declared, added));
        let jobs = jobs.collect::<Result<_, CliError>>()?;
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(NightSpec {
            name,
            text,
            queue,
            jobs,
        })
    }

    fn run_queue(&self, night: &NightSpec) -> Result<(), CliError> {
        let options = self.play.run_options(self.out.as_deref());
        if options.pause_after.is_some() {
            let message = "--pause-after is for one run; the jobs of a queue have budget_pairs";
            return Err(CliError::input(message));
        }
        let printing = self.play.printing();
        if self.dry_run {
            let (folder, forecasts) = night.plan(&options)?;
            let text = if printing.is_json {
                plan_json(&forecasts).to_string()
            } else {
                format!(
                    "{}results would go to {}\n",
                    describe_plan(&forecasts),
                    folder.display()
                )
            };
            return print_data(&text).map_err(CliError::system("print the plan"));
        }
        let manner = match (printing.is_quiet, printing.is_json) {
            (true, _) => Manner::Quiet,
            (false, true) => Manner::JobsAlone,
            (false, false) => Manner::Full,
        };
        let outcome = night.run(&options, &mut Console::new(manner))?;
        finish(&outcome, printing)?;
        let Findings::Night(found) = &outcome.findings else {
            return Ok(());
        };
        let jobs = found.jobs.len();
        let count = |state: JobState| {
            let states = found
                .jobs
                .iter()
                .filter_map(|(_, entry)| Some(entry.as_ref()?.state));
            states.filter(|&other| other == state).count()
        };
        match (count(JobState::Failed), count(JobState::Invalid)) {
            (0, 0) => Ok(()),
            (0, invalid) => Err(CliError::JobsInvalid { invalid, jobs }),
            (failed, _) => Err(CliError::JobsFailed { failed, jobs }),
        }
    }

    fn run_files(&self) -> Result<(), CliError> {
        let experiments = self.files.iter().map(|path| Experiment::read(path));
        // All files are checked before the first game of the first one.
        let experiments: Vec<Experiment> = experiments.collect::<Result<_, _>>()?;
        let options = self.play.run_options(self.out.as_deref());
        let mut experiments = experiments.iter();
        experiments.try_for_each(|experiment| self.play.printing().run(experiment, &options))
    }
}
