//! The coordinator plays a share of the pairs a second time itself. Whoever played one otherwise is not believed any more.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;

use futures_util::stream::FuturesUnordered;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::coordinator::FleetExecutor;
use super::drive::Drive;
use super::tables::{JobResources, play_job};
use super::wire::{Job, JobPair};
use crate::interrupt::Interrupt;
use crate::play::LiveGames;
use crate::record::{
    Finished, FinishedSearch, GameRecord, Origin, PairRecord, SearchIteration, TimeSpan, Turn,
};
use crate::schedule::PairPlan;

pub(super) const SHARE_PARTS: u32 = 1_000_000;

#[derive(Default)]
pub(super) struct AuditShare {
    /// So many of [`SHARE_PARTS`] pairs.
    pub(super) parts: u32,
    pub(super) secret: Vec<u8>,
}

impl AuditShare {
    pub(super) fn chooses(&self, pair: u64) -> bool {
        let digest = Sha256::new()
            .chain_update(&self.secret)
            .chain_update(pair.to_le_bytes())
            .finalize();
        let first = digest.as_slice().first_chunk().copied().unwrap_or_default();
        u32::from_le_bytes(first) % SHARE_PARTS < self.parts
    }
}

/// What was played first, by whom, and what came of it when it was played again.
pub(super) type Audit = (Finished, Origin, Option<Finished>);

pub(super) struct Audits {
    pub(super) share: AuditShare,
    /// A permit for each core that does not play.
    free: Arc<Semaphore>,
    interrupt: Interrupt,
    pub(super) open: FuturesUnordered<Pin<Box<dyn Future<Output = Audit>>>>,
}

impl Audits {
    pub(super) fn new(share: AuditShare, fleet: &FleetExecutor) -> Audits {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let free = cores.saturating_sub(fleet.options.slots).max(1);
        Audits {
            share,
            free: Arc::new(Semaphore::new(free)),
            interrupt: fleet.process.for_run(),
            open: FuturesUnordered::new(),
        }
    }
}

impl Drop for Audits {
    fn drop(&mut self) {
        self.interrupt.end();
    }
}

impl Drive<'_> {
    /// Has this machine play the pair a second time.
    pub(super) fn audit(&mut self, plan: &PairPlan, record: Finished, origin: Origin) {
        let Some(task) = self.work.task(plan) else { return };
        let job = Job {
            run: self.work.queue().run_id.clone(),
            pairs: vec![JobPair::of(&task)],
            table: task.table,
            reference_nps: None,
        };
        let (free, interrupt) = (Arc::clone(&self.audits.free), self.audits.interrupt.clone());
        let tables = Arc::clone(&self.fleet.tables);
        let play = move || {
            let (mut second, shown) = (None, Arc::<LiveGames>::default().slot());
            let resources = JobResources {
                tables: &*tables,
                engines: &BTreeMap::new(),
                speed: None,
                are_all_busy: false,
            };
            play_job(&job, &interrupt, &resources, shown, |record, _| {
                second = Some(record)
            });
            second
        };
        self.audits.open.push(Box::pin(async move {
            let _permit = free.acquire().await;
            let second = spawn_blocking(play).await;
            (record, origin, second.ok().flatten())
        }));
    }

    pub(super) fn judge(&mut self, (record, origin, second): Audit) {
        let Some(second @ (Finished::Pair(_) | Finished::Search(_))) = second else {
            return;
        };
        self.fleet.audited.fetch_add(1, Ordering::Relaxed);
        if without_times(&second) != without_times(&record) {
            let why = format!(
                "{record} gave a different result when it was {} again",
                record.verb()
            );
            self.distrust_host(&origin, why);
        }
    }
}

/// All that does not depend on a clock.
fn without_times(finished: &Finished) -> Finished {
    let of_game = |game: &GameRecord| GameRecord {
        time_us: [0; 2],
        span: TimeSpan::default(),
        // What an engine writes may hold times.
        comments: Vec::new(),
        warnings: [None; 2],
        turns: game
            .turns
            .iter()
            .map(|turn| Turn { time_ms: 0, ..*turn })
            .collect(),
        ..game.clone()
    };
    let of_iteration = |iteration: &SearchIteration| SearchIteration {
        time_us: None,
        ..iteration.clone()
    };
    match finished {
        Finished::Pair(record) => Finished::Pair(PairRecord {
            games: record.games.each_ref().map(of_game),
            ..record.clone()
        }),
        Finished::Search(search) => Finished::Search(FinishedSearch {
            iterations: search.iterations.iter().map(of_iteration).collect(),
            ..search.clone()
        }),
        Finished::Stopped(_) => finished.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_core::fixtures::pair;

    #[test]
    fn about_the_share_asked_for_is_chosen_and_another_secret_chooses_others() {
        let of = |parts, secret| AuditShare {
            parts,
            secret: vec![secret],
        };
        let share = of(SHARE_PARTS / 100, 1);
        let chosen: Vec<u64> = (0..20_000).filter(|&pair| share.chooses(pair)).collect();
        assert!((120..300).contains(&chosen.len()), "{}", chosen.len());
        let others = of(SHARE_PARTS / 100, 2);
        assert!(chosen.iter().any(|&pair| !others.chooses(pair)));
        assert!((0..1_000).all(|pair| !of(0, 1).chooses(pair) && of(SHARE_PARTS, 1).chooses(pair)));
    }

    #[test]
    fn times_may_differ_and_nothing_else() {
        let one = pair(1, [2, 0], 5);
        let mut other = one.clone();
        other.games[0].time_us = [9, 9];
        other.games[0].span.end_ms = 9;
        let of = |record: &PairRecord| without_times(&Finished::Pair(record.clone()));
        assert_eq!(of(&one), of(&other));
        other.games[1].nodes[0] += 1;
        assert_ne!(of(&one), of(&other));
        let search = |time_us, nodes| {
            without_times(&Finished::Search(FinishedSearch {
                number: 3,
                iterations: vec![SearchIteration {
                    depth: 1,
                    nodes,
                    time_us: Some(time_us),
                    score: Some(7),
                    pv: vec!["7g7f".to_owned()],
                    tried: Vec::new(),
                }],
                fault: None,
            }))
        };
        assert_eq!(search(5, 9), search(6, 9));
        assert_ne!(search(5, 9), search(5, 8));
    }
}
