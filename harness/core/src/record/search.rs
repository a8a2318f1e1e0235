//! The search of one position, depth by depth.

use serde::{Deserialize, Serialize};

/// The search of one position by one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Index of the configuration, from 0.
    pub config: usize,
    /// Index of the position, from 0.
    pub position: usize,
    /// The finished iterations by depth, one a depth; a program may leave depths out.
    pub iterations: Vec<SearchIteration>,
    /// What a program did instead of searching, in words; then there are no iterations.
    pub fault: Option<String>,
}

impl Search {
    pub fn job(&self) -> (usize, usize) {
        (self.config, self.position)
    }

    /// The iteration of this depth, if it was finished and told of.
    pub fn at(&self, depth: u32) -> Option<&SearchIteration> {
        let found = self
            .iterations
            .binary_search_by_key(&depth, |iteration| iteration.depth);
        found.ok().map(|index| &self.iterations[index])
    }
}

/// The search of one position by one configuration, where neither of them is known but its place in the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedSearch {
    /// Its place in the run: configuration by configuration, all positions of each.
    pub number: u64,
    pub iterations: Vec<SearchIteration>,
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchIteration {
    pub depth: u32,
    /// Nodes since the search began.
    pub nodes: u64,
    /// Microseconds since the search began; `None` if a program does not say.
    pub time_us: Option<u64>,
    /// Score from the side to move's view, in the built-in engine's centipawns or a program's own, mates as the built-in
    /// engine scores them; `None` if a program does not say.
    pub score: Option<i32>,
    /// Principal variation, the best move first; empty if a program does not say.
    pub pv: Vec<String>,
    /// What each counter of the built-in engine did in this iteration alone; empty for a program.
    pub tried: Vec<TechniqueCounts>,
}

impl SearchIteration {
    /// The best move; empty if a program does not say.
    pub fn bestmove(&self) -> &str {
        self.pv.first().map_or("", String::as_str)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TechniqueCounts {
    pub tries: u64,
    pub successes: u64,
}

impl std::ops::AddAssign for TechniqueCounts {
    fn add_assign(&mut self, other: TechniqueCounts) {
        self.tries += other.tries;
        self.successes += other.successes;
    }
}
