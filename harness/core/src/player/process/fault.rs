//! What can go wrong with an engine, as a game's result and in words.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::record::Reason;

const EXAMPLES_MAX: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.name(), self.detail)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaultCount {
    pub count: u64,
    pub excused: u64,
    pub examples: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct FaultLog {
    counts: Arc<Mutex<BTreeMap<(String, Reason), FaultCount>>>,
}

impl FaultLog {
    pub fn add(&self, label: &str, fault: &Fault) {
        let mut counts = self.lock();
        let entry = counts.entry((label.to_owned(), fault.reason)).or_default();
        entry.count += 1;
        if entry.examples.len() < EXAMPLES_MAX {
            entry.examples.push(fault.detail.clone());
        }
    }

    /// Notes that a fault that was added did not count: the pair is played again.
    pub fn replayed(&self, label: &str, reason: Reason) {
        self.lock().entry((label.to_owned(), reason)).or_default().excused += 1;
    }

    pub fn counts(&self) -> Vec<(String, Reason, FaultCount)> {
        let counts = self.lock();
        let rows = counts.iter();
        rows.map(|((label, reason), count)| (label.clone(), *reason, count.clone()))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(String, Reason), FaultCount>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_by_player_and_reason_with_the_first_ones_in_words() {
        let log = FaultLog::default();
        for number in 0..9 {
            log.add("b", &Fault::new(Reason::Crash, format!("number {number}")));
        }
        log.replayed("b", Reason::Crash);
        log.clone().add("a", &Fault::new(Reason::Stall, "silent"));
        let counts = log.counts();
        assert_eq!(counts.len(), 2);
        assert_eq!(
            (counts[0].0.as_str(), counts[0].1, counts[0].2.count),
            ("a", Reason::Stall, 1)
        );
        assert_eq!(counts[1].2.excused, 1);
        assert_eq!((counts[1].2.count, counts[1].2.examples.len()), (9, EXAMPLES_MAX));
    }
}
