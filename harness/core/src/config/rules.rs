//! The rules of a game that a match may choose.

use tanren_engine::config::DeclarationRule;

use super::{ClockRules, DrawRule, FaultPolicy, ResignRule};

/// The rules that a match chooses. By default: no limit of plies, no adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// After so many plies from the opening the game is a draw; 0 for no limit.
    pub plies_max: u32,
    pub declaration: DeclarationRule,
    pub repetition: RepetitionRule,
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    pub clock: ClockRules,
    /// What follows from faults where a player says nothing else.
    pub on_fault: FaultPolicy,
    pub strict: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RepetitionRule {
    #[default]
    On,
    Off,
}

impl RepetitionRule {
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "on" => Some(RepetitionRule::On),
            "off" => Some(RepetitionRule::Off),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            RepetitionRule::On => "on",
            RepetitionRule::Off => "off",
        }
    }
}
