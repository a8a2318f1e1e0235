//! The searches of a count, handed out one by one. Who searched, and the order of completion, show in times alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tanren_engine::search::{Counters, Searchable};

use crate::config::{ConfigError, Identity, OpeningSource, PlayerKind, PlayerSpec};
use crate::interrupt::Interrupt;
use crate::kinds::nodes::NodesSpec;
use crate::kinds::nodes::check::check;
use crate::kinds::nodes::worker::{SearchWorker, counted};
use crate::ledger::Ledger;
use crate::openings::{Opening, OpeningSuite};
use crate::player::{AnalysisLimits, signature};
use crate::record::{Finished, Search};
use crate::runner::{
    Executor, PairQueue, PlayError, QueueWindow, UnitTask, Work, Worker, ended_by, play_work,
};
use crate::schedule::PairPlan;
use crate::session::external_engines::ExternalEngines;

/// Has `executor` search what `ledger` does not hold yet and stores it there. `progress` is told how many searches are done. All
/// searches, by player and position; when `interrupt` asks for an end, those that are finished.
pub(crate) fn search_all<P: Searchable>(
    spec: &NodesSpec,
    suite: &OpeningSuite<P>,
    programs: &Arc<ExternalEngines>,
    executor: &dyn Executor,
    ledger: &mut Ledger,
    interrupt: &Interrupt,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Search>, PlayError> {
    let positions = suite.openings.len();
    let mut searches = ledger.searches()?;
    progress(searches.len());
    let of = spec.players.len() * positions;
    if searches.len() < of {
        let interrupt = interrupt.for_run();
        let plans = plans(spec.players.len(), positions);
        let units = [of, searches.len()].map(|searches| searches as u64);
        let work = Searches {
            spec,
            suite,
            programs,
            queue: PairQueue::of(
                plans,
                units,
                Some(QueueWindow::WHOLE),
                ledger,
                executor,
                &interrupt,
            )?,
        };
        let mut take = |batch: Vec<Finished>| {
            for finished in batch {
                // Nothing else comes of a search.
                if let Finished::Search(search) = finished {
                    searches.push(search.among(positions));
                    progress(searches.len());
                }
            }
            (searches.len() as u64, false)
        };
        let stop = play_work(&work, executor, ledger, &mut take)?;
        ended_by(stop, ledger, false, "searches are made")?;
    }
    searches.sort_by_key(Search::job);
    Ok(searches)
}

/// Everything that decides the searches of the built-in engine, and what other programs are told.
pub(crate) fn identity<P: Searchable>(
    spec: &NodesSpec,
    suite: &OpeningSuite<P>,
    programs: &ExternalEngines,
) -> Result<Identity, ConfigError> {
    let mut identity = Identity::default();
    identity.push("study", "nodes");
    identity.push("game", P::GAME.name());
    for (number, player) in (1..).zip(&spec.players) {
        identity.push(&format!("config {number}"), player.canonical());
    }
    identity.push("positions", &suite.sha256);
    identity.push("positions used", suite.openings.len());
    identity.push("depth", spec.depth);
    let nodes_max = spec.nodes_max.map(|nodes| nodes.to_string());
    identity.push("nodes_max", nodes_max.as_deref().unwrap_or(Identity::NONE));
    identity.push("hash", spec.hash_mib);
    // The ledger holds counters by their place in this list.
    identity.push("counters", Counters::names().join(","));
    let players = spec.players.iter().map(|player| counted(player, programs));
    let players = players.collect::<Result<Vec<PlayerKind>, ConfigError>>()?;
    let configs = players.iter().filter_map(|player| match player {
        PlayerKind::Builtin(config) => Some(&**config),
        PlayerKind::Process(_) => None,
    });
    identity.push(
        "engine",
        signature(configs, suite.openings.iter().map(Opening::position)),
    );
    Ok(identity)
}

/// What is left to search.
struct Searches<'a, P> {
    spec: &'a NodesSpec,
    suite: &'a OpeningSuite<P>,
    programs: &'a Arc<ExternalEngines>,
    queue: PairQueue,
}

/// The plans of all searches of so many players and positions, position by position, so that what an interrupted count has can be
/// compared. Numbers go player by player, as searches are stored.
fn plans(players: usize, positions: usize) -> impl Iterator<Item = PairPlan> + Clone + Send + 'static {
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
        plan.pair as usize / self.suite.openings.len().max(1)
    }

    fn opening(&self, plan: &PairPlan) -> &Opening<P> {
        &self.suite.openings[plan.opening]
    }
}

impl<P: Searchable> Work for Searches<'_, P> {
    fn queue(&self) -> &PairQueue {
        &self.queue
    }

    fn worker(&self) -> Worker<'_> {
        let worker = SearchWorker::new(self.spec, Arc::clone(self.programs), &self.queue.interrupt);
        let mut worker = worker.unwrap_or_else(|error| unreachable!("every program was examined: {error}"));
        Box::new(move |plan, _| {
            let position = self.opening(plan).position();
            let found = worker.search(plan.pair, self.player(plan), &position);
            found.map(Finished::Search)
        })
    }

    /// A count of its player alone, of no positions.
    fn task(&self, plan: &PairPlan) -> Option<UnitTask> {
        let player: &PlayerSpec = self.spec.players.get(self.player(plan))?;
        let alone = NodesSpec {
            players: vec![player.clone()],
            positions: OpeningSource::BuiltIn,
            ..self.spec.clone()
        };
        let opening = self.opening(plan);
        Some(UnitTask {
            plan: *plan,
            table: alone.text(Path::new("")),
            opening: opening.position().to_string(),
            opening_line: opening.line,
        })
    }

    fn check(&self, plan: &PairPlan, record: &Finished) -> Result<(), String> {
        let Finished::Search(search) = record else {
            return Err("it is no search".to_owned());
        };
        let is_builtin = self.spec.players[self.player(plan)].process().is_none();
        let NodesSpec { depth, nodes_max, .. } = *self.spec;
        let limits = AnalysisLimits { depth, nodes_max };
        check(search, &self.opening(plan).position(), is_builtin, limits)
    }

    fn engines(&self) -> BTreeMap<String, String> {
        self.programs.engine_digests(&self.spec.players)
    }

    fn is_timed(&self) -> bool {
        false
    }
}
