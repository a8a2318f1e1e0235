//! Which pairs are played a second time, and what comes of it.
//!
//! In: pairs as they come. Out: pairs to be played again by somebody else; whoever played otherwise. Must not: play.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::record::{GameRecord, Origin, PairRecord};
use crate::runner::Task;

/// The share is given in so many parts.
pub(super) const SHARE_PARTS: u32 = 1_000_000;
/// Another machine is waited for so long; then the coordinator plays the pair itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// A pair that is played a second time.
pub(super) struct Audit {
    pub(super) task: Task,
    pub(super) record: PairRecord,
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

    pub(super) fn open(&mut self, task: Task, record: PairRecord, origin: Origin, now: Instant) {
        let audit = Audit {
            task,
            record,
            origin,
            since: now,
        };
        self.open.insert(audit.record.pair, audit);
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
        self.open.insert(audit.record.pair, audit);
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
                || is_disputed(audit.record.pair)
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}

/// Is one the same as the other in all that does not depend on a clock?
pub(super) fn is_same_play(one: &PairRecord, other: &PairRecord) -> bool {
    let without_times = |game: &GameRecord| GameRecord {
        time_us: [0; 2],
        remarks: [None; 2],
        turns: game
            .turns
            .iter()
            .map(|turn| crate::record::Turn { time_ms: 0, ..*turn })
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
    use crate::standing::tests::pair;

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
        assert!(is_same_play(&one, &other));
        other.games[1].nodes[0] += 1;
        assert!(!is_same_play(&one, &other));
    }
}
