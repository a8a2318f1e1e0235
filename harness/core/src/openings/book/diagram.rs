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
            text.extend((rank > 0).then_some('/'));
            for file in (0..9).rev() {
                match self.squares[file][rank] {
                    None => text.push('1'),
                    Some((side, kind)) => {
                        text.extend(kind.is_promoted().then_some('+'));
                        text.push(letter(side, kind.demoted()));
                    }
                }
            }
        }
        text.push_str([" b ", " w "][self.side.index()]);
        let hands_start = text.len();
        for side in [Side::First, Side::Second] {
            for kind in Kind::HAND {
                match self.hands[side.index()][kind.index()] {
                    0 => {}
                    count => text.push_str(&format!("{count}{}", letter(side, kind))),
                }
            }
        }
        if text.len() == hands_start {
            text.push('-');
        }
        Board::parse(&text).map_err(|error| error.to_string())
    }
}
