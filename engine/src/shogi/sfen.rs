//! SFEN, the text form of a position.

use std::fmt;

use super::{Board, Hand, Kind, Piece, Square};
use crate::game::{ParseError, Side};

pub(super) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

impl Board {
    /// Parses `startpos`, or an SFEN with or without the leading word `sfen` and the move number.
    pub fn from_sfen(text: &str) -> Result<Board, ParseError> {
        let text = text.trim();
        let text = if text == "startpos" {
            START
        } else {
            text.strip_prefix("sfen ").unwrap_or(text)
        };
        let mut fields = text.split_ascii_whitespace();
        let mut field = |name: &str| {
            fields
                .next()
                .ok_or_else(|| ParseError(format!("sfen '{text}' has no {name} field")))
        };
        let (squares, side, hands) = (field("board")?, field("side to move")?, field("hands")?);
        let ply = fields.next();
        if let Some(rest) = fields.next() {
            return Err(ParseError(format!("sfen has '{rest}' after the move number")));
        }
        let mut board = Board::empty();
        board.parse_squares(squares)?;
        board.side = match side {
            "b" => Side::First,
            "w" => Side::Second,
            _ => return Err(ParseError(format!("side to move is '{side}' (expected b or w)"))),
        };
        board.parse_hands(hands)?;
        if let Some(ply) = ply {
            let number: Option<u16> = ply.parse().ok();
            let number =
                number.ok_or_else(|| ParseError(format!("move number is '{ply}' (expected 0 to 65535)")))?;
            board.ply = number.into();
        }
        board.finish()?;
        Ok(board)
    }

    fn parse_squares(&mut self, text: &str) -> Result<(), ParseError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 9 {
            return Err(ParseError(format!(
                "board field has {} ranks (expected 9)",
                rows.len()
            )));
        }
        for (rank, row) in (0u8..).zip(&rows) {
            let place = format!("rank {} of the board field ('{row}')", char::from(b'a' + rank));
            let mut file = 9i8;
            let mut promoted = false;
            for letter in row.chars() {
                match letter {
                    '1'..='9' if !promoted => file -= letter as i8 - '0' as i8,
                    '+' if !promoted => promoted = true,
                    _ => {
                        let piece = parse_piece(letter, promoted).ok_or_else(|| {
                            ParseError(format!("{place} has '{letter}', which is no piece there"))
                        })?;
                        promoted = false;
                        file -= 1;
                        if file >= 0 {
                            self.put(piece, Square::at(file as u8, rank));
                        }
                    }
                }
                if file < 0 {
                    return Err(ParseError(format!("{place} has more than 9 squares")));
                }
            }
            if file != 0 || promoted {
                return Err(ParseError(format!("{place} has fewer than 9 squares")));
            }
        }
        Ok(())
    }

    fn parse_hands(&mut self, text: &str) -> Result<(), ParseError> {
        if text == "-" {
            return Ok(());
        }
        let mut digits = String::new();
        for letter in text.chars() {
            if letter.is_ascii_digit() {
                digits.push(letter);
                continue;
            }
            let kind = Kind::from_letter(letter.to_ascii_uppercase())
                .filter(|&kind| kind != Kind::King)
                .ok_or_else(|| {
                    ParseError(format!(
                        "hands field '{text}' has '{letter}', which is no piece in hand"
                    ))
                })?;
            let count: u32 = if digits.is_empty() {
                1
            } else {
                digits.parse().unwrap_or(0)
            };
            if !(1..=18).contains(&count) {
                return Err(ParseError(format!(
                    "hands field '{text}' has a count of '{digits}' (expected 1 to 18)"
                )));
            }
            digits.clear();
            let side = side_of(letter);
            for _ in 0..count {
                let held = self.hand(side).count(kind);
                if held >= total(kind) {
                    return Err(ParseError(format!(
                        "hands field '{text}' has more than {} of '{letter}'",
                        total(kind)
                    )));
                }
                self.hands[side.index()].add(kind);
            }
        }
        if digits.is_empty() {
            Ok(())
        } else {
            Err(ParseError(format!("hands field '{text}' ends with a number")))
        }
    }
}

fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() {
        Side::First
    } else {
        Side::Second
    }
}

fn parse_piece(letter: char, promoted: bool) -> Option<Piece> {
    let kind = Kind::from_letter(letter.to_ascii_uppercase())?;
    let side = side_of(letter);
    match (promoted, kind.can_promote()) {
        (true, true) => Some(Piece::new(side, kind.promoted())),
        (true, false) => None,
        (false, _) => Some(Piece::new(side, kind)),
    }
}

pub(super) fn total(kind: Kind) -> u32 {
    match kind.demoted() {
        Kind::Pawn => 18,
        Kind::Bishop | Kind::Rook | Kind::King => 2,
        _ => 4,
    }
}

fn write_piece(f: &mut fmt::Formatter<'_>, piece: Piece) -> fmt::Result {
    let letter = piece.kind().letter();
    let letter = if piece.side() == Side::First {
        letter
    } else {
        letter.to_ascii_lowercase()
    };
    write!(f, "{}{letter}", if piece.kind().is_promoted() { "+" } else { "" })
}

fn write_hand(f: &mut fmt::Formatter<'_>, hand: Hand, side: Side) -> fmt::Result {
    const ORDER: [Kind; 7] = [
        Kind::Rook,
        Kind::Bishop,
        Kind::Gold,
        Kind::Silver,
        Kind::Knight,
        Kind::Lance,
        Kind::Pawn,
    ];
    for kind in ORDER.into_iter().filter(|&kind| hand.has(kind)) {
        if hand.count(kind) > 1 {
            write!(f, "{}", hand.count(kind))?;
        }
        write_piece(f, Piece::new(side, kind))?;
    }
    Ok(())
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            if rank > 0 {
                f.write_str("/")?;
            }
            let mut gap = 0;
            for file in (0..9).rev() {
                let piece = self.piece_on(Square::at(file, rank));
                if piece.is_none() {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    write!(f, "{gap}")?;
                    gap = 0;
                }
                write_piece(f, piece)?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
        }
        f.write_str(if self.side == Side::First { " b " } else { " w " })?;
        if self.hands.iter().all(|hand| hand.is_empty()) {
            f.write_str("-")?;
        }
        write_hand(f, self.hands[0], Side::First)?;
        write_hand(f, self.hands[1], Side::Second)?;
        write!(f, " {}", self.ply)
    }
}
