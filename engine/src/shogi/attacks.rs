//! Which squares a piece attacks.
//!
//! Ranks and diagonals: the o^(o-2r) trick in both directions over byte-swapped 128-bit words ("hyperbola
//! quintessence"; two neighbours on such a line are always in different bytes). Files: a table over the seven inner
//! squares. No tables beyond a few KiB a piece, which measured faster than magic multipliers here.

use super::{Bitboard, Kind, Piece, Square};
use crate::game::Side;

const fn step(square: Square, file_step: i8, rank_step: i8) -> Option<Square> {
    let file = square.file() as i8 + file_step;
    let rank = square.rank() as i8 + rank_step;
    if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
        Some(Square::at(file as u8, rank as u8))
    } else {
        None
    }
}

const fn ray(square: Square, file_step: i8, rank_step: i8) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut at = square;
    while let Some(next) = step(at, file_step, rank_step) {
        set = set.union(Bitboard::of_const(next));
        at = next;
    }
    set
}

type Offsets = &'static [(i8, i8)];

const ROOK: Offsets = &[(0, -1), (0, 1), (-1, 0), (1, 0)];
const BISHOP: Offsets = &[(-1, -1), (1, 1), (-1, 1), (1, -1)];

/// Steps and rays of a kind for the first side.
const fn movement(kind: Kind) -> (Offsets, Offsets) {
    match kind {
        Kind::Pawn => (&[(0, -1)], &[]),
        Kind::Lance => (&[], &[(0, -1)]),
        Kind::Knight => (&[(-1, -2), (1, -2)], &[]),
        Kind::Silver => (&[(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)], &[]),
        Kind::Bishop => (&[], BISHOP),
        Kind::Rook => (&[], ROOK),
        Kind::Gold | Kind::ProPawn | Kind::ProLance | Kind::ProKnight | Kind::ProSilver => {
            (&[(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)], &[])
        }
        Kind::King => (
            &[
                (0, -1),
                (0, 1),
                (-1, 0),
                (1, 0),
                (-1, -1),
                (1, 1),
                (-1, 1),
                (1, -1),
            ],
            &[],
        ),
        Kind::Horse => (ROOK, BISHOP),
        Kind::Dragon => (BISHOP, ROOK),
    }
}

const fn empty_board_attacks(kind: Kind, side: Side, square: Square) -> Bitboard {
    let flip: i8 = match side {
        Side::First => 1,
        Side::Second => -1,
    };
    let (steps, rays) = movement(kind);
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < steps.len() {
        if let Some(to) = step(square, steps[i].0 * flip, steps[i].1 * flip) {
            set = set.union(Bitboard::of_const(to));
        }
        i += 1;
    }
    let mut i = 0;
    while i < rays.len() {
        set = set.union(ray(square, rays[i].0 * flip, rays[i].1 * flip));
        i += 1;
    }
    set
}

/// What a piece attacks on an empty board, by square, side and kind. All kinds of one side on one square are adjacent.
static PSEUDO: [[[Bitboard; Kind::COUNT]; 2]; 128] = {
    let mut table = [[[Bitboard::EMPTY; Kind::COUNT]; 2]; 128];
    let mut kind = 0;
    while kind < 14 {
        let mut square = 0;
        while square < 81 {
            let (k, s) = (Kind::ALL[kind], Square::new_unchecked(square as u8));
            table[square][0][k.index()] = empty_board_attacks(k, Side::First, s);
            table[square][1][k.index()] = empty_board_attacks(k, Side::Second, s);
            square += 1;
        }
        kind += 1;
    }
    table
};

struct LineTables {
    /// Squares strictly between two squares on a line.
    between: [[Bitboard; 81]; 81],
    /// The whole line through two squares, both included; empty if there is none.
    through: [[Bitboard; 81]; 81],
}

static LINES: LineTables = {
    let mut lines = LineTables {
        between: [[Bitboard::EMPTY; 81]; 81],
        through: [[Bitboard::EMPTY; 81]; 81],
    };
    const DIRECTIONS: Offsets = movement(Kind::King).0;
    let mut from = 0;
    while from < 81 {
        let origin = Square::new_unchecked(from as u8);
        let mut d = 0;
        while d < 8 {
            let (f, r) = DIRECTIONS[d];
            let line = ray(origin, f, r)
                .union(ray(origin, -f, -r))
                .union(Bitboard::of_const(origin));
            let mut between = Bitboard::EMPTY;
            let mut at = origin;
            while let Some(to) = step(at, f, r) {
                lines.between[from][to.index()] = between;
                lines.through[from][to.index()] = line;
                between = between.union(Bitboard::of_const(to));
                at = to;
            }
            d += 1;
        }
        from += 1;
    }
    lines
};

/// For the o^(o-2r) trick: a square's bit, twice, plain and byte-swapped, and its three lines without itself.
#[derive(Clone, Copy)]
struct Slide {
    twice: u128,
    twice_swapped: u128,
    rank: u128,
    rising: u128,
    falling: u128,
}

static SLIDES: [Slide; 128] = {
    let mut table = [Slide {
        twice: 0,
        twice_swapped: 0,
        rank: 0,
        rising: 0,
        falling: 0,
    }; 128];
    let mut index = 0;
    while index < 81 {
        let square = Square::new_unchecked(index as u8);
        let bit = Bitboard::of_const(square).bits();
        table[index] = Slide {
            twice: bit << 1,
            twice_swapped: bit.swap_bytes() << 1,
            rank: ray(square, 1, 0).union(ray(square, -1, 0)).bits(),
            rising: ray(square, 1, -1).union(ray(square, -1, 1)).bits(),
            falling: ray(square, 1, 1).union(ray(square, -1, -1)).bits(),
        };
        index += 1;
    }
    table
};

/// Attacked squares of a file, 9 bits, by rank and the occupied inner seven squares.
static FILES: [[u16; 128]; 9] = {
    let mut table = [[0; 128]; 9];
    let mut rank = 0;
    while rank < 9 {
        let mut inner = 0;
        while inner < 128 {
            let occupied = (inner as u16) << 1;
            let mut set = 0u16;
            let mut at = rank;
            while at > 0 {
                at -= 1;
                set |= 1 << at;
                if occupied & 1 << at != 0 {
                    break;
                }
            }
            let mut at = rank;
            while at < 8 {
                at += 1;
                set |= 1 << at;
                if occupied & 1 << at != 0 {
                    break;
                }
            }
            table[rank][inner] = set;
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// Where a square's file begins in its half of the board, and the square's rank.
static FILE_SHIFT: [(u8, u8); 128] = {
    let mut table = [(0, 0); 128];
    let mut index = 0;
    while index < 81 {
        let square = Square::new_unchecked(index as u8);
        table[index] = (square.file() % 7 * 9, square.rank());
        index += 1;
    }
    table
};

#[inline]
fn along(occupied: u128, line: u128, slide: &Slide) -> u128 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slide.twice);
    let down = blockers
        .swap_bytes()
        .wrapping_sub(slide.twice_swapped)
        .swap_bytes();
    (up ^ down) & line
}

#[inline]
fn file_attacks(square: Square, occupied: Bitboard) -> u128 {
    let (shift, rank) = FILE_SHIFT[square.index()];
    let is_high = square.index() >= 63;
    let half = if is_high {
        occupied.bits() >> 64
    } else {
        occupied.bits()
    } as u64;
    let inner = (half >> (shift + 1)) as usize & 127;
    let attacks = u64::from(FILES[rank as usize][inner]) << shift;
    if is_high {
        u128::from(attacks) << 64
    } else {
        u128::from(attacks)
    }
}

#[inline]
pub(crate) fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let slide = &SLIDES[square.index()];
    Bitboard::from_bits(along(occupied.bits(), slide.rank, slide) | file_attacks(square, occupied))
}

#[inline]
pub(crate) fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let slide = &SLIDES[square.index()];
    let occupied = occupied.bits();
    Bitboard::from_bits(along(occupied, slide.rising, slide) | along(occupied, slide.falling, slide))
}

#[inline]
pub(super) fn lance_attacks(side: Side, square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::from_bits(file_attacks(square, occupied)) & pseudo_by_kind(side, square)[Kind::Lance.index()]
}

pub(crate) fn king_attacks(square: Square) -> Bitboard {
    pseudo_by_kind(Side::First, square)[Kind::King.index()]
}

/// All squares within this king-move distance.
static WITHIN: [[Bitboard; 128]; 9] = {
    let mut table = [[Bitboard::EMPTY; 128]; 9];
    let mut center = 0;
    while center < 81 {
        let mut other = 0;
        while other < 81 {
            let (a, b) = (
                Square::new_unchecked(center as u8),
                Square::new_unchecked(other as u8),
            );
            let mut distance = a.distance(b) as usize;
            while distance < 9 {
                table[distance][center] = table[distance][center].union(Bitboard::of_const(b));
                distance += 1;
            }
            other += 1;
        }
        center += 1;
    }
    table
};

pub(crate) fn squares_within(center: Square, distance: u8) -> Bitboard {
    WITHIN[usize::from(distance.min(8))][center.index()]
}

/// What a piece of `side` on `square` would attack on an empty board, by kind.
#[inline]
pub(super) fn pseudo_by_kind(side: Side, square: Square) -> &'static [Bitboard; Kind::COUNT] {
    &PSEUDO[square.index()][side.index()]
}

pub(super) fn pseudo(piece: Piece, square: Square) -> Bitboard {
    PSEUDO[square.index()].as_flattened()[piece.index()]
}

pub(super) fn between(a: Square, b: Square) -> Bitboard {
    LINES.between[a.index()][b.index()]
}

pub(super) fn line_through(a: Square, b: Square) -> Bitboard {
    LINES.through[a.index()][b.index()]
}

/// Squares that `piece` attacks from `square` on a board with these squares occupied.
#[inline]
pub(super) fn attacks_of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        Kind::Lance => lance_attacks(piece.side(), square, occupied),
        Kind::Bishop => bishop_attacks(square, occupied),
        Kind::Rook => rook_attacks(square, occupied),
        Kind::Horse => bishop_attacks(square, occupied) | king_attacks(square),
        Kind::Dragon => rook_attacks(square, occupied) | king_attacks(square),
        _ => pseudo(piece, square),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn walk(kind: Kind, side: Side, square: Square, occupied: Bitboard) -> Bitboard {
        let flip = if side == Side::First { 1 } else { -1 };
        let (steps, rays) = movement(kind);
        let mut set: Bitboard = steps
            .iter()
            .filter_map(|&(f, r)| step(square, f * flip, r * flip))
            .collect();
        for &(f, r) in rays {
            let mut at = square;
            while let Some(to) = step(at, f * flip, r * flip) {
                set |= Bitboard::of(to);
                if occupied.has(to) {
                    break;
                }
                at = to;
            }
        }
        set
    }

    proptest! {
        #[test]
        fn attacks_stop_at_the_first_blocker_like_a_walk_along_the_rays(bits in any::<u128>()) {
            let occupied = Bitboard::from_bits(bits) & Bitboard::ALL;
            for square in Square::all() {
                for kind in Kind::ALL {
                    for side in [Side::First, Side::Second] {
                        let piece = Piece::new(side, kind);
                        let expected = walk(kind, side, square, occupied);
                        prop_assert_eq!(attacks_of(piece, square, occupied), expected, "{:?} on {}", piece, square);
                    }
                }
            }
        }
    }

    #[test]
    fn lines_and_betweens_are_symmetric_and_consistent() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line_through(a, b), line_through(b, a));
                if between(a, b).non_empty() {
                    assert_eq!(between(a, b) & line_through(a, b), between(a, b));
                }
            }
        }
    }
}
