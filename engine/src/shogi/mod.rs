//! The rules of shogi.

mod attack_map;
mod attacks;
mod bitboard;
mod board;
mod declaration;
mod exchange;
mod hand;
mod legality;
mod mate;
mod movegen;
mod moves;
mod piece;
mod position;
mod region;
mod sfen;
mod square;
mod steps;
mod structure;
mod validate;
mod zobrist;

pub(crate) use attack_map::AttackMap;
pub(crate) use attacks::{king_attacks, squares_within};
pub use bitboard::Bitboard;
pub(crate) use bitboard::SquareIndices;
pub use board::{Board, Undo};
pub use declaration::DeclarationRule;
pub use hand::Hand;
pub use legality::CheckInfo;
pub use moves::Move;
pub use piece::{Kind, Piece};
pub use square::Square;
pub(crate) use steps::{StepTable, Steps};
