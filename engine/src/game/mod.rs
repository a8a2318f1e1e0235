//! What search may know of a game: the trait [`Position`], the [`Path`] of a game, and the small types around them.

mod claim;
mod kind;
mod likenesses;
mod moves;
mod path;
mod perpetual_check;
mod position;
mod region;
mod repetition;
mod side;

pub use claim::{Claim, ClaimPoints};
pub use kind::Game;
pub use likenesses::Likenesses;
pub use moves::{GameMove, MOVES_MAX, MoveList, ParseError};
pub use path::Path;
pub use perpetual_check::Repetition;
pub use position::{EarlyTests, Position};
pub use region::{Metric, Region, RegionKind, RegionRules};
pub use side::Side;
