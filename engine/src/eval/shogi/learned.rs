//! Learnt values: what a piece adds by its square, by where it stands seen from each king, by how many are in hand, and what threats against
//! the side to move are worth.
//!
//! Every other value is seen by the owner of the piece, with the board turned by 180 degrees for the second side. Relations are
//! also mirrored so that the king stands on files 1 to 5.

use super::threats::{Ring, Threat};
use crate::eval::King;
use crate::eval::learned::value;
use crate::shogi::{Kind, Square};

const KINDS: usize = Kind::ALL.len();
const KING_SQUARES: usize = 45;
/// Counts in hand, 0 to 18.
pub(super) const COUNTS: usize = 19;
const HANDS_FROM: usize = KINDS * Square::COUNT;
const RELATIONS_FROM: usize = HANDS_FROM + Kind::HAND.len() * COUNTS;

/// Where the weights of threats begin.
pub const THREATS_FROM: usize = RELATIONS_FROM + 2 * KING_SQUARES * KINDS * Square::COUNT;
const SEVERAL: usize = THREATS_FROM + 3 * KINDS;
/// Counts of squares next to a king, 0 to 8.
const RING: usize = 9;
const RING_FROM: usize = SEVERAL + 1;

/// Number of learnt weights: of pieces on squares, of pieces in hand, of pieces seen from kings, and of threats, in this order.
pub const WEIGHTS: usize = RING_FROM + 3 * RING;

static FILE: &[u8; 4 * WEIGHTS] = include_bytes!("learned.bin");

/// Place of the weight of a piece on a square, as its owner sees the board.
pub fn square_weight(kind: Kind, square: Square) -> usize {
    (kind.index() - 1) * Square::COUNT + square.index()
}

/// Place of the weight of `count` (0 to 18) pieces in hand; `kind` must be pawn to gold.
pub fn hand_weight(kind: Kind, count: usize) -> usize {
    HANDS_FROM + (kind.index() - 1) * COUNTS + count
}

/// Place of the weight of a piece seen from a king, both as the piece's owner sees the board.
pub fn relation_weight(king: King, king_square: Square, kind: Kind, square: Square) -> usize {
    let is_mirrored = king_square.file() > 4;
    let seen = |square: Square| {
        if is_mirrored {
            Square::at(8 - square.file(), square.rank()).index()
        } else {
            square.index()
        }
    };
    let row = (king as usize * KING_SQUARES + seen(king_square)) * KINDS + kind.index() - 1;
    RELATIONS_FROM + row * Square::COUNT + seen(square)
}

/// Place of the weight of a threatened piece.
#[inline]
pub fn threat_weight(threat: Threat, kind: Kind) -> usize {
    THREATS_FROM + threat as usize * KINDS + kind.index() - 1
}

/// Place of the weight of each threatened piece beyond the first.
#[inline]
pub fn several_weight() -> usize {
    SEVERAL
}

/// Place of the weight of `count` (0 to 8) squares next to the king.
#[inline]
pub fn ring_weight(ring: Ring, count: usize) -> usize {
    RING_FROM + ring as usize * RING + count
}

/// The opening and the ending value of the weight at `place`, `percent` of them.
pub(super) fn value_of(place: usize, percent: i32) -> [i32; 2] {
    value(FILE, place, percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_a_place_of_its_own_and_mirrored_relations_share_theirs() {
        let mut uses = vec![0; WEIGHTS];
        for kind in Kind::ALL {
            for square in Square::all() {
                uses[square_weight(kind, square)] += 1;
                for king in Square::all().filter(|king| king.file() <= 4) {
                    uses[relation_weight(King::Own, king, kind, square)] += 1;
                    uses[relation_weight(King::Enemy, king, kind, square)] += 1;
                }
            }
        }
        for kind in Kind::HAND {
            for count in 0..COUNTS {
                uses[hand_weight(kind, count)] += 1;
            }
        }
        for threat in [Threat::Undefended, Threat::Cheaper, Threat::Outnumbered] {
            for kind in Kind::ALL {
                uses[threat_weight(threat, kind)] += 1;
            }
        }
        uses[several_weight()] += 1;
        for ring in [Ring::Attacked, Ring::AttackedTwice, Ring::Free] {
            for count in 0..RING {
                uses[ring_weight(ring, count)] += 1;
            }
        }
        assert!(uses.iter().all(|&uses| uses == 1));
        let place = |king, square| relation_weight(King::Own, king, Kind::Gold, square);
        assert_eq!(
            place(Square::at(7, 8), Square::at(6, 7)),
            place(Square::at(1, 8), Square::at(2, 7))
        );
    }
}
