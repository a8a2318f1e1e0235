//! The searches of a study, handed out one by one.

use std::collections::BTreeMap;

use tanren_engine::search::Searchable;

use super::check::check;
use super::conditions::NodesStudy;
use super::worker::SearchWorker;

use crate::record::Finished;
use crate::runner::{PairQueue, Task, Work, Worker};
use crate::schedule::PairPlan;

/// What is left to search of a study.
pub(crate) struct Searches<'a, P> {
    pub(crate) study: &'a NodesStudy<'a, P>,
    pub(crate) queue: PairQueue,
}

/// The plans of all searches of so many players and positions, position by position, so that what an interrupted study has can be
/// compared. Numbers go player by player, as searches are stored.
pub(crate) fn plans(
    players: usize,
    positions: usize,
) -> impl Iterator<Item = PairPlan> + Clone + Send + 'static {
    let jobs = (0..positions).flat_map(move |position| (0..players).map(move |player| (player, position)));
    jobs.map(move |(player, position)| PairPlan {
        pair: (player * positions + position) as u64,
        players: [0; 2],
        opening: position,
        seeds: [0; 2],
    })
}

impl<P> Searches<'_, P> {
    fn player(&self, plan: &PairPlan) -> usize {
        plan.pair as usize / self.study.positions.len().max(1)
    }
}

impl<P: Searchable> Work for Searches<'_, P> {
    fn queue(&self) -> &PairQueue {
        &self.queue
    }

    fn worker(&self) -> Worker<'_> {
        let (players, conditions) = (self.study.players.to_vec(), self.study.conditions.clone());
        let mut worker = SearchWorker::new(players, conditions, self.interrupt());
        Box::new(move |plan, _| {
            let position = &self.study.positions[plan.opening];
            let found = worker.search(plan.pair, self.player(plan), position);
            found.map(Finished::Search)
        })
    }

    fn task(&self, plan: &PairPlan) -> Option<Task> {
        Some(Task {
            plan: *plan,
            table: self.study.elsewhere.tables.get(self.player(plan))?.clone(),
            opening: self.study.positions[plan.opening].to_string(),
            opening_line: *self.study.lines.get(plan.opening)?,
        })
    }

    fn check(&self, plan: &PairPlan, record: &Finished) -> Result<(), String> {
        let Finished::Search(search) = record else {
            return Err("it is no search".to_owned());
        };
        let (position, player) = (
            &self.study.positions[plan.opening],
            &self.study.players[self.player(plan)],
        );
        check(search, position, player, &self.study.conditions)
    }

    fn engines(&self) -> BTreeMap<String, String> {
        self.study.elsewhere.engines.clone()
    }

    fn is_timed(&self) -> bool {
        false
    }
}
