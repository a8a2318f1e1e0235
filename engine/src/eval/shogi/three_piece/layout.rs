//! Which place of `three_piece.bin` belongs to which relation.
//!
//! Every value is seen by one side (the owner of the piece, or of the king that two pieces are near to), with the board turned
//! by 180 degrees for the second side and mirrored so that this side's king stands on files 1 to 5.

use crate::game::Side;
use crate::shogi::{Kind, Piece, Square};

/// Kings on files 1 to 5.
const KING_SQUARES: usize = 45;
/// All kinds but the king.
const KINDS: usize = Kind::ALL.len() - 1;
/// What a side holds of a kind: one, two, or three and more pawns; one, or two and more of another.
const HELD: usize = 3 + 2 * (Kind::HAND.len() - 1);

/// Weights of a pair of king squares: a piece on a square, or what its owner holds of a kind.
pub(super) const OF_KINGS: usize = KINDS * Square::COUNT + HELD;
/// Number of pairs of king squares, own and enemy.
pub(super) const KINGS: usize = KING_SQUARES * Square::COUNT;

/// A piece is near a king up to this distance.
pub(super) const REACH: u8 = 2;
const WIDTH: usize = 2 * REACH as usize + 1;
/// What can be near a king or in hand, of its own side and of the enemy.
const NEAR: usize = 2 * (WIDTH * WIDTH * KINDS + HELD);
/// Weights of a zone: two of what is near a king or in hand.
pub(super) const OF_ZONE: usize = NEAR * (NEAR - 1) / 2;
/// Places of a king that share their weights: files 1, 2, 3 and from 4, ranks from its own edge likewise.
pub(super) const ZONES: usize = 16;

/// Where the weights of a king and two pieces begin, after those of two kings and a piece.
pub(super) const PAIRS_FROM: usize = KINGS * OF_KINGS;
pub(super) const WEIGHTS: usize = PAIRS_FROM + ZONES * OF_ZONE;

/// Units of the weights in a centipawn.
pub(in crate::eval::shogi) const UNITS: i32 = 4;

#[inline]
fn kind_place(kind: Kind) -> usize {
    let code = kind.index();
    if code < Kind::King.index() {
        code - 1
    } else {
        code - 2
    }
}

/// What a count in hand is, `None` for nothing in hand.
#[inline]
fn held_place(kind: Kind, count: u32) -> Option<usize> {
    let (first, most) = match kind {
        Kind::Pawn => (0, 3),
        _ => (3 + 2 * (kind.index() - 2), 2),
    };
    (count > 0).then(|| first + count.min(most) as usize - 1)
}

/// The zone of a king on files 1 to 5, of [`ZONES`].
pub(super) fn zone(king: Square) -> usize {
    let (file, rank) = (king.file().min(3), (8 - king.rank()).min(3));
    usize::from(4 * file + rank)
}

/// Cell of a square that is not near.
const FAR: usize = WIDTH * WIDTH;

/// Cell of a square by the square of a king: files, then ranks, from -2 to 2, or [`FAR`].
static CELLS: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut cells = [[FAR as u8; Square::COUNT]; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            let file = (square / 9 + REACH as usize).wrapping_sub(king / 9);
            let rank = (square % 9 + REACH as usize).wrapping_sub(king % 9);
            if file < WIDTH && rank < WIDTH {
                cells[king][square] = (file * WIDTH + rank) as u8;
            }
            square += 1;
        }
        king += 1;
    }
    cells
};

/// Cells as they are seen, on a board turned (2) and mirrored (1).
static SEEN: [[u8; FAR + 1]; 4] = {
    let mut seen = [[FAR as u8; FAR + 1]; 4];
    let mut cell = 0;
    while cell < FAR {
        let (file, rank) = (cell / WIDTH, cell % WIDTH);
        let (other_file, other_rank) = (WIDTH - 1 - file, WIDTH - 1 - rank);
        seen[0][cell] = cell as u8;
        seen[1][cell] = (other_file * WIDTH + rank) as u8;
        seen[2][cell] = (other_file * WIDTH + other_rank) as u8;
        seen[3][cell] = (file * WIDTH + other_rank) as u8;
        cell += 1;
    }
    seen
};

/// How one side sees the board.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    side: Side,
    is_mirrored: bool,
    /// Where the king stands.
    at: Square,
    /// Where this side sees it.
    king: Square,
}

impl View {
    /// The view of `side`, whose king stands on `king`.
    #[inline]
    pub(super) fn new(side: Side, king: Square) -> Self {
        let turned = king.seen_by(side);
        let view = View {
            side,
            is_mirrored: turned.file() > 4,
            at: king,
            king,
        };
        View {
            king: view.seen(king),
            ..view
        }
    }

    #[inline]
    fn seen(&self, square: Square) -> Square {
        let turned = square.seen_by(self.side);
        if self.is_mirrored {
            Square::at(8 - turned.file(), turned.rank())
        } else {
            turned
        }
    }

    /// Where the weights of both kings with what this side owns begin.
    pub(super) fn kings(&self, enemy: Square) -> usize {
        (self.king.index() * Square::COUNT + self.seen(enemy).index()) * OF_KINGS
    }

    /// Place of an own piece among the weights of both kings.
    pub(super) fn piece(&self, kind: Kind, square: Square) -> usize {
        kind_place(kind) * Square::COUNT + self.seen(square).index()
    }

    /// Place of what this side holds among the weights of both kings.
    pub(super) fn held(kind: Kind, count: u32) -> Option<usize> {
        held_place(kind, count).map(|place| KINDS * Square::COUNT + place)
    }

    /// Where the weights of two of what is near this king begin.
    pub(super) fn zone(&self) -> usize {
        PAIRS_FROM + zone(self.king) * OF_ZONE
    }

    /// The number of a piece that is near this king; the piece must be no king.
    #[inline]
    pub(super) fn near(&self, piece: Piece, square: Square) -> Option<u16> {
        let turn = 2 * self.side.index() + usize::from(self.is_mirrored);
        let cell = usize::from(SEEN[turn][usize::from(CELLS[self.at.index()][square.index()])]);
        if cell == FAR {
            return None;
        }
        let whose = usize::from(piece.side() != self.side);
        let place = cell * KINDS + kind_place(piece.kind());
        Some((2 * place + whose) as u16)
    }

    /// The number of what `holder` has in hand, near every king.
    #[inline]
    pub(super) fn near_held(&self, holder: Side, kind: Kind, count: u32) -> Option<u16> {
        let whose = usize::from(holder != self.side);
        held_place(kind, count).map(|place| (2 * (WIDTH * WIDTH * KINDS + place) + whose) as u16)
    }
}

/// Place of two different numbers of a view among the weights of its zone.
#[inline]
pub(super) fn pair(one: u16, other: u16) -> usize {
    let (low, high) = (usize::from(one.min(other)), usize::from(one.max(other)));
    high * (high - 1) / 2 + low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::squares_within;

    #[test]
    fn the_file_is_below_eight_megabytes_and_every_place_is_in_it() {
        const { assert!(WEIGHTS < 8_000_000) };
        assert_eq!(pair(1, 0), 0);
        assert_eq!(pair(NEAR as u16 - 2, NEAR as u16 - 1), OF_ZONE - 1);
        let corner = View::new(Side::First, Square::at(4, 8));
        assert!(corner.kings(Square::at(8, 8)) + OF_KINGS <= PAIRS_FROM);
        assert_eq!(View::held(Kind::Gold, 4), Some(OF_KINGS - 1));
        let zones = Square::all().filter(|king| king.file() <= 4).map(zone);
        assert_eq!(zones.max(), Some(ZONES - 1));
    }

    #[test]
    fn what_is_near_a_king_has_numbers_of_its_own() {
        let king = Square::at(2, 7);
        let view = View::new(Side::First, king);
        let mut seen = std::collections::HashSet::new();
        for side in [Side::First, Side::Second] {
            for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::King) {
                for square in squares_within(king, REACH) {
                    assert!(seen.insert(view.near(Piece::new(side, kind), square).unwrap()));
                }
            }
            for kind in Kind::HAND {
                for count in 1..=if kind == Kind::Pawn { 3 } else { 2 } {
                    assert!(seen.insert(view.near_held(side, kind, count).unwrap()));
                }
            }
        }
        assert!(seen.iter().all(|&number| usize::from(number) < NEAR));
        assert_eq!(
            view.near(Piece::new(Side::First, Kind::Gold), Square::at(5, 7)),
            None
        );
    }

    #[test]
    fn a_board_turned_or_mirrored_is_seen_the_same() {
        let (king, square) = (Square::at(7, 8), Square::at(6, 7));
        let mirror = |square: Square| Square::at(8 - square.file(), square.rank());
        let gold = |side| Piece::new(side, Kind::Gold);
        let one = View::new(Side::First, king);
        let turned = View::new(Side::Second, king.rotated());
        let mirrored = View::new(Side::First, mirror(king));
        let expected = one.near(gold(Side::First), square);
        assert!(expected.is_some());
        assert_eq!(turned.near(gold(Side::Second), square.rotated()), expected);
        assert_eq!(mirrored.near(gold(Side::First), mirror(square)), expected);
        assert_eq!(
            turned.piece(Kind::Gold, square.rotated()),
            one.piece(Kind::Gold, square)
        );
        assert_eq!(mirrored.kings(mirror(square)), one.kings(square));
    }
}
