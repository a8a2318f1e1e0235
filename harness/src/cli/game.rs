//! From a game's name to its types.
//!
//! In: a [`Game`]. Out: a call with that game's position type. Must not: know what the call does.

use tanren_engine::game::Game;

/// The games as a command-line option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum GameArg {
    /// Japanese chess.
    Shogi,
    /// Western chess.
    Chess,
}

impl GameArg {
    pub(super) fn game(self) -> Game {
        match self {
            GameArg::Shogi => Game::Shogi,
            GameArg::Chess => Game::Chess,
        }
    }
}

/// Calls a function that is generic over the position with the position type of a game.
macro_rules! with_game {
    ($game:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        match $game {
            tanren_engine::game::Game::Shogi => {
                $function::<tanren_engine::shogi::Board>($($argument),*)
            }
            tanren_engine::game::Game::Chess => {
                $function::<tanren_engine::chess::Board>($($argument),*)
            }
        }
    };
}
pub(super) use with_game;
