//! What of a position is learnt from, and what weights are fitted to it.

use tanren_engine::config::Config;
use tanren_engine::game::Game;

use crate::games::Learnable;

/// A position.
#[derive(Default)]
pub(crate) struct Sample {
    /// Codes of the pieces and of their squares.
    pub(crate) pieces: Box<[(u8, u8)]>,
    /// Counts by side and kind, pawn to gold.
    pub(crate) hands: [[u8; 7]; 2],
    /// What the evaluation counts besides, from the first side's view.
    pub(crate) counts: Box<[i16]>,
    pub(crate) on_move: f32,
    /// Centipawns of the evaluation that values are added to, from the first side's view.
    pub(crate) score: f32,
    /// How much of a weight counts in the score.
    pub(crate) scale: f32,
    /// Of the ending values, 0 to 1.
    pub(crate) share: f32,
    pub(crate) result: f32,
    /// What the search said in the game, in centipawns from the first side's view.
    pub(crate) searched: Option<f32>,
}

/// The weights that one position uses, each with what it is multiplied by: the sign of the side that owns the piece, and a share.
pub(crate) type Used = Vec<(u32, f32)>;

/// Weights in centipawns that are fitted together. Each place of the file has an opening value and an ending value beside it.
pub(crate) trait Features: Sync {
    type Board: Learnable;
    /// Places of the file.
    const PLACES: usize;

    /// The player whose evaluation the weights are added to.
    fn config(&self) -> Config;

    /// All weights, those that others share while learning and those of no place included.
    fn count(&self) -> usize;

    fn list(&self, sample: &Sample, used: &mut Used);

    /// Width of the prior of each weight in centipawns: how far from nothing it may easily go.
    fn prior(&self, place: usize) -> f32;

    /// Places of the relations of a king and a piece, each with the place of the offset whose weights it shares.
    fn relations(&self) -> Vec<(usize, usize)>;

    /// Settings that go with the file: those of `base` and what was learnt on top of them.
    fn settings(&self, fitted: &[f32]) -> Vec<String>;

    /// The file of weights, shared ones added to those that share them: whole centipawns of two bytes each, the lower byte first.
    fn bytes(&self, fitted: &[f32]) -> Vec<u8> {
        let mut weights = fitted[..2 * Self::PLACES].to_vec();
        for (place, offset) in self.relations() {
            for half in 0..2 {
                weights[2 * place + half] += fitted[2 * offset + half];
            }
        }
        let values = weights
            .iter()
            .map(|value| value.round().clamp(-1000.0, 1000.0) as i16);
        values.flat_map(i16::to_le_bytes).collect()
    }

    /// The weights of a file that [`Features::bytes`] made, `None` if it is no such file.
    fn read(&self, bytes: &[u8]) -> Option<Vec<f32>> {
        let values = bytes
            .chunks_exact(2)
            .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]));
        let mut weights: Vec<f32> = values.map(f32::from).collect();
        let is_file = bytes.len() == 4 * Self::PLACES;
        weights.resize(self.count(), 0.0);
        is_file.then_some(weights)
    }
}

/// What the weights add to the score of a position, from the first side's view.
pub(crate) fn adds(weights: &[f32], used: &Used) -> f32 {
    used.iter()
        .map(|&(place, times)| times * weights[place as usize])
        .sum()
}

/// A setting of `base`, raised `by` so much; it may leave the setting's range.
pub(crate) fn raised(game: Game, name: &str, by: f32) -> String {
    let before = Config::base(game).get(game, name);
    let before: f32 = before
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(|| unreachable!("{name} is a number of {game:?}"));
    format!("{name}={}", (before + by).round())
}
