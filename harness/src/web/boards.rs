//! The games in progress of a run and of those below it.
//!
//! In: a run. Out: JSON, the same text while nothing changed. Must not: show more games than a page has room for.

use serde_json::Value;

use super::shelf::{Shelf, Stored};
use crate::ledger::live_games;
use crate::report::boards_json;

/// Boards on a page.
const BOARDS_MAX: usize = 24;

impl Shelf {
    /// The boards of games that are being played now.
    pub(super) fn boards(&self, run: &Stored) -> Value {
        let mut found = Vec::new();
        for run in self.with_parts(run) {
            for game in live_games(&run.folder) {
                found.push((run.name.clone(), run.labels_of(game.players), game));
            }
        }
        found.truncate(BOARDS_MAX);
        boards_json(
            found
                .iter()
                .map(|(run, labels, game)| (run.as_str(), labels.clone(), game)),
        )
    }
}
