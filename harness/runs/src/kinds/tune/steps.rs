//! A tuning by real games.
//!
//! Pair n belongs to iteration n / pairs per iteration. No pair is handed out before the trial of its iteration is fixed, and
//! results are applied in the order of the schedule, so a ledger gives the same tuning again.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tanren_engine::search::Searchable;

use crate::config::MatchSpec;
use crate::document::columns::RowWriter;
use crate::document::file::{FileError, write_text};
use crate::document::table::{Align, inner_table, titled};
use crate::interrupt::Interrupt;
use crate::ledger::Ledger;
use crate::match_state::FaultCounts;
use crate::openings::Opening;
use crate::platform::lock;
use crate::play::{GameTable, LiveSlot, PlayPairs, Unplayed};
use crate::record::{PairFault, PairOutcome, PairRecord, PlayerId};
use crate::runner::PairCounter;
use crate::schedule::PairPlan;
use crate::session::error::Result;
use crate::session::external_engines::ExternalEngines;
use crate::session::hosts;
use crate::session::observer::{RunEvent, RunObserver, Standings};
use crate::session::outcome::Unit;
use crate::session::seating;

use super::optimizer::{Tuner, TuningStep};
use super::report::step_columns;
use super::{TuningFindings, TuningSpec};

/// Of so many steps at most the findings keep every one.
const STEPS_MAX: u64 = 400;

/// Counts pairs into steps, and tells and writes every step.
pub(super) struct Steps<'a> {
    tuner: &'a Mutex<Tuner>,
    pairs_max: u64,
    pairs: u64,
    balance: i64,
    found: TuningFindings,
    observer: &'a mut dyn RunObserver,
    file: Option<StepsFile>,
    failure: Option<FileError>,
}

struct StepsFile {
    path: PathBuf,
    rows: RowWriter<'static, TuningStep, File>,
}

impl StepsFile {
    fn begin(folder: &Path, spec: &TuningSpec) -> Result<StepsFile, FileError> {
        write_text(&folder.join("run.toml"), &spec.text(folder))?;
        let path = folder.join("spsa.csv");
        let columns = step_columns(&spec.space.parameters);
        let begun = File::create(&path).and_then(|output| {
            let mut rows = columns.writer(output)?;
            rows.flush().map(|()| rows)
        });
        let rows = begun.map_err(FileError::unwritable(&path))?;
        Ok(StepsFile { path, rows })
    }

    fn write(&mut self, step: &TuningStep) -> Result<(), FileError> {
        let StepsFile { path, rows } = self;
        let written = rows
            .write(step)
            .map_err(io::Error::from)
            .and_then(|()| rows.flush());
        written.map_err(FileError::unwritable(path))
    }
}

impl<'a> Steps<'a> {
    pub(super) fn new(
        spec: &TuningSpec,
        tuner: &'a Mutex<Tuner>,
        pairs_max: u64,
        folder: &Path,
        observer: &'a mut dyn RunObserver,
    ) -> Result<Steps<'a>, FileError> {
        let mut file = None;
        observer.on_event(RunEvent::Write(&mut || {
            file = Some(StepsFile::begin(folder, spec)?);
            Ok(())
        }))?;
        Ok(Steps {
            tuner,
            pairs_max,
            pairs: 0,
            balance: 0,
            found: TuningFindings {
                spec: spec.clone(),
                steps: Vec::new(),
                last: None,
                faults: FaultCounts::of_sides(spec.games.conditions.faults),
                hosts: Vec::new(),
                confirmation: None,
            },
            observer,
            file,
            failure: None,
        })
    }

    fn step(&mut self, step: TuningStep) {
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.write(&step)) {
            self.failure.get_or_insert(error);
        }
        let plan = &self.found.spec.plan;
        let done = step.trial.iteration + 1;
        let about = |rate: f64| moved_most(&self.found.spec, &step, rate);
        // What only shows something has nothing that could fail.
        let _ = self.observer.on_event(RunEvent::Done {
            done,
            of: plan.iterations,
            unit: Unit::Iterations,
            about: &about,
        });
        if done == 1 || done.is_multiple_of(plan.iterations.div_ceil(STEPS_MAX)) {
            self.found.steps.push(step.clone());
        }
        self.found.last = Some(step);
    }

    pub(super) fn end(mut self, ledger: &Ledger) -> Result<TuningFindings> {
        self.observer.on_event(RunEvent::Over)?;
        self.failure.map_or(Ok(()), Err)?;
        self.found.hosts = hosts::count(ledger, self.found.tuning_pairs())?;
        Ok(self.found)
    }
}

impl PairCounter for Steps<'_> {
    fn count(&mut self, pair: PairOutcome) {
        self.pairs += 1;
        self.balance += balance(&pair);
        self.found.faults.count(&pair);
        if self
            .pairs
            .is_multiple_of(self.found.spec.plan.pairs_per_iteration)
        {
            let step = lock(self.tuner).apply(std::mem::take(&mut self.balance));
            if let Some(step) = step {
                self.step(step);
            }
        }
    }

    fn is_decided(&self) -> bool {
        self.pairs >= self.pairs_max || self.found.faults.in_a_row().is_some()
    }
}

/// Parameters that are shown while it is tuned.
const MOVED_SHOWN: usize = 6;

/// Games that A won less those that B won.
fn balance(pair: &PairOutcome) -> i64 {
    let of_game = |winner| match winner {
        Some(PlayerId::A) => 1,
        Some(PlayerId::B) => -1,
        None => 0,
    };
    pair.games.iter().map(|game| of_game(game.winner)).sum()
}

fn moved_most(spec: &TuningSpec, step: &TuningStep, rate: f64) -> Standings {
    let parameters = spec.space.parameters.iter().zip(&step.estimate);
    let moved = parameters.map(|(parameter, &now)| (parameter.place(now), &parameter.name));
    let mut moved: Vec<(f64, &String)> = moved.collect();
    moved.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let games = 2.0 * rate * spec.plan.pairs_per_iteration as f64;
    let gain = step.gain.map(|elo| format!("estimated gain {elo:+.1} Elo"));
    let most = moved
        .iter()
        .take(2)
        .map(|(by, name)| format!("{name} {by:+.1} c_end"));
    let rows = moved.iter().take(MOVED_SHOWN);
    let rows = rows.map(|(by, name)| [(*name).clone(), format!("{by:+.1}")]);
    Standings {
        parts: gain
            .into_iter()
            .chain([format!("{games:.1} games/s")])
            .chain(most)
            .collect(),
        lines: inner_table(&titled(&["parameter", "moved (c_end)"], rows), Align::Keyed(1)),
    }
}

/// The match that `iteration` is; `None` if it is over.
pub(super) fn match_of(spec: &TuningSpec, tuner: &Mutex<Tuner>, iteration: u64) -> Option<MatchSpec> {
    let sides = lock(tuner).trial(iteration)?.sides();
    let seats = sides.map(|values| {
        let seat = spec.seat(&values);
        seat.unwrap_or_else(|error| unreachable!("values within the space: {error}"))
    });
    let conditions = spec.games.conditions.clone();
    Some(MatchSpec { conditions, seats })
}

/// The table of one worker, whose players have the values of the iteration that it plays.
pub(super) struct TuneTable<'a, P: Searchable> {
    pub(super) spec: &'a TuningSpec,
    pub(super) tuner: &'a Mutex<Tuner>,
    pub(super) programs: &'a ExternalEngines,
    pub(super) interrupt: &'a Interrupt,
    pub(super) table: Option<(u64, GameTable<P>)>,
    pub(super) live_slot: Option<LiveSlot>,
}

impl<P: Searchable> PlayPairs<P> for TuneTable<'_, P> {
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<P>,
        replayed: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed> {
        let iteration = plan.pair / self.spec.plan.pairs_per_iteration;
        let mut present = self.table.take();
        if present.as_ref().is_none_or(|(of, _)| *of != iteration) {
            let games = match_of(self.spec, self.tuner, iteration).ok_or(Unplayed::Interrupted)?;
            // Engines are kept: to start one takes as long as several short games.
            let kept = present.map(|(_, table)| table);
            let kept = kept.and_then(|mut table| table.set_options_of(&games.seats).then_some(table));
            let table = kept.unwrap_or_else(|| {
                let table = seating::table(&games, self.programs, self.interrupt);
                table.with_live_slot(self.live_slot.clone())
            });
            present = Some((iteration, table));
        }
        let (_, table) = self.table.insert(present.ok_or(Unplayed::Interrupted)?);
        table.play_pair(plan, opening, replayed)
    }

    fn show_in(&mut self, slot: LiveSlot) {
        self.live_slot = Some(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_core::fixtures::pair;

    #[test]
    fn a_balance_is_the_games_that_a_won_less_those_that_b_won() {
        let of_half_points = |halves| balance(&PairOutcome::from(&pair(0, halves, 0)));
        let halves = [[2, 2], [2, 1], [0, 0], [0, 1], [2, 0], [1, 1]];
        assert_eq!(halves.map(of_half_points), [2, 1, -2, -1, 0, 0]);
    }
}
