//! `tanren run`.

use std::borrow::{Borrow, Cow};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::shared::{CliError, OutputArgs, PlayArgs, Printing, Work, place_of, planned, print, tell_if_late};
use crate::config::{ConfigError, Mistake, Mistakes, Source, read_text};
use crate::document::language::said;
use crate::kinds::inspection::{Inspection, inspect};
use crate::kinds::queue::report::{describe_plan, plan_json};
use crate::kinds::queue::run::{PlannedJob, QueueSpec};
use crate::kinds::queue::{EXAMPLE, JobState, Queue, QueueFindings};
use crate::platform::work_for_page;
use crate::report::{Console, Manner, json, note};
use crate::session::error::ExperimentError;
use crate::session::kind::Experiment;
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, RunEnding};

/// Jobs that run at the same time on a fleet if nothing is said.
const JOBS_ON_FLEET: NonZero<usize> = NonZero::new(4).expect("four is not zero");

/// Run an overnight queue, or the runs of files.
///
/// A queue is a file of [[job]] tables: a command with a name, a condition on earlier jobs, a priority and a budget.
/// --example prints one that explains every key. Each job has a folder below --out. The same command on the same folder
/// resumes where it stopped; a job that fails does not stop the others (exit code 1 at the end). The file is read again before each job: jobs
/// added while the queue runs are played.
///
/// On a fleet (--cluster) jobs that do not wait for one another run at the same time; without one, one after the other.
///
/// Before the first game every key, program and file of all jobs is checked, and all mistakes are reported (exit code 2).
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// A queue, or files such as the run.toml of an earlier run.
    #[arg(required_unless_present = "example", value_name = "FILE.toml")]
    files: Vec<PathBuf>,
    /// Show the plan, and run nothing.
    ///
    /// It lists every program that would be started and every file that would be read, with SHA-256, and the time that each job may take.
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: start every program once and check its options.
    #[arg(long, requires = "dry_run")]
    start_programs: bool,
    /// Print a queue file that explains every key, and run nothing.
    #[arg(long)]
    example: bool,
    /// Jobs of a queue that run at the same time; more than 1 needs a fleet.
    ///
    /// 4 with --cluster and without --slots, else 1.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Play only this job of the queue, whatever its condition; repeatable.
    #[arg(long, value_name = "JOB")]
    only: Vec<String>,
    /// Files and jobs come from a page that shows this folder: they name no file outside of it.
    #[arg(long, value_name = "DIR", hide = true)]
    for_page: Option<PathBuf>,
    /// With --for-page: they start no program.
    #[arg(long, hide = true, requires = "for_page")]
    no_programs: bool,
    #[command(flatten)]
    play: PlayArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl RunArgs {
    fn options(&self) -> Result<RunOptions, CliError> {
        self.play.run_options(self.output.out.as_deref())
    }

    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.example {
            return print(EXAMPLE);
        }
        if let Some(folder) = &self.for_page {
            let limited = work_for_page(folder, !self.no_programs);
            limited.map_err(CliError::system("look at the folder of the page"))?;
        }
        if self.files.len() > 1 && self.output.out.is_some() {
            return Err(CliError::input(
                "--out is for one file, but there are several".to_owned(),
            ));
        }
        match self.queue_text()? {
            Some((path, text)) => self.run_queue(path, text),
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
                    "--jobs {max}: job '{name}' plays on this machine, and other jobs would take its cores; more than one \
                     job at a time is for fleets: --cluster FILE, without --slots"
                );
                Err(CliError::input(message))
            }
            (Some(max), _) => Ok(max),
            (None, None) if is_on_fleet => Ok(JOBS_ON_FLEET),
            (None, Some(job)) if is_on_fleet && !self.output.printing().is_quiet => {
                let name = &job.job.name;
                note(&format!(
                    "jobs run one after the other, since job '{name}' plays on this machine"
                ));
                Ok(NonZero::<usize>::MIN)
            }
            (None, _) => Ok(NonZero::<usize>::MIN),
        }
    }

    fn queue_text(&self) -> Result<Option<(&Path, String)>, CliError> {
        for path in &self.files {
            let text = read_text(path)?;
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

    /// The queue of this text, everything in it checked, and what its jobs take from outside, but for those of the queue `before`.
    fn queue(
        &self,
        path: &Path,
        text: String,
        before: Option<&QueueSpec>,
    ) -> Result<(QueueSpec, Vec<Inspection>), CliError> {
        let origin = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new(""));
        let (mut queue, mut mistakes) = Queue::read(&text, &origin)?;
        let options = self.options()?;
        let (mut jobs, mut places) = (Vec::new(), Vec::new());
        for job in queue.jobs() {
            match planned(job, folder, &options) {
                Ok((job, place)) => {
                    jobs.push(job);
                    places.push(place);
                }
                Err(found) => mistakes.extend(found),
            }
        }
        if !mistakes.is_empty() {
            // What is wrong with programs and files of the other jobs is told as well.
            let experiments: Vec<_> = jobs.iter().map(PlannedJob::inspected).collect();
            let inspections = inspect(&experiments, self.starts_programs())?;
            mistakes.extend(of_jobs(&jobs, &places, &inspections));
            return Err(mistakes.into());
        }
        queue
            .unanswerable(|job| jobs[job].experiment.has_test())
            .check()?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        queue
            .play_only(&self.only)
            .map_err(|name| CliError::input(format!("--only: '{origin}' has no job {name}")))?;
        let jobs_max = self.jobs_max(&queue, &jobs)?;
        #[cfg(feature = "cluster")]
        if jobs_max.get() > 1 {
            share_fleet(&mut jobs, &queue);
        }
        let night = QueueSpec {
            name: name.into_owned(),
            text,
            queue,
            jobs: jobs.into_iter().map(Arc::new).collect(),
            jobs_max,
        };
        let inspections = night.inspect(&options, self.starts_programs(), before)?;
        of_jobs(&night.jobs, &places, &inspections).check()?;
        Ok((night, inspections))
    }

    fn run_queue(&self, path: &Path, text: String) -> Result<(), CliError> {
        let options = self.options()?;
        if options.pause_after.is_some() {
            let message = "--pause-after is for one run; the jobs of a queue have budget_pairs";
            return Err(CliError::input(message));
        }
        let (night, inspections) = self.queue(path, text.clone(), None)?;
        let printing = self.output.printing();
        if self.dry_run {
            return self.print_plan(&night, &inspections, &options);
        }
        let manner = match (printing.is_quiet, printing.is_json) {
            (true, _) => Manner::Quiet,
            (false, true) => Manner::JobsAlone,
            (false, false) => Manner::Full,
        };
        tell_if_late();
        let mut last = Ok(text);
        let mut reread = |now: &QueueSpec| {
            let read = read_text(path).map_err(|error| error.to_string());
            if read == last {
                return None;
            }
            last = read.clone();
            let wrong = |error: CliError| error.shown().unwrap_or_default();
            Some(read.and_then(|text| Ok(self.queue(path, text, Some(now)).map_err(wrong)?.0)))
        };
        let ran = night.run(&options, &mut Console::new(manner), &mut reread);
        printing.finish(ran, None, judge_jobs)
    }

    fn print_plan(
        &self,
        night: &QueueSpec,
        inspections: &[Inspection],
        options: &RunOptions,
    ) -> Result<(), CliError> {
        let (folder, forecasts) = night.plan(options, inspections)?;
        let names = night.jobs.iter().map(|job| job.job.name.as_str());
        let taken: Vec<(&str, &Inspection)> = names.zip(inspections).collect();
        let text = if self.output.printing().is_json {
            plan_json(&forecasts, &taken).to_string()
        } else {
            let jobs = taken
                .iter()
                .map(|(name, inspection)| format!("{name}:\n{}", inspection.text()));
            format!(
                "{}\n{}\n{}{}\n",
                describe_plan(&forecasts, night.jobs_max.get()),
                self.title(),
                jobs.collect::<String>(),
                said(&format!("results would go to {}", folder.display()))
            )
        };
        print(&text)
    }

    /// What stands above programs and files.
    fn title(&self) -> Cow<'static, str> {
        said(if self.start_programs {
            "what would be started and read; every program was started once"
        } else {
            "what would be started and read; no program was started"
        })
    }

    fn run_files(&self) -> Result<(), CliError> {
        let (mut experiments, mut sources, mut mistakes) = (Vec::new(), Vec::new(), Mistakes::default());
        for path in &self.files {
            match read(path) {
                Ok((experiment, source)) => {
                    experiments.push(experiment);
                    sources.push(source);
                }
                Err(CliError::Experiment(ExperimentError::Config(ConfigError::Mistakes(found)))) => {
                    mistakes.extend(found)
                }
                Err(error) => return Err(error),
            }
        }
        // Everything in all files is checked before the first game of the first one.
        let options = self.options()?;
        let inspected: Vec<_> = experiments
            .iter()
            .map(|experiment| (experiment, &options))
            .collect();
        let inspections = inspect(&inspected, self.starts_programs())?;
        mistakes.extend(outside(&sources, &inspections).map(|(_, mistake)| mistake));
        mistakes.check()?;
        if self.dry_run {
            return self.print_files(&inspections);
        }
        tell_if_late();
        let printing = self.output.printing();
        match &experiments[..] {
            [_, _, ..] if printing.is_json => print_array(&experiments, &options, &printing),
            _ => experiments
                .iter()
                .try_for_each(|experiment| printing.run(experiment, &options)),
        }
    }

    fn print_files(&self, inspections: &[Inspection]) -> Result<(), CliError> {
        let files = self.files.iter().map(|path| path.display().to_string());
        let text = if self.output.printing().is_json {
            let objects = files.zip(inspections).map(|(file, inspection)| {
                let mut object = inspection.json();
                object["file"] = file.into();
                object
            });
            serde_json::Value::from_iter(objects).to_string()
        } else {
            let files = files
                .zip(inspections)
                .map(|(file, inspection)| format!("{file}:\n{}", inspection.text()));
            format!("{}\n{}", self.title(), files.collect::<String>())
        };
        print(&text)
    }
}

/// Runs `experiments` until one ends with an error, and prints what all of them came to.
fn print_array(
    experiments: &[Experiment],
    options: &RunOptions,
    printing: &Printing,
) -> Result<(), CliError> {
    let mut found = Vec::new();
    let each = Printing {
        is_json: false,
        is_quiet: true,
        ..printing.clone()
    };
    let ended = experiments.iter().try_for_each(|experiment| {
        let mut console = Console::new(printing.manner());
        let ran = experiment.run(options, &mut console);
        if let Ok(outcome) = &ran
            && !matches!(outcome.ending, RunEnding::Fault(_))
        {
            found.push(json(&*outcome.findings));
        }
        each.finish(ran, console.pace(), |_| Ok(()))
    });
    print(&serde_json::Value::Array(found).to_string())?;
    ended
}

/// An error if jobs of this queue failed, or faults decided some.
fn judge_jobs(outcome: &Outcome) -> Result<(), CliError> {
    let Some(found) = outcome.findings.of::<QueueFindings>() else {
        return Ok(());
    };
    let jobs = found.jobs.len();
    let count = |state: JobState| {
        let states = found
            .jobs
            .iter()
            .filter_map(|found| Some(found.entry.as_ref()?.state));
        states.filter(|&other| other == state).count()
    };
    match (count(JobState::Error), count(JobState::Invalid)) {
        (0, 0) => Ok(()),
        (0, invalid) => Err(CliError::JobsInvalid { invalid, jobs }),
        (failed, _) => Err(CliError::JobsFailed { failed, jobs }),
    }
}

/// Jobs that run at the same time share a fleet: those of a lower priority in the queue have a lower one there, and none has a higher one
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
fn read(path: &Path) -> Result<(Experiment, Source), CliError> {
    let source = Source::open(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok((Experiment::of_source(&source, folder)?, source))
}

/// What is wrong with programs and files, each with the number of its run, at the key that names them.
fn outside<'a>(
    sources: &'a [Source],
    inspections: &'a [Inspection],
) -> impl Iterator<Item = (usize, Mistake)> + 'a {
    let runs = sources.iter().zip(inspections).enumerate();
    runs.flat_map(|(number, (source, inspection))| {
        let found = inspection.mistakes.iter();
        found.map(move |(role, message)| (number, source.mistake(&place_of(source, *role), message)))
    })
}

/// Does for the jobs of a queue what [`outside`] does for a run.
fn of_jobs(jobs: &[impl Borrow<PlannedJob>], sources: &[Source], inspections: &[Inspection]) -> Mistakes {
    let found = outside(sources, inspections).map(|(number, mistake)| Mistake {
        message: format!("job '{}': {}", jobs[number].borrow().job.name, mistake.message),
        ..mistake
    });
    found.collect()
}
