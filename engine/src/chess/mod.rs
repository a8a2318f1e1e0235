//! Chess behind the trait that search knows. Squares, sets of them and tables of attacks are those of the crate `cozy-chess`, which also reads FEN.

#[cfg(target_arch = "x86_64")]
mod attacks;
mod board;
mod castling;
mod check;
mod exchange;
mod keys;
mod movegen;
mod moves;
mod play;
mod position;
mod region;
mod tables;
mod validate;

pub use board::Board;
pub use cozy_chess::{Color, File, Piece, Rank, Square};
pub use moves::Move;
pub use play::Undo;
pub use tables::{Tables, TablesError, table_size};

use cozy_chess::{BitBoard, get_bishop_moves, get_rook_moves};

/// Of `squares`, which must not be empty, that nearest to a1.
#[inline]
pub(crate) fn first(squares: BitBoard) -> Square {
    Square::try_index(squares.0.trailing_zeros() as usize & 63).unwrap_or(Square::A1)
}

/// Are there two `squares` or more?
#[inline]
pub(crate) fn has_two(squares: BitBoard) -> bool {
    squares.0 & squares.0.wrapping_sub(1) != 0
}

/// The `squares` from a1 to h8.
#[inline]
pub(crate) fn each(squares: BitBoard) -> impl Iterator<Item = Square> {
    let mut left = squares.0;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let next = first(BitBoard(left));
        left &= left - 1;
        Some(next)
    })
}

/// What a bishop attacks. Every crate that asks `cozy-chess` itself holds 800 kB of tables.
#[inline(never)]
pub fn bishop_attacks(from: Square, occupied: BitBoard) -> BitBoard {
    get_bishop_moves(from, occupied)
}

/// What a rook attacks.
#[inline(never)]
pub fn rook_attacks(from: Square, occupied: BitBoard) -> BitBoard {
    get_rook_moves(from, occupied)
}
