//! The small types around a position.

use std::fmt;
use std::hash::Hash;

use arrayvec::ArrayVec;

use crate::named::named;

named! {
    /// The games that can be played.
    Game {
        Shogi = "shogi", "Japanese chess, 9x9 with drops.";
        Chess = "chess", "Western chess.";
    }

    /// How the distance of two squares is counted.
    Metric {
        KingMoves = "chebyshev", "Moves of a king (Chebyshev distance).";
        Steps = "manhattan", "Files and ranks between them added (Manhattan distance).";
    }
}

impl Game {
    /// What the notation of positions is called.
    pub fn notation(self) -> &'static str {
        match self {
            Game::Shogi => "sfen",
            Game::Chess => "fen",
        }
    }
}

/// Who moves: `First` is black (sente) in shogi and white in chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that moves first from the start position.
    First,
    /// The side that moves second.
    Second,
}

impl Side {
    /// The side that plays against this one.
    #[inline]
    pub fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 1 for `First`, -1 for `Second`.
    pub fn sign(self) -> i32 {
        1 - 2 * self as i32
    }

    /// 0 for `First`, 1 for `Second`.
    pub fn index(self) -> usize {
        self as usize
    }
}

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
    fn parse(text: &str) -> Result<Self, ParseError>;
}

/// When a king in the enemy camp wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClaimRule {
    /// By points.
    Points {
        /// The points that a win needs, by [`Side::index`](super::Side::index).
        win: [u32; 2],
        /// For a draw, where one can be claimed.
        draw: Option<u32>,
        /// Does the second side count the pieces that are missing (handicap games)?
        counts_missing: bool,
    },
    /// By reaching the square where the enemy king starts.
    Try,
}

/// What a claim by the side to move would be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The conditions are not met: claiming loses.
    Invalid,
    /// The conditions are met for a draw.
    Draw,
    /// The conditions are met for a win.
    Win,
    /// The opponent has won without a claim.
    Loss,
}

/// What tables of endings know of a position under the rules, the fifty moves of chess included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// This side wins.
    Won(Side),
    /// Nobody does.
    Drawn,
}

/// What a quiet move does, as pruning by region sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// It attacks an enemy piece.
    Attack,
    /// It answers an attack.
    Defence,
    /// It neither attacks nor answers an attack.
    Other,
}

/// How pruning by region looks at moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegionRules {
    /// The measure of distances.
    pub metric: Metric,
    /// Are moves of the king and of fast pieces left out?
    pub exempts: bool,
}

/// Where a quiet move acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    /// What the move does there.
    pub kind: RegionKind,
    /// From what it does to the king concerned; less than [`Region::DISTANCES`].
    pub distance: u8,
}

impl Region {
    /// More than every distance of every game and metric.
    pub const DISTANCES: usize = 17;
}

/// Parts of a position, each as a number that equal parts share (others may share it by chance).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StructureKeys {
    /// What each side has: in shogi the pieces in hand.
    pub material: u64,
    /// The kings and what stands around them.
    pub kings: u64,
    /// The pawns on the board.
    pub pawns: u64,
    /// The pieces of each side on the board, without pawns; in shogi their squares alone.
    pub pieces: [u64; 2],
}
