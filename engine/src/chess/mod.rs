//! Chess behind the trait that search knows; the rules are the business of the crate `cozy-chess`.

mod board;
mod castling;
mod check;
mod exchange;
mod moves;
mod position;
mod region;
mod stages;
mod validate;

pub use board::{Board, Played};
pub use cozy_chess::{Color, File, Piece, Rank, Square};
pub use moves::Move;
