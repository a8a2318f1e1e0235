//! Moves of chess in Standard Algebraic Notation (PGN specification, section 8.2.3).
//!
//! In: a position and a legal move. Out: its text. Must not: check that the move is legal.

use tanren_engine::chess::{Board, Move, Piece};
use tanren_engine::game::{MoveList, Position};

/// The text of `mv`, with `+` for a check and `#` for mate.
pub(super) fn san(board: &Board, mv: Move) -> String {
    let mut text = unmarked(board, mv);
    let mut after = board.clone();
    after.make(mv);
    if after.in_check() {
        text.push(if after.count_legal_all() == 0 { '#' } else { '+' });
    }
    text
}

fn unmarked(board: &Board, mv: Move) -> String {
    if board.castling_rook(mv).is_some() {
        let is_short = mv.to().file() > mv.from().file();
        return if is_short { "O-O" } else { "O-O-O" }.to_owned();
    }
    let captures = board.captured(mv).is_some();
    let to = mv.to();
    let Some(piece) = board
        .inner()
        .piece_on(mv.from())
        .filter(|&piece| piece != Piece::Pawn)
    else {
        let from = if captures {
            format!("{}x", mv.from().file())
        } else {
            String::new()
        };
        let promotion = mv
            .promoted()
            .map_or(String::new(), |piece| format!("={}", letter(piece)));
        return format!("{from}{to}{promotion}");
    };
    let captures = if captures { "x" } else { "" };
    format!("{}{}{captures}{to}", letter(piece), origin(board, mv, piece))
}

/// As much of the origin as tells the move from those of other pieces of the kind: the file, else the rank, else both.
fn origin(board: &Board, mv: Move, piece: Piece) -> String {
    let mut legal = MoveList::new();
    board.legal_all(&mut legal);
    let is_rival = |other: &&Move| {
        other.to() == mv.to()
            && other.from() != mv.from()
            && board.inner().piece_on(other.from()) == Some(piece)
            && board.castling_rook(**other).is_none()
    };
    let rivals: Vec<_> = legal.iter().filter(is_rival).map(|other| other.from()).collect();
    let from = mv.from();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        from.file().to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        from.rank().to_string()
    } else {
        from.to_string()
    }
}

fn letter(piece: Piece) -> char {
    match piece {
        Piece::Pawn => 'P',
        Piece::Knight => 'N',
        Piece::Bishop => 'B',
        Piece::Rook => 'R',
        Piece::Queen => 'Q',
        Piece::King => 'K',
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(san(&board, mv), expected, "{position} {text}");
        }
    }
}
