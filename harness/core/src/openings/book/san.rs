//! Moves of chess as people write them.

use tanren_engine::chess::{Board, File, Move, Piece, Rank, Square};
use tanren_engine::game::{MoveList, Position};

pub(super) fn parse(board: &Board, text: &str) -> Result<Move, String> {
    let word = text.trim_end_matches(['+', '#', '!', '?']);
    let word = word.strip_suffix("e.p.").unwrap_or(word);
    let wanted = Wanted::parse(word).ok_or_else(|| format!("'{text}' is no move"))?;
    let mut moves = MoveList::new();
    board.legal(&mut moves);
    let mut fitting = moves.iter().copied().filter(|&mv| wanted.fits(board, mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(format!("'{text}' is no legal move in {board}")),
        (Some(_), Some(_)) => Err(format!("'{text}' means more than one move in {board}")),
    }
}

enum Wanted {
    Castling(File),
    Piece {
        piece: Option<Piece>,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl Wanted {
    fn parse(word: &str) -> Option<Wanted> {
        match word {
            "O-O" | "0-0" | "o-o" => return Some(Wanted::Castling(File::F)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Wanted::Castling(File::D)),
            _ => {}
        }
        let letters: Vec<char> = word
            .chars()
            .filter(|c| !matches!(c, 'x' | ':' | '-' | '=' | '(' | ')'))
            .collect();
        let mut rest = letters.as_slice();
        let mut piece = None;
        if let [first @ ('N' | 'B' | 'R' | 'Q' | 'K' | 'P'), behind @ ..] = rest {
            (piece, rest) = (Piece::try_from(first.to_ascii_lowercase()).ok(), behind);
        }
        let mut promotion = None;
        if let [ahead @ .., last] = rest
            && let Ok(promoted) = Piece::try_from(last.to_ascii_lowercase())
            && ahead.last().is_some_and(char::is_ascii_digit)
        {
            (promotion, rest) = (Some(promoted), ahead);
        }
        let [from @ .., file, rank] = rest else {
            return None;
        };
        let to = Square::new(file_of(*file)?, rank_of(*rank)?);
        let (file, rank) = match *from {
            [] => (None, None),
            [only] => match file_of(only) {
                Some(file) => (Some(file), None),
                None => (None, Some(rank_of(only)?)),
            },
            [file, rank] => (Some(file_of(file)?), Some(rank_of(rank)?)),
            _ => return None,
        };
        // A pawn needs no letter, and nor does a move that says from where.
        let is_pawn = piece.is_none() && !(file.is_some() && rank.is_some());
        Some(Wanted::Piece {
            piece: piece.or(is_pawn.then_some(Piece::Pawn)),
            file,
            rank,
            to,
            promotion,
        })
    }

    fn fits(&self, board: &Board, mv: Move) -> bool {
        match self {
            Wanted::Castling(rook_file) => board
                .castling_rook(mv)
                .is_some_and(|(_, to)| to.file() == *rook_file),
            Wanted::Piece {
                piece,
                file,
                rank,
                to,
                promotion,
            } => {
                let from = mv.from();
                let is_castling = board.castling_rook(mv).is_some();
                let is_plain = !is_castling || (piece.is_none() && mv.to_string() == format!("{from}{to}"));
                is_plain
                    && mv.to() == *to
                    && mv.promoted() == *promotion
                    && file.is_none_or(|file| from.file() == file)
                    && rank.is_none_or(|rank| from.rank() == rank)
                    && piece.is_none_or(|piece| board.inner().piece_on(from) == Some(piece))
            }
        }
    }
}

fn file_of(letter: char) -> Option<File> {
    File::try_from(letter)
        .ok()
        .filter(|_| letter.is_ascii_lowercase())
}

fn rank_of(letter: char) -> Option<Rank> {
    Rank::try_from(letter).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_understood_as_people_write_them() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let promotion = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        for (position, text, expected) in [
            ("startpos", "Nf3", "g1f3"),
            ("startpos", "e4!?", "e2e4"),
            ("startpos", "Ng1-f3", "g1f3"),
            ("startpos", "e2-e4", "e2e4"),
            ("startpos", "g1f3", "g1f3"),
            ("startpos", "Pe4", "e2e4"),
            (castling, "O-O", "e1g1"),
            (castling, "0-0-0+", "e1c1"),
            (castling, "Rxa8+", "a1a8"),
            (castling, "e1g1", "e1g1"),
            (promotion, "a8=Q", "a7a8q"),
            (promotion, "axb8N", "a7b8n"),
            (promotion, "a8(R)", "a7a8r"),
            ("4k3/8/8/8/8/8/8/R2R2K1 w - - 0 1", "Rac1", "a1c1"),
            ("4k3/8/8/R7/8/8/8/R5K1 w - - 0 1", "R1a3", "a1a3"),
            ("7k/8/8/1Q1Q4/8/1Q6/8/6K1 w - - 0 1", "Qb5d3", "b5d3"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6"),
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2"),
        ] {
            let board = Board::parse(position).unwrap();
            assert_eq!(
                parse(&board, text).map(|mv| mv.to_string()).as_deref(),
                Ok(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_move_or_more_than_one_is_refused() {
        for (position, text, reason) in [
            ("startpos", "Nf4", "no legal move"),
            ("startpos", "--", "no move"),
            ("startpos", "e9", "no move"),
            ("startpos", "Zf3", "no move"),
            ("startpos", "O-O", "no legal move"),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "no legal move"),
            ("4k3/8/8/8/8/8/8/R2R2K1 w - - 0 1", "Rc1", "more than one"),
            ("startpos", "", "no move"),
        ] {
            let message = parse(&Board::parse(position).unwrap(), text).unwrap_err();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }
}
