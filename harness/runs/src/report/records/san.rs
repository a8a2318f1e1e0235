//! Moves of chess in Standard Algebraic Notation (PGN specification, section 8.2.3).

use cozy_chess::util::{display_san_move, parse_uci_move};
use tanren_engine::chess::{Board, Move};

/// The text of `mv`, with `+` for a check and `#` for mate; `None` if it is not legal.
pub(in crate::report) fn san(board: &Board, mv: Move) -> Option<String> {
    // Castling is the king's move of two squares here, and the king's capture of its rook there.
    let board = cozy_chess::Board::from_fen(&board.to_string(), board.is_chess960()).ok()?;
    let mv = parse_uci_move(&board, &mv.to_string()).ok()?;
    if !board.is_legal(mv) {
        return None;
    }
    Some(display_san_move(&board, mv).to_string())
}

#[cfg(test)]
mod tests {
    use tanren_engine::game::{GameMove, Position};

    use super::*;

    #[test]
    fn moves_read_as_chess_players_write_them() {
        for (position, text, expected) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", Some("O-O")),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", Some("O-O-O")),
            ("7k/8/8/1Q1Q4/8/1Q6/8/6K1 w - - 0 1", "b5d3", Some("Qb5d3")),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", Some("axb8=N")),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", Some("exd6")),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", Some("Qg7#")),
            ("startpos", "e2e5", None),
            ("startpos", "e1g1", None),
            ("startpos", "e7e5", None),
        ] {
            let board = Board::parse(position).unwrap();
            let mv = Move::parse(text).unwrap();
            assert_eq!(san(&board, mv).as_deref(), expected, "{position} {text}");
        }
    }
}
