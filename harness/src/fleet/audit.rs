//! Which pairs are played a second time, and what comes of it.
//!
//! In: pairs as they come. Out: pairs to be played again by somebody else; whoever played otherwise. Must not: play.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::record::{Finished, FinishedSearch, GameRecord, Origin, PairRecord, SearchIteration, Turn};
use crate::runner::Task;

/// The share is given in so many parts.
pub(super) const SHARE_PARTS: u32 = 1_000_000;
/// Another machine is waited for so long; then the coordinator plays the pair itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// A pair that is played a second time.
pub(super) struct Audit {
    pub(super) task: Task,
    pub(super) record: Finished,
    pub(super) origin: Origin,
    /// When the coordinator plays it itself.
    since: Instant,
}

/// All of them.
pub(super) struct Audits {
    /// Of [`SHARE_PARTS`].
    share: u32,
    /// Nobody who plays can know which pairs it chooses.
    secret: Vec<u8>,
    open: BTreeMap<u64, Audit>,
    pub(super) done: u64,
}

impl Audits {
    /// So many of [`SHARE_PARTS`], chosen by this secret.
    pub(super) fn new(share: u32, secret: Vec<u8>) -> Audits {
        Audits {
            share,
            secret,
            open: BTreeMap::new(),
            done: 0,
        }
    }

    /// Is this pair played a second time?
    pub(super) fn chooses(&self, pair: u64) -> bool {
        let digest = Sha256::new()
            .chain_update(&self.secret)
            .chain_update(pair.to_le_bytes())
            .finalize();
        let first = digest.as_slice().first_chunk().copied().unwrap_or_default();
        u32::from_le_bytes(first) % SHARE_PARTS < self.share
    }

    pub(super) fn chooses_any(&self) -> bool {
        self.share > 0
    }

    pub(super) fn open(&mut self, task: Task, record: Finished, origin: Origin, now: Instant) {
        let audit = Audit {
            task,
            record,
            origin,
            since: now,
        };
        self.open.insert(audit.record.number(), audit);
    }

    /// What was played first, of a pair whose second result has come.
    pub(super) fn close(&mut self, pair: u64) -> Option<Audit> {
        let audit = self.open.remove(&pair)?;
        self.done += 1;
        Some(audit)
    }

    /// Keeps it open: a third one has to say who is right.
    pub(super) fn reopen(&mut self, audit: Audit) {
        self.done -= 1;
        self.open.insert(audit.record.number(), audit);
    }

    /// A pair that only the coordinator can play again: its machine is alone, others disagree, or it has waited long enough.
    pub(super) fn to_be_played_here(
        &self,
        is_alone: impl Fn(&str) -> bool,
        is_disputed: impl Fn(u64) -> bool,
        now: Instant,
    ) -> Option<&Audit> {
        self.open.values().find(|audit| {
            now.duration_since(audit.since) > PATIENCE
                || is_alone(&audit.origin.host.name)
                || is_disputed(audit.record.number())
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}

/// Is one the same as the other in all that does not depend on a clock?
pub(super) fn is_same_play(one: &Finished, other: &Finished) -> bool {
    match (one, other) {
        (Finished::Pair(one), Finished::Pair(other)) => is_same_pair(one, other),
        (Finished::Search(one), Finished::Search(other)) => is_same_search(one, other),
        _ => false,
    }
}

fn is_same_search(one: &FinishedSearch, other: &FinishedSearch) -> bool {
    let without_times = |search: &FinishedSearch| FinishedSearch {
        iterations: search
            .iterations
            .iter()
            .map(|iteration| SearchIteration {
                time_us: None,
                ..iteration.clone()
            })
            .collect(),
        ..search.clone()
    };
    without_times(one) == without_times(other)
}

fn is_same_pair(one: &PairRecord, other: &PairRecord) -> bool {
    let without_times = |game: &GameRecord| GameRecord {
        time_us: [0; 2],
        remarks: [None; 2],
        turns: game
            .turns
            .iter()
            .map(|turn| Turn { time_ms: 0, ..*turn })
            .collect(),
        ..game.clone()
    };
    let of = |record: &PairRecord| PairRecord {
        games: record.games.each_ref().map(without_times),
        ..record.clone()
    };
    of(one) == of(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_core::fixtures::pair;

    #[test]
    fn about_the_share_asked_for_is_chosen_and_another_secret_chooses_others() {
        let audits = Audits::new(SHARE_PARTS / 100, vec![1]);
        let chosen: Vec<u64> = (0..20_000).filter(|&pair| audits.chooses(pair)).collect();
        assert!((120..300).contains(&chosen.len()), "{}", chosen.len());
        let others = Audits::new(SHARE_PARTS / 100, vec![2]);
        assert!(chosen.iter().any(|&pair| !others.chooses(pair)));
        let (none, all) = (Audits::new(0, vec![1]), Audits::new(SHARE_PARTS, vec![1]));
        assert!((0..1_000).all(|pair| !none.chooses(pair) && all.chooses(pair)));
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
    }

    #[test]
    fn the_times_of_a_search_may_differ_and_nothing_else() {
        let search = |time_us, nodes| {
            let iteration = SearchIteration {
                depth: 1,
                nodes,
                time_us: Some(time_us),
                score: Some(7),
                pv: vec!["7g7f".to_owned()],
                tried: Vec::new(),
            };
            Finished::Search(FinishedSearch {
                number: 3,
                iterations: vec![iteration],
                fault: None,
            })
        };
        assert!(is_same_play(&search(5, 9), &search(6, 9)));
        assert!(!is_same_play(&search(5, 9), &search(5, 8)));
        assert!(!is_same_play(&search(5, 9), &Finished::Pair(pair(3, [2, 0], 5))));
    }
}
