//! Why a game ended.

use serde::{Deserialize, Serialize};
use strum::{EnumCount, EnumString, IntoStaticStr, VariantArray};

/// In the order of reports. Ledgers hold the places: another order is another format.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    EnumCount,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// The side to move had no legal move and lost.
    NoLegalMove,
    /// The side to move resigned.
    Resignation,
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
    /// An endgame table knew the result.
    Syzygy,
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
    /// A player's process ended by the bound on its memory.
    Memory,
    /// Where warnings are faults, a player said something that cannot be true, or was late to stop.
    Nonsense,
    /// A flag fell against an opponent that could not mate: a draw, where that is the rule.
    TimeoutDraw,
    /// The other game of an opening that has one alone.
    Unplayed,
}

impl Reason {
    pub const ALL: [Reason; Reason::COUNT] = match Reason::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };

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

    /// The name in files.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
