//! What comes of one unit of work of a run, whoever did it.
//!
//! In: nothing. Out: [`Finished`], plain data.

use std::fmt;

use super::{PairFault, PairRecord, Search, SearchIteration};

/// A finished unit of work.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are pairs, and none is kept for long"
)]
pub enum Finished {
    /// A pair of games.
    Pair(PairRecord),
    /// The search of one position.
    Search(FinishedSearch),
    /// A pair that has no result: whoever wants the run to stop after this fault said so.
    Stopped(PairFault),
}

impl Finished {
    /// Its place in its run.
    pub fn number(&self) -> u64 {
        match self {
            Finished::Pair(record) => record.pair,
            Finished::Search(search) => search.number,
            Finished::Stopped(fault) => fault.pair,
        }
    }

    /// What was done to finish it: it was played, or made.
    pub fn verb(&self) -> &'static str {
        match self {
            Finished::Pair(_) | Finished::Stopped(_) => "played",
            Finished::Search(_) => "made",
        }
    }
}

/// What it is called, by its number from 1.
impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Finished::Pair(_) | Finished::Stopped(_) => "pair",
            Finished::Search(_) => "search",
        };
        write!(f, "{kind} {}", self.number() + 1)
    }
}

/// The search of one position by one configuration, where neither of them is known but its place in the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedSearch {
    /// Its place in the run: configuration by configuration, all positions of each.
    pub number: u64,
    /// As of [`Search::iterations`].
    pub iterations: Vec<SearchIteration>,
    /// As of [`Search::fault`].
    pub fault: Option<String>,
}

impl FinishedSearch {
    /// As a search of a study of so many positions.
    pub fn among(self, positions: usize) -> Search {
        let number = self.number as usize;
        Search {
            config: number / positions.max(1),
            position: number % positions.max(1),
            iterations: self.iterations,
            fault: self.fault,
        }
    }
}

impl Search {
    /// Its place in a study of so many positions.
    pub fn number(&self, positions: usize) -> u64 {
        (self.config * positions + self.position) as u64
    }

    /// As it was finished, in a study of so many positions.
    pub fn finished(self, positions: usize) -> FinishedSearch {
        FinishedSearch {
            number: self.number(positions),
            iterations: self.iterations,
            fault: self.fault,
        }
    }
}
