//! What games say of a match besides its count.

use crate::ledger::{Ledger, LedgerError};
use crate::record::{PairFault, PlayerId, Reason};

/// Sums over the counted games, seen from A, or in a tournament from Sente or White.
#[derive(Debug, Default)]
pub struct Gathered {
    /// By reason: games that A (or Sente or White) won, that the other won, drawn.
    pub(crate) reasons: [[u64; 3]; Reason::ALL.len()],
    pub(crate) replayed: Vec<PairFault>,
}

impl Gathered {
    pub(crate) fn of(ledger: &Ledger, counted: u64, is_by_side: bool) -> Result<Gathered, LedgerError> {
        let mut gathered = Gathered::default();
        ledger.for_each_outcome(|pair| gathered.replayed.extend(pair.replayed))?;
        ledger.for_each_counted(counted, |pair| {
            for (index, game) in pair.games.iter().enumerate() {
                let seen_by = if is_by_side {
                    pair.first_side(index)
                } else {
                    PlayerId::A
                };
                let result = match game.winner {
                    Some(winner) => usize::from(winner != seen_by),
                    None => 2,
                };
                gathered.reasons[game.reason as usize][result] += 1;
            }
        })?;
        Ok(gathered)
    }
}
