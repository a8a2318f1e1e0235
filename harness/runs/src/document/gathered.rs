//! What games say of a match besides its count: by opening, by reason of the end, by length.

use std::collections::BTreeMap;

use crate::ledger::{Ledger, LedgerError};
use crate::record::{PairFault, PlayerId, Reason};

/// Sums over the counted games, seen from A, or in a tournament from whoever moves first.
#[derive(Debug, Default)]
pub struct Gathered {
    /// By line of the opening: pairs of A, or games, and half points.
    pub(crate) openings: BTreeMap<u32, [u64; 2]>,
    pub(crate) reasons: [[u64; 3]; Reason::ALL.len()],
    /// Of A and B: sum of the depths, searches that they are of.
    pub(crate) depths: [[u64; 2]; 2],
    /// Of A, moving first and second: wins, draws, losses.
    pub(crate) colours: [[u64; 3]; 2],
    pub(crate) replayed: Vec<PairFault>,
}

impl Gathered {
    pub(crate) fn of(ledger: &Ledger, counted: u64, is_by_side: bool) -> Result<Gathered, LedgerError> {
        let mut gathered = Gathered::default();
        ledger.for_each_outcome(|pair| {
            gathered.replayed.extend(&pair.replayed);
            if pair.pair >= counted {
                return;
            }
            let opening = gathered.openings.entry(pair.opening_line).or_default();
            opening[0] += if is_by_side { 2 } else { 1 };
            for game in &pair.games {
                let seen_by = if is_by_side { game.first } else { PlayerId::A };
                let result = match game.winner {
                    Some(winner) => usize::from(winner != seen_by),
                    None => 2,
                };
                opening[1] += [2, 0, 1][result];
                gathered.reasons[game.reason as usize][result] += 1;
                gathered.colours[usize::from(game.first != PlayerId::A)][[0, 2, 1][result]] += 1;
                for player in [PlayerId::A, PlayerId::B] {
                    let depths = &mut gathered.depths[player.index()];
                    depths[0] += game.depth_sum[player.index()];
                    depths[1] += u64::from(game.moves_by(player));
                }
            }
        })?;
        Ok(gathered)
    }

    /// Openings by the score in them, the worst first: line, pairs or games, half points of each.
    pub(crate) fn ranked(&self) -> Vec<(u32, u64, f64)> {
        let openings = self.openings.iter();
        let mut ranked: Vec<(u32, u64, f64)> = openings
            .map(|(&line, &[pairs, halves])| (line, pairs, halves as f64 / pairs as f64))
            .collect();
        ranked.sort_by(|one, two| one.2.total_cmp(&two.2).then(two.1.cmp(&one.1)));
        ranked
    }
}
