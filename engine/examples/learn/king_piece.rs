//! Shogi: pieces on squares and in hand, relations of a king and a piece, threats, and the weights of terms that are settings.

use tanren_engine::config::{Config, LearnedValues};
use tanren_engine::eval::King;
use tanren_engine::eval::shogi::TERMS;
use tanren_engine::eval::shogi::learned::{
    THREATS_FROM, WEIGHTS, hand_weight, relation_weight, square_weight,
};
use tanren_engine::game::{Game, Side};
use tanren_engine::shogi::{Board, Kind, Square};

use crate::features::{Features, Sample, Used, raised};

/// Weights by distance in files and difference in ranks alone, which all squares of a king share while learning.
const OFFSETS: usize = 2 * 14 * 9 * 17;
const TERMS_FROM: usize = WEIGHTS + OFFSETS;
/// What it is worth to be on move has one value.
const TEMPO: usize = 2 * (TERMS_FROM + TERMS.len());
/// The first square, where the relations begin.
const RELATED: Square = Square::at(0, 0);

/// Place of the weight of an offset between a king and a piece, both as the piece's owner sees the board.
fn offset_weight(king: King, king_square: Square, kind: Kind, square: Square) -> usize {
    let files = usize::from(king_square.file().abs_diff(square.file()));
    let ranks = usize::from(8 + square.rank() - king_square.rank());
    WEIGHTS + ((king as usize * 14 + kind.index() - 1) * 9 + files) * 17 + ranks
}

pub(crate) struct KingPiece;

impl Features for KingPiece {
    type Board = Board;
    const PLACES: usize = WEIGHTS;

    fn config(&self) -> Config {
        let mut config = Config::default();
        config.shogi.learned = LearnedValues::Off;
        config
    }

    fn count(&self) -> usize {
        TEMPO + 1
    }

    fn list(&self, sample: &Sample, used: &mut Used) {
        used.clear();
        let mut add = |place: usize, side: Side| {
            used.push((2 * place as u32, side.sign() as f32 * (1.0 - sample.share)));
            used.push((2 * place as u32 + 1, side.sign() as f32 * sample.share));
        };
        let pieces = sample.pieces.iter().filter_map(|&(code, square)| {
            let side = if code >> 4 == 0 { Side::First } else { Side::Second };
            Some((
                side,
                Kind::from_code(code & 15)?,
                Square::new(usize::from(square))?,
            ))
        });
        let mut kings = [RELATED; 2];
        for (side, _, square) in pieces.clone().filter(|(_, kind, _)| *kind == Kind::King) {
            kings[side.index()] = square;
        }
        for (side, kind, square) in pieces {
            let square = square.seen_by(side);
            add(square_weight(kind, square), side);
            for (king, owner) in [(King::Own, side), (King::Enemy, side.opponent())] {
                let king_square = kings[owner.index()].seen_by(side);
                add(relation_weight(king, king_square, kind, square), side);
                add(offset_weight(king, king_square, kind, square), side);
            }
        }
        for side in [Side::First, Side::Second] {
            for (kind, &count) in Kind::HAND.into_iter().zip(&sample.hands[side.index()]) {
                add(hand_weight(kind, usize::from(count)), side);
            }
        }
        let (threats, terms) = sample.counts.split_at(WEIGHTS - THREATS_FROM);
        let threats = (THREATS_FROM..).zip(threats.iter().map(|&count| f32::from(count)));
        let counts = terms.iter().zip(&TERMS);
        let terms = (TERMS_FROM..).zip(counts.map(|(&count, term)| f32::from(count) / term.count as f32));
        for (place, times) in threats.chain(terms).filter(|&(_, times)| times != 0.0) {
            used.push((2 * place as u32, times * (1.0 - sample.share)));
            used.push((2 * place as u32 + 1, times * sample.share));
        }
        used.push((TEMPO as u32, sample.on_move));
    }

    fn prior(&self, place: usize) -> f32 {
        if place / 2 >= TERMS_FROM {
            10.0
        } else if place / 2 >= WEIGHTS {
            30.0
        } else if place / 2 >= THREATS_FROM {
            60.0
        } else if place / 2 >= relation_weight(King::Own, RELATED, Kind::Pawn, RELATED) {
            15.0
        } else {
            60.0
        }
    }

    fn relations(&self) -> Vec<(usize, usize)> {
        let mut relations = Vec::new();
        for king_square in Square::all().filter(|square| square.file() <= 4) {
            for king in [King::Own, King::Enemy] {
                for kind in Kind::ALL {
                    relations.extend(Square::all().map(|square| {
                        let place = relation_weight(king, king_square, kind, square);
                        (place, offset_weight(king, king_square, kind, square))
                    }));
                }
            }
        }
        relations
    }

    fn settings(&self, fitted: &[f32]) -> Vec<String> {
        let mut settings = Vec::new();
        for (term, place) in TERMS.iter().zip(TERMS_FROM..) {
            let [opening, ending] = [0, 1].map(|half| term.step as f32 * fitted[2 * place + half]);
            settings.push(raised(Game::Shogi, term.name, opening));
            settings.push(raised(Game::Shogi, &format!("{}.ending", term.name), ending));
        }
        settings.push(raised(Game::Shogi, "eval.tempo", fitted[TEMPO]));
        settings
    }
}
