//! A position of shogi while it is read piece by piece.

use tanren_engine::game::{Position, Side};
use tanren_engine::shogi::{Board, Kind, Square};

#[derive(Debug, Clone)]
pub(super) struct Diagram {
    /// By file and rank, each less one.
    squares: [[Option<(Side, Kind)>; 9]; 9],
    hands: [[u32; Kind::COUNT]; 2],
    pub(super) side: Side,
}

impl Diagram {
    pub(super) fn empty() -> Diagram {
        Diagram {
            squares: [[None; 9]; 9],
            hands: [[0; Kind::COUNT]; 2],
            side: Side::First,
        }
    }

    pub(super) fn start() -> Diagram {
        let board = Board::start();
        let mut diagram = Diagram::empty();
        for square in Square::all() {
            let piece = board.piece_on(square);
            if !piece.is_none() {
                diagram.squares[usize::from(square.file())][usize::from(square.rank())] =
                    Some((piece.side(), piece.kind()));
            }
        }
        diagram
    }

    /// Puts a piece on a square, numbered from 1, or takes what is there away.
    pub(super) fn set(&mut self, [file, rank]: [u8; 2], piece: Option<(Side, Kind)>) -> Result<(), String> {
        let is_on_board = (1..=9).contains(&file) && (1..=9).contains(&rank);
        if !is_on_board {
            return Err(format!("{file}{rank} is no square"));
        }
        self.squares[usize::from(file - 1)][usize::from(rank - 1)] = piece;
        Ok(())
    }

    pub(super) fn hold(&mut self, side: Side, kind: Kind, count: u32) -> Result<(), String> {
        if !Kind::HAND.contains(&kind) || count > 18 {
            return Err(format!("{count} of {kind:?} cannot be in hand"));
        }
        self.hands[side.index()][kind.index()] += count;
        Ok(())
    }

    pub(super) fn clear_board(&mut self) {
        self.squares = Diagram::empty().squares;
    }

    /// All pieces that are nowhere yet go to the hand of `side`, but for kings.
    pub(super) fn hold_rest(&mut self, side: Side) {
        let all = |kind| match kind {
            Kind::Pawn => 18,
            Kind::Bishop | Kind::Rook => 2,
            _ => 4,
        };
        for kind in Kind::HAND {
            let is_kind = |piece: &&(Side, Kind)| piece.1.demoted() == kind;
            let placed = self.squares.iter().flatten().flatten().filter(is_kind).count() as u32;
            let held: u32 = self.hands.iter().map(|hand| hand[kind.index()]).sum();
            self.hands[side.index()][kind.index()] += u32::saturating_sub(all(kind), placed + held);
        }
    }

    pub(super) fn board(&self) -> Result<Board, String> {
        let letter = |side: Side, kind: Kind| match side {
            Side::First => kind.letter(),
            Side::Second => kind.letter().to_ascii_lowercase(),
        };
        let mut text = String::new();
        for rank in 0..9 {
            if rank > 0 {
                text.push('/');
            }
            for file in (0..9).rev() {
                match self.squares[file][rank] {
                    // SFEN takes ones in a row for one number.
                    None => text.push('1'),
                    Some((side, kind)) => {
                        if kind.is_promoted() {
                            text.push('+');
                        }
                        text.push(letter(side, kind.demoted()));
                    }
                }
            }
        }
        for length in (2..=9).rev() {
            text = text.replace(&"1".repeat(length), &length.to_string());
        }
        let mut hands = String::new();
        for side in [Side::First, Side::Second] {
            for kind in [
                Kind::Rook,
                Kind::Bishop,
                Kind::Gold,
                Kind::Silver,
                Kind::Knight,
                Kind::Lance,
                Kind::Pawn,
            ] {
                match self.hands[side.index()][kind.index()] {
                    0 => {}
                    1 => hands.push(letter(side, kind)),
                    count => hands.push_str(&format!("{count}{}", letter(side, kind))),
                }
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        let side = match self.side {
            Side::First => 'b',
            Side::Second => 'w',
        };
        Board::parse(&format!("{text} {side} {hands} 1")).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_and_what_is_left_in_hand_read_as_they_should() {
        let mut diagram = Diagram::start();
        assert_eq!(diagram.board().unwrap().to_string(), Board::start().to_string());
        diagram.set([2, 2], None).unwrap();
        diagram.side = Side::Second;
        assert!(
            diagram
                .board()
                .unwrap()
                .to_string()
                .ends_with("1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
        );
        let mut mate = Diagram::empty();
        mate.set([5, 1], Some((Side::Second, Kind::King))).unwrap();
        mate.set([5, 3], Some((Side::First, Kind::ProPawn))).unwrap();
        mate.hold(Side::First, Kind::Gold, 1).unwrap();
        mate.set([5, 9], Some((Side::First, Kind::King))).unwrap();
        mate.hold_rest(Side::Second);
        assert_eq!(
            mate.board().unwrap().to_string(),
            "4k4/9/4+P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"
        );
        assert!(mate.set([0, 3], None).is_err());
        assert!(mate.hold(Side::First, Kind::King, 1).is_err());
    }
}
