//! What can be wrong with a part of a ledger.
//!
//! In: nothing. Out: [`Damage`], [`PairDamage`], [`Condition`], [`Mended`], plain data and their words.

use std::fmt;
use std::path::PathBuf;

/// What is wrong with what is stored for a pair or a search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// What is stored is not two games of one pair.
    #[error("it is not two games")]
    NotTwoGames,
    /// Moves are missing.
    #[error("the moves of a game are missing")]
    NoMoves,
    /// Its opening is missing.
    #[error("its opening is missing")]
    NoOpening,
    /// The machine that is said to have played it is missing.
    #[error("the machine that played it is missing")]
    NoHost,
    /// Its checksum is missing.
    #[error("its checksum is missing")]
    NoChecksum,
    /// The row of the pair, its opening, its games, its replays or who played it are not as they were stored.
    #[error("its result, nodes, times, opening, replays or machine do not fit its checksum")]
    OtherResult,
    /// Moves, scores or variations are not as they were stored.
    #[error("its moves, scores or variations do not fit its checksum")]
    OtherMoves,
    /// Rows of a search are missing.
    #[error("a part of it is missing")]
    Incomplete,
    /// What a search found is not as it was stored.
    #[error("what it found does not fit its checksum")]
    OtherSearch,
    /// The fingerprint of its moves is another.
    #[error("what was noted about its moves does not follow from them")]
    OtherFingerprint,
    /// No game or search has such values.
    #[error("it has values that cannot be")]
    Senseless,
    /// Only a part of the file can be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

/// What is stored as one.
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

/// A damaged pair or search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemDamage {
    /// Which.
    pub item: Item,
    /// What is wrong.
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
    /// Pairs or searches that are whole.
    pub whole: u64,
    /// Those that are not, in their order.
    pub damaged: Vec<ItemDamage>,
    /// Why not all of the file can be read, if so.
    pub file: Option<String>,
}

impl Condition {
    /// Is nothing wrong?
    pub fn is_whole(&self) -> bool {
        self.damaged.is_empty() && self.file.is_none()
    }
}

/// What was done about a damaged ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// Where the damaged file is now.
    pub damaged_file: PathBuf,
    /// What was wrong, in words.
    pub why: String,
    /// Pairs or searches that are whole and were taken over.
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
