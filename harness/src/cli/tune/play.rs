//! A tuning from its specification to its result.
//!
//! In: a [`TuneSpec`]. Out: a folder of results, a text or JSON on stdout. Must not: decide anything that the specification
//! decides.

use std::path::{Path, PathBuf};

use tanren_engine::eval::Evaluated;

use super::super::error::CliError;
use super::super::folder;
use super::super::play::{PlayOptions, identify, load_openings, player};
use super::super::programs::Programs;
use super::confirm::confirm;
use super::spec::{CONFIRM_EVERY, TuneSpec};
use crate::interrupt::Interrupt;
use crate::ledger::{About, FolderLock, Ledger};
use crate::openings::OpeningSuite;
use crate::record::PlayerId;
use crate::report::{
    Confirmation, SearchProgress, TuningHistory, TuningReport, note, print_data, write_atomically,
};
use crate::runner::LocalExecutor;
use crate::schedule::Schedule;
use crate::tune::{Step, TuneRun, Tuner, recount, tune};

/// What the parts of a tuning share.
pub(super) struct Tuning<'a, P> {
    pub(super) spec: &'a TuneSpec,
    pub(super) options: &'a PlayOptions,
    /// All openings.
    pub(super) suite: OpeningSuite<P>,
    pub(super) executor: LocalExecutor,
    pub(super) process: Interrupt,
    pub(super) programs: Programs,
    pub(super) folder: PathBuf,
}

pub(super) fn play_game<P: Evaluated>(
    spec: &TuneSpec,
    out: Option<&Path>,
    options: &PlayOptions,
) -> Result<(), CliError> {
    let suite = load_openings::<P>(&spec.games)?;
    check_openings(spec, suite.openings.len())?;
    let executor = options.executor()?;
    let process = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let start = spec.player(&spec.space.start())?;
    let log = options.engine_log.as_deref();
    let programs = Programs::examine(&spec.games, [("a", &start)], log, &process)?;
    let mut identity = identify(&spec.games, &suite, spec.plan.pairs());
    programs.identify(&mut identity);
    spec.identify(&mut identity);
    let name = folder::plain_name(&format!("tune-{}", spec.games.players[0].label));
    let default = || folder::first_usable(&name, |path| Ledger::is_resumable(path, &identity));
    let folder = out.map_or_else(default, Path::to_owned);
    let about = About {
        identity,
        spec_toml: spec.text(&folder),
        labels: vec!["plus".to_owned(), "minus".to_owned()],
    };
    let tuning = Tuning {
        spec,
        options,
        suite,
        executor,
        process,
        programs,
        folder,
    };
    tuning.run(&about)
}

/// Both parts need openings.
fn check_openings(spec: &TuneSpec, openings: usize) -> Result<(), CliError> {
    if spec.confirm.is_none() {
        return Ok(());
    }
    let kept = openings / CONFIRM_EVERY;
    let pairs = spec.confirm_pairs.unwrap_or(1);
    if pairs > kept as u64 {
        return Err(CliError::Input(format!(
            "the confirming match needs {pairs} openings of its own, but of {openings} only {kept} are kept for it; lower \
             --confirm-pairs, add openings, or say --no-confirm"
        )));
    }
    Ok(())
}

impl<P: Evaluated> Tuning<'_, P> {
    fn run(&self, about: &About) -> Result<(), CliError> {
        let mut ledger = Ledger::open_or_create(&self.folder, about)?;
        write_atomically(&self.folder.join("run.toml"), |output| {
            std::io::Write::write_all(output, about.spec_toml.as_bytes())
        })?;
        let mut history = TuningHistory::begin(&self.folder, &self.spec.space, &self.spec.plan, true)?;
        let tuner = self.tune(&mut ledger, &mut history)?;
        history.end()?;
        self.programs.tell_faults();
        let mut confirmation = None;
        let is_over = tuner.is_finished() && self.process.signal().is_none();
        if is_over && self.spec.confirm.is_some() && tuner.tuned() != self.spec.space.start() {
            // The files of the tuning are there while the match goes on.
            self.report(&history, None)
                .write(&self.folder, &self.toml(&tuner)?)?;
            confirmation = Some(confirm(self, &tuner.tuned())?);
        }
        let report = self.report(&history, confirmation.as_ref());
        report.write(&self.folder, &self.toml(&tuner)?)?;
        self.finish(&report, &tuner)
    }

    fn toml(&self, tuner: &Tuner) -> Result<String, CliError> {
        self.spec.tuned_toml(&tuner.tuned())
    }

    fn tune(&self, ledger: &mut Ledger, history: &mut TuningHistory) -> Result<Tuner, CliError> {
        let (spec, plan) = (self.spec, &self.spec.plan);
        let openings = self.openings(false);
        let pairs_max = plan.pairs().min(self.options.pause_after());
        self.options.say(&format!(
            "tuning {} parameters of {} by {}: {} iterations of {} pairs; results in {}",
            spec.space.parameters().len(),
            spec.games.players[0].label,
            plan.method.name(),
            plan.iterations,
            plan.pairs_per_iteration,
            self.folder.display()
        ));
        let interrupt = self.process.for_run();
        let make_player = |id: PlayerId, values: &[f64]| {
            let games = spec.match_of([values, values]);
            let games = games.unwrap_or_else(|error| unreachable!("values within the space: {error}"));
            player::<P>(&games, id, &self.programs, &interrupt)
        };
        let run = TuneRun {
            openings: &openings.openings,
            schedule: Schedule::new(plan.seed, openings.openings.len(), pairs_max),
            make_player: &make_player,
            rules: spec.games.rules,
            interrupt: &interrupt,
            pairs_max,
        };
        let progress =
            (!self.options.quiet).then(|| SearchProgress::of("iterations", plan.iterations as usize));
        let mut listener = |step: &Step| {
            history.step(step);
            if let Some(progress) = &progress {
                let about = |rate: f64| self.progress_text(step, rate);
                progress.show_with(step.trial.iteration as usize + 1, &about);
            }
        };
        let tuner = Tuner::new(spec.space.clone(), *plan);
        let tuner = tune(&run, tuner, &self.executor, ledger, &mut listener)?;
        if let Some(progress) = &progress {
            progress.end();
        }
        Ok(tuner)
    }

    /// Games a second and the parameters that have moved most.
    fn progress_text(&self, step: &Step, rate: f64) -> Vec<String> {
        let parameters = self.spec.space.parameters().iter().zip(&step.estimate);
        let moved =
            parameters.map(|(parameter, now)| ((now - parameter.start) / parameter.c_end, &parameter.name));
        let mut moved: Vec<(f64, &String)> = moved.collect();
        moved.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let most: Vec<String> = moved
            .iter()
            .take(2)
            .map(|(by, name)| format!("{name} {by:+.1}c"))
            .collect();
        let games = 2.0 * rate * self.spec.plan.pairs_per_iteration as f64;
        most.into_iter().chain([format!("{games:.1} games/s")]).collect()
    }

    /// The openings of the tuning or of the confirming match; no opening is in both.
    pub(super) fn openings(&self, confirms: bool) -> OpeningSuite<P> {
        let all = &self.suite;
        if self.spec.confirm.is_none() {
            return all.clone();
        }
        let is_kept = |index: usize| index % CONFIRM_EVERY == CONFIRM_EVERY - 1;
        let chosen = all
            .openings
            .iter()
            .enumerate()
            .filter(|&(index, _)| is_kept(index) == confirms);
        OpeningSuite {
            openings: chosen.map(|(_, opening)| opening.clone()).collect(),
            duplicates: Vec::new(),
            sha256: format!("{}, every {CONFIRM_EVERY}th: {confirms}", all.sha256),
        }
    }

    fn report<'a>(
        &'a self,
        history: &'a TuningHistory,
        confirmation: Option<&'a Confirmation>,
    ) -> TuningReport<'a> {
        report(self.spec, history, confirmation)
    }

    fn finish(&self, report: &TuningReport<'_>, tuner: &Tuner) -> Result<(), CliError> {
        let text = if self.options.json {
            report.json().to_string()
        } else {
            format!("{}files    {}\n", report.describe(), self.folder.display())
        };
        if self.options.json || !self.options.quiet {
            print_data(&text).map_err(CliError::system("print the result"))?;
        }
        match self.process.signal() {
            Some(signal) => {
                note(&format!(
                    "stopped after {} of {} iterations, all games saved; to go on: {}",
                    tuner.applied(),
                    self.spec.plan.iterations,
                    folder::resume_command(&self.folder)
                ));
                Err(CliError::Stopped(signal))
            }
            None => Ok(()),
        }
    }
}

fn report<'a>(
    spec: &'a TuneSpec,
    history: &'a TuningHistory,
    confirmation: Option<&'a Confirmation>,
) -> TuningReport<'a> {
    TuningReport {
        label: &spec.games.players[0].label,
        space: &spec.space,
        plan: &spec.plan,
        history,
        confirmation,
    }
}

/// Is it the ledger of a tuning?
pub(crate) fn is_tuning(about: &About) -> bool {
    about.identity.get("study") == Some("tune")
}

/// Makes the files of the tuning in `folder` again from its ledger and that of its confirming match, and gives the result as
/// text or JSON. Without `lock` nothing is written.
pub(crate) fn rebuild(
    folder: &Path,
    ledger: &Ledger,
    lock: Option<&FolderLock>,
    json: bool,
    confirmed: impl Fn(&Path) -> Result<Confirmation, CliError>,
) -> Result<String, CliError> {
    let about = ledger.about()?;
    let spec = TuneSpec::parse(&about.spec_toml, &format!("'{}'", folder.display()))?;
    let mut history = TuningHistory::begin(folder, &spec.space, &spec.plan, lock.is_some())?;
    let tuner = Tuner::new(spec.space.clone(), spec.plan);
    let tuner = recount(tuner, ledger, &mut |step| history.step(step))?;
    history.end()?;
    let match_folder = folder.join(super::confirm::FOLDER);
    let confirmation = match_folder
        .is_dir()
        .then(|| confirmed(&match_folder))
        .transpose()?;
    let report = report(&spec, &history, confirmation.as_ref());
    if lock.is_some() {
        write_atomically(&folder.join("run.toml"), |output| {
            std::io::Write::write_all(output, about.spec_toml.as_bytes())
        })?;
        report.write(folder, &spec.tuned_toml(&tuner.tuned())?)?;
    }
    Ok(if json {
        report.json().to_string()
    } else {
        report.describe()
    })
}
