//! The rules of a game that a match may choose.
//!
//! In: nothing. Out: [`Rules`]. Must not: apply them.

use tanren_engine::game::DeclarationRule;

/// The rules that a match chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// After so many plies from the opening the game is a draw; 0 for no limit.
    pub plies_max: u32,
    /// The declaration rule.
    pub declaration: DeclarationRule,
}
