//! One thread of a study.
//!
//! In: jobs. Out: finished searches, as they finish, through a channel. Must not: store or compare.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use tanren_engine::config::Config;
use tanren_engine::search::{Searchable, Searcher};
use tanren_engine::time::Limits;

use super::builtin;
use super::study::NodesStudy;
use crate::config::{PlayerKind, ProcessSpec};
use crate::interrupt::Interrupt;
use crate::player::{AnalysisLimits, Analyst, Hindrance, Silence};
use crate::record::Search;

/// What is still to be searched, taken by all threads in turn.
#[derive(Debug)]
pub(super) struct Jobs {
    /// Player and position.
    jobs: Vec<(usize, usize)>,
    next: AtomicUsize,
}

impl Jobs {
    pub(super) fn new(jobs: Vec<(usize, usize)>) -> Jobs {
        Jobs {
            jobs,
            next: AtomicUsize::new(0),
        }
    }

    fn take(&self) -> Option<(usize, usize)> {
        self.jobs.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

/// Takes the next job until there is none.
pub(super) fn work<P: Searchable>(
    study: &NodesStudy<'_, P>,
    jobs: &Jobs,
    interrupt: &Interrupt,
    sender: &Sender<Result<Search, Hindrance>>,
) {
    let mut worker = Worker {
        study,
        interrupt,
        searcher: None,
        analysts: BTreeMap::new(),
    };
    while let Some(job) = jobs.take() {
        let Some(search) = worker.search(job).transpose() else {
            return;
        };
        let is_last = search.is_err();
        if sender.send(search).is_err() || is_last {
            return;
        }
    }
}

/// What one thread searches with.
struct Worker<'a, P: Searchable> {
    study: &'a NodesStudy<'a, P>,
    interrupt: &'a Interrupt,
    /// One hash table for all configurations of the built-in engine, and whose it is now.
    searcher: Option<(usize, Searcher<P>)>,
    /// The other programs, by player.
    analysts: BTreeMap<usize, Analyst>,
}

impl<P: Searchable> Worker<'_, P> {
    /// The search of one position by one player; `None` if it was interrupted.
    fn search(&mut self, (config, position): (usize, usize)) -> Result<Option<Search>, Hindrance> {
        let mut search = Search {
            config,
            position,
            iterations: Vec::new(),
            fault: None,
        };
        let study = self.study;
        let position = &study.positions[position];
        match &study.players[config] {
            PlayerKind::Builtin(settings) => {
                let limits = Limits {
                    depth_max: Some(study.depth),
                    nodes_max: study.nodes_max,
                    ..Limits::default()
                };
                let interrupt = self.interrupt;
                let searcher = self.configured(config, settings);
                let Some(iterations) = builtin::iterations(searcher, position, &limits, interrupt) else {
                    return Ok(None);
                };
                search.iterations = iterations;
            }
            PlayerKind::Process(spec) => {
                let limits = AnalysisLimits {
                    depth: study.depth,
                    nodes_max: study.nodes_max,
                };
                match self.analyst(config, spec).analyse(position, limits) {
                    Ok(iterations) => search.iterations = iterations,
                    Err(Silence::Fault(fault)) => search.fault = Some(fault.to_string()),
                    Err(Silence::Hindered(hindrance)) => return Err(hindrance),
                    Err(Silence::Interrupted) => return Ok(None),
                }
            }
        }
        Ok(Some(search))
    }

    fn configured(&mut self, config: usize, settings: &Config) -> &mut Searcher<P> {
        let hash_mib = self.study.hash_mib;
        let (configured, searcher) = self
            .searcher
            .get_or_insert_with(|| (config, Searcher::new(settings, hash_mib)));
        if *configured != config {
            *configured = config;
            searcher.set_config(settings);
        }
        searcher
    }

    fn analyst(&mut self, config: usize, spec: &ProcessSpec) -> &mut Analyst {
        let study = self.study;
        self.analysts.entry(config).or_insert_with(|| {
            let log_folder = study.log_folder.clone();
            let analyst = Analyst::new(spec, study.patience, study.hash_mib, log_folder, self.interrupt);
            analyst.of_files(study.files.clone())
        })
    }
}
