//! A match from its specification to its outcome, alone or as a part of a larger run.

pub(crate) mod game_files;
pub(crate) mod page;
pub(crate) mod report;

use std::path::Path;
use std::sync::Arc;

use tanren_engine::game::Game;
use tanren_engine::search::Searchable;

use crate::config::{Identity, MatchKeys, MatchSpec, MoveLimit, ProcessSpec, Seat};
use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::document::summary::{Summary, outlook};
use crate::event::{Event, Warning};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError};
use crate::match_state::{MatchState, Verdict};
use crate::openings::OpeningSuite;
use crate::record::PairFault;
use crate::runner;
use crate::schedule::{PairPlan, Schedule};
use crate::session::engines::{self, EngineTotals};
use crate::session::error::{ExperimentError, Result, StoppedByFault};
use crate::session::external_engines::ExternalEngines;
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::hosts::{self, HostTotals};
use crate::session::kind::{Holds, Keys, KeysInfo, Kind, KindInfo, StoredGames, Workload};
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, Unit};
use crate::session::overview::Overview;
use crate::session::seating::{table, table_text};
use crate::session::stored::{Run, StoredSeats};
use crate::session::{Games, Needs, Session, engine_signature};
use crate::stop::StopRule;

pub static KIND: KindInfo = KindInfo {
    name: "match",
    holds: Holds::Pairs,
    workload: Workload::Games,
    pauses: true,
    keys: KeysInfo::of::<MatchKeys>(),
};

impl Keys for MatchKeys {
    type Spec = MatchSpec;
    const FILE_KEYS: &'static [&'static str] = &["player"];

    fn spec(&self, _: Option<&Path>) -> Result<MatchSpec> {
        Ok(MatchSpec::from_keys(self)?)
    }
}

impl Kind for MatchSpec {
    fn needs(&self) -> Needs<'_> {
        Needs::of_match(self)
    }

    fn check_new(&self) -> Result<()> {
        self.needs().check_players()?;
        let [a, b] = self.seats.each_ref().map(|seat| &seat.player);
        if a.label != b.label || a.kind == b.kind && self.seats[0].limit == self.seats[1].limit {
            return Ok(());
        }
        let label = &a.label;
        Err(ExperimentError::Input(format!(
            "players a and b are both called '{label}': give one of them another name, as in name=other"
        )))
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.conditions.game, play(self, options, observer))
    }

    fn recount(&self, run: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let found = recount(self, run)?;
        let is_over = found.match_state.is_decided();
        Ok((Box::new(found), is_over))
    }

    fn text(&self, folder: &Path) -> Option<String> {
        Some(self.table(folder).to_string())
    }

    fn has_test(&self) -> bool {
        self.conditions.sprt.is_some()
    }

    fn games(&self) -> Option<StoredGames> {
        Some(StoredGames::of_two(&self.conditions))
    }

    fn seats(&self, _: &Path) -> Result<StoredSeats, String> {
        let (conditions, seats) = (self.conditions.clone(), self.seats.to_vec());
        Ok(StoredSeats { conditions, seats })
    }
}

fn rule(spec: &MatchSpec, ledger: &Ledger, pairs: u64) -> Result<StopRule, LedgerError> {
    let shard = ledger.shard();
    Ok(StopRule {
        is_extended: spec.conditions.sprt.is_none() && ledger.is_extended()?,
        ..spec.conditions.stop_rule_of(shard, shard.share(pairs))
    })
}

pub(crate) fn recount(spec: &MatchSpec, run: &Run) -> Result<MatchFindings> {
    let mut match_state = MatchState::new(rule(spec, &run.ledger, run.pairs()?)?);
    runner::recount(&run.ledger, &mut match_state)?;
    let labels = run.manifest.labels_of([0, 1]);
    Ok(find(spec, labels, &run.ledger, match_state)?)
}

fn play<P: Searchable>(
    spec: &MatchSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Outcome> {
    let conditions = &spec.conditions;
    let mut session = Session::<P>::open(spec, options, observer)?;
    let pairs = conditions.pairs_max(session.suite.openings.len())?;
    if spec.is_mirror() {
        session.on_event(RunEvent::Warning(Warning::Mirror))?;
    }
    let share = session.shard().share(pairs);
    let until = session.pairs_until_pause(share);
    let played = play_in(spec, [pairs, until], &mut session);
    session.end(Unit::Pairs)?;
    let (found, fault) = played?;
    let (repeated, counted) = (found.match_state.repeated, found.match_state.tally().pairs());
    if repeated > 0 && fault.is_none() {
        session.on_event(RunEvent::Warning(Warning::RepeatedPairs {
            pairs: repeated,
            of: counted,
        }))?;
    }
    let fault = fault.map(|fault| StoppedByFault::of(&found.labels, fault));
    let is_over = found.match_state.is_decided();
    Ok(session.outcome(found, fault, is_over, Progress::new(counted, share, Unit::Pairs)))
}

/// Plays `spec`, of so many pairs, or what is left of it, up to so many of them now, with the openings and in the folder of
/// `session`, and has its files written. A fault after which the run is to stop ends a larger run as well.
pub(crate) fn play_in<P: Searchable>(
    spec: &MatchSpec,
    [pairs, until]: [u64; 2],
    session: &mut Session<'_, P>,
) -> Result<(MatchFindings, Option<PairFault>)> {
    session.check_signal()?;
    let (conditions, labels) = (&spec.conditions, labels(spec));
    let [a, b] = &labels;
    let name = (conditions.name.as_deref(), &*format!("{a}-vs-{b}"));
    let identity = session.identified(identify(spec, &session.suite, pairs));
    let mut ledger = session.store(&KIND, identity, &labels, name, |folder| {
        spec.table(folder).to_string()
    })?;
    let (shard, elsewhere) = (ledger.shard(), table_text(conditions, &spec.seats));
    let games = Games {
        conditions,
        seats: &spec.seats,
        schedule: Schedule::new(conditions.seed, session.suite.openings.len(), shard.below(until)),
        window: None,
        until,
        make_table: &|programs: &Arc<ExternalEngines>, interrupt: &Interrupt| {
            table::<P>(spec, programs, interrupt)
        },
        describe: &|_: &PairPlan| elsewhere.clone(),
        tell: &|session: &mut Session<'_, P>, event: &Event<'_>| {
            if let (Event::Started { count }, false) = (event, session.is_part()) {
                if let Some(warning) = short_test(count) {
                    session.on_event(RunEvent::Warning(warning))?;
                }
                let of = match shard.is_whole() {
                    true => String::new(),
                    false => format!(", shard {shard}"),
                };
                let state = state(count, until, conditions.games_per_pair());
                let line = format!("{a} against {b}{of}: {state}");
                session.tell_started(&line, count.tally().pairs())?;
            }
            let workers = session.executor().concurrency();
            session.on_event(RunEvent::Play {
                event,
                labels: &labels,
                pairs_max: until,
                workers,
            })
        },
    };
    let mut rule = rule(spec, &ledger, pairs)?;
    // The run that a part belongs to plans the pairs of its parts.
    rule.is_extended &= !session.is_part();
    let match_state = MatchState::new(rule);
    session.play(games, &mut ledger, match_state, |ledger, match_state| {
        find(spec, labels.clone(), ledger, match_state)
    })
}

/// A test without results that will probably end undecided, since it has too few pairs.
fn short_test(match_state: &MatchState) -> Option<Warning<'static>> {
    let pairs = match_state.progress.rule.pairs_max;
    let outlook = outlook(match_state).filter(|_| match_state.tally().pairs() == 0)?;
    let probability = outlook.decided_within(pairs as f64);
    (probability < 0.5).then(|| Warning::ShortTest {
        pairs,
        expected: outlook.pairs() as u64,
        probability,
    })
}

fn state(match_state: &MatchState, pairs_max: u64, games: u64) -> String {
    match match_state.tally().pairs() {
        _ if match_state.is_decided() => "already finished".to_owned(),
        done if done > pairs_max => {
            format!(
                "{} games are played, more than the {} that are asked for",
                games * done,
                games * pairs_max
            )
        }
        0 => {
            let expected = outlook(match_state).map(|outlook| outlook.pairs());
            // Where more are expected than there can be, a warning says so.
            let expected = expected.filter(|&pairs| pairs <= pairs_max as f64);
            let expected = expected.map(|pairs| format!(", about {:.0} expected", games as f64 * pairs));
            format!(
                "{} games at most{}",
                games * pairs_max,
                expected.unwrap_or_default()
            )
        }
        done => format!("resumed after {} of {} games", games * done, games * pairs_max),
    }
}

fn find(
    spec: &MatchSpec,
    labels: [String; 2],
    ledger: &Ledger,
    match_state: MatchState,
) -> Result<MatchFindings, LedgerError> {
    let counted = match_state.tally().pairs();
    Ok(MatchFindings {
        game: spec.conditions.game,
        limits: spec.seats.each_ref().map(|seat| seat.limit),
        hash: spec
            .seats
            .each_ref()
            .map(|seat| hash(seat, spec.conditions.hash_mib)),
        engines: engines::count(ledger, &labels, counted)?,
        hosts: hosts::count(ledger, counted)?,
        labels,
        match_state,
    })
}

/// An external engine may have an option of its own in place of `--hash`.
fn hash(seat: &Seat, hash_mib: usize) -> String {
    let own = seat.player.process().and_then(ProcessSpec::hash);
    own.map_or_else(|| hash_mib.to_string(), str::to_owned)
}

pub(crate) fn labels(spec: &MatchSpec) -> [String; 2] {
    spec.seats.each_ref().map(|seat| seat.player.label.clone())
}

pub(crate) fn identify<P: Searchable>(spec: &MatchSpec, suite: &OpeningSuite<P>, pairs: u64) -> Identity {
    let engine = engine_signature(&spec.seats, suite);
    spec.identity(&suite.sha256, pairs, &engine)
}

#[derive(Debug)]
pub struct MatchFindings {
    pub game: Game,
    pub limits: [MoveLimit; 2],
    /// The hash table of each, in MiB.
    pub hash: [String; 2],
    pub labels: [String; 2],
    pub match_state: MatchState,
    pub engines: Vec<EngineTotals>,
    pub hosts: Vec<HostTotals>,
}

impl Found for MatchFindings {
    fn kind(&self) -> Option<&'static str> {
        Some(KIND.name)
    }

    fn document<'a>(&'a self, games: Option<&Gathered>) -> Document<'a> {
        report::document(self, games)
    }

    fn gathered(&self, ledger: &Ledger) -> Result<Option<Gathered>, LedgerError> {
        Gathered::of(ledger, self.match_state.tally().pairs(), false).map(Some)
    }

    fn write_bulk(&self, folder: &Path, ledger: Option<&Ledger>) -> Result<bool, FileError> {
        let Some(ledger) = ledger else { return Ok(false) };
        let counted = self.match_state.tally().pairs();
        game_files::write_games(folder, ledger, self.game, counted, &self.labels, false)?;
        report::write_steps(folder, self)?;
        Ok(true)
    }

    fn invalid(&self) -> Option<InvalidRun> {
        InvalidRun::of_match(&self.match_state, &self.labels)
    }

    fn verdict(&self) -> Option<Verdict> {
        Some(self.match_state.verdict())
    }

    fn pairs(&self) -> Option<u64> {
        Some(self.match_state.tally().pairs())
    }

    fn numbers(&self) -> Overview {
        Overview::of_match(&Summary::new(&self.match_state, &self.labels), &self.match_state)
    }

    fn game(&self) -> Option<Game> {
        Some(self.game)
    }
}
