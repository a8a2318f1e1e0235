//! Why a game ended.

use serde::{Deserialize, Serialize};

/// Declares the reasons, each with its name in files, in the order of reports. Ledgers hold their places: another order is
/// another format.
macro_rules! reasons {
    ($($(#[$about:meta])* $reason:ident = $name:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Reason {
            $($(#[$about])* $reason,)*
        }

        impl Reason {
            /// All reasons, in the order of reports.
            pub const ALL: [Reason; [$($name),*].len()] = [$(Reason::$reason),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Reason::$reason => $name,)*
                }
            }
        }
    };
}

reasons! {
    /// The side to move had no legal move and lost.
    NoLegalMove = "no_legal_move",
    /// The side to move resigned.
    Resignation = "resignation",
    Declaration = "declaration",
    /// A valid declaration drew (24-point rule).
    DeclarationDraw = "declaration_draw",
    /// A declaration whose conditions were not met lost.
    WrongDeclaration = "wrong_declaration",
    /// The same position occurred too often: a draw.
    Repetition = "repetition",
    /// The same position occurred too often by perpetual check, which lost.
    PerpetualCheck = "perpetual_check",
    /// The side to move has no legal move and is not in check, in a game where that is a draw.
    Stalemate = "stalemate",
    /// Fifty moves without progress, or too little material to mate.
    DrawnByRule = "drawn_by_rule",
    /// The longest allowed game was reached: a draw.
    MaxPlies = "max_plies",
    /// A move that is not legal lost.
    IllegalMove = "illegal_move",
    /// A move that took longer than the clock allowed lost.
    TimeLoss = "time_loss",
    /// The players' scores had decided the game.
    AdjudicatedWin = "adjudicated_win",
    /// The players' scores had shown no advantage for long.
    AdjudicatedDraw = "adjudicated_draw",
    /// An endgame table knew the result.
    Syzygy = "syzygy",
    /// A player's process ended in its game.
    Crash = "crash",
    /// A player's process closed its output in its game and ran on.
    Disconnect = "disconnect",
    /// A player's process did not answer, where no clock of the game ran.
    Stall = "stall",
    /// A player's process answered with no move at all, or without being asked.
    MalformedBestmove = "malformed_bestmove",
    /// A player's process, started again, did not take an option any more.
    RefusedOption = "refused_option",
    /// A player's process could not be started again.
    StartFailure = "start_failure",
    /// A player's process ended by the bound on its memory.
    Memory = "memory",
    /// Where warnings are faults, a player said something that cannot be true, or was late to stop.
    Nonsense = "nonsense",
}

impl Reason {
    /// Is it a fault of whoever lost? A loss on time is a result.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Reason::WrongDeclaration
                | Reason::IllegalMove
                | Reason::Crash
                | Reason::Disconnect
                | Reason::Stall
                | Reason::MalformedBestmove
                | Reason::RefusedOption
                | Reason::StartFailure
                | Reason::Memory
                | Reason::Nonsense
        )
    }

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
