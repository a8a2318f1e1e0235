//! What every run needs before its first game, done once: openings, capacity, engines, workers, identity, folder, repairs.

pub mod capacity;
pub(crate) mod engine_digest;
pub mod engines;
pub mod error;
pub mod external_engines;
pub mod folder;
pub mod found;
pub mod game;
pub mod hosts;
pub mod kind;
pub mod observer;
pub mod openings;
pub mod options;
pub mod outcome;
pub mod overview;
pub mod recounter;
#[cfg(feature = "cluster")]
mod reference;
pub mod seating;
pub mod stored;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use tanren_engine::config::{Config, PRESETS};
use tanren_engine::game::Game;
use tanren_engine::search::Searchable;

use crate::config::{Conditions, Identity, MatchSpec, OpeningSource, PlayerSpec, Seat, Timeouts};
use crate::document::file::{FileError, write_text};
use crate::event::{Event, Warning};
use crate::interrupt::{Interrupt, Signal};
use crate::ledger::{Holds, Ledger, LedgerError, Manifest, StudyPosition};
use crate::openings::{Opening, OpeningSuite};
use crate::play::PlayPairs;
use crate::player::signature;
use crate::record::PairFault;
use crate::runner::{self, Elsewhere, Executor, PairCounter, PairRun, PlayError, QueueWindow};
use crate::schedule::{PairPlan, Schedule};
use crate::session::capacity::Demand;
use crate::session::error::{ExperimentError, Result, StoppedByFault};
use crate::session::external_engines::ExternalEngines;
use crate::session::found::Found;
use crate::session::kind::{Kind, KindInfo};
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::openings::{SuiteSpec, load_positions, suite_of, tell_openings};
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, RunEnding, Unit};
use crate::shard::Shard;

/// What a run takes from outside.
pub struct Needs<'s> {
    pub(crate) game: Game,
    /// The conditions of games; searches have none.
    pub(crate) conditions: Option<&'s Conditions>,
    /// What the identity calls the players; those without a name are others of the same.
    pub(crate) names: Vec<String>,
    pub(crate) players: Vec<Cow<'s, PlayerSpec>>,
    pub(crate) is_timed: bool,
    pub(crate) timeouts: Timeouts,
    pub(crate) hash_mib: usize,
    /// What is searched.
    pub(crate) positions: Option<&'s OpeningSource>,
    pub(crate) positions_max: usize,
    /// What is checked, if that is all.
    pub(crate) suite: Option<&'s SuiteSpec>,
}

impl<'s> Needs<'s> {
    pub(crate) fn of_match(spec: &'s MatchSpec) -> Needs<'s> {
        Needs::of_games(
            &spec.conditions,
            ["a", "b"].map(str::to_owned).to_vec(),
            &spec.seats,
        )
    }

    pub(crate) fn of_games(conditions: &'s Conditions, names: Vec<String>, seats: &'s [Seat]) -> Needs<'s> {
        Needs {
            conditions: Some(conditions),
            names,
            players: seats.iter().map(|seat| Cow::Borrowed(&seat.player)).collect(),
            is_timed: seats.iter().any(|seat| seat.limit.is_timed()),
            timeouts: conditions.timeouts,
            hash_mib: conditions.hash_mib,
            ..Needs::nothing(conditions.game)
        }
    }

    pub(crate) fn nothing(game: Game) -> Needs<'s> {
        Needs {
            game,
            conditions: None,
            names: Vec::new(),
            players: Vec::new(),
            is_timed: false,
            timeouts: Timeouts::default(),
            hash_mib: 0,
            positions: None,
            positions_max: usize::MAX,
            suite: None,
        }
    }

    /// The players that files list by name.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&String, &PlayerSpec)> {
        self.names.iter().zip(self.players.iter().map(|player| &**player))
    }

    pub(crate) fn check_players(&self) -> Result<()> {
        self.named().try_for_each(|(_, player)| {
            player.check_game()?;
            check_settings(self.game, player)
        })
    }

    fn load<P: Searchable>(&self, observer: &mut dyn RunObserver) -> Result<OpeningSuite<P>> {
        let mut suite = match self.conditions {
            Some(conditions) => suite_of(conditions)?,
            None => load_positions(
                self.positions.unwrap_or(&OpeningSource::BuiltIn),
                self.positions_max,
            )?,
        };
        tell_openings(&suite, self.conditions, observer)?;
        if self.conditions.is_none() {
            suite.openings.truncate(self.positions_max);
        }
        Ok(suite)
    }
}

struct SharedSession {
    #[cfg(feature = "cluster")]
    is_timed: bool,
    options: RunOptions,
    workers: Box<dyn Executor>,
    interrupt: Interrupt,
    programs: Arc<ExternalEngines>,
    /// Pairs by the folder of the part that they belong to.
    counted: RefCell<BTreeMap<PathBuf, u64>>,
}

pub(crate) struct Session<'a, P> {
    shared: Rc<SharedSession>,
    pub(crate) suite: Rc<OpeningSuite<P>>,
    pub(crate) folder: PathBuf,
    is_part: bool,
    pub(crate) observer: &'a mut dyn RunObserver,
}

pub(crate) struct Games<'g, P, T, C> {
    pub(crate) conditions: &'g Conditions,
    pub(crate) seats: &'g [Seat],
    pub(crate) schedule: Schedule,
    pub(crate) window: Option<QueueWindow>,
    pub(crate) until: u64,
    pub(crate) make_table: &'g (dyn Fn(&Arc<ExternalEngines>, &Interrupt) -> T + Sync),
    pub(crate) describe: &'g (dyn Fn(&PairPlan) -> Option<String> + Sync),
    /// What observers hear of what happens to the count of type `C`.
    pub(crate) tell: &'g Tell<'g, P, C>,
}

type Tell<'g, P, C> = dyn Fn(&mut Session<'_, P>, &Event<'_, C>) -> Result<(), FileError> + 'g;

impl<'a, P: Searchable> Session<'a, P> {
    /// Gets ready all that can be refused before the first game.
    pub(crate) fn open(
        kind: &dyn Kind,
        options: &RunOptions,
        observer: &'a mut dyn RunObserver,
    ) -> Result<Session<'a, P>> {
        let needs = kind.needs();
        let options = options.of_new_run();
        let suite = needs.load::<P>(observer)?;
        kind.check_openings(suite.openings.len())?;
        options.workers_for(&Demand::of(&needs, &ExternalEngines::default()))?;
        let interrupt = options.interrupt()?;
        let log_folder = options.engine_log.as_deref();
        let programs = ExternalEngines::examine(&needs, log_folder, options.engines()?, &interrupt)?;
        if let Some(pace) = options.pace {
            programs.set_pace(|| pace);
        }
        programs.check_openings(&suite.openings)?;
        programs.tell(observer)?;
        let workers = options.workers(&Demand::of(&needs, &programs))?;
        let folder = options.out.clone().unwrap_or_default();
        Ok(Session {
            shared: Rc::new(SharedSession {
                #[cfg(feature = "cluster")]
                is_timed: needs.is_timed,
                options,
                workers,
                interrupt,
                programs: Arc::new(programs),
                counted: RefCell::default(),
            }),
            suite: Rc::new(suite),
            folder,
            is_part: false,
            observer,
        })
    }

    /// What its default folder is called.
    pub(crate) fn folder_name(&self, name: &str) -> String {
        let name = folder::of_shard(name, self.shard());
        match self.shared.options.undated {
            true => name,
            false => folder::dated(&name),
        }
    }

    /// Opens or makes what is stored of the run, in a folder of its name or a default one if none is given.
    pub(crate) fn store(
        &mut self,
        kind: &KindInfo,
        identity: Identity,
        labels: &[String],
        (name, default): (Option<&str>, &str),
        text: impl FnOnce(&Path) -> String,
    ) -> Result<Ledger> {
        if self.folder.as_os_str().is_empty() {
            let default = || folder::plain_name(default);
            let name = name.map_or_else(default, str::to_owned);
            self.folder = folder::of_run(&self.folder_name(&name), &identity, self.shard());
        }
        if !self.is_part {
            self.observer.on_event(RunEvent::Folder(&self.folder))?;
        }
        let manifest = Manifest {
            kind: kind.name.to_owned(),
            identity,
            spec_toml: text(&self.folder),
            labels: labels.to_vec(),
            positions: match kind.holds {
                Holds::Searches => self.positions(),
                Holds::Pairs | Holds::Parts | Holds::Among => Vec::new(),
            },
            shard: self.shard(),
        };
        let mut ledger = Ledger::open_or_create_with(&self.folder, &manifest, kind.holds)?;
        if !self.is_part {
            let programs = Arc::clone(&self.shared.programs);
            programs.tell_changed_arguments(&mut ledger, self.observer)?;
            #[cfg(feature = "cluster")]
            self.shared.settle_reference(&mut ledger)?;
            // A run that is killed leaves it too.
            write_text(&self.folder.join("run.toml"), &manifest.spec_toml)?;
        }
        self.tell_repaired(&ledger)?;
        Ok(ledger)
    }

    pub(crate) fn tell_repaired(&mut self, ledger: &Ledger) -> Result<()> {
        if let Some(repaired) = ledger.repaired() {
            self.on_event(RunEvent::Warning(Warning::RepairedLedger {
                file: &repaired.damaged_file,
                why: &repaired.why,
                kept: repaired.kept,
            }))?;
        }
        Ok(())
    }

    fn positions(&self) -> Vec<StudyPosition> {
        let openings = self.suite.openings.iter();
        let stored = openings.map(|opening| StudyPosition {
            line: opening.line,
            text: opening.position().to_string(),
        });
        stored.collect()
    }

    pub(crate) fn part(&mut self, name: impl AsRef<Path>, suite: Option<OpeningSuite<P>>) -> Session<'_, P> {
        Session {
            shared: Rc::clone(&self.shared),
            suite: suite.map_or_else(|| Rc::clone(&self.suite), Rc::new),
            folder: self.folder.join(name),
            is_part: true,
            observer: &mut *self.observer,
        }
    }

    /// Plays what is left of `games`, counting with `count`, and has the files of what `find` makes of it written. What kept games from
    /// being played may keep their files from being written too, and the user is to hear of that.
    pub(crate) fn play<T: PlayPairs<P>, C: PairCounter, F: Found>(
        &mut self,
        games: Games<'_, P, T, C>,
        ledger: &mut Ledger,
        mut count: C,
        find: impl FnOnce(&Ledger, C) -> Result<F, LedgerError>,
    ) -> Result<(F, Option<PairFault>)> {
        let (shared, suite) = (Rc::clone(&self.shared), Rc::clone(&self.suite));
        let (programs, interrupt) = (&shared.programs, shared.interrupt.for_run());
        let make_table = || (games.make_table)(programs, &interrupt);
        let run = PairRun {
            openings: &suite.openings,
            seed: games.conditions.seed,
            pairs_max: games.until,
            make_table: &make_table,
            elsewhere: Some(Elsewhere {
                table: games.describe,
                rules: games.conditions.rules,
                policies: games.conditions.fault_policies(games.seats),
                is_timed: games.seats.iter().any(|seat| seat.limit.is_timed()),
                engines: programs.engine_digests(games.seats.iter().map(|seat| &seat.player)),
            }),
            game_listener: self.observer.game_listener(),
            interrupt: &interrupt,
        };
        let executor = &*shared.workers;
        let mut listener = |event: &Event<'_, C>| {
            // What only shows something has nothing that could fail.
            let _ = (games.tell)(self, event);
        };
        let schedule = games
            .schedule
            .in_order(games.conditions.order, games.conditions.first_opening);
        let window = games.window;
        let played = runner::play_schedule(
            &run,
            schedule,
            window,
            executor,
            ledger,
            &mut count,
            &mut listener,
        );
        let fault = PlayError::apart(played)?;
        let counted = ledger.counted()?.unwrap_or(0);
        shared.counted.borrow_mut().insert(self.folder.clone(), counted);
        let found = find(ledger, count)?;
        let told = self.tell_found(ledger, &found);
        let fault = fault?;
        told?;
        Ok((found, fault))
    }

    /// What a run that is no part of another announces, and how many of its pairs are played.
    pub(crate) fn tell_started(&mut self, line: &str, pairs: u64) -> Result<(), FileError> {
        if self.is_part {
            return Ok(());
        }
        self.observer.on_event(RunEvent::Started {
            line: format!("{line}; {}", folder::place(&self.folder)),
            folder: &self.folder,
            pairs,
        })
    }
}

/// What tells the built-in engine from others that play otherwise.
pub(crate) fn engine_signature<P: Searchable>(seats: &[Seat], suite: &OpeningSuite<P>) -> String {
    let configs = seats.iter().filter_map(|seat| seat.player.config());
    signature(configs, suite.openings.iter().map(Opening::position))
}

impl<P> Session<'_, P> {
    pub(crate) fn on_event(&mut self, event: RunEvent<'_>) -> Result<(), FileError> {
        self.observer.on_event(event)
    }

    pub(crate) fn tell_found(&mut self, ledger: &Ledger, found: &dyn Found) -> Result<(), FileError> {
        self.observer.on_event(RunEvent::Found {
            folder: &self.folder,
            ledger: Some(ledger),
            found,
        })
    }

    pub(crate) fn end(&mut self, unit: Unit) -> Result<(), FileError> {
        self.tell_faults()?;
        self.tell_workers(unit)
    }

    pub(crate) fn tell_faults(&mut self) -> Result<(), FileError> {
        self.shared.programs.tell_faults(self.observer)
    }

    pub(crate) fn tell_workers(&mut self, unit: Unit) -> Result<(), FileError> {
        let executor = &*self.shared.workers;
        let suspended = executor.suspended_pairs();
        if suspended > 0 {
            let warning = Warning::Suspended { pairs: suspended };
            self.observer.on_event(RunEvent::Warning(warning))?;
        }
        match executor.audited_pairs() {
            0 => Ok(()),
            count => self.observer.on_event(RunEvent::Audited { count, unit }),
        }
    }

    pub(crate) fn outcome(
        self,
        found: impl Found,
        fault: Option<StoppedByFault>,
        is_over: bool,
        progress: Progress,
    ) -> Outcome {
        Outcome {
            ending: match (fault, found.invalid(), self.signal()) {
                (Some(fault), ..) => RunEnding::Fault(fault),
                (None, Some(invalid), _) => RunEnding::Invalid(invalid),
                (None, None, _) if is_over => RunEnding::Complete,
                (None, None, Some(signal)) => RunEnding::Stopped { signal, progress },
                (None, None, None) => RunEnding::Paused,
            },
            folder: self.folder,
            findings: Box::new(found),
        }
    }

    pub(crate) fn programs(&self) -> Arc<ExternalEngines> {
        Arc::clone(&self.shared.programs)
    }

    pub(crate) fn identified(&self, mut identity: Identity) -> Identity {
        self.shared.programs.identify_of(&mut identity, None);
        identity
    }

    pub(crate) fn workers_and_observer(&mut self) -> (&dyn Executor, &mut dyn RunObserver) {
        (&*self.shared.workers, self.observer)
    }

    pub(crate) fn executor(&self) -> &dyn Executor {
        &*self.shared.workers
    }

    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.shared.interrupt
    }

    pub(crate) fn is_part(&self) -> bool {
        self.is_part
    }

    pub(crate) fn signal(&self) -> Option<Signal> {
        self.shared.interrupt.signal()
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.shared.interrupt.is_requested()
    }

    /// In a queue the signal may have come after the run before was decided.
    pub(crate) fn check_signal(&self) -> Result<()> {
        self.signal()
            .map_or(Ok(()), |signal| Err(ExperimentError::Stopped(signal)))
    }

    pub(crate) fn shard(&self) -> Shard {
        self.shared.options.shard
    }

    pub(crate) fn pairs_until_pause(&self, pairs: u64) -> u64 {
        let counted = self.shared.counted.borrow();
        let others = counted.iter().filter(|(folder, _)| **folder != self.folder);
        let others: u64 = others.map(|(_, pairs)| pairs).sum();
        self.pause_after()
            .map_or(pairs, |pause| pairs.min(pause.saturating_sub(others)))
    }

    pub(crate) fn is_paused(&self) -> bool {
        let counted: u64 = self.shared.counted.borrow().values().sum();
        self.pause_after().is_some_and(|pause| counted >= pause)
    }

    fn pause_after(&self) -> Option<u64> {
        self.shared.options.pause_after.map(NonZero::get)
    }
}

fn check_settings(game: Game, player: &PlayerSpec) -> Result<()> {
    let Some(config) = player.config() else {
        return Ok(());
    };
    let place = |name: &str| {
        let mut words = player.label.split(',').map(|part| part.split_once('='));
        words.position(|word| word.is_some_and(|(word, _)| word.trim() == name))
    };
    let presets = PRESETS
        .iter()
        .filter_map(|(preset, _)| Config::preset(game, preset).ok());
    let presets: Vec<Config> = presets.collect();
    // What a preset has nobody asked for.
    let is_asked = |name: &str| {
        let value = config.get(game, name);
        place(name).is_some() || presets.iter().all(|preset| preset.get(game, name) != value)
    };
    let idle = Config::idle(game).map(|setting| setting.name);
    let idle = idle.map(|name| {
        (
            name,
            format!("{name} does nothing in {}; leave it out", game.name()),
        )
    });
    let off = Config::settings(game).filter_map(|setting| config.switched_off(game, setting.name));
    // `base,lmr.base=900,lmr=off` switches off what came before.
    let off = off.filter(|off| place(off.technique).is_none_or(|at| place(off.name) > Some(at)));
    let off = off.map(|off| (off.name, format!("{off}, or leave it out")));
    let mut without_effect = idle.chain(off);
    match without_effect.find(|(name, _)| is_asked(name)) {
        None => Ok(()),
        Some((_, why)) => Err(ExperimentError::Input(format!(
            "player '{}': {why}",
            player.label
        ))),
    }
}
