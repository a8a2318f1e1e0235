//! Pieces on squares and in hand, and relations of a king and a piece, each with an opening and an ending value.

use std::path::Path;

use tanren_engine::config::{Config, LearnedValues};
use tanren_engine::eval::Evaluate;
use tanren_engine::eval::shogi::Evaluator;
use tanren_engine::eval::shogi::learned::{King, WEIGHTS, hand_weight, relation_weight, square_weight};
use tanren_engine::shogi::{Board, Kind, Square};

use crate::features::{self, Features, Sample, Used, kings};
use crate::games::Games;

/// Weights by distance in files and difference in ranks alone, which all squares of a king share while learning.
const OFFSETS: usize = 2 * 14 * 9 * 17;

/// Place of the weight of an offset between a king and a piece, both as the piece's owner sees the board.
fn offset_weight(king: King, king_square: Square, kind: Kind, square: Square) -> usize {
    let files = usize::from(king_square.file().abs_diff(square.file()));
    let ranks = usize::from(8 + square.rank() - king_square.rank());
    WEIGHTS + ((king as usize * 14 + kind.index() - 1) * 9 + files) * 17 + ranks
}

/// The places of the weights by code of the piece and squares of piece and king, so that none is worked out twice.
pub(crate) struct KingPiece {
    squares: Vec<u32>,
    /// By kind, by the king it is seen from, by that king's square, by square: weight and offset weight.
    relations: Vec<(u32, u32)>,
}

impl KingPiece {
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
        KingPiece { squares, relations }
    }
}

impl Features for KingPiece {
    const STEP: [f32; 2] = [1.5, 0.02];
    const CALM: f32 = 1e-12;

    /// Each place has an opening value and an ending value beside it.
    fn read_games(&self, games: &mut Games, folder: &Path, with_scores: bool) -> Result<(), String> {
        let mut config = Config::default();
        config.shogi.learned = LearnedValues::Off;
        games.read::<Board>(folder, &Evaluator::new(&config), with_scores)
    }

    fn count(&self) -> usize {
        2 * (WEIGHTS + OFFSETS)
    }

    fn list(&self, sample: &Sample, used: &mut Used) {
        used.clear();
        let mut add = |place: usize, sign: f32| {
            used.push((2 * place as u32, sign * (1.0 - sample.share)));
            used.push((2 * place as u32 + 1, sign * sample.share));
        };
        let pieces = &sample.pieces;
        let kings = kings(pieces).map(Square::index);
        for &(piece, square) in pieces {
            let (side, kind) = (usize::from(piece >> 4), usize::from(piece & 15) - 1);
            let seen = |square: usize| if side == 0 { square } else { 80 - square };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let square = seen(usize::from(square));
            add(self.squares[kind * 81 + square] as usize, sign);
            for (king, king_square) in [seen(kings[side]), seen(kings[1 - side])].into_iter().enumerate() {
                let (place, offset) = self.relations[((kind * 2 + king) * 81 + king_square) * 81 + square];
                add(place as usize, sign);
                add(offset as usize, sign);
            }
        }
        for (side, hand) in sample.hands.iter().enumerate() {
            for (kind, &count) in Kind::HAND.into_iter().zip(hand) {
                let sign = if side == 0 { 1.0 } else { -1.0 };
                add(hand_weight(kind, usize::from(count)), sign);
            }
        }
    }

    fn prior(&self, place: usize) -> f32 {
        if place / 2 >= WEIGHTS {
            30.0
        } else if place / 2 >= relation_weight(King::Own, RELATED, Kind::Pawn, RELATED) {
            15.0
        } else {
            60.0
        }
    }

    fn bytes(&self, fitted: &[f32]) -> Vec<u8> {
        let kings = Square::all().filter(|square| square.file() <= 4);
        let seen = kings.flat_map(|king_square| [King::Own, King::Enemy].map(|king| (king, king_square)));
        let pieces: Vec<(Kind, Square)> = Kind::ALL
            .into_iter()
            .flat_map(|kind| Square::all().map(move |square| (kind, square)))
            .collect();
        let relations = seen.flat_map(|(king, king_square)| {
            pieces.iter().map(move |&(kind, square)| {
                let place = relation_weight(king, king_square, kind, square);
                (place, offset_weight(king, king_square, kind, square))
            })
        });
        features::file(fitted, WEIGHTS, relations)
    }

    fn read(&self, bytes: &[u8]) -> Option<Vec<f32>> {
        features::read(bytes, WEIGHTS, self.count())
    }
}

/// The first square, where the relations begin.
const RELATED: Square = Square::at(0, 0);
