//! `tanren run`.
//!
//! In: queue or specification files. Out: the same calls as from the command line.
//! Must not: have options of its own that decide results.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;

use super::shared::{Added, CliError, Declared, JobPlaces, PlayArgs, planned};
use crate::config::{ConfigError, Document, Mistake, Mistakes, Place};
use crate::experiment::{
    Experiment, ExperimentError, Findings, Inspection, NightSpec, Outcome, PlannedJob, Role, RunOptions,
    inspect,
};
use crate::queue::{Draft, EXAMPLE, JobState, Queue};
use crate::report::{
    Console, Manner, describe_inspection, describe_plan, inspection_json, note, plan_json, print_data,
};

/// Jobs that run at the same time on a fleet if nothing is said.
const JOBS_ON_FLEET: NonZero<usize> = NonZero::new(4).expect("four is not zero");

const EXAMPLES: &str = "\
Examples:
  tanren run --example > night.toml; tanren run night.toml --dry-run
      a queue that explains every key, and its plan
  tanren run night.toml --out results/night
      the night; the same command goes on where it stopped
  tanren run night.toml --only null-move --only savings
      two of its jobs alone, whatever their conditions
  tanren run night.toml --cluster club/coordinator.toml --jobs 3
      the night on a fleet, three of its jobs at the same time
  tanren run results/null-move/run.toml --out results/again
      an earlier match again";

/// Run a night's queue, or play what specification files say, one after the other.
///
/// A queue is a file of [[job]] tables, each a command with a name, a condition on earlier jobs, a priority and a budget;
/// --example prints one that explains every key. Each job has a folder below --out. The same command on the same folder takes
/// up where it stopped; a job that fails does not stop the others (exit code 1 at the end).
///
/// On a fleet (--cluster) jobs that do not wait for one another run at the same time; without one, one after the other.
///
/// Before anything is played, every key, program and file of all jobs or files is checked, and all mistakes are told at once
/// (exit code 2).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// One queue, or files such as the run.toml of an earlier run.
    #[arg(required_unless_present = "example", value_name = "FILE.toml")]
    files: Vec<PathBuf>,
    /// Where results go; for one file only (results/<date>-<name of the file> for a queue).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show every program that would be started and every file that would be read, with their SHA-256, and run nothing; of a
    /// queue also the plan, with the time that each job may take.
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: start every program once and ask whether it takes its options.
    #[arg(long, requires = "dry_run")]
    start_programs: bool,
    /// Print a queue file that explains every key, and run nothing.
    #[arg(long)]
    example: bool,
    /// Of a queue: so many jobs run at the same time, if their conditions allow it; more than one only on a fleet (4 with
    /// --cluster and without --slots, else 1).
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Of a queue: play this job alone, whatever its condition; can be given several times.
    #[arg(long, value_name = "JOB")]
    only: Vec<String>,
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
        match self.queue_text()? {
            Some((path, text)) => self.run_queue(path, text, declared),
            None if self.jobs.is_some() => Err(CliError::input(
                "--jobs is for a queue; specification files are played one after the other",
            )),
            None if !self.only.is_empty() => Err(CliError::input(
                "--only is for a queue; a specification file is one run",
            )),
            None => self.run_files(),
        }
    }

    /// How many of these jobs run at the same time; on a fleet, so that they do not take cores from one another.
    fn jobs_max(&self, queue: &Queue, jobs: &[PlannedJob]) -> Result<NonZero<usize>, CliError> {
        let played = || {
            (0..jobs.len())
                .filter(|&job| queue.plays(job))
                .map(|job| &jobs[job])
        };
        let here = played().find(|job| job.plays_here());
        let is_on_fleet = played().any(PlannedJob::is_on_fleet);
        match (self.jobs, here) {
            (Some(max), Some(job)) if max.get() > 1 => {
                let name = &job.job.name;
                let message = format!(
                    "--jobs {max}: job '{name}' plays on this machine, and jobs beside it would take its cores; more than one \
                     job at a time is for fleets: --cluster FILE, without --slots"
                );
                Err(CliError::input(message))
            }
            (Some(max), _) => Ok(max),
            (None, None) if is_on_fleet => Ok(JOBS_ON_FLEET),
            (None, Some(job)) if is_on_fleet && !self.play.printing().is_quiet => {
                let name = &job.job.name;
                note(&format!(
                    "jobs run one after the other, since job '{name}' plays on this machine"
                ));
                Ok(NonZero::<usize>::MIN)
            }
            (None, _) => Ok(NonZero::<usize>::MIN),
        }
    }

    /// The queue, if the one file is one.
    fn queue_text(&self) -> Result<Option<(&Path, String)>, CliError> {
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
            return Ok(Some((path, text)));
        }
        Ok(None)
    }

    /// Are programs started before it is clear that nothing is wrong?
    fn starts_programs(&self) -> bool {
        !self.dry_run || self.start_programs
    }

    /// The queue of this text, everything in it checked, and what its jobs take from outside.
    fn night(
        &self,
        path: &Path,
        text: String,
        declared: Declared,
    ) -> Result<(NightSpec, Vec<Inspection>), CliError> {
        let origin = path.display().to_string();
        let draft = Draft::parse(&text, &origin)?;
        let options = self.play.run_options(self.out.as_deref());
        let added = Added {
            pins_cores: options.pin_cores,
            concurrency: options.concurrency,
            oversubscribes: options.oversubscribe,
            #[cfg(feature = "cluster")]
            fleet: options.fleet.clone(),
        };
        let (mut jobs, mut places, mut mistakes) = (Vec::new(), Vec::new(), draft.mistakes.clone());
        for job in &draft.jobs {
            match planned(job, &origin, declared, &added) {
                Ok((job, place)) => {
                    jobs.push(job);
                    places.push(place);
                }
                Err(found) => mistakes.extend(found),
            }
        }
        if !mistakes.is_empty() {
            // What is wrong with programs and files of the other jobs is told as well.
            let experiments: Vec<&Experiment> = jobs.iter().map(|job| &job.experiment).collect();
            let inspections = inspect(&experiments, self.starts_programs())?;
            mistakes.extend(of_jobs(&places, &inspections));
            return Err(Mistakes::from(mistakes).into());
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut queue = draft.finish()?;
        queue
            .play_only(&self.only)
            .map_err(|name| CliError::input(format!("--only: '{origin}' has no job {name}")))?;
        let jobs_max = self.jobs_max(&queue, &jobs)?;
        #[cfg(feature = "cluster")]
        if jobs_max.get() > 1 {
            share_fleet(&mut jobs, &queue);
        }
        let night = NightSpec {
            name: name.into_owned(),
            text,
            queue,
            jobs,
            jobs_max,
        };
        let inspections = night.inspect(&options, self.starts_programs())?;
        Mistakes::check(of_jobs(&places, &inspections))?;
        Ok((night, inspections))
    }

    fn run_queue(&self, path: &Path, text: String, declared: Declared) -> Result<(), CliError> {
        let options = self.play.run_options(self.out.as_deref());
        if options.pause_after.is_some() {
            let message = "--pause-after is for one run; the jobs of a queue have budget_pairs";
            return Err(CliError::input(message));
        }
        let (night, inspections) = self.night(path, text, declared)?;
        let printing = self.play.printing();
        if self.dry_run {
            return self.print_plan(&night, &inspections, &options);
        }
        let manner = match (printing.is_quiet, printing.is_json) {
            (true, _) => Manner::Quiet,
            (false, true) => Manner::JobsAlone,
            (false, false) => Manner::Full,
        };
        printing.finish(night.run(&options, &mut Console::new(manner)), judge_jobs)
    }

    fn print_plan(
        &self,
        night: &NightSpec,
        inspections: &[Inspection],
        options: &RunOptions,
    ) -> Result<(), CliError> {
        let (folder, forecasts) = night.plan(options)?;
        let names = night.jobs.iter().map(|job| job.job.name.as_str());
        let taken: Vec<(&str, &Inspection)> = names.zip(inspections).collect();
        let text = if self.play.printing().is_json {
            plan_json(&forecasts, &taken).to_string()
        } else {
            let jobs = taken
                .iter()
                .map(|(name, inspection)| format!("{name}:\n{}", describe_inspection(inspection)));
            format!(
                "{}\n{}\n{}results would go to {}\n",
                describe_plan(&forecasts, night.jobs_max.get()),
                self.title(),
                jobs.collect::<String>(),
                folder.display()
            )
        };
        print_data(&text).map_err(CliError::system("print the plan"))
    }

    /// What stands above programs and files.
    fn title(&self) -> &'static str {
        if self.start_programs {
            "what would be started and read; every program was started once"
        } else {
            "what would be started and read; no program was started"
        }
    }

    fn run_files(&self) -> Result<(), CliError> {
        let (mut experiments, mut documents, mut mistakes) = (Vec::new(), Vec::new(), Vec::new());
        for path in &self.files {
            match read(path) {
                Ok((experiment, document)) => {
                    experiments.push(experiment);
                    documents.push(document);
                }
                Err(CliError::Experiment(ExperimentError::Mistakes(found))) => {
                    mistakes.extend(found.into_vec())
                }
                Err(error) => return Err(error),
            }
        }
        // Everything in all files is checked before the first game of the first one.
        let inspections = inspect(&experiments.iter().collect::<Vec<_>>(), self.starts_programs())?;
        for ((document, experiment), inspection) in documents.iter().zip(&experiments).zip(&inspections) {
            let found = inspection.mistakes.iter();
            mistakes.extend(found.map(|(role, message)| {
                document.mistake(place_in(document, experiment, *role), message.clone())
            }));
        }
        Mistakes::check(mistakes)?;
        if self.dry_run {
            return self.print_files(&inspections);
        }
        let options = self.play.run_options(self.out.as_deref());
        let mut experiments = experiments.iter();
        experiments.try_for_each(|experiment| self.play.printing().run(experiment, &options))
    }

    fn print_files(&self, inspections: &[Inspection]) -> Result<(), CliError> {
        let files = self.files.iter().map(|path| path.display().to_string());
        let text = if self.play.printing().is_json {
            let objects = files.zip(inspections).map(|(file, inspection)| {
                let mut object = inspection_json(inspection);
                object["file"] = file.into();
                object
            });
            serde_json::Value::from_iter(objects).to_string()
        } else {
            let files = files
                .zip(inspections)
                .map(|(file, inspection)| format!("{file}:\n{}", describe_inspection(inspection)));
            format!("{}\n{}", self.title(), files.collect::<String>())
        };
        print_data(&text).map_err(CliError::system("print what would be run"))
    }
}

/// An error if jobs of this night failed, or faults decided some.
fn judge_jobs(outcome: &Outcome) -> Result<(), CliError> {
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

/// Jobs beside one another share a fleet: those of a lower priority in the queue have a lower one there, and none has a higher one
/// than the user asked for.
#[cfg(feature = "cluster")]
fn share_fleet(jobs: &mut [PlannedJob], queue: &Queue) {
    for (index, job) in jobs.iter_mut().enumerate() {
        if let Some(fleet) = &mut job.options.fleet {
            fleet.name = Some(job.job.name.clone());
            let rank = u8::try_from(queue.rank(index)).unwrap_or(u8::MAX);
            fleet.priority = fleet.priority.saturating_sub(rank);
        }
    }
}

/// What the file at `path` asks for, and the places of its keys.
fn read(path: &Path) -> Result<(Experiment, Document), CliError> {
    let document = Document::open(path).map_err(|error| match error {
        ConfigError::File(mistakes) => CliError::from(mistakes),
        other => other.into(),
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok((Experiment::of_document(&document, folder)?, document))
}

/// Where the specification of a run gives `role`.
fn place_in(document: &Document, experiment: &Experiment, role: Role) -> Option<Place> {
    let place = |name| document.place_of(name, None);
    match (role, experiment) {
        (Role::Player(number), Experiment::Tournament(_)) => document.place_of("player", Some(number)),
        (Role::Player(0), _) => place("a"),
        (Role::Player(_), _) => place("b"),
        (Role::Tables, _) => place("syzygy"),
        (Role::Openings, _) => place("openings"),
        (Role::Positions, _) => place("positions"),
        (Role::Suite, _) => place("file"),
        (Role::Pairs, _) => place("pairs").or_else(|| place("rounds")),
    }
}

/// What is wrong outside of the files that jobs stand in.
fn of_jobs(places: &[JobPlaces], inspections: &[Inspection]) -> Vec<Mistake> {
    let jobs = places.iter().zip(inspections);
    let mistakes = jobs.flat_map(|(places, inspection)| {
        let found = inspection.mistakes.iter();
        found.map(|(role, message)| places.mistake(*role, message))
    });
    mistakes.collect()
}
