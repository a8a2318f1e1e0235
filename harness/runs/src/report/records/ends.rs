//! What the formats call the ends of games.

use tanren_engine::game::Side;

use super::view::GameView;
use crate::record::Reason;

pub(super) struct EndWords {
    /// The token of CSA, which speaks of the side to move.
    pub(super) csa: &'static str,
    /// The word of KIF, from the side to move's view.
    pub(super) kif: &'static str,
    pub(super) pgn: &'static str,
}

/// Where CSA and KIF have no word for what happened they say that the game broke off, or in a draw that it was one. Comments say
/// why, and who won.
pub(super) fn end_words(view: &GameView<'_>) -> EndWords {
    let side = view.side(view.game.moves.len());
    let (csa_else, kif_else) = if view.winner.is_none() {
        ("%JISHOGI", "持将棋")
    } else {
        ("%CHUDAN", "中断")
    };
    let csa_foul = if view.has_lost(Side::First) {
        "%+ILLEGAL_ACTION"
    } else {
        "%-ILLEGAL_ACTION"
    };
    let kif_foul = if view.has_lost(side) {
        "反則負け"
    } else {
        "反則勝ち"
    };
    let (csa, kif, pgn) = match view.game.reason {
        Reason::NoLegalMove => ("%TSUMI", "詰み", "normal"),
        Reason::Resignation => ("%TORYO", "投了", "normal"),
        // A try ends the game when the opponent is to move.
        Reason::Declaration if view.has_lost(side) => ("%TORYO", "投了", "normal"),
        Reason::Declaration => ("%KACHI", "入玉勝ち", "normal"),
        Reason::Repetition => ("%SENNICHITE", "千日手", "normal"),
        Reason::PerpetualCheck => (csa_foul, kif_foul, "normal"),
        // Under --strict whoever moved last lost, by a protocol violation.
        Reason::Nonsense => (csa_foul, kif_foul, "rules infraction"),
        Reason::TimeLoss | Reason::Stall => ("%TIME_UP", "切れ負け", "time forfeit"),
        Reason::IllegalMove | Reason::WrongDeclaration | Reason::MalformedBestmove => {
            ("%ILLEGAL_MOVE", "反則負け", "rules infraction")
        }
        Reason::AdjudicatedWin if view.has_lost(side) => ("%TORYO", "投了", "adjudication"),
        Reason::AdjudicatedWin | Reason::AdjudicatedDraw | Reason::MaxPlies | Reason::Syzygy => {
            (csa_else, kif_else, "adjudication")
        }
        Reason::TimeoutDraw => (csa_else, kif_else, "time forfeit"),
        Reason::Crash
        | Reason::Disconnect
        | Reason::RefusedOption
        | Reason::StartFailure
        | Reason::Memory => (csa_else, kif_else, "abandoned"),
        Reason::Unplayed => (csa_else, kif_else, "unterminated"),
        Reason::DeclarationDraw => ("%HIKIWAKE", kif_else, "normal"),
        Reason::Stalemate | Reason::DrawnByRule => (csa_else, kif_else, "normal"),
    };
    EndWords { csa, kif, pgn }
}
