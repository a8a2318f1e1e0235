//! The games that can be played.

/// The games that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Game {
    /// Japanese chess, 9x9 with drops.
    Shogi,
    /// Western chess.
    Chess,
}

impl Game {
    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Game::Shogi => "shogi",
            Game::Chess => "chess",
        }
    }

    /// The game of this name.
    pub fn from_name(name: &str) -> Option<Game> {
        [Game::Shogi, Game::Chess]
            .into_iter()
            .find(|game| game.name() == name)
    }

    /// What the notation of positions is called.
    pub fn notation(self) -> &'static str {
        match self {
            Game::Shogi => "sfen",
            Game::Chess => "fen",
        }
    }
}
