//! Which machine played a pair.
//!
//! In: nothing. Out: [`Origin`] and [`Host`], plain data. Must not: know how machines talk.

use std::sync::Arc;

/// A machine of a fleet.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Host {
    /// As its file names it.
    pub name: String,
    /// Its public key.
    pub key: String,
    /// Its processor.
    pub cpu: String,
    /// Of the program.
    pub version: String,
}

/// Who played a pair, and the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The machine.
    pub host: Arc<Host>,
    /// The digest of the words of the table that it was played at.
    pub table: String,
    /// Its signature over the pair.
    pub signature: Vec<u8>,
}
