//! One thread that searches.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use tanren_engine::game::{GameMove, Path};
use tanren_engine::search::{Counters, Iteration, Observer, Searchable, Searcher};
use tanren_engine::time::Limits;

use crate::config::{ConfigError, PlayerKind, PlayerSpec};
use crate::interrupt::Interrupt;
use crate::kinds::nodes::NodesSpec;
use crate::play::Unplayed;
use crate::player::{AnalysisLimits, Analyst, Launch, NoAnswer};
use crate::record::{FinishedSearch, SearchIteration, TechniqueCounts};
use crate::session::external_engines::ExternalEngines;

pub(crate) struct SearchWorker<P: Searchable> {
    spec: NodesSpec,
    players: Vec<PlayerKind>,
    programs: Arc<ExternalEngines>,
    interrupt: Interrupt,
    /// One hash table for all configurations of the built-in engine, and whose it is now.
    searcher: Option<(usize, Searcher<P>)>,
    analysts: BTreeMap<usize, Analyst>,
}

/// A player as it counts: nothing ends a search of the built-in engine before its depth, be it an only move, a mate that was
/// found, or other moves that all lose.
pub(crate) fn counted(player: &PlayerSpec, programs: &ExternalEngines) -> Result<PlayerKind, ConfigError> {
    Ok(match &player.kind {
        PlayerKind::Builtin(config) => {
            let mut config = config.clone();
            config.search.one_reply = false;
            config.search.mate_stop = false;
            config.search.second_best_stop = false;
            PlayerKind::Builtin(config)
        }
        PlayerKind::Process(spec) => PlayerKind::Process(Box::new(programs.resolve(spec)?)),
    })
}

impl<P: Searchable> SearchWorker<P> {
    /// Of the players of `spec`; the programs among them have to be those of `programs`.
    pub(crate) fn new(
        spec: &NodesSpec,
        programs: Arc<ExternalEngines>,
        interrupt: &Interrupt,
    ) -> Result<SearchWorker<P>, ConfigError> {
        let players = spec.players.iter().map(|player| counted(player, &programs));
        Ok(SearchWorker {
            players: players.collect::<Result<_, _>>()?,
            spec: spec.clone(),
            programs,
            interrupt: interrupt.clone(),
            searcher: None,
            analysts: BTreeMap::new(),
        })
    }

    pub(crate) fn search(
        &mut self,
        number: u64,
        player: usize,
        position: &P,
    ) -> Result<FinishedSearch, Unplayed> {
        let mut search = FinishedSearch {
            number,
            iterations: Vec::new(),
            fault: None,
        };
        let NodesSpec {
            depth,
            nodes_max,
            hash_mib,
            timeouts,
            ..
        } = self.spec;
        match &self.players[player] {
            PlayerKind::Builtin(settings) => {
                let fresh = || (player, Searcher::new(settings, hash_mib));
                let (configured, searcher) = self.searcher.get_or_insert_with(fresh);
                if *configured != player {
                    *configured = player;
                    searcher.set_config(settings);
                }
                let limits = Limits {
                    depth_max: Some(depth),
                    nodes_max,
                    ..Limits::default()
                };
                let found = iterations(searcher, position, &limits, &self.interrupt);
                search.iterations = found.ok_or(Unplayed::Interrupted)?;
            }
            PlayerKind::Process(process) => {
                let analyst = self.analysts.entry(player).or_insert_with(|| {
                    let log_folder = self.programs.log_folder.clone();
                    Analyst::new(Launch {
                        log: log_folder.map(|folder| (folder, "nodes")),
                        files: self.programs.files.clone(),
                        ..Launch::new((**process).clone(), timeouts, hash_mib, &self.interrupt)
                    })
                });
                match analyst.analyse(position, AnalysisLimits { depth, nodes_max }) {
                    Ok(iterations) => search.iterations = iterations,
                    Err(NoAnswer::Fault(fault)) => search.fault = Some(fault.to_string()),
                    Err(NoAnswer::Environment(error)) => return Err(Unplayed::Environment(error)),
                    Err(NoAnswer::Interrupted) => return Err(Unplayed::Interrupted),
                }
            }
        }
        Ok(search)
    }
}

/// Searches twice: the first search is timed and counts nothing, since looking at the regions of moves takes time of its own, which
/// players that drop none do not spend.
fn iterations<P: Searchable>(
    searcher: &mut Searcher<P>,
    position: &P,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Option<Vec<SearchIteration>> {
    let path = Path::new(position);
    let [mut timed, mut counted] = [(); 2].map(|()| IterationRecorder {
        start: Instant::now(),
        interrupt,
        before: Counters::default(),
        iterations: Vec::new(),
    });
    searcher.new_game();
    timed.start = Instant::now();
    searcher.search(position, &path, limits, &mut timed);
    searcher.new_game();
    searcher.search_counted(position, &path, limits, &mut counted, &mut Counters::default());
    let mut times = timed.iterations.into_iter();
    for iteration in &mut counted.iterations {
        iteration.time_us = times.next().and_then(|timed| timed.time_us);
    }
    (!interrupt.is_requested()).then_some(counted.iterations)
}

struct IterationRecorder<'a> {
    start: Instant,
    interrupt: &'a Interrupt,
    /// The counters at the end of the iteration before.
    before: Counters,
    iterations: Vec<SearchIteration>,
}

impl<M: GameMove> Observer<M> for IterationRecorder<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn is_stop_requested(&mut self) -> bool {
        self.interrupt.is_requested()
    }

    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        let time_us = self.start.elapsed().as_micros() as u64;
        let counters = iteration.counters.copied().unwrap_or_default();
        let rows = counters.rows().zip(self.before.rows());
        let tried = rows.map(|((tries, successes), before)| TechniqueCounts {
            tries: tries - before.0,
            successes: successes - before.1,
        });
        self.iterations.push(SearchIteration {
            depth: iteration.depth,
            nodes: iteration.nodes,
            time_us: Some(time_us),
            score: Some(iteration.score),
            pv: iteration.pv.iter().map(ToString::to_string).collect(),
            tried: tried.collect(),
        });
        self.before = counters;
    }
}
