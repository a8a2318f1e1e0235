//! The pairs of one run, handed out one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use tanren_engine::game::{Path, Position};

use super::executor::{UnitTask, Work, Worker};
use super::queue::PairQueue;
use super::{Elsewhere, PairRun};
use crate::config::FaultAction;
use crate::play::{LiveGame, LiveGames, PlayPairs, RuleViolation, rule_violation};
use crate::record::{Finished, PairFault, PairRecord};
use crate::schedule::PairPlan;

pub(super) struct Pairs<'a, P: Position, T> {
    pub(super) run: &'a PairRun<'a, P, T>,
    pub(super) queue: PairQueue,
    /// Where its games are seen while they are played.
    pub(super) live_games: &'a Arc<LiveGames>,
}

impl<P: Position, T: PlayPairs<P>> Work for Pairs<'_, P, T> {
    fn queue(&self) -> &PairQueue {
        &self.queue
    }

    fn worker(&self) -> Worker<'_> {
        let mut table = (self.run.make_table)();
        table.show_in(self.live_games.slot());
        Box::new(move |plan, replayed| {
            let played = table.play_pair(plan, &self.run.openings[plan.opening], replayed);
            played.map(Finished::Pair)
        })
    }

    fn task(&self, plan: &PairPlan) -> Option<UnitTask> {
        let opening = &self.run.openings[plan.opening];
        Some(UnitTask {
            plan: *plan,
            table: (self.run.elsewhere.as_ref()?.table)(plan)?,
            opening: opening.text(),
            opening_line: opening.line,
        })
    }

    fn check(&self, plan: &PairPlan, record: &Finished) -> Result<(), String> {
        match record {
            Finished::Pair(record) => self
                .check_pair(plan, record)
                .map_err(|rule_violation| rule_violation.to_string()),
            Finished::Search(_) => Err("it is no pair".to_owned()),
            Finished::Stopped(fault) => self.check_stop(plan, fault).map_err(str::to_owned),
        }
    }

    fn show(&self, machine: &str, games: Vec<LiveGame>) {
        self.live_games.set_remote(machine, games);
    }

    fn engines(&self) -> BTreeMap<String, String> {
        let elsewhere = self.run.elsewhere.as_ref();
        elsewhere.map_or_else(BTreeMap::new, |elsewhere| elsewhere.engines.clone())
    }

    fn is_timed(&self) -> bool {
        self.run
            .elsewhere
            .as_ref()
            .is_some_and(|elsewhere| elsewhere.is_timed)
    }
}

impl<P: Position, T> Pairs<'_, P, T> {
    /// Is the run to stop after such a fault of one of these players?
    fn check_stop(&self, plan: &PairPlan, fault: &PairFault) -> Result<(), &'static str> {
        let of_player =
            |elsewhere: &Elsewhere<'_>| elsewhere.policies.get(usize::from(fault.player)).copied();
        let policy = self.run.elsewhere.as_ref().and_then(of_player);
        let action = policy.and_then(|policy| policy.action(fault.reason));
        let is_of_plan = fault.pair == plan.pair && fault.game < 2 && plan.players.contains(&fault.player);
        match is_of_plan && action == Some(FaultAction::Stop) {
            true => Ok(()),
            false => Err("it stopped at what stops nothing"),
        }
    }

    fn check_pair(&self, plan: &PairPlan, record: &PairRecord) -> Result<(), RuleViolation> {
        let opening = &self.run.openings[plan.opening];
        let is_of_plan = record.pair == plan.pair
            && record.players == plan.players
            && record.games.each_ref().map(|game| game.seed) == plan.seeds;
        if !is_of_plan {
            return Err(RuleViolation::Schedule);
        }
        let position = opening.position();
        let is_opening = record.opening == position.to_string() && record.book == opening.book();
        if record.opening_line != opening.line || !is_opening {
            return Err(RuleViolation::OtherOpening(opening.line));
        }
        let rules = self.run.elsewhere.as_ref().map(|elsewhere| elsewhere.rules);
        let (rules, mut path) = (rules.unwrap_or_default(), Path::default());
        let is_alone = |index| index == PairPlan::alone(plan.pair, position.side_to_move());
        let mut games = record.games.iter().enumerate();
        if games.any(|(index, game)| game.is_played() == (rules.single_games && !is_alone(index))) {
            return Err(RuleViolation::Schedule);
        }
        let mut games = record.played();
        let found = games.find_map(|(_, game)| rule_violation(&position, &mut path, game, &rules));
        found.map_or(Ok(()), Err)
    }
}
