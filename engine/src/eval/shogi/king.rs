//! King safety: the castle, the attack and the reserves, each as units by where pieces stand seen from the king.
//!
//! Castle units: own pieces near the own king. Attack units: enemy pieces near the king. Reserve units: what the attacker
//! holds in hand. The three meet in `Evaluator::safety`.

use crate::config::ShogiWeights;
use crate::game::Side;
use crate::shogi::{Kind, Square};

/// Pieces farther from a king than this have no units.
pub(super) const REACH: u8 = 3;

const WIDTH: usize = 2 * REACH as usize + 1;
const CELLS: usize = WIDTH * WIDTH;

/// Percent of the castle units, by file distance (0 to 3) and rank (-3 in front of the king to +3 behind it).
const CASTLE: [[i32; WIDTH]; 4] = [
    [10, 40, 90, 0, 60, 10, 0],
    [10, 50, 100, 100, 70, 10, 0],
    [5, 40, 65, 65, 40, 5, 0],
    [0, 10, 25, 25, 10, 0, 0],
];

/// Percent of the attack units, likewise; in front of the king is where the attack comes from.
const ATTACK: [[i32; WIDTH]; 4] = [
    [60, 100, 110, 0, 70, 30, 15],
    [55, 90, 110, 95, 65, 30, 10],
    [35, 60, 75, 70, 45, 20, 5],
    [15, 25, 35, 30, 20, 5, 0],
];

/// The units of `group` that a kind has: of those that promoted to move like one, the gold's.
fn units_of(weights: &ShogiWeights, group: &str, kind: Kind) -> i32 {
    let kind = match kind {
        Kind::ProPawn | Kind::ProLance | Kind::ProKnight | Kind::ProSilver => Kind::Gold,
        kind => kind,
    };
    weights
        .number(&format!("eval.{group}.{}", kind.name()))
        .unwrap_or(0)
}

/// Tenths of a unit by kind and by [`cell`] of the square that it stands on: towards the castle of its own king or the attack on the enemy's.
pub(super) fn units(weights: &ShogiWeights, is_own: bool) -> [[i32; CELLS]; Kind::COUNT] {
    let (group, percents) = if is_own {
        ("shelter", &CASTLE)
    } else {
        ("attack", &ATTACK)
    };
    let mut units = [[0; CELLS]; Kind::COUNT];
    for kind in Kind::ALL {
        let weight = units_of(weights, group, kind);
        for (cell, units) in units[kind.index()].iter_mut().enumerate() {
            let file = (cell / WIDTH).abs_diff(usize::from(REACH));
            *units = weight * percents[file][cell % WIDTH] / 10;
        }
    }
    units
}

/// Units by kind in hand.
pub(super) fn reserve(weights: &ShogiWeights) -> [i32; 8] {
    let mut reserve = [0; 8];
    for kind in Kind::HAND {
        reserve[kind.index()] = units_of(weights, "reserve", kind);
    }
    reserve
}

/// Where a square within reach lies, seen from the king of `side`, whose enemy is towards rank a for the first side: files, then ranks
/// from -3 to 3.
pub(super) fn cell(side: Side, king: Square, square: Square) -> usize {
    let (king, square) = (king.seen_by(side), square.seen_by(side));
    usize::from(square.file() + REACH - king.file()) * WIDTH
        + usize::from(square.rank() + REACH - king.rank())
}
