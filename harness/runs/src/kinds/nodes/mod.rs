//! A count of nodes, alone or as a part of a larger run.

mod check;
pub(crate) mod columns;
pub(crate) mod plot;
pub(crate) mod report;
mod searches;
pub mod spec;
mod summary;
#[cfg(test)]
mod tests;
mod worker;

use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;

use tanren_engine::search::Searchable;

use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::number::plural;
use crate::event::Warning;
use crate::kinds::nodes::searches::{identity, search_all};
use crate::kinds::nodes::spec::NodesKeys;
use crate::ledger::{Ledger, LedgerError};
use crate::record::Search;
use crate::session::error::Result;
use crate::session::folder::place;
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::hosts::{self, HostTotals};
use crate::session::kind::{Holds, KeysInfo, Kind, KindInfo, Workload};
use crate::session::observer::{RunEvent, RunObserver, Standings};
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, Unit};
use crate::session::overview::{ExpectedProgress, Overview};
use crate::session::stored::{Run, StoredSeats};
use crate::session::{Needs, Session};

#[cfg(feature = "fuzzing")]
pub use check::fuzz_check;
pub use spec::NodesSpec;
pub use summary::{Comparison, CounterRow, DistanceRow, NodesSummary, SummaryRow, distances};
#[cfg(feature = "cluster")]
pub(crate) use worker::SearchWorker;

pub static KIND: KindInfo = KindInfo {
    name: "nodes",
    holds: Holds::Searches,
    workload: Workload::Searches,
    pauses: false,
    keys: KeysInfo::of::<NodesKeys>(),
};

impl Kind for NodesSpec {
    fn needs(&self) -> Needs<'_> {
        Needs {
            names: (1..=self.players.len())
                .map(|number| number.to_string())
                .collect(),
            players: self.players.iter().map(Cow::Borrowed).collect(),
            positions: Some(&self.positions),
            positions_max: self.positions_max,
            hash_mib: self.hash_mib,
            timeouts: self.timeouts,
            ..Needs::nothing(self.game)
        }
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.game, count(self, options, observer))
    }

    fn recount(&self, run: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let ledger = &run.ledger;
        let searches = ledger.searches()?;
        let lines: Vec<u32> = run
            .manifest
            .positions
            .iter()
            .map(|position| position.line)
            .collect();
        let is_over = searches.len() == self.players.len() * lines.len();
        let found = find(self, ledger, run.manifest.labels.clone(), lines, searches)?;
        Ok((Box::new(found), is_over))
    }

    fn seats(&self, _: &Path) -> Result<StoredSeats, String> {
        Err("a count of nodes; it holds no games".to_owned())
    }
}

fn count<P: Searchable>(
    spec: &NodesSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Outcome> {
    let mut session = Session::<P>::open(spec, options, observer)?;
    let (ledger, searches) = search_in(spec, &mut session)?;
    session.on_event(RunEvent::Over)?;
    session.end(Unit::Searches)?;
    let lines = session.suite.openings.iter().map(|opening| opening.line);
    let found = find(spec, &ledger, spec.labels(), lines.collect(), searches)?;
    session.tell_found(&ledger, &found)?;
    for warning in found.warnings() {
        session.on_event(RunEvent::Warning(warning))?;
    }
    let of = found.labels.len() * found.lines.len();
    let progress = Progress::new(found.searches.len() as u64, of as u64, Unit::Searches);
    let is_over = progress.done == progress.of;
    Ok(session.outcome(found, None, is_over, progress))
}

pub(crate) fn search_in<P: Searchable>(
    spec: &NodesSpec,
    session: &mut Session<'_, P>,
) -> Result<(Ledger, Vec<Search>)> {
    let (suite, programs, is_part) = (Rc::clone(&session.suite), session.programs(), session.is_part());
    let mut identity = identity(spec, &suite, &programs)?;
    // Endgame tables of the games of a larger run decide no search.
    if !is_part {
        identity = session.identified(identity);
    }
    let labels = spec.labels();
    let name = (None, &*format!("nodes-{}", labels.join("-vs-")));
    let mut ledger = session.store(&KIND, identity, &labels, name, |folder| spec.text(folder))?;
    let (interrupt, place) = (session.interrupt().for_run(), place(&session.folder));
    let (players, positions, depth) = (spec.players.len(), suite.openings.len(), spec.depth);
    let of = players * positions;
    let mut has_begun = false;
    let (executor, observer) = session.workers_and_observer();
    let tell = |done| {
        if is_part {
            return;
        }
        // What only shows something has nothing that could fail.
        if !has_begun {
            let line = format!(
                "{}, {}, depth {depth}; {done} of {} done; {place}",
                plural(players as u64, "configuration"),
                plural(positions as u64, "position"),
                plural(of as u64, "search")
            );
            let _ = observer.on_event(RunEvent::Line(line));
            has_begun = true;
        }
        let _ = observer.on_event(RunEvent::Done {
            done: done as u64,
            of: of as u64,
            unit: Unit::Searches,
            about: &|_| Standings::default(),
        });
    };
    let searches = search_all(spec, &suite, &programs, executor, &mut ledger, &interrupt, tell)?;
    Ok((ledger, searches))
}

fn find(
    spec: &NodesSpec,
    ledger: &Ledger,
    labels: Vec<String>,
    lines: Vec<u32>,
    searches: Vec<Search>,
) -> Result<NodesFindings, LedgerError> {
    let are_programs = spec.players.iter().map(|player| player.process().is_some());
    let are_programs: Vec<bool> = are_programs.collect();
    Ok(NodesFindings {
        summary: NodesSummary::new(&searches, &are_programs, spec.depth),
        hosts: hosts::count_searches(ledger, &searches, lines.len())?,
        labels,
        lines,
        searches,
    })
}

#[derive(Debug, Clone)]
pub struct NodesFindings {
    pub labels: Vec<String>,
    pub lines: Vec<u32>,
    pub searches: Vec<Search>,
    pub summary: NodesSummary,
    pub hosts: Vec<HostTotals>,
}

impl Found for NodesFindings {
    fn kind(&self) -> Option<&'static str> {
        Some(KIND.name)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn numbers(&self) -> Overview {
        let searches = self.searches.len() as u64;
        let all = (self.labels.len() * self.lines.len()) as u64;
        Overview {
            searches: Some(searches),
            node_ratio: self.summary.deepest().get(1).and_then(|row| row.ratio.value),
            progress: Some(ExpectedProgress::of(Progress::new(searches, all, Unit::Searches))),
            ..Overview::default()
        }
    }

    fn write_bulk(&self, folder: &Path, _: Option<&Ledger>) -> Result<bool, FileError> {
        report::write_searches(folder, self)?;
        Ok(true)
    }
}

impl NodesFindings {
    pub fn warnings(&self) -> Vec<Warning<'_>> {
        let of_config = |(config, label)| {
            let failed = self.searches.iter().filter(move |search| search.config == config);
            let mut failed = failed.filter_map(|search| Some((search, search.fault.as_deref()?)));
            let (first, fault) = failed.next()?;
            Some(Warning::FailedSearches {
                label,
                failed: 1 + failed.count(),
                line: self.lines[first.position],
                fault,
            })
        };
        let labels = self.labels.iter().map(String::as_str);
        labels.enumerate().filter_map(of_config).collect()
    }
}
