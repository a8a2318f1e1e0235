//! Which machine played a pair.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Host {
    pub name: String,
    pub key: String,
    pub cpu: String,
    pub version: String,
}

/// What time was worth on a machine that played by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimeScale {
    /// Nodes in a second of its built-in engine on one slot, all slots at work; above 0.
    pub nps: u64,
    /// Those of the machine that the limits are meant for; above 0.
    pub reference_nps: u64,
}

impl TimeScale {
    /// Limits were multiplied by this.
    pub fn scale(self) -> f64 {
        self.reference_nps as f64 / self.nps as f64
    }
}

/// Who played a pair, and the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub host: Arc<Host>,
    /// The digest of the words of the table that it was played at.
    pub table: String,
    /// What time was worth there, of games by time.
    pub pace: Option<TimeScale>,
    /// Its signature over the pair.
    pub signature: Vec<u8>,
}
