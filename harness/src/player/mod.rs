//! Who plays: one position in, one action out.
//!
//! In: a position and the path to it. Out: a [`Thought`]. Must not: judge a game, or know the opponent.

mod builtin;
#[cfg(test)]
mod scripted;

pub use builtin::{Builtin, BuiltinRules, signature};
#[cfg(test)]
pub(crate) use scripted::Scripted;

use tanren_engine::game::{Path, Position};

/// What a player does when it is its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action<M> {
    /// Play this move.
    Move(M),
    /// Give up.
    Resign,
    /// Declare a win (or a draw) by points.
    Declare,
}

/// What a player did at one turn and what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thought<M> {
    /// What it wants to do.
    pub action: Action<M>,
    /// Nodes searched.
    pub nodes: u64,
    /// Depth reached.
    pub depth: u32,
}

/// A player of any kind. One worker owns it and uses it for many games.
pub trait Player<P: Position>: Send {
    /// Forgets the last game; `game_seed` is all that a game may vary by.
    fn new_game(&mut self, game_seed: u32);
    /// Decides at `position`, which `path` ends with. `None`: interrupted, the game will be thrown away.
    fn think(&mut self, position: &P, path: &Path) -> Option<Thought<P::Move>>;
}
