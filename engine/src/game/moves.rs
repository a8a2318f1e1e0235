//! Moves as search sees them: sixteen bits, and lists of them.

use std::fmt;
use std::hash::Hash;

use arrayvec::ArrayVec;

/// More moves than any position of any supported game has (shogi: 593, chess: 218).
pub const MOVES_MAX: usize = 600;

/// A list of moves on the stack, in generation order.
pub type MoveList<M> = ArrayVec<M, MOVES_MAX>;

/// A text is not a position or not a move; the message says which part and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(pub String);

/// A move in 16 bits: any bit pattern is a value of the type (a hash table may return anything).
pub trait GameMove: Copy + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The move's bits; 0 is never a legal move.
    fn bits(self) -> u16;
    /// The move with these bits, whatever they mean.
    fn from_bits(bits: u16) -> Self;
    /// Reads protocol notation; whether the move is legal anywhere is another question.
    ///
    /// # Errors
    /// If the text does not have the form of a move.
    fn parse(text: &str) -> Result<Self, ParseError>;
}
