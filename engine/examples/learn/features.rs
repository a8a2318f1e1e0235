//! What of a position is learnt from, and what weights are fitted to it.

use std::path::Path;

use tanren_engine::eval::chess::Counts;
use tanren_engine::shogi::{Kind, Square};

use crate::games::Games;

/// A position.
#[derive(Default)]
pub(crate) struct Sample {
    /// Codes of the pieces and of their squares.
    pub(crate) pieces: Box<[(u8, u8)]>,
    /// Counts by side and kind, pawn to gold.
    pub(crate) hands: [[u8; 7]; 2],
    /// What the evaluation of chess counts, of White less Black.
    pub(crate) counts: Counts,
    pub(crate) on_move: f32,
    /// Centipawns of the evaluation that values are added to, from the first side's view.
    pub(crate) score: f32,
    /// Of the ending values, 0 to 1.
    pub(crate) share: f32,
    pub(crate) result: f32,
    /// What the search said in the game, in centipawns from the first side's view.
    pub(crate) searched: Option<f32>,
}

/// The weights that one position uses, each with what it is multiplied by: the sign of the side that owns the piece, and a share.
pub(crate) type Used = Vec<(u32, f32)>;

/// Weights in centipawns that are fitted together.
pub(crate) trait Features: Sync {
    /// Centipawns that a weight moves a step, at first and at last.
    const STEP: [f32; 2];
    /// What is added to the size of gradients, so that weights of few positions move little.
    const CALM: f32;

    /// Adds the games of the match in `folder`, judged by the evaluation that these weights are added to, with the scores of their searches if
    /// `with_scores`.
    fn read_games(&self, games: &mut Games, folder: &Path, with_scores: bool) -> Result<(), String>;

    fn count(&self) -> usize;

    fn list(&self, sample: &Sample, used: &mut Used);

    /// Width of the prior of each weight in centipawns: how far from nothing it may easily go.
    fn prior(&self, place: usize) -> f32;

    /// The file of weights: shared ones are added to those that share them.
    fn bytes(&self, weights: &[f32]) -> Vec<u8>;

    fn settings(&self, _weights: &[f32]) -> Vec<String> {
        Vec::new()
    }

    /// The weights of a file that [`Features::bytes`] made, `None` if it is no such file.
    fn read(&self, bytes: &[u8]) -> Option<Vec<f32>>;
}

/// What the weights add to the score of a position, from the first side's view.
pub(crate) fn adds(weights: &[f32], used: &Used) -> f32 {
    used.iter()
        .map(|&(place, times)| times * weights[place as usize])
        .sum()
}

/// Squares of both kings, by side.
pub(crate) fn kings(pieces: &[(u8, u8)]) -> [Square; 2] {
    let mut kings = [FIRST; 2];
    for &(piece, square) in pieces {
        if usize::from(piece & 15) == Kind::King.index() {
            kings[usize::from(piece >> 4)] = Square::new(usize::from(square)).unwrap_or(FIRST);
        }
    }
    kings
}

const FIRST: Square = Square::at(0, 0);

/// Adds the weights that offsets share to those of the relations (place, offset), and writes the file: whole centipawns of two bytes each,
/// the lower byte first.
pub(crate) fn file(
    fitted: &[f32],
    places: usize,
    relations: impl Iterator<Item = (usize, usize)>,
) -> Vec<u8> {
    let mut weights = fitted[..2 * places].to_vec();
    for (place, offset) in relations {
        for half in 0..2 {
            weights[2 * place + half] += fitted[2 * offset + half];
        }
    }
    let values = weights
        .iter()
        .map(|value| value.round().clamp(-1000.0, 1000.0) as i16);
    values.flat_map(i16::to_le_bytes).collect()
}

/// The weights of a file of `places` pairs, followed by zeros up to `count` in all; `None` if the file has another length.
pub(crate) fn read(bytes: &[u8], places: usize, count: usize) -> Option<Vec<f32>> {
    if bytes.len() != 4 * places {
        return None;
    }
    let values = bytes.chunks_exact(2);
    let mut weights: Vec<f32> = values
        .map(|bytes| f32::from(i16::from_le_bytes([bytes[0], bytes[1]])))
        .collect();
    weights.resize(count, 0.0);
    Some(weights)
}
