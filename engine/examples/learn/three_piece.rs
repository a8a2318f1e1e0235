//! Relations of three pieces, added to those of a king and a piece.
//!
//! In: positions. Out: the places of the weights that a position uses, and the file of weights. Must not: know how weights are
//! fitted.

use std::path::Path;

use tanren_engine::config::{Config, LearnedValues};
use tanren_engine::eval::Evaluate;
use tanren_engine::eval::shogi::Evaluator;
use tanren_engine::eval::shogi::three_piece::{
    KINGS, OF_KINGS, OF_ZONE, PAIRS_FROM, UNITS, View, WEIGHTS, ZONES, pair, zone,
};
use tanren_engine::game::Side;
use tanren_engine::shogi::{Board, Kind, Piece, Square};

use crate::features::{Features, Positions, Sample, Used, kings};
use crate::games::Games;

/// Where the weights begin that all zones of a king share while learning, after those that squares of kings in the same zones share.
const SHARED_PAIRS_FROM: usize = WEIGHTS + ZONES * ZONES * OF_KINGS;
const FITTED: usize = SHARED_PAIRS_FROM + OF_ZONE;

pub(crate) struct ThreePiece {
    /// By pair of king squares: where the weights begin that its zones share.
    zones: Vec<usize>,
    /// The share of the values that the evaluation adds.
    share: f32,
}

impl ThreePiece {
    pub(crate) fn new() -> Self {
        let own = Square::all().filter(|square| square.file() <= 4);
        let zones = own.flat_map(|own| {
            Square::all().map(move |enemy| {
                let turned = enemy.rotated();
                let enemy = if turned.file() > 4 {
                    Square::at(8 - turned.file(), turned.rank())
                } else {
                    turned
                };
                WEIGHTS + (zone(own) * ZONES + zone(enemy)) * OF_KINGS
            })
        });
        let zones: Vec<usize> = zones.collect();
        assert_eq!(zones.len(), KINGS);
        ThreePiece {
            zones,
            share: Config::default().shogi.learned_percent as f32 / 100.0,
        }
    }

    /// The place that `place` shares with others.
    fn shared(&self, place: usize) -> usize {
        if place < PAIRS_FROM {
            self.zones[place / OF_KINGS] + place % OF_KINGS
        } else {
            SHARED_PAIRS_FROM + (place - PAIRS_FROM) % OF_ZONE
        }
    }
}

impl Features for ThreePiece {
    const STEP: [f32; 2] = [3.0, 0.1];
    const CALM: f32 = 1e-8;

    fn read_games(&self, games: &mut Games, folder: &Path, with_scores: bool) -> Result<(), String> {
        let mut config = Config::default();
        config.shogi.learned = LearnedValues::On;
        games.read::<Board>(folder, &Evaluator::new(&config), with_scores)
    }

    fn count(&self) -> usize {
        FITTED
    }

    fn list(&self, positions: &Positions, sample: &Sample, used: &mut Used) {
        used.clear();
        let mut add = |place: usize, sign: f32| {
            used.push((place as u32, sign * self.share));
            used.push((self.shared(place) as u32, sign * self.share));
        };
        let codes = positions.pieces(sample);
        let kings = kings(codes);
        let pieces: Vec<(Piece, Square)> = codes
            .iter()
            .filter_map(|&(code, square)| piece(code, square))
            .collect();
        for (side, sign) in [(Side::First, 1.0), (Side::Second, -1.0)] {
            let (own, enemy) = (kings[side.index()], kings[side.opponent().index()]);
            let view = View::new(side, own);
            let of_kings = view.kings(enemy);
            for &(piece, square) in pieces.iter().filter(|(piece, _)| piece.side() == side) {
                add(of_kings + view.piece(piece.kind(), square), sign);
            }
            let mut near: Vec<u16> = pieces
                .iter()
                .filter_map(|&(piece, square)| view.near(piece, square))
                .collect();
            for holder in [Side::First, Side::Second] {
                for (kind, &count) in Kind::HAND.into_iter().zip(&sample.hands[holder.index()]) {
                    let count = u32::from(count);
                    near.extend(view.near_held(holder, kind, count));
                    if let Some(place) = View::held(kind, count).filter(|_| holder == side) {
                        add(of_kings + place, sign);
                    }
                }
            }
            for (index, &one) in near.iter().enumerate() {
                for &other in &near[..index] {
                    add(view.zone() + pair(one, other), sign);
                }
            }
        }
    }

    fn prior(&self, place: usize) -> f32 {
        if place < WEIGHTS { 3.0 } else { 6.0 }
    }

    fn bytes(&self, weights: &[f32]) -> Vec<u8> {
        let together = (0..WEIGHTS).map(|place| weights[place] + weights[self.shared(place)]);
        let units = together.map(|value| (value * UNITS as f32).round().clamp(-127.0, 127.0) as i8);
        units.map(|value| value as u8).collect()
    }

    fn read(&self, bytes: &[u8]) -> Option<Vec<f32>> {
        if bytes.len() != WEIGHTS {
            return None;
        }
        let mut weights: Vec<f32> = bytes
            .iter()
            .map(|&byte| f32::from(byte as i8) / UNITS as f32)
            .collect();
        weights.resize(FITTED, 0.0);
        Some(weights)
    }
}

/// A piece that is no king.
fn piece(code: u8, square: u8) -> Option<(Piece, Square)> {
    let side = if code >> 4 == 0 { Side::First } else { Side::Second };
    let kind = Kind::from_code(code & 15).filter(|&kind| kind != Kind::King)?;
    Some((Piece::new(side, kind), Square::new(usize::from(square))?))
}
