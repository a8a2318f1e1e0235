//! The rules of a game that a match may choose.

use tanren_engine::config::DeclarationRule;

use super::{ClockRules, DrawRule, FaultPolicy, ResignRule};

/// The rules that a match chooses. By default: no limit of plies, no adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// After so many plies from the opening the game is a draw; 0 for no limit.
    pub plies_max: u32,
    pub declaration: DeclarationRule,
    /// Does a game go on where a repetition would end it?
    pub ignores_repetition: bool,
    /// Does a flag that falls only draw against an opponent that cannot mate?
    pub timeout_draw: bool,
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    pub clock: ClockRules,
    /// What follows from faults where a player says nothing else.
    pub on_fault: FaultPolicy,
    pub strict: bool,
    /// Is one game played for each opening instead of a pair, with the colours by turns?
    pub single_games: bool,
}
