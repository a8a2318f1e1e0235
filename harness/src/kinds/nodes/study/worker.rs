//! One thread that searches.

use std::collections::BTreeMap;

use tanren_engine::config::Config;
use tanren_engine::search::{Searchable, Searcher};
use tanren_engine::time::Limits;

use super::builtin;
use super::conditions::SearchConditions;

use crate::config::{PlayerKind, ProcessSpec};
use crate::interrupt::Interrupt;
use crate::play::Unplayed;
use crate::player::{AnalysisLimits, Analyst, Launch, NoAnswer};
use crate::record::FinishedSearch;

pub struct SearchWorker<P: Searchable> {
    players: Vec<PlayerKind>,
    conditions: SearchConditions,
    interrupt: Interrupt,
    /// One hash table for all configurations of the built-in engine, and whose it is now.
    searcher: Option<(usize, Searcher<P>)>,
    analysts: BTreeMap<usize, Analyst>,
}

impl<P: Searchable> SearchWorker<P> {
    pub fn new(
        players: Vec<PlayerKind>,
        conditions: SearchConditions,
        interrupt: &Interrupt,
    ) -> SearchWorker<P> {
        SearchWorker {
            players,
            conditions,
            interrupt: interrupt.clone(),
            searcher: None,
            analysts: BTreeMap::new(),
        }
    }

    pub fn search(&mut self, number: u64, player: usize, position: &P) -> Result<FinishedSearch, Unplayed> {
        let mut search = FinishedSearch {
            number,
            iterations: Vec::new(),
            fault: None,
        };
        let (depth, nodes_max) = (self.conditions.depth, self.conditions.nodes_max);
        match self.players[player].clone() {
            PlayerKind::Builtin(settings) => {
                let limits = Limits {
                    depth_max: Some(depth),
                    nodes_max,
                    ..Limits::default()
                };
                let interrupt = self.interrupt.clone();
                let searcher = self.configured(player, &settings);
                let found = builtin::iterations(searcher, position, &limits, &interrupt);
                search.iterations = found.ok_or(Unplayed::Interrupted)?;
            }
            PlayerKind::Process(spec) => {
                let limits = AnalysisLimits { depth, nodes_max };
                match self.analyst(player, &spec).analyse(position, limits) {
                    Ok(iterations) => search.iterations = iterations,
                    Err(NoAnswer::Fault(fault)) => search.fault = Some(fault.to_string()),
                    Err(NoAnswer::Environment(environment_error)) => {
                        return Err(Unplayed::Environment(environment_error));
                    }
                    Err(NoAnswer::Interrupted) => return Err(Unplayed::Interrupted),
                }
            }
        }
        Ok(search)
    }

    fn configured(&mut self, player: usize, settings: &Config) -> &mut Searcher<P> {
        let hash_mib = self.conditions.hash_mib;
        let (configured, searcher) = self
            .searcher
            .get_or_insert_with(|| (player, Searcher::new(settings, hash_mib)));
        if *configured != player {
            *configured = player;
            searcher.set_config(settings);
        }
        searcher
    }

    fn analyst(&mut self, player: usize, spec: &ProcessSpec) -> &mut Analyst {
        let conditions = &self.conditions;
        let launch = || Launch {
            log: conditions.log_folder.clone().map(|folder| (folder, "nodes")),
            files: conditions.files.clone(),
            ..Launch::new(
                spec.clone(),
                conditions.timeouts,
                conditions.hash_mib,
                &self.interrupt,
            )
        };
        let analysts = self.analysts.entry(player);
        analysts.or_insert_with(|| Analyst::new(launch()))
    }
}
