//! Castling rights as FEN, X-FEN and Shredder-FEN write them.

use cozy_chess::{Board, Color, File, Piece, Rank};

use super::validate::color_of;

/// Reads the field of castling rights; `board` is the position without any. Returns the rights as Shredder-FEN writes them, the files
/// of the rooks, upper case for white, and whether the field names files or chess would not have king and rooks there.
///
/// `K` and `Q` are the outermost rook on their side of the king (X-FEN), letters from A to H the rook on that file.
pub(super) fn read(field: &str, board: &Board) -> Result<(String, bool), String> {
    let (mut rights, mut is_chess960) = (String::new(), false);
    for letter in field.chars() {
        let color = color_of(letter);
        let wrong = |reason: &str| format!("castling rights '{field}': {reason} for '{letter}'");
        let home = Rank::First.relative_to(color);
        let king = board.king(color);
        if king.rank() != home {
            return Err(wrong("the king is not on its first rank"));
        }
        let rooks = board.colored_pieces(color, Piece::Rook) & home.bitboard();
        let mut files = rooks.into_iter().map(|square| square.file());
        let (rook, named) = match letter.to_ascii_lowercase() {
            'k' => (files.last().filter(|file| *file > king.file()), false),
            'q' => (files.next().filter(|file| *file < king.file()), false),
            other => {
                let file = File::try_from(other).map_err(|_| wrong("no right is written so"))?;
                (files.find(|rook| *rook == file), true)
            }
        };
        let rook = rook.ok_or_else(|| wrong("there is no rook"))?;
        let is_usual = king.file() == File::E && matches!(rook, File::A | File::H);
        is_chess960 |= named || !is_usual;
        let file = char::from(rook);
        rights.push(if color == Color::White {
            file.to_ascii_uppercase()
        } else {
            file
        });
    }
    Ok((rights, is_chess960))
}
