//! What a command that plays needs to know of players that are other programs.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io, thread};

use tanren_engine::game::Position;

use crate::config::{
    Conditions, ConfigError, Engines, Identity, MoveLimit, PlayerSpec, ProcessSpec, Timeouts,
};
use crate::document::file::FileError;
use crate::endgame::Tables;
use crate::event::Warning;
use crate::interrupt::Interrupt;
use crate::ledger::Ledger;
use crate::openings::{Opening, is_chess960};
use crate::player::{
    EnvironmentError, ExaminedFiles, FaultLog, Launch, NoAnswer, ProgramChangeKind, ProgramDigests,
    file_sha256, offers_chess960, probe, rule_warnings,
};
use crate::record::TimeScale;
use crate::session::Needs;
use crate::session::engine_digest::EngineDigest;
use crate::session::error::{ExperimentError, Result};
use crate::session::observer::{RunEvent, RunObserver};

const ARGUMENTS: &str = "argument files";
pub(crate) const THREAD_OPTIONS: [&str; 3] = ["threads", "thread", "cores"];

#[derive(Debug, Default)]
pub(crate) struct ExternalEngines {
    /// Player, name and value of what the run's identity holds of them.
    identity: Vec<(String, String, String)>,
    stall_ms: u64,
    /// Files among their arguments, with whose they are and their digest.
    arguments: Vec<(String, PathBuf, String)>,
    engines: Engines,
    pub(crate) log_folder: Option<PathBuf>,
    pub(crate) faults: FaultLog,
    pub(crate) files: ExaminedFiles,
    /// How many threads they announced to use where nothing is said.
    threads: Vec<(ProcessSpec, u64)>,
    /// The same by their labels.
    announced: Vec<(String, Option<u64>)>,
    without_chess960: Vec<String>,
    /// Labels of engines that play by other rules than the referee, and why.
    other_rules: Vec<(String, String)>,
    pub(crate) tables: Option<Tables>,
    pace: OnceLock<TimeScale>,
}

struct Examined {
    digests: ProgramDigests,
    threads: Option<u64>,
    offers_chess960: bool,
    other_rules: Vec<String>,
}

impl ExternalEngines {
    /// Starts every program of `needs` once and sets its options, so that what is wrong shows before the first game.
    pub(crate) fn examine(
        needs: &Needs<'_>,
        log_folder: Option<&Path>,
        engines: Engines,
        interrupt: &Interrupt,
    ) -> Result<ExternalEngines> {
        let (timeouts, hash_mib) = (needs.timeouts, needs.hash_mib);
        let memory_mib = needs
            .conditions
            .and_then(|conditions| conditions.engine_memory_mib);
        let tables = needs.conditions.map_or(Ok(None), open_tables)?;
        let programs = needs.named().filter_map(|(name, player)| {
            let own = player.process()?;
            let process = engines.resolve(own).map(|process| process.within(memory_mib));
            Some(process.map(|process| (name, &player.label, process, engines.build_identity(own))))
        });
        let programs = programs.collect::<Result<Vec<_>, ConfigError>>()?;
        if let (Some(folder), false) = (log_folder, programs.is_empty()) {
            fs::create_dir_all(folder).map_err(ExperimentError::unwritable(folder))?;
        }
        let files = ExaminedFiles::default();
        let found = all_at_once(&programs, |(_, label, process, _)| {
            let rules = needs.conditions.map(|conditions| conditions.rules);
            let launch = Launch {
                rules,
                ..Launch::new(process.clone(), timeouts, hash_mib, interrupt)
            };
            examine(&launch, label, &files)
        });
        let (mut identity, mut threads, mut without_chess960) = (Vec::new(), Vec::new(), Vec::new());
        let mut other_rules: Vec<(String, String)> = Vec::new();
        let mut threads_of: Vec<(String, Option<u64>)> = Vec::with_capacity(programs.len());
        for ((name, label, process, build), found) in programs.iter().zip(found) {
            let Examined {
                digests,
                threads: announced,
                offers_chess960,
                other_rules: warnings,
            } = found?;
            other_rules.extend(warnings.into_iter().map(|warning| ((*label).clone(), warning)));
            if !offers_chess960 {
                without_chess960.push((*label).clone());
            }
            let mut push = |title: String, digest| identity.push(((*name).clone(), title, digest));
            match build {
                Some(build) => push(format!("build {name}"), build.to_string()),
                None => push(format!("program {name} (SHA-256)"), digests.program),
            }
            if let Some(digest) = digests.loaded {
                push(format!("files that {name} loads (SHA-256)"), digest);
            }
            threads.extend(announced.map(|threads| (process.clone(), threads)));
            threads_of.push(((*label).clone(), announced));
        }
        Ok(ExternalEngines {
            identity,
            stall_ms: timeouts.stall_ms,
            arguments: arguments_of(programs.iter().map(|(_, label, process, _)| (*label, process))),
            engines,
            log_folder: log_folder.map(Path::to_owned),
            faults: FaultLog::default(),
            files,
            threads,
            announced: threads_of,
            without_chess960,
            other_rules,
            tables,
            pace: OnceLock::new(),
        })
    }

    pub(crate) fn tell(&self, observer: &mut dyn RunObserver) -> Result<(), FileError> {
        for (label, threads) in &self.announced {
            let threads = *threads;
            observer.on_event(RunEvent::Engine { label, threads })?;
        }
        for (label, warning) in &self.other_rules {
            observer.on_event(RunEvent::Warning(Warning::OtherRules { label, warning }))?;
        }
        Ok(())
    }

    /// What time is worth on this machine if limits are meant for another, unless that is known.
    pub(crate) fn set_pace(&self, pace: impl FnOnce() -> TimeScale) {
        self.pace.get_or_init(pace);
    }

    /// What `limit` is worth on this machine.
    pub(crate) fn paced(&self, limit: MoveLimit) -> MoveLimit {
        self.pace
            .get()
            .map_or(limit, |pace| limit.at_pace(pace.nps, pace.reference_nps))
    }

    pub(crate) fn check_openings<P: Position>(&self, openings: &[Opening<P>]) -> Result<()> {
        let Some(label) = self.without_chess960.first() else {
            return Ok(());
        };
        // Random moves lead to no such position, and to make them all would take minutes.
        let written = openings.iter().filter(|opening| !opening.is_random());
        let found = written.map(Opening::position).find(is_chess960);
        found.map_or(Ok(()), |position| {
            Err(ExperimentError::Engine {
                label: label.clone(),
                message: format!(
                    "it does not offer UCI_Chess960, but '{position}' is a position of Chess960: give positions of ordinary \
                     chess, or an engine that plays Chess960"
                ),
            })
        })
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn of_engines(engines: Engines, files: ExaminedFiles) -> ExternalEngines {
        ExternalEngines {
            engines,
            files,
            ..ExternalEngines::default()
        }
    }

    pub(crate) fn resolve(&self, spec: &ProcessSpec) -> Result<ProcessSpec, ConfigError> {
        self.engines.resolve(spec)
    }

    pub(crate) fn engine_digests<'a>(
        &self,
        players: impl IntoIterator<Item = &'a PlayerSpec>,
    ) -> BTreeMap<String, String> {
        let mut named = BTreeMap::<&str, Vec<&ProcessSpec>>::new();
        for spec in players.into_iter().filter_map(PlayerSpec::process) {
            if let Some(name) = spec.engine_name() {
                named.entry(name).or_default().push(spec);
            }
        }
        let digests = named.into_iter().filter_map(|(name, specs)| {
            let digest = EngineDigest::of(&self.files, &self.engines, &specs)?;
            Some((name.to_owned(), digest.to_string()))
        });
        digests.collect()
    }

    pub(crate) fn threads_of(&self, process: &ProcessSpec) -> Option<u64> {
        let process = self.resolve(process).ok()?;
        let found = self.threads.iter().find(|(spec, _)| *spec == process);
        found.map(|(_, threads)| *threads)
    }

    /// What of these players, or of all, is part of the identity.
    pub(crate) fn identify_of(&self, identity: &mut Identity, players: Option<&[String]>) {
        let own = self.identity.iter();
        let mut own = own
            .filter(|(player, ..)| players.is_none_or(|players| players.contains(player)))
            .peekable();
        let is_stalling = own.peek().is_some();
        for (_, title, value) in own {
            identity.push(title, value);
        }
        if is_stalling {
            identity.push("stall", format_args!("{} ms", self.stall_ms));
        }
        if let Some(tables) = &self.tables {
            identity.push("syzygy (SHA-256 of names and sizes)", tables.digest());
        }
    }

    /// Keeps the digests of argument files in the ledger, and tells of those that changed since it was played last.
    pub(crate) fn tell_changed_arguments(
        &self,
        ledger: &mut Ledger,
        observer: &mut dyn RunObserver,
    ) -> Result<()> {
        let text = |error| ExperimentError::system("describe the files of the engines")(error);
        let before = ledger.kept(ARGUMENTS)?.unwrap_or_default();
        let stored: Vec<(String, PathBuf, String)> = serde_json::from_str(&before).unwrap_or_default();
        for (label, path, sha256) in &self.arguments {
            let is_same = |(other, at, digest): &(String, PathBuf, String)| {
                (other, at) != (label, path) || digest == sha256
            };
            if !stored.iter().all(is_same) {
                observer.on_event(RunEvent::Warning(Warning::ChangedArgument { label, path }))?;
            }
        }
        if stored != self.arguments {
            ledger.keep(ARGUMENTS, &serde_json::to_string(&self.arguments).map_err(text)?)?;
        }
        Ok(())
    }

    pub(crate) fn tell_faults(&self, observer: &mut dyn RunObserver) -> Result<(), FileError> {
        for ((label, reason), count) in self.faults.counts() {
            let warning = Warning::Faults {
                label: &label,
                reason,
                replayed: count.replayed,
                example: &count.example,
            };
            observer.on_event(RunEvent::Warning(warning))?;
        }
        Ok(())
    }
}

fn arguments_of<'a>(
    programs: impl Iterator<Item = (&'a String, &'a ProcessSpec)>,
) -> Vec<(String, PathBuf, String)> {
    let files = programs.flat_map(|(label, process)| {
        process.argument_files().filter_map(|path| {
            let sha256 = file_sha256(&path).ok()?;
            Some((label.clone(), path, sha256))
        })
    });
    files.collect()
}

/// Some programs load for seconds; how many start at a time is bounded where they are started.
pub(crate) fn all_at_once<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let each = &each;
        let threads: Vec<_> = items.iter().map(|item| scope.spawn(move || each(item))).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}

pub(crate) fn open_tables(conditions: &Conditions) -> Result<Option<Tables>> {
    let folder = conditions.syzygy.as_ref();
    let opened = folder.map(|path| Tables::open(path)).transpose();
    opened.map_err(|error| ExperimentError::Input(error.to_string()))
}

pub(crate) fn check(
    timeouts: Timeouts,
    hash_mib: usize,
    label: &str,
    process: &ProcessSpec,
    interrupt: &Interrupt,
) -> Result<()> {
    let files = ExaminedFiles::default();
    let launch = Launch::new(process.clone(), timeouts, hash_mib, interrupt);
    examine(&launch, label, &files).map(drop)
}

pub(crate) fn unreadable(label: &str, process: &ProcessSpec, error: &io::Error) -> ExperimentError {
    let command = process.command.to_string_lossy();
    // Settings of the built-in engine look like this.
    let hint = match command.rsplit_once(',') {
        Some((program, rest)) if rest.contains('=') && Path::new(program).is_file() => {
            format!(" (an option of an engine is option.NAME=value: ,option.{rest})")
        }
        _ => String::new(),
    };
    ExperimentError::Engine {
        label: label.to_owned(),
        message: format!("cannot read '{command}': {error}{hint}"),
    }
}

fn examine(launch: &Launch, label: &str, files: &ExaminedFiles) -> Result<Examined> {
    let process = &launch.spec;
    let digests = files
        .examine(process)
        .map_err(|error| unreadable(label, process, &error))?;
    let probe = probe(launch).map_err(|no_answer| unanswered(label, &launch.interrupt, no_answer))?;
    let is_of_threads = |name: &str| {
        let mut known = THREAD_OPTIONS.iter();
        known.any(|known| name.eq_ignore_ascii_case(known))
    };
    let option = probe.options.iter().find(|option| is_of_threads(&option.name));
    let threads = option.and_then(|option| option.default.as_deref()?.parse().ok());
    Ok(Examined {
        digests,
        threads,
        offers_chess960: offers_chess960(&probe.options),
        other_rules: launch
            .rules
            .map_or_else(Vec::new, |rules| rule_warnings(&rules, process, &probe.options)),
    })
}

/// Why a program that was examined this moment did not answer; no game was played by it.
pub(crate) fn unanswered(label: &str, interrupt: &Interrupt, no_answer: NoAnswer) -> ExperimentError {
    let message = match no_answer {
        NoAnswer::Fault(fault) => fault.detail,
        NoAnswer::Environment(EnvironmentError::Program(found)) => match &found.change {
            ProgramChangeKind::Unstartable(error) => {
                format!("cannot start '{}': {error}", found.path.display())
            }
            _ => found.to_string(),
        },
        NoAnswer::Environment(error) => return error.into(),
        NoAnswer::Interrupted => return ExperimentError::stopped(interrupt),
    };
    ExperimentError::Engine {
        label: label.to_owned(),
        message,
    }
}
