//! Moves of chess as people write them.

use tanren_engine::chess::{Board, File, Move, Piece};
use tanren_engine::game::{MoveList, Position};

pub(super) fn parse(board: &Board, text: &str) -> Result<Move, String> {
    let word = text.trim_end_matches(['+', '#', '!', '?']);
    let word = word.strip_suffix("e.p.").unwrap_or(word);
    let mut moves = MoveList::new();
    board.legal(&mut moves);
    let mut fitting = moves.iter().copied().filter(|&mv| fits(board, mv, word));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(format!("'{text}' is no legal move in {board}")),
        (Some(_), Some(_)) => Err(format!("'{text}' means more than one move in {board}")),
    }
}

/// May this legal move be written so?
fn fits(board: &Board, mv: Move, word: &str) -> bool {
    let plain = word.replace(['x', ':', '-', '='], "");
    if let Some((_, rook_to)) = board.castling_rook(mv) {
        return match word {
            "O-O" | "0-0" | "o-o" => rook_to.file() == File::F,
            "O-O-O" | "0-0-0" | "o-o-o" => rook_to.file() == File::D,
            _ => plain == mv.to_string(),
        };
    }
    let promotion = mv.promoted().map_or(String::new(), |piece| piece.to_string());
    let Some((ahead, end)) = plain.split_at_checked(plain.len().saturating_sub(promotion.len())) else {
        return false;
    };
    let Some(ahead) = ahead.strip_suffix(&mv.to().to_string()) else {
        return false;
    };
    let from = mv.from().to_string();
    let piece = board.piece_on(mv.from()).map_or(Piece::Pawn, |(_, piece)| piece);
    let letter = piece.to_string().to_ascii_uppercase();
    // A pawn needs no letter, and nor does a move that says from where.
    let origin = match ahead.strip_prefix(&letter) {
        Some(origin) => origin,
        None if piece == Piece::Pawn || ahead == from => ahead,
        None => return false,
    };
    end.eq_ignore_ascii_case(&promotion) && ["", &from[..1], &from[1..], &from].contains(&origin)
}
