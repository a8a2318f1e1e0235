//! Whether a FEN is a position that chess can be played on, and if not, why not.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

const PIECES_MAX: u32 = 16;
const PAWNS_MAX: u32 = 8;
/// More cannot come from one move.
const CHECKERS_MAX: u32 = 2;

#[derive(Default)]
struct BoardField {
    sides: [BitBoard; 2],
    kinds: [BitBoard; 6],
}

pub(super) fn check(board: &str, side_to_move: &str) -> Result<(), String> {
    let us = match side_to_move {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(format!("side to move is '{side_to_move}' (expected w or b)")),
    };
    let field = BoardField::parse(board)?;
    let (ours, theirs) = (field.checked_king(us)?, field.checked_king(!us)?);
    if get_king_moves(ours).has(theirs) {
        return Err(format!(
            "the kings on {ours} and {theirs} stand beside each other"
        ));
    }
    let checkers = field.checkers(us, ours).len();
    match (checkers, field.checkers(!us, theirs).len()) {
        (1.., 1..) => Err("both sides are in check".to_owned()),
        (_, 1..) => Err("the side that is not to move is in check".to_owned()),
        _ if checkers > CHECKERS_MAX => Err(format!(
            "{checkers} pieces give check at once ({CHECKERS_MAX} at most)"
        )),
        _ => Ok(()),
    }
}

pub(super) fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl BoardField {
    fn parse(text: &str) -> Result<BoardField, String> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 8 {
            return Err(format!("board field has {} ranks (expected 8)", rows.len()));
        }
        let mut field = BoardField::default();
        for (rank, row) in (0..8).rev().zip(rows) {
            let place = format!("rank {} of the board field ('{row}')", rank + 1);
            let mut file = 0;
            for letter in row.chars() {
                if let Some(gap @ 1..=8) = letter.to_digit(10) {
                    file += gap as usize;
                } else {
                    let kind = Piece::try_from(letter.to_ascii_lowercase());
                    let kind = kind.map_err(|_| format!("{place} has '{letter}', which is no piece"))?;
                    if let Some(square) = Square::try_index(8 * rank + file).filter(|_| file < 8) {
                        let color = color_of(letter);
                        field.sides[color as usize] |= square.bitboard();
                        field.kinds[kind as usize] |= square.bitboard();
                    }
                    file += 1;
                }
                if file > 8 {
                    return Err(format!("{place} has more than 8 squares"));
                }
            }
            if file < 8 {
                return Err(format!("{place} has fewer than 8 squares"));
            }
        }
        Ok(field)
    }

    fn of(&self, color: Color, kind: Piece) -> BitBoard {
        self.sides[color as usize] & self.kinds[kind as usize]
    }

    /// Where the king of `color` stands, if it and all pieces of its side can stand in a game.
    fn checked_king(&self, color: Color) -> Result<Square, String> {
        let name = name(color);
        let kings = self.of(color, Piece::King);
        let (1, Some(king)) = (kings.len(), kings.next_square()) else {
            return Err(format!("{name} has {} kings (expected 1)", kings.len()));
        };
        let pieces = self.sides[color as usize].len();
        if pieces > PIECES_MAX {
            return Err(format!("{name} has {pieces} pieces ({PIECES_MAX} at most)"));
        }
        let pawns = self.of(color, Piece::Pawn);
        if pawns.len() > PAWNS_MAX {
            let count = pawns.len();
            return Err(format!("{name} has {count} pawns ({PAWNS_MAX} at most)"));
        }
        let is_at_an_end = |square: &Square| matches!(square.rank() as usize, 0 | 7);
        match pawns.into_iter().find(is_at_an_end) {
            Some(square) => Err(format!("{name} has a pawn on {square}, where no pawn can stand")),
            None => Ok(king),
        }
    }

    /// What gives check to the king of `color`, which stands on `king`.
    fn checkers(&self, color: Color, king: Square) -> BitBoard {
        let occupied = self.sides[0] | self.sides[1];
        let of = |kind| self.of(!color, kind);
        get_bishop_moves(king, occupied) & (of(Piece::Bishop) | of(Piece::Queen))
            | get_rook_moves(king, occupied) & (of(Piece::Rook) | of(Piece::Queen))
            | get_knight_moves(king) & of(Piece::Knight)
            | get_pawn_attacks(king, color) & of(Piece::Pawn)
    }
}
