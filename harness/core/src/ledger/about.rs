//! What a ledger says about itself.
//!
//! In: a run. Out: [`About`], as it is stored.

use super::kind::RunKind;
use crate::config::Identity;

/// What a ledger says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// What kind of run it is.
    pub kind: RunKind,
    /// The run's identity.
    pub identity: Identity,
    /// The run's specification as a file.
    pub spec_toml: String,
    /// What reports call the players, by their number; A and B in a match.
    pub labels: Vec<String>,
}

impl About {
    /// The labels of the players that sat at A's and at B's place; `[0, 1]` in a match. A player without a label is
    /// called by its number.
    pub fn labels_of(&self, players: [u16; 2]) -> [String; 2] {
        players.map(|player| {
            let label = self.labels.get(usize::from(player));
            label.cloned().unwrap_or_else(|| format!("player {player}"))
        })
    }
}
