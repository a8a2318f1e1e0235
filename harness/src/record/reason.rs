//! Why a game ended.
//!
//! In: nothing. Out: [`Reason`] and its name in files. Must not: say who won.

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The side to move had no legal move and lost.
    NoLegalMove,
    /// The side to move resigned.
    Resignation,
    /// A valid declaration won.
    Declaration,
    /// A valid declaration drew (24-point rule).
    DeclarationDraw,
    /// A declaration whose conditions were not met lost.
    WrongDeclaration,
    /// The same position occurred too often: a draw.
    Repetition,
    /// The same position occurred too often by perpetual check, which lost.
    PerpetualCheck,
    /// The side to move has no legal move and is not in check, in a game where that is a draw.
    Stalemate,
    /// Fifty moves without progress, or too little material to mate.
    DrawnByRule,
    /// The longest allowed game was reached: a draw.
    MaxPlies,
    /// A move that is not legal lost.
    IllegalMove,
    /// A move that took longer than the clock allowed lost.
    TimeLoss,
    /// The players' scores had decided the game.
    AdjudicatedWin,
    /// The players' scores had shown no advantage for long.
    AdjudicatedDraw,
    /// A player's process ended in its game.
    Crash,
    /// A player's process closed its output in its game and ran on.
    Disconnect,
    /// A player's process did not answer, where no clock of the game ran.
    Stall,
    /// A player's process answered with no move at all, or without being asked.
    MalformedBestmove,
    /// A player's process, started again, did not take an option any more.
    RefusedOption,
    /// A player's process could not be started again.
    StartFailure,
}

impl Reason {
    /// All reasons, in the order of reports.
    pub const ALL: [Reason; 20] = [
        Reason::NoLegalMove,
        Reason::Resignation,
        Reason::Declaration,
        Reason::DeclarationDraw,
        Reason::WrongDeclaration,
        Reason::Repetition,
        Reason::PerpetualCheck,
        Reason::Stalemate,
        Reason::DrawnByRule,
        Reason::MaxPlies,
        Reason::IllegalMove,
        Reason::TimeLoss,
        Reason::AdjudicatedWin,
        Reason::AdjudicatedDraw,
        Reason::Crash,
        Reason::Disconnect,
        Reason::Stall,
        Reason::MalformedBestmove,
        Reason::RefusedOption,
        Reason::StartFailure,
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Reason::NoLegalMove => "no_legal_move",
            Reason::Resignation => "resignation",
            Reason::Declaration => "declaration",
            Reason::DeclarationDraw => "declaration_draw",
            Reason::WrongDeclaration => "wrong_declaration",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual_check",
            Reason::Stalemate => "stalemate",
            Reason::DrawnByRule => "drawn_by_rule",
            Reason::MaxPlies => "max_plies",
            Reason::IllegalMove => "illegal_move",
            Reason::TimeLoss => "time_loss",
            Reason::AdjudicatedWin => "adjudicated_win",
            Reason::AdjudicatedDraw => "adjudicated_draw",
            Reason::Crash => "crash",
            Reason::Disconnect => "disconnect",
            Reason::Stall => "stall",
            Reason::MalformedBestmove => "malformed_bestmove",
            Reason::RefusedOption => "refused_option",
            Reason::StartFailure => "start_failure",
        }
    }

    /// The reason of this name.
    pub fn from_name(name: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found_again_by_its_name() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_name(reason.name()), Some(reason));
        }
        assert_eq!(Reason::from_name("boredom"), None);
    }
}
