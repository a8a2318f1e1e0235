//! Moves of chess in Standard Algebraic Notation (PGN specification, section 8.2.3).

use cozy_chess::util::{display_san_move, parse_uci_move};
use tanren_engine::chess::{Board, Move};

/// The text of `mv`, with `+` for a check and `#` for mate; `None` if it is not legal.
pub(in crate::report) fn san(board: &Board, mv: Move) -> Option<String> {
    // Castling is the king's move of two squares here, and the king's capture of its rook there.
    let mv = parse_uci_move(board.inner(), &mv.to_string()).ok()?;
    if !board.inner().is_legal(mv) {
        return None;
    }
    Some(display_san_move(board.inner(), mv).to_string())
}

#[cfg(test)]
mod tests {
    use tanren_engine::game::{GameMove, Position};

    use super::*;

    #[test]
    fn moves_read_as_chess_players_write_them() {
        let cases = [
            ("startpos", "g1f3", "Nf3"),
            ("startpos", "e2e4", "e4"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"),
            ("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", "a1a2", "Ra2"),
            ("4k3/8/8/8/8/8/8/R2R2K1 w - - 0 1", "a1c1", "Rac1"),
            ("4k3/8/8/R7/8/8/8/R5K1 w - - 0 1", "a1a3", "R1a3"),
            ("7k/8/8/1Q1Q4/8/1Q6/8/6K1 w - - 0 1", "b5d3", "Qb5d3"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "Qg7#"),
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ];
        for (position, text, expected) in cases {
            let board = Board::parse(position).unwrap();
            let mv = board.parse_move(text).unwrap();
            assert_eq!(san(&board, mv).as_deref(), Some(expected), "{position} {text}");
        }
    }

    #[test]
    fn what_is_no_move_here_has_no_text() {
        let board = Board::parse("startpos").unwrap();
        for text in ["e2e5", "e1g1", "e4e5", "e7e5"] {
            assert_eq!(san(&board, Move::parse(text).unwrap()), None, "{text}");
        }
    }
}
