//! Keys of positions.
//!
//! Board keys are combined by exclusive or; a hand's key is a sum, one term for each piece held.

use super::board::GOLDEN;
use super::{Kind, Piece, Square};
use crate::game::{Side, random_key};

static BOARD: [[u64; 128]; Piece::COUNT] = {
    let mut table = [[0; 128]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < 81 {
            table[piece][square] = random_key((piece * 81 + square) as u64);
            square += 1;
        }
        piece += 1;
    }
    table
};

static HAND: [[u64; 8]; 2] = {
    let mut table = [[0; 8]; 2];
    let mut index = 0;
    while index < 16 {
        // Odd, so that no count of pieces makes low bits vanish.
        table[index / 8][index % 8] = random_key(100_000 + index as u64) | 1;
        index += 1;
    }
    table
};

/// Toggled with the side to move.
pub(super) const SIDE: u64 = random_key(200_000);

pub(super) fn board(piece: Piece, square: Square) -> u64 {
    BOARD[piece.index()][square.index()]
}

/// The key of a knight, a silver, a gold (or what moves like one) or a king; 0 of others.
#[inline]
pub(super) fn stepper(piece: Piece, square: Square) -> u64 {
    const STEPPERS: u32 =
        GOLDEN | 1 << Kind::Knight as u32 | 1 << Kind::Silver as u32 | 1 << Kind::King as u32;
    board(piece, square) & u64::from(STEPPERS >> piece.kind_index() & 1).wrapping_neg()
}

pub(super) fn hand(side: Side, kind: Kind) -> u64 {
    HAND[side.index()][kind.index() & 7]
}
