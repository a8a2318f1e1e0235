//! What search may know of a game: the trait [`Position`], the [`Path`] of a game, and the small types around them.

mod path;
mod position;
mod types;
mod zobrist;

pub use path::{Path, Repetition};
pub use position::{EarlyTests, Position};
pub use types::{
    Claim, ClaimRule, Game, GameMove, Known, MOVES_MAX, Metric, MoveList, ParseError, Region, RegionKind,
    RegionRules, Side, StructureKeys,
};
pub(crate) use zobrist::random_key;
