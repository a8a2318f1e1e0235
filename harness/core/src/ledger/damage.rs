//! What can be wrong with a part of a ledger.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("its result, times, opening or machine do not fit its checksum")]
    OtherSummary,
    #[error("its moves or what was searched are missing")]
    NoPacket,
    #[error("its moves or what was searched do not fit their checksum")]
    OtherPacket,
    #[error("its result does not follow from what was played")]
    Contradiction,
    #[error("it has values that cannot be")]
    Senseless,
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A pair by its place in the schedule, from 0; not the place of a pair at all if that is what is damaged.
    Pair(i64),
    /// A search by the numbers of its configuration and position, from 0.
    Search([i64; 2]),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Pair(pair) => write!(f, "pair {}", pair.saturating_add(1)),
            Item::Search([config, position]) => {
                let [config, position] = [config, position].map(|number| number.saturating_add(1));
                write!(f, "the search of position {position} by configuration {config}")
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemDamage {
    pub item: Item,
    pub what: Damage,
}

impl fmt::Display for ItemDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.item, self.what)
    }
}

/// What an examination of a whole ledger found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Condition {
    /// Units that are whole.
    pub whole: u64,
    /// Those that are not, in their order.
    pub damaged: Vec<ItemDamage>,
    /// What is wrong with the file itself, or missing from it.
    pub file: Option<String>,
}

impl Condition {
    pub fn is_whole(&self) -> bool {
        self.damaged.is_empty() && self.file.is_none()
    }
}

/// What was done about a damaged ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    pub damaged_file: PathBuf,
    pub why: String,
    /// Units that are whole and were taken over.
    pub kept: u64,
}

/// How many damages are named one by one.
const NAMED: usize = 3;

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut named: Vec<String> = self.file.iter().cloned().collect();
        named.extend(self.damaged.iter().take(NAMED).map(ToString::to_string));
        if self.damaged.len() > NAMED {
            named.push(format!("and {} more", self.damaged.len() - NAMED));
        }
        f.write_str(&named.join("; "))
    }
}
