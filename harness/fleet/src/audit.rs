//! The coordinator plays a share of the pairs a second time itself. Whoever played one otherwise is not believed any more.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use sha2::{Digest, Sha256};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::drive::Drive;
use super::slots::{PlayJobs, STACK_BYTES};
use super::wire::JobPair;
use crate::play::Unplayed;
use crate::record::{Finished, FinishedSearch, GameRecord, Origin, PairRecord, SearchIteration, Turn};
use crate::runner::Task;

pub(super) const SHARE_PARTS: u32 = 1_000_000;

pub(super) struct AuditShare {
    /// Of [`SHARE_PARTS`].
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

/// The second play of a pair.
pub(super) type SecondPlay = (u64, Result<Finished, Unplayed>);

pub(super) struct Audits {
    pub(super) share: AuditShare,
    /// What was played first, by pair.
    open: BTreeMap<u64, (Finished, Origin)>,
    queue: Arc<Mutex<VecDeque<Task>>>,
    /// One clone of it for each thread that plays.
    threads: Arc<()>,
    sender: UnboundedSender<SecondPlay>,
    pub(super) played: UnboundedReceiver<SecondPlay>,
}

impl Audits {
    pub(super) fn new(share: AuditShare) -> Audits {
        let (sender, played) = unbounded_channel();
        Audits {
            share,
            open: BTreeMap::new(),
            queue: Arc::default(),
            threads: Arc::default(),
            sender,
            played,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}

impl Drop for Audits {
    fn drop(&mut self) {
        lock(&self.queue).clear();
    }
}

impl Drive<'_> {
    pub(super) fn audit(&mut self, task: Task, record: Finished, origin: Origin) {
        self.audits.open.insert(record.number(), (record, origin));
        lock(&self.audits.queue).push_back(task);
    }

    /// Starts threads while audits wait, as many as this machine has cores that do not play.
    pub(super) fn start_audits(&self) {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let most = cores.saturating_sub(self.fleet.options.slots).max(1);
        while !lock(&self.audits.queue).is_empty() && Arc::strong_count(&self.audits.threads) <= most {
            let (tables, queue) = (Arc::clone(&self.fleet.tables), Arc::clone(&self.audits.queue));
            let (sender, permit) = (self.audits.sender.clone(), Arc::clone(&self.audits.threads));
            let process = self.fleet.process.for_run();
            let play = move || {
                let mut kept: Option<(String, Box<dyn PlayJobs>)> = None;
                loop {
                    let Some(task) = lock(&queue).pop_front() else {
                        break;
                    };
                    if kept.as_ref().is_none_or(|(keys, _)| *keys != task.table) {
                        let table = tables.table(&task.table, None, &process);
                        kept = table.ok().map(|table| (task.table.clone(), table));
                    }
                    let played = match &mut kept {
                        Some((_, table)) => table.play(&JobPair::of(&task)),
                        None => Err(Unplayed::Interrupted),
                    };
                    let _ = sender.send((task.plan.pair, played));
                }
                drop(permit);
            };
            let thread = thread::Builder::new().name("audit".to_owned());
            if thread.stack_size(STACK_BYTES).spawn(play).is_err() {
                break;
            }
        }
    }

    pub(super) fn judge(&mut self, (pair, second): SecondPlay) {
        let Some((record, origin)) = self.audits.open.remove(&pair) else {
            return;
        };
        let Ok(second) = second else { return };
        self.fleet.audited.fetch_add(1, Ordering::Relaxed);
        if !is_same_play(&second, &record) {
            let why = format!("{record} goes otherwise when it is {} again", record.verb());
            self.distrust_host(&origin, why);
        }
    }
}

fn lock(queue: &Mutex<VecDeque<Task>>) -> std::sync::MutexGuard<'_, VecDeque<Task>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Is one the same as the other in all that does not depend on a clock?
fn is_same_play(one: &Finished, other: &Finished) -> bool {
    match (one, other) {
        (Finished::Pair(one), Finished::Pair(other)) => without_times(one) == without_times(other),
        (Finished::Search(one), Finished::Search(other)) => {
            search_without_times(one) == search_without_times(other)
        }
        _ => false,
    }
}

fn search_without_times(search: &FinishedSearch) -> FinishedSearch {
    let iterations = search.iterations.iter().map(|iteration| SearchIteration {
        time_us: None,
        ..iteration.clone()
    });
    FinishedSearch {
        iterations: iterations.collect(),
        ..search.clone()
    }
}

fn without_times(record: &PairRecord) -> PairRecord {
    let of_game = |game: &GameRecord| GameRecord {
        time_us: [0; 2],
        remarks: [None; 2],
        turns: game
            .turns
            .iter()
            .map(|turn| Turn { time_ms: 0, ..*turn })
            .collect(),
        ..game.clone()
    };
    PairRecord {
        games: record.games.each_ref().map(of_game),
        ..record.clone()
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
        let of = |record: &PairRecord| Finished::Pair(record.clone());
        assert!(is_same_play(&of(&one), &of(&other)));
        other.games[1].nodes[0] += 1;
        assert!(!is_same_play(&of(&one), &of(&other)));
        let search = |time_us, nodes| {
            Finished::Search(FinishedSearch {
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
            })
        };
        assert!(is_same_play(&search(5, 9), &search(6, 9)));
        assert!(!is_same_play(&search(5, 9), &search(5, 8)));
        assert!(!is_same_play(&search(5, 9), &of(&one)));
    }
}
