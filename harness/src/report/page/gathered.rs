//! What games say of a match beside its count: by opening, by reason of the end, by length.
//!
//! In: the outcomes of a ledger, one after the other. Out: sums. Must not: hold a game.

use std::collections::BTreeMap;

use crate::experiment::{ExperimentError, Run};
use crate::record::{PlayerId, Reason};

/// Sums over the counted games.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// By line of the opening: pairs and A's half points.
    pub(super) openings: BTreeMap<u32, [u64; 2]>,
    /// By reason: games that A won, that B won, drawn.
    pub(super) reasons: [[u64; 3]; Reason::ALL.len()],
    /// Of A and B: sum of the depths, searches that they are of.
    pub(super) depths: [[u64; 2]; 2],
    /// Of A and B, moving first and second: wins, draws, losses.
    pub(super) colours: [[u64; 3]; 2],
}

impl Gathered {
    /// Of the first `counted` pairs.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub(super) fn of(run: &Run, counted: u64) -> Result<Gathered, ExperimentError> {
        let mut gathered = Gathered::default();
        run.ledger().for_each_outcome(|pair| {
            if pair.pair >= counted {
                return;
            }
            let opening = gathered.openings.entry(pair.opening_line).or_default();
            opening[0] += 1;
            for game in &pair.games {
                let result = match game.winner {
                    Some(PlayerId::A) => 0,
                    Some(PlayerId::B) => 1,
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

    /// The same seen from whoever moves first: wins and half points are theirs, and openings count games. `depths` and `colours` are empty.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub(super) fn of_sides(run: &Run, counted: u64) -> Result<Gathered, ExperimentError> {
        let mut gathered = Gathered::default();
        run.ledger().for_each_outcome(|pair| {
            if pair.pair >= counted {
                return;
            }
            for game in &pair.games {
                let result = match game.winner {
                    Some(winner) => usize::from(winner != game.first),
                    None => 2,
                };
                let opening = gathered.openings.entry(pair.opening_line).or_default();
                opening[0] += 1;
                opening[1] += [2, 0, 1][result];
                gathered.reasons[game.reason as usize][result] += 1;
            }
        })?;
        Ok(gathered)
    }

    /// Openings by A's score in them, the worst first: line, pairs, half points a pair.
    pub(super) fn ranked(&self) -> Vec<(u32, u64, f64)> {
        let openings = self.openings.iter();
        let mut ranked: Vec<(u32, u64, f64)> = openings
            .map(|(&line, &[pairs, halves])| (line, pairs, halves as f64 / pairs as f64))
            .collect();
        ranked.sort_by(|one, two| one.2.total_cmp(&two.2).then(two.1.cmp(&one.1)));
        ranked
    }
}
