//! Chess: pieces on squares, relations of a king and a piece, and the weights of what the evaluation counts, each with an opening and an ending value.

use tanren_engine::chess::{Board, Color, File, Piece, Square};
use tanren_engine::config::Config;
use tanren_engine::eval::King;
use tanren_engine::eval::chess::learned::{WEIGHTS, relation_weight, square_weight};
use tanren_engine::eval::chess::{FEATURES, Feature};
use tanren_engine::game::Game;

use crate::features::{Features, Sample, Used, raised};

/// Weights by distance in files and difference in ranks alone, which all squares of a king share while learning.
const OFFSETS: usize = 2 * 6 * 8 * 15;
const COUNTS_FROM: usize = WEIGHTS + OFFSETS;
/// What it is worth to be on move has one value.
const TEMPO: usize = 2 * (COUNTS_FROM + FEATURES);

/// Place of the weight of an offset between a king and a piece, both as the piece's owner sees the board.
fn offset_weight(king: King, king_square: Square, piece: Piece, square: Square) -> usize {
    let files = (king_square.file() as usize).abs_diff(square.file() as usize);
    let ranks = 7 + square.rank() as usize - king_square.rank() as usize;
    WEIGHTS + ((king as usize * 6 + piece as usize) * 8 + files) * 15 + ranks
}

pub(crate) struct ChessKingPiece;

impl Features for ChessKingPiece {
    type Board = Board;
    const PLACES: usize = WEIGHTS;

    fn config(&self) -> Config {
        let mut config = Config::base(Game::Chess);
        config.chess.learned = false;
        config
    }

    fn count(&self) -> usize {
        TEMPO + 1
    }

    fn list(&self, sample: &Sample, used: &mut Used) {
        used.clear();
        let mut add = |place: usize, times: f32| {
            let times = times * sample.scale;
            used.push((2 * place as u32, times * (1.0 - sample.share)));
            used.push((2 * place as u32 + 1, times * sample.share));
        };
        let pieces = sample.pieces.iter().map(|&(code, square)| {
            let (piece, square) = (
                Piece::ALL[usize::from(code & 15)],
                Square::ALL[usize::from(square)],
            );
            (Color::ALL[usize::from(code >> 4)], piece, square)
        });
        let mut kings = [Square::A1; 2];
        for (color, piece, square) in pieces.clone() {
            if piece == Piece::King {
                kings[color as usize] = square;
            }
        }
        for (color, piece, square) in pieces {
            let sign = if color == Color::White { 1.0 } else { -1.0 };
            let square = square.relative_to(color);
            add(square_weight(piece, square), sign);
            for (king, owner) in [(King::Own, color), (King::Enemy, !color)] {
                let king_square = kings[owner as usize].relative_to(color);
                add(relation_weight(king, king_square, piece, square), sign);
                add(offset_weight(king, king_square, piece, square), sign);
            }
        }
        for (index, &count) in sample.counts.iter().enumerate().filter(|(_, count)| **count != 0) {
            add(COUNTS_FROM + index, f32::from(count));
        }
        used.push((TEMPO as u32, sample.on_move));
    }

    fn prior(&self, place: usize) -> f32 {
        match place / 2 {
            place if place >= COUNTS_FROM => 10.0,
            place if place >= WEIGHTS => 20.0,
            place if place >= 6 * Square::NUM => 10.0,
            _ => 60.0,
        }
    }

    fn relations(&self) -> Vec<(usize, usize)> {
        let mut relations = Vec::new();
        for king_square in Square::ALL.into_iter().filter(|square| square.file() <= File::D) {
            for king in [King::Own, King::Enemy] {
                for piece in Piece::ALL {
                    relations.extend(Square::ALL.map(|square| {
                        let place = relation_weight(king, king_square, piece, square);
                        (place, offset_weight(king, king_square, piece, square))
                    }));
                }
            }
        }
        relations
    }

    fn settings(&self, fitted: &[f32]) -> Vec<String> {
        let mut settings = Vec::new();
        for (index, feature) in Feature::ALL.into_iter().enumerate() {
            let unit = if feature == Feature::BishopPair { 1.0 } else { 10.0 };
            let place = 2 * (COUNTS_FROM + index);
            let opening = match feature {
                Feature::BishopPair => feature.name().to_owned(),
                _ => format!("{}.opening", feature.name()),
            };
            settings.push(raised(Game::Chess, &opening, unit * fitted[place]));
            let ending = format!("{}.ending", feature.name());
            settings.push(raised(Game::Chess, &ending, unit * fitted[place + 1]));
        }
        settings.push(raised(Game::Chess, "eval.tempo", fitted[TEMPO]));
        settings
    }
}
