//! What can go wrong with an engine, as a game's result and in words.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex};

use crate::platform::lock;
use crate::record::Reason;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", reason.name())]
pub struct Fault {
    pub reason: Reason,
    pub detail: String,
}

impl Fault {
    pub(super) fn new(reason: Reason, detail: impl Into<String>) -> Fault {
        Fault {
            reason,
            detail: detail.into(),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaultCount {
    /// How often the pair was played again.
    pub replayed: u64,
    /// The first of them in words.
    pub example: String,
}

#[derive(Debug, Clone, Default)]
pub struct FaultLog {
    counts: Arc<Mutex<BTreeMap<(String, Reason), FaultCount>>>,
}

impl FaultLog {
    pub(super) fn add(&self, label: &str, reason: Reason, detail: &str) {
        let mut counts = lock(&self.counts);
        let entry = counts.entry((label.to_owned(), reason)).or_default();
        if entry.example.is_empty() {
            detail.clone_into(&mut entry.example);
        }
    }

    /// Notes that a fault that was added did not count: the pair is played again.
    pub(super) fn replayed(&self, label: &str, reason: Reason) {
        lock(&self.counts)
            .entry((label.to_owned(), reason))
            .or_default()
            .replayed += 1;
    }

    /// By the label of the player and the reason.
    pub fn counts(&self) -> BTreeMap<(String, Reason), FaultCount> {
        lock(&self.counts).clone()
    }

    /// The same, of which nothing is kept.
    pub fn take(&self) -> BTreeMap<(String, Reason), FaultCount> {
        mem::take(&mut lock(&self.counts))
    }
}
