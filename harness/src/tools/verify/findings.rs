//! What an examination of stored runs finds.

use std::path::PathBuf;

use crate::ledger::{Item, ItemDamage};
use crate::play::RuleViolation;

#[derive(Debug, Clone)]
pub struct Verification {
    pub folder: PathBuf,
    pub ledgers: Vec<LedgerVerification>,
}

#[derive(Debug, Clone)]
pub struct LedgerVerification {
    pub folder: PathBuf,
    pub kind: Option<String>,
    pub whole: u64,
    pub problems: Vec<Problem>,
    /// What came of playing pairs again, if that was asked for and can be done.
    pub replayed: Option<Replayed>,
    pub notes: Vec<Unchecked>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("the ledger is damaged: {0}")]
    Ledger(String),
    #[error("{0}")]
    Item(ItemDamage),
    #[error("pair {pair} of the {counted} that were counted is missing")]
    Missing { pair: u64, counted: u64 },
    #[error("pair {pair}: {what}")]
    Pair { pair: u64, what: RuleViolation },
    #[error("pair {pair}: its signature is not that of the machine that is said to have played it")]
    Unsigned { pair: u64 },
    #[error("{search}: its signature is not that of the machine that is said to have made it")]
    UnsignedSearch { search: Item },
    #[error("game {game} (pair {pair}): {what}")]
    Game {
        game: u64,
        pair: u64,
        what: RuleViolation,
    },
    #[error("game {game} (pair {pair}): played again, it is another game from ply {ply} on")]
    Different { game: u64, pair: u64, ply: usize },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    #[error("the rules of its games are not known, so they are not checked: {0}")]
    NoRules(String),
    #[error("its openings are not compared with their file: {0}")]
    NoOpenings(String),
    #[error("not played again: {0}")]
    Unrepeatable(String),
}

impl Verification {
    pub fn is_good(&self) -> bool {
        self.ledgers.iter().all(|ledger| ledger.problems.is_empty())
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Replayed {
    pub pairs: u64,
    pub different: u64,
}
