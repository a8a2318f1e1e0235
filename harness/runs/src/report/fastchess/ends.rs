//! Why games end, in the words of fastchess and cutechess-cli.

use tanren_engine::chess::Board;
use tanren_engine::game::{GameMove, Position};

use crate::record::{GameOutcome, GameRecord, PlayerId, Reason};

pub(super) fn is_crash(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Crash
            | Reason::Disconnect
            | Reason::Stall
            | Reason::RefusedOption
            | Reason::StartFailure
            | Reason::Memory
    )
}

/// Why a game ended, in their words.
pub(super) fn reason(game: &GameOutcome, white: PlayerId, is_by_moves: bool) -> String {
    let colour = |player: PlayerId| if player == white { "White" } else { "Black" };
    let Some(winner) = game.winner else {
        let why = match game.reason {
            Reason::Repetition => "Draw by 3-fold repetition",
            Reason::Stalemate => "Draw by stalemate",
            Reason::DrawnByRule if is_by_moves => "Draw by fifty moves rule",
            Reason::DrawnByRule => "Draw by insufficient mating material",
            Reason::Syzygy => "Draw by adjudication: SyzygyTB",
            _ => "Draw by adjudication",
        };
        return why.to_owned();
    };
    let (winner, loser) = (colour(winner), colour(winner.opponent()));
    match game.reason {
        Reason::NoLegalMove => format!("{winner} mates"),
        Reason::AdjudicatedWin => format!("{winner} wins by adjudication"),
        Reason::Syzygy => format!("{winner} wins by adjudication: SyzygyTB"),
        Reason::TimeLoss => format!("{loser} loses on time"),
        Reason::Stall => format!("{loser}'s connection stalls"),
        Reason::IllegalMove | Reason::MalformedBestmove | Reason::Nonsense => {
            format!("{loser} makes an illegal move")
        }
        reason if is_crash(reason) => format!("{loser} disconnects"),
        _ => format!("{loser} resigns"),
    }
}

/// Was this game, which a rule drew, drawn by fifty moves without progress?
pub(super) fn is_drawn_by_moves(opening: &str, record: &GameRecord) -> bool {
    let Ok(mut position) = Board::parse(opening) else {
        return false;
    };
    for &bits in &record.moves {
        position.make(GameMove::from_bits(bits));
    }
    position.quiet_plies() >= 100
}
