use tanren_engine::game::Game;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum GameArg {
    /// Japanese chess.
    Shogi,
    /// Western chess.
    Chess,
}

impl GameArg {
    pub fn game(self) -> Game {
        match self {
            GameArg::Shogi => Game::Shogi,
            GameArg::Chess => Game::Chess,
        }
    }
}

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
pub(crate) use with_game;
