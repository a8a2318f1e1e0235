//! Keys of positions.

use cozy_chess::{Color, File, Piece, Square};

use crate::game::random_key;

const PIECES: usize = Color::NUM * Piece::NUM * Square::NUM;
const CASTLING: usize = PIECES + Color::NUM * File::NUM;
const NUMBERS: usize = CASTLING + File::NUM + 1;

/// Apart from those of shogi.
const SEED: u64 = 300_000;

/// By colour, piece and square; castling by colour and file of the rook; en passant by file; Black to move.
static KEYS: [u64; NUMBERS] = {
    let mut keys = [0; NUMBERS];
    let mut index = 0;
    while index < NUMBERS {
        keys[index] = random_key(SEED + index as u64);
        index += 1;
    }
    keys
};

#[inline]
pub(super) fn of_piece(color: Color, piece: Piece, square: Square) -> u64 {
    KEYS[(color as usize * Piece::NUM + piece as usize) * Square::NUM + square as usize]
}

pub(super) fn of_castling(color: Color, rook: File) -> u64 {
    KEYS[PIECES + color as usize * File::NUM + rook as usize]
}

pub(super) fn of_en_passant(file: File) -> u64 {
    KEYS[CASTLING + file as usize]
}

pub(super) fn of_black_to_move() -> u64 {
    KEYS[NUMBERS - 1]
}
