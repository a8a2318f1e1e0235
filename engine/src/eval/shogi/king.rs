//! King safety: the castle, the attack and the reserves, each as units by where pieces stand seen from the king.
//!
//! Castle units: own pieces near the own king. Attack units: enemy pieces near the king. Reserve units: what the attacker
//! holds in hand. The three meet in `Evaluator::safety`.

use super::offset::cells;
use crate::config::ShogiWeights;
use crate::game::Side;
use crate::shogi::{Kind, Piece, Square};

/// Pieces farther from a king than this have no units.
pub(super) const REACH: u8 = 3;

const WIDTH: usize = 2 * REACH as usize + 1;

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

#[derive(Debug, Clone)]
pub(super) struct KingUnits {
    /// Attack or castle units by piece code and offset, for the king of the first and the second side. In tenths.
    tables: Box<[[[i16; FAR + 1]; Piece::COUNT]; 2]>,
    /// Reserve units by kind in hand.
    reserve: [i32; 8],
}

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

/// Index of an offset that is out of reach; there are no units there.
const FAR: usize = WIDTH * WIDTH;

/// Index of the offset from a king to a square: files and ranks from -3 to 3, or [`FAR`].
static OFFSETS: [[u8; Square::COUNT]; Square::COUNT] = cells(REACH as usize);

impl KingUnits {
    pub(super) fn new(weights: &ShogiWeights) -> Self {
        let mut tables = Box::new([[[0; FAR + 1]; Piece::COUNT]; 2]);
        for king_side in [Side::First, Side::Second] {
            for kind in Kind::ALL {
                for side in [Side::First, Side::Second] {
                    let table = &mut tables[king_side.index()][Piece::new(side, kind).index()];
                    let (group, percents) = if side == king_side {
                        ("shelter", &CASTLE)
                    } else {
                        ("attack", &ATTACK)
                    };
                    let weight = units_of(weights, group, kind);
                    for (index, units) in table[..FAR].iter_mut().enumerate() {
                        let file = (index / WIDTH).abs_diff(usize::from(REACH));
                        let rank = index % WIDTH;
                        // Ranks are seen from the king: its enemy is towards rank a for the first side.
                        let rank = if king_side == Side::First {
                            rank
                        } else {
                            WIDTH - 1 - rank
                        };
                        *units = (weight * percents[file][rank] / 10) as i16;
                    }
                }
            }
        }
        let mut reserve = [0; 8];
        for kind in Kind::HAND {
            reserve[kind.index()] = units_of(weights, "reserve", kind);
        }
        KingUnits { tables, reserve }
    }

    /// Tenths of a unit that `piece` on `square` adds to the castle of (its own) or the attack on (the enemy's) king.
    #[inline]
    pub(super) fn units(&self, king_side: Side, king: Square, piece: Piece, square: Square) -> i32 {
        let offset = usize::from(OFFSETS[king.index()][square.index()]);
        i32::from(self.tables[king_side.index()][piece.index()][offset])
    }

    pub(super) fn in_hand(&self, kind: Kind) -> i32 {
        self.reserve[kind.index() & 7]
    }
}
