pub(crate) mod columns;
pub(crate) mod report;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tanren_engine::game::Game;
use tanren_engine::search::Searchable;

use crate::config::{Growth, Identity, Source, TournamentKeys, TournamentSpec};
use crate::crosstable::{ADAPTIVE_LAG, Crosstable};
use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::document::number::plural;
use crate::event::{Event, Warning};
use crate::interrupt::Interrupt;
use crate::kinds::match_::game_files;
use crate::ledger::{Ledger, LedgerError, Manifest, may_continue};
use crate::play::EnginePool;
use crate::record::PlayerId;
use crate::runner::{self, QueueWindow};
use crate::schedule::{PairPlan, Schedule};
use crate::session::engines::{self, EngineTotals};
use crate::session::error::{ExperimentError, Result, StoppedByFault};
use crate::session::external_engines::ExternalEngines;
use crate::session::folder;
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::hosts::{self, HostTotals};
use crate::session::kind::{Holds, Keys, KeysInfo, Kind, KindInfo, StoredGames, Workload};
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, Unit};
use crate::session::overview::{ExpectedProgress, Overview};
use crate::session::seating::{player, table_text};
use crate::session::stored::{Run, StoredSeats};
use crate::session::{Games, Needs, Session, engine_signature};
use crate::shard::Shard;
use crate::stop::StopRule;

pub static KIND: KindInfo = KindInfo {
    name: "tournament",
    holds: Holds::Pairs,
    workload: Workload::Games,
    pauses: true,
    keys: KeysInfo::of::<TournamentKeys>(),
};

impl Keys for TournamentKeys {
    type Spec = TournamentSpec;
    const FILE_KEYS: &'static [&'static str] = &["grown"];

    fn spec(&self, _: Option<&Path>) -> Result<TournamentSpec> {
        Ok(TournamentSpec::from_keys(self)?)
    }
}

impl Kind for TournamentSpec {
    fn needs(&self) -> Needs<'_> {
        let names = (1..=self.seats.len()).map(|number| number.to_string());
        Needs::of_games(&self.conditions, names.collect(), &self.seats)
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.conditions.game, play(self, options, observer))
    }

    fn recount(&self, run: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let rounds = run.pairs()?;
        let mut crosstable = crosstable(self, &run.ledger, rounds)?;
        let counted = runner::recount(&run.ledger, &mut crosstable)?;
        let found = find(self, &run.ledger, crosstable, counted)?;
        let Progress { done, of, .. } = found.progress();
        Ok((Box::new(found), done >= of))
    }

    fn text(&self, folder: &Path) -> Option<String> {
        Some(self.table(folder).to_string())
    }

    fn games(&self) -> Option<StoredGames> {
        Some(StoredGames {
            conditions: self.conditions.clone(),
            pairings: self.pairings.clone(),
            grown: self.grown.clone(),
            is_adaptive: self.is_adaptive,
        })
    }

    fn seats(&self, _: &Path) -> Result<StoredSeats, String> {
        let (conditions, seats) = (self.conditions.clone(), self.seats.clone());
        Ok(StoredSeats { conditions, seats })
    }
}

fn play<P: Searchable>(
    spec: &TournamentSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Outcome> {
    let conditions = &spec.conditions;
    let mut session = Session::<P>::open(spec, options, observer)?;
    let openings = session.suite.openings.len();
    let rounds = conditions.pairs_max(openings)?;
    session.check_signal()?;
    if spec.is_adaptive && !session.shard().is_whole() {
        let message = "an adaptive tournament has no shards: which pairs are left out depends on all that were played before";
        return Err(ExperimentError::Input(message.to_owned()));
    }
    if session.folder.as_os_str().is_empty() {
        session.folder = default_folder(spec, &session, rounds);
    }
    let spec = &*grown(spec, &mut session, rounds)?;
    let identity = identity_of(spec, &session, rounds);
    let text = |folder: &Path| spec.table(folder).to_string();
    let mut ledger = session.store(&KIND, identity, &spec.labels, (None, ""), text)?;
    if let Some(labels) = spec.mirror() {
        session.on_event(RunEvent::Warning(Warning::MirrorAmong { labels }))?;
    }
    let all = rounds * spec.pairings.len() as u64;
    let (shard, share) = (ledger.shard(), ledger.shard().share(all));
    let until = session.pairs_until_pause(share);
    let seat = |number: u16| &spec.seats[usize::from(number)];
    let pairings = spec.pairings.clone();
    let schedule = Schedule::of_pairings(conditions.seed, openings, pairings, shard.below(until));
    let games = Games {
        conditions,
        seats: &spec.seats,
        schedule: schedule.grown(&spec.grown),
        window: spec.is_adaptive.then_some(QueueWindow {
            block: spec.pairings.len() as u64,
            ahead: ADAPTIVE_LAG - 1,
        }),
        until,
        make_table: &|programs: &Arc<ExternalEngines>, interrupt: &Interrupt| {
            pool::<P>(spec, programs, interrupt)
        },
        describe: &|plan: &PairPlan| table_text(conditions, plan.players.map(seat)),
        tell: &|session: &mut Session<'_, P>, event: &Event<'_, Crosstable>| match event {
            Event::Started { count } => {
                session.on_event(standings(count, true))?;
                session.tell_started(&started_line(spec, count, rounds, share), count.pairs)
            }
            Event::Counted { count, .. } => {
                session.on_event(standings(count, false))?;
                tell_counted(session, spec, count, until)
            }
            Event::Ended { .. } => session.on_event(RunEvent::Over),
        },
    };
    let begun = crosstable(spec, &ledger, rounds)?;
    let played = session.play(games, &mut ledger, begun, |ledger, crosstable| {
        find(spec, ledger, crosstable, ledger.counted()?.unwrap_or(0))
    });
    session.end(Unit::Pairs)?;
    let (found, fault) = played?;
    let fault = fault.map(|fault| StoppedByFault::of(&spec.labels, fault));
    let progress = found.progress();
    Ok(session.outcome(found, fault, progress.done >= progress.of, progress))
}

fn standings(crosstable: &Crosstable, is_begin: bool) -> RunEvent<'_> {
    RunEvent::Standings { crosstable, is_begin }
}

fn why_it_cannot_grow(spec: &TournamentSpec, shard: Shard) -> Option<&'static str> {
    match (spec.is_adaptive, shard.is_whole()) {
        (true, _) => Some(
            "players cannot be added to an adaptive tournament, since the pairs it leaves out depend on all that were \
             played before: play the new one in another --out",
        ),
        (false, false) => Some(
            "players cannot be added to a shard: merge all shards with 'tanren merge', and add players to the merged run",
        ),
        (false, true) => None,
    }
}

fn identity_of<P: Searchable>(spec: &TournamentSpec, session: &Session<'_, P>, rounds: u64) -> Identity {
    let engine = engine_signature(&spec.seats, &session.suite);
    let names: Vec<String> = (1..=spec.seats.len()).map(|number| number.to_string()).collect();
    let mut identity = spec.identity(&session.suite.sha256, rounds, &engine);
    session.programs().identify_of(&mut identity, Some(&names));
    identity
}

/// The first folder of the tournament's name that is free or holds what it continues.
fn default_folder<P: Searchable>(spec: &TournamentSpec, session: &Session<'_, P>, rounds: u64) -> PathBuf {
    let default = folder::plain_name(&format!("tournament-{}", spec.labels[0]));
    let name = session.folder_name(spec.conditions.name.as_deref().unwrap_or(&default));
    let can_grow = why_it_cannot_grow(spec, session.shard()).is_none();
    folder::first_usable(&name, |folder| {
        stored_in(folder).is_some_and(|stored| {
            let (spec, before) = continuing(spec, &stored);
            let before = before.filter(|_| can_grow);
            let wanted = identity_of(&before.unwrap_or(spec), session, rounds);
            stored.shard == session.shard() && may_continue(&stored.identity, &wanted)
        })
    })
}

/// The tournament as it continues what its folder holds, where players that are new are added.
fn grown<'a, P: Searchable>(
    spec: &'a TournamentSpec,
    session: &mut Session<'_, P>,
    rounds: u64,
) -> Result<Cow<'a, TournamentSpec>> {
    let Some(stored) = stored_in(&session.folder) else {
        return Ok(Cow::Borrowed(spec));
    };
    let (mut grown, before) = continuing(spec, &stored);
    let continues = |before: &TournamentSpec| {
        let wanted = || identity_of(before, session, rounds);
        stored.shard == session.shard() && may_continue(&stored.identity, &wanted())
    };
    if let Some(before) = before.filter(continues) {
        if let Some(why) = why_it_cannot_grow(spec, session.shard()) {
            let message = format!("'{}': {why}", session.folder.display());
            return Err(ExperimentError::Input(message));
        }
        let mut ledger = Ledger::open_stored(&session.folder)?;
        session.tell_repaired(&ledger)?;
        let pair = ledger.finished()?.into_iter().max().map_or(0, |last| last + 1);
        let players = before.seats.len() as u16;
        grown.grown.push(Growth { players, pair });
        ledger.describe_as(&Manifest {
            identity: identity_of(&grown, session, rounds),
            labels: grown.labels.clone(),
            spec_toml: grown.table(&session.folder).to_string(),
            ..stored
        })?;
    }
    Ok(Cow::Owned(grown))
}

fn started_line(spec: &TournamentSpec, crosstable: &Crosstable, rounds: u64, share: u64) -> String {
    let (players, pairings) = (spec.labels.len(), spec.pairings.len());
    let games = spec.conditions.games_per_pair();
    let (done, of) = (games * crosstable.pairs, games * share);
    let resumed = match done {
        0 => String::new(),
        _ if crosstable.is_over() => ", already finished".to_owned(),
        done => format!(", resumed after {done}"),
    };
    let (pairings, rounds) = (plural(pairings as u64, "pairing"), plural(rounds, "round"));
    let most = if spec.is_adaptive { " at most" } else { "" };
    format!("{players} players, {pairings}, {rounds}: {of} games{most}{resumed}")
}

fn tell_counted<P: Searchable>(
    session: &mut Session<'_, P>,
    spec: &TournamentSpec,
    count: &Crosstable,
    until: u64,
) -> Result<(), FileError> {
    let about = |rate: f64| {
        let mut standings = report::standings(spec, count);
        standings.parts.insert(0, format!("{:.1} games/s", 2.0 * rate));
        standings
    };
    session.on_event(RunEvent::Done {
        done: count.pairs,
        of: until.min(count.pairs_max),
        unit: Unit::Pairs,
        about: &about,
    })
}

/// What the folder says of its run, also where pairs of it are damaged.
fn stored_in(folder: &Path) -> Option<Manifest> {
    let (ledger, _) = Ledger::open_to_examine(folder, &Interrupt::default()).ok()?;
    ledger.manifest().ok()
}

/// The tournament as it continues what is stored; and if that has fewer players, as it was before the others are added.
fn continuing(spec: &TournamentSpec, stored: &Manifest) -> (TournamentSpec, Option<TournamentSpec>) {
    let mut spec = spec.clone();
    let source = Source::parse(&stored.spec_toml, "the specification");
    let begun = source.map(|source| TournamentKeys::read(&source, &[]));
    let Ok(Ok(begun)) = begun else { return (spec, None) };
    if spec.grown.is_empty() {
        spec.grown = begun.grown;
    }
    let players = begun.seats.len();
    let may_grow = players < spec.seats.len() && spec.labels.starts_with(&begun.labels);
    let before = may_grow.then(|| spec.first(players));
    (spec, before)
}

fn pool<'a, P: Searchable>(
    spec: &'a TournamentSpec,
    programs: &Arc<ExternalEngines>,
    interrupt: &Interrupt,
) -> EnginePool<'a, P> {
    let (programs, interrupt) = (Arc::clone(programs), interrupt.clone());
    let tables = programs.tables.clone();
    let make_player = move |number: u16| {
        let seat = &spec.seats[usize::from(number)];
        player::<P>(&spec.conditions, seat, PlayerId::A, &programs, &interrupt)
    };
    EnginePool::new(spec.seats.len(), spec.conditions.rules, Box::new(make_player)).with_endgames(tables)
}

fn crosstable(spec: &TournamentSpec, ledger: &Ledger, rounds: u64) -> Result<Crosstable, LedgerError> {
    let shard = ledger.shard();
    let rule = StopRule {
        is_extended: ledger.is_extended()?,
        ..spec.conditions.stop_rule_of(shard, rounds)
    };
    let mut crosstable = Crosstable::new(spec.labels.len(), &spec.pairings, rule);
    crosstable.pairs_max = shard.share(crosstable.pairs_max);
    Ok(if spec.is_adaptive {
        crosstable.adaptive(rounds)
    } else {
        crosstable
    })
}

fn find(
    spec: &TournamentSpec,
    ledger: &Ledger,
    crosstable: Crosstable,
    counted: u64,
) -> Result<TournamentFindings, LedgerError> {
    Ok(TournamentFindings {
        game: spec.conditions.game,
        engines: engines::count(ledger, &spec.labels, counted)?,
        hosts: hosts::count(ledger, counted)?,
        labels: spec.labels.clone(),
        anchor: spec.anchor,
        crosstable,
        counted,
        shard: ledger.shard(),
    })
}

#[derive(Debug)]
pub struct TournamentFindings {
    pub game: Game,
    pub labels: Vec<String>,
    pub anchor: Option<(usize, f64)>,
    pub crosstable: Crosstable,
    /// The pairs of lower numbers are counted.
    pub counted: u64,
    pub shard: Shard,
    pub engines: Vec<EngineTotals>,
    pub hosts: Vec<HostTotals>,
}

impl TournamentFindings {
    fn progress(&self) -> Progress {
        Progress::new(self.crosstable.pairs, self.crosstable.pairs_max, Unit::Pairs)
    }

    /// Are the players versions in their order, each against the first?
    fn is_series(&self) -> bool {
        let cells = &self.crosstable.cells;
        self.anchor.is_some_and(|(first, _)| first == 0) && cells.iter().all(|cell| cell.players[0] == 0)
    }
}

impl Found for TournamentFindings {
    fn kind(&self) -> Option<&'static str> {
        Some(KIND.name)
    }

    fn document<'a>(&'a self, games: Option<&Gathered>) -> Document<'a> {
        report::document(self, games)
    }

    fn gathered(&self, ledger: &Ledger) -> Result<Option<Gathered>, LedgerError> {
        Gathered::of(ledger, self.counted, true).map(Some)
    }

    fn write_bulk(&self, folder: &Path, ledger: Option<&Ledger>) -> Result<bool, FileError> {
        let Some(ledger) = ledger else { return Ok(false) };
        game_files::write_games(folder, ledger, self.game, self.counted, &self.labels, true)?;
        Ok(true)
    }

    fn pairs(&self) -> Option<u64> {
        Some(self.counted)
    }

    fn numbers(&self) -> Overview {
        Overview {
            // Places that an adaptive tournament leaves out are counted, but nobody played there.
            pairs: Some(self.crosstable.pairs),
            games: Some(2 * self.crosstable.pairs),
            faults: Some(Overview::faults_of(&self.crosstable.faults)),
            progress: Some(ExpectedProgress::of(self.progress())),
            ..Overview::default()
        }
    }

    fn game(&self) -> Option<Game> {
        Some(self.game)
    }

    fn invalid(&self) -> Option<InvalidRun> {
        let is_over = self.crosstable.is_over();
        InvalidRun::of_counts(&self.crosstable.faults, &self.labels).filter(|_| is_over)
    }
}
