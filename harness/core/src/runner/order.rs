//! Results back in schedule order.
//!
//! In: finished pairs, in any order. Out: the same pairs without a gap, from the first on.
//! Must not: lose, invent or look into a pair.

use std::collections::BTreeMap;

use crate::record::PairOutcome;

/// Holds back a pair until all before it have come.
#[derive(Debug, Default)]
pub(super) struct InOrder {
    next: u64,
    waiting: BTreeMap<u64, PairOutcome>,
}

impl InOrder {
    /// Takes a finished pair.
    pub(super) fn push(&mut self, outcome: PairOutcome) {
        self.waiting.insert(outcome.pair, outcome);
    }

    /// The next pair in schedule order, if it has come.
    pub(super) fn pop(&mut self) -> Option<PairOutcome> {
        let outcome = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(outcome)
    }
}
