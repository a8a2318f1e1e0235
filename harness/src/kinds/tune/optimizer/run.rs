//! A tuning by real games.
//!
//! Pair n belongs to iteration n / pairs per iteration. No pair is handed out before the trial of its iteration is fixed, and
//! results are applied in the order of the schedule, so a ledger gives the same tuning again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tanren_engine::game::Position;

use super::{Step, Trial, Tuner};

use crate::config::{FaultPolicy, Rules};
use crate::endgame::Tables;
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError};
use crate::match_state::FaultCounts;
use crate::openings::Opening;
use crate::play::{LiveSlot, PlayPairs, Table, Unplayed};
use crate::player::Player;
use crate::record::{PairFault, PairOutcome, PairRecord, PlayerId};
use crate::runner::{self, Count, Elsewhere, Executor, PlayError, Run, Window};
use crate::schedule::{PairPlan, Schedule};
use crate::stop::FaultLimits;

pub type MakePlayer<'a, P> = dyn Fn(PlayerId, &[f64]) -> Box<dyn Player<P>> + Sync + 'a;

pub struct TuneRun<'a, P: Position> {
    pub openings: &'a [Opening<P>],
    pub schedule: Schedule,
    pub make_player: &'a MakePlayer<'a, P>,
    /// The table of a trial as keys of a match, for workers elsewhere.
    pub describe: &'a (dyn Fn(&Trial) -> Option<String> + Sync),
    pub rules: Rules,
    pub tables: Option<Tables>,
    pub policies: Vec<FaultPolicy>,
    pub is_timed: bool,
    pub engines: BTreeMap<String, String>,
    pub faults: FaultLimits,
    pub interrupt: &'a Interrupt,
    pub pairs_max: u64,
}

/// Plays what is left of `tuner`, telling `listener` of every step, of those in the ledger first. With the faults of its games,
/// and the one after which it was to stop, if one was.
pub fn tune<P: Position>(
    run: &TuneRun<'_, P>,
    tuner: Tuner,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    listener: &mut dyn FnMut(&Step),
) -> Result<(Tuner, FaultCounts, Option<PairFault>), PlayError> {
    let plan = tuner.plan;
    let shared = Arc::new(Mutex::new(tuner));
    let make_table = || TuneTable {
        tuner: Arc::clone(&shared),
        pairs_per_iteration: plan.pairs_per_iteration,
        make_player: run.make_player,
        rules: run.rules,
        tables: run.tables.clone(),
        seated: None,
        seat: None,
    };
    let describe = |pair: &PairPlan| {
        let trial = lock(&shared).trial(pair.pair / plan.pairs_per_iteration)?.clone();
        (run.describe)(&trial)
    };
    let runner_run = Run {
        openings: run.openings,
        seed: plan.seed,
        pairs_max: run.pairs_max.min(plan.pairs()),
        make_table: &make_table,
        elsewhere: Some(Elsewhere {
            table: &describe,
            rules: run.rules,
            policies: run.policies.clone(),
            is_timed: run.is_timed,
            engines: run.engines.clone(),
        }),
        interrupt: run.interrupt,
    };
    let mut steps = Steps::new(Arc::clone(&shared), runner_run.pairs_max, run.faults, listener);
    let window = Window {
        block: plan.pairs_per_iteration,
        ahead: plan.lag - 1,
    };
    let fault = runner::play_counted(
        &runner_run,
        run.schedule.clone(),
        window,
        executor,
        ledger,
        &mut steps,
    )?;
    let faults = steps.end();
    Ok((taken(shared), faults, fault))
}

/// Applies what `ledger` holds, as far as it goes without a gap, telling `listener` of every step. With the faults of its
/// games.
pub fn recount(
    tuner: Tuner,
    limits: FaultLimits,
    ledger: &Ledger,
    listener: &mut dyn FnMut(&Step),
) -> Result<(Tuner, FaultCounts), LedgerError> {
    let pairs = tuner.plan.pairs();
    let shared = Arc::new(Mutex::new(tuner));
    let mut steps = Steps::new(Arc::clone(&shared), pairs, limits, listener);
    runner::recount(ledger, &mut steps)?;
    let faults = steps.end();
    Ok((taken(shared), faults))
}

fn taken(shared: Arc<Mutex<Tuner>>) -> Tuner {
    let Some(tuner) = Arc::into_inner(shared) else {
        unreachable!("all workers are gone")
    };
    tuner.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn lock(tuner: &Mutex<Tuner>) -> MutexGuard<'_, Tuner> {
    tuner.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Steps<'a> {
    tuner: Arc<Mutex<Tuner>>,
    pairs_per_iteration: u64,
    pairs_max: u64,
    pairs: u64,
    balance: i64,
    faults: FaultCounts,
    listener: &'a mut dyn FnMut(&Step),
}

impl<'a> Steps<'a> {
    fn new(
        tuner: Arc<Mutex<Tuner>>,
        pairs_max: u64,
        limits: FaultLimits,
        listener: &'a mut dyn FnMut(&Step),
    ) -> Steps<'a> {
        let pairs_per_iteration = lock(&tuner).plan.pairs_per_iteration;
        Steps {
            tuner,
            pairs_per_iteration,
            pairs_max,
            pairs: 0,
            balance: 0,
            faults: FaultCounts::of_sides(limits),
            listener,
        }
    }

    fn end(self) -> FaultCounts {
        self.faults
    }
}

impl Count for Steps<'_> {
    fn count(&mut self, pair: PairOutcome) {
        self.pairs += 1;
        self.faults.count(&pair);
        for game in &pair.games {
            self.balance += match game.winner {
                Some(PlayerId::A) => 1,
                Some(PlayerId::B) => -1,
                None => 0,
            };
        }
        if self.pairs.is_multiple_of(self.pairs_per_iteration) {
            let step = lock(&self.tuner).apply(self.balance);
            self.balance = 0;
            if let Some(step) = step {
                (self.listener)(&step);
            }
        }
    }

    fn pairs(&self) -> u64 {
        self.pairs
    }

    fn is_decided(&self) -> bool {
        self.pairs >= self.pairs_max || self.faults.in_a_row().is_some()
    }
}

/// The table of one worker, whose players have the values of the iteration that it plays.
pub struct TuneTable<'a, P: Position> {
    tuner: Arc<Mutex<Tuner>>,
    pairs_per_iteration: u64,
    make_player: &'a MakePlayer<'a, P>,
    rules: Rules,
    tables: Option<Tables>,
    seated: Option<(u64, Table<P>)>,
    seat: Option<LiveSlot>,
}

impl<P: Position> TuneTable<'_, P> {
    fn sit(&self, iteration: u64) -> Option<Table<P>> {
        let trial: Trial = lock(&self.tuner).trial(iteration)?.clone();
        let players = [(PlayerId::A, &trial.plus), (PlayerId::B, &trial.minus)];
        let table = Table::new(
            players.map(|(id, values)| (self.make_player)(id, values)),
            self.rules,
        );
        let table = table.with_endgames(self.tables.clone());
        Some(table.with_live_slot(self.seat.clone()))
    }
}

impl<P: Position> PlayPairs<P> for TuneTable<'_, P> {
    fn play_pair(
        &mut self,
        plan: &PairPlan,
        opening: &Opening<P>,
        excused: &mut Vec<PairFault>,
    ) -> Result<PairRecord, Unplayed> {
        let iteration = plan.pair / self.pairs_per_iteration;
        let seated = self.seated.take().filter(|(seated, _)| *seated == iteration);
        let table = seated.map(|(_, table)| table).or_else(|| self.sit(iteration));
        let (_, table) = self
            .seated
            .insert((iteration, table.ok_or(Unplayed::Interrupted)?));
        table.play_pair(plan, opening, excused)
    }

    fn show_in(&mut self, seat: LiveSlot) {
        self.seat = Some(seat);
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::parameter;
    use super::super::{MethodName, Plan, Space, ValueKind};
    use super::*;
    use tanren_core::fixtures::pair;

    #[test]
    fn a_step_is_made_of_the_games_that_a_won_less_those_that_b_won() {
        let space = Space::new(vec![parameter("x", ValueKind::Real, 1.0)], "", |_| String::new()).unwrap();
        let plan = Plan {
            method: MethodName::Spsa,
            iterations: 3,
            pairs_per_iteration: 2,
            lag: 1,
            seed: 1,
        };
        let tuner = Arc::new(Mutex::new(Tuner::new(space, plan)));
        let mut balances = Vec::new();
        let mut listener = |step: &Step| balances.push(step.balance);
        let mut steps = Steps::new(tuner, plan.pairs(), FaultLimits::default(), &mut listener);
        // Half points of A in both games of a pair, two pairs an iteration.
        let halves = [[2, 2], [2, 1], [0, 0], [0, 1], [2, 0], [1, 0]];
        for (number, halves) in halves.into_iter().enumerate() {
            assert!(!steps.is_decided());
            steps.count(PairOutcome::from(&pair(number as u64, halves, 0)));
        }
        assert!(steps.is_decided() && steps.pairs() == 6);
        assert_eq!(balances, [3, -3, -1]);
    }
}
