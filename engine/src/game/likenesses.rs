//! In what positions are alike, for what is learnt of one and used in another.

/// Parts of a position, each as a number that equal parts share (others may share it by chance).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Likenesses {
    /// What each side has: in shogi the pieces in hand.
    pub material: u64,
    /// The kings and what stands around them.
    pub kings: u64,
    /// The pawns on the board.
    pub pawns: u64,
}
