//! What of a position is learnt from, and the weights.
//!
//! In: pieces, hands and the score before. Out: the places of the weights that a position uses, and the file of weights.
//! Must not: know how weights are fitted.

use tanren_engine::eval::shogi::learned::{King, WEIGHTS, hand_weight, relation_weight, square_weight};
use tanren_engine::shogi::{Kind, Square};

/// Weights by distance in files and difference in ranks alone, which all squares of a king share while learning.
const OFFSETS: usize = 2 * 14 * 9 * 17;
/// All weights that are fitted.
pub(crate) const FITTED: usize = WEIGHTS + OFFSETS;
/// Most weights that a position uses: five for each of 40 pieces, one for each kind in either hand.
const USED_MAX: usize = 5 * 40 + 14;

/// A position without its pieces.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sample {
    pub(crate) from: usize,
    pub(crate) pieces: usize,
    /// Counts by side and kind, pawn to gold.
    pub(crate) hands: [[u8; 7]; 2],
    /// Centipawns of the evaluation without learnt values, from the first side's view.
    pub(crate) score: f32,
    /// Of the ending values, 0 to 1.
    pub(crate) share: f32,
    /// Of the first side: 0, 0.5 or 1.
    pub(crate) result: f32,
    /// What the search said in the game, in centipawns from the first side's view.
    pub(crate) searched: Option<f32>,
}

/// Many positions.
#[derive(Default)]
pub(crate) struct Positions {
    samples: Vec<Sample>,
    /// Code of the piece and of its square.
    pieces: Vec<(u8, u8)>,
}

impl Positions {
    pub(crate) fn push(&mut self, sample: Sample, pieces: impl Iterator<Item = (u8, u8)>) {
        let from = self.pieces.len();
        self.pieces.extend(pieces);
        self.samples.push(Sample {
            from,
            pieces: self.pieces.len() - from,
            ..sample
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.samples.len()
    }

    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

/// The weights that one position uses, with the sign of the side that owns the piece.
pub(crate) struct Used {
    count: usize,
    places: [(u32, f32); USED_MAX],
}

impl Used {
    pub(crate) fn new() -> Self {
        Used {
            count: 0,
            places: [(0, 0.0); USED_MAX],
        }
    }

    pub(crate) fn places(&self) -> &[(u32, f32)] {
        &self.places[..self.count]
    }

    fn add(&mut self, place: usize, sign: f32) {
        self.places[self.count] = (place as u32, sign);
        self.count += 1;
    }
}

/// Place of the weight of an offset between a king and a piece, both as the piece's owner sees the board.
fn offset_weight(king: King, king_square: Square, kind: Kind, square: Square) -> usize {
    let files = usize::from(king_square.file().abs_diff(square.file()));
    let ranks = usize::from(8 + square.rank() - king_square.rank());
    WEIGHTS + ((king as usize * 14 + kind.index() - 1) * 9 + files) * 17 + ranks
}

/// The places of the weights by code of the piece and squares of piece and king, so that none is worked out twice.
pub(crate) struct Places {
    squares: Vec<u32>,
    /// By kind, by the king it is seen from, by that king's square, by square: weight and offset weight.
    relations: Vec<(u32, u32)>,
}

impl Places {
    pub(crate) fn new() -> Self {
        let (mut squares, mut relations) = (Vec::new(), Vec::new());
        for kind in Kind::ALL {
            squares.extend(Square::all().map(|square| square_weight(kind, square) as u32));
            for king in [King::Own, King::Enemy] {
                for king_square in Square::all() {
                    relations.extend(Square::all().map(|square| {
                        let place = relation_weight(king, king_square, kind, square);
                        (
                            place as u32,
                            offset_weight(king, king_square, kind, square) as u32,
                        )
                    }));
                }
            }
        }
        Places { squares, relations }
    }

    /// Lists what `sample` of `positions` uses.
    pub(crate) fn used(&self, positions: &Positions, sample: &Sample, used: &mut Used) {
        used.count = 0;
        let pieces = &positions.pieces[sample.from..sample.from + sample.pieces];
        let mut kings = [0; 2];
        for &(piece, square) in pieces {
            if usize::from(piece & 15) == Kind::King.index() {
                kings[usize::from(piece >> 4)] = usize::from(square);
            }
        }
        for &(piece, square) in pieces {
            let (side, kind) = (usize::from(piece >> 4), usize::from(piece & 15) - 1);
            let seen = |square: usize| if side == 0 { square } else { 80 - square };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let square = seen(usize::from(square));
            used.add(self.squares[kind * 81 + square] as usize, sign);
            for (king, king_square) in [seen(kings[side]), seen(kings[1 - side])].into_iter().enumerate() {
                let (place, offset) = self.relations[((kind * 2 + king) * 81 + king_square) * 81 + square];
                used.add(place as usize, sign);
                used.add(offset as usize, sign);
            }
        }
        for (side, hand) in sample.hands.iter().enumerate() {
            for (kind, &count) in Kind::HAND.into_iter().zip(hand) {
                let sign = if side == 0 { 1.0 } else { -1.0 };
                used.add(hand_weight(kind, usize::from(count)), sign);
            }
        }
    }
}

/// Weights with an opening and an ending value each, in centipawns.
pub(crate) struct Model {
    pub(crate) weights: Vec<[f32; 2]>,
}

impl Model {
    /// Nothing learnt yet.
    pub(crate) fn new() -> Self {
        Model {
            weights: vec![[0.0; 2]; FITTED],
        }
    }

    /// The weights of a file that [`Model::bytes`] made.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != 4 * WEIGHTS {
            return None;
        }
        let mut model = Model::new();
        for (weight, bytes) in model.weights.iter_mut().zip(bytes.chunks_exact(4)) {
            let value = |at: usize| f32::from(i16::from_le_bytes([bytes[at], bytes[at + 1]]));
            *weight = [value(0), value(2)];
        }
        Some(model)
    }

    /// What the model adds to the score of a position, from the first side's view.
    pub(crate) fn adds(&self, used: &Used, share: f32) -> f32 {
        let [mut opening, mut ending] = [0.0; 2];
        for &(place, sign) in used.places() {
            let weight = self.weights[place as usize];
            opening += sign * weight[0];
            ending += sign * weight[1];
        }
        opening * (1.0 - share) + ending * share
    }

    /// Width of the prior of each weight in centipawns: how far from nothing it may easily go.
    pub(crate) fn prior(place: usize) -> f32 {
        if place >= WEIGHTS {
            30.0
        } else if place >= relation_weight(King::Own, RELATED, Kind::Pawn, RELATED) {
            15.0
        } else {
            60.0
        }
    }

    /// The file of weights: offsets are added to the relations that share them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut weights = self.weights[..WEIGHTS].to_vec();
        let sides = Square::all().filter(|square| square.file() <= 4);
        for king_square in sides {
            for (kind, king) in Kind::ALL
                .into_iter()
                .flat_map(|kind| [(kind, King::Own), (kind, King::Enemy)])
            {
                for square in Square::all() {
                    let offset = self.weights[offset_weight(king, king_square, kind, square)];
                    let weight = &mut weights[relation_weight(king, king_square, kind, square)];
                    weight[0] += offset[0];
                    weight[1] += offset[1];
                }
            }
        }
        weights
            .iter()
            .flatten()
            .flat_map(|value| (value.round().clamp(-1000.0, 1000.0) as i16).to_le_bytes())
            .collect()
    }
}

/// The first square, where the relations begin.
const RELATED: Square = Square::at(0, 0);
