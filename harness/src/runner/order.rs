//! Results back in schedule order.
//!
//! In: finished pairs, in any order. Out: the same pairs without a gap, from the first on.
//! Must not: lose, invent or look into a pair.

use std::collections::BTreeMap;

use crate::record::PairRecord;

/// Holds back a pair until all before it have come.
#[derive(Debug, Default)]
pub(super) struct InOrder {
    next: u64,
    waiting: BTreeMap<u64, PairRecord>,
}

impl InOrder {
    /// Takes a finished pair.
    pub(super) fn push(&mut self, record: PairRecord) {
        self.waiting.insert(record.pair, record);
    }

    /// The next pair in schedule order, if it has come.
    pub(super) fn pop(&mut self) -> Option<PairRecord> {
        let record = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(record)
    }
}
