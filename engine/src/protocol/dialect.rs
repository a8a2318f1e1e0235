//! The two protocols: where their words differ.
//!
//! In: a game. Out: [`Dialect`]. Must not: hold a conversation.

use crate::game::{Game, Side};

/// A protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The protocol of shogi.
    Usi,
    /// The protocol of chess.
    Uci,
}

impl Dialect {
    /// The protocol of `game`.
    pub(super) const fn of(game: Game) -> Dialect {
        match game {
            Game::Shogi => Dialect::Usi,
            Game::Chess => Dialect::Uci,
        }
    }

    /// The end of the introduction.
    pub(super) fn introduced(self) -> &'static str {
        match self {
            Dialect::Usi => "usiok",
            Dialect::Uci => "uciok",
        }
    }

    /// The answer of a side that has no move.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Dialect::Usi => "resign",
            Dialect::Uci => "(none)",
        }
    }

    /// The side that the word "black" means in clocks.
    pub(super) fn black(self) -> Side {
        match self {
            Dialect::Usi => Side::First,
            Dialect::Uci => Side::Second,
        }
    }

    /// Does a clock that is told already hold the increment that may be used on this move?
    pub(super) fn clock_has_increment(self) -> bool {
        self == Dialect::Uci
    }
}
