//! Moves played and taken back.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_between_rays, get_bishop_rays, get_line_rays, get_rook_rays,
};

use super::check::CHECKING;
use super::moves::Move;
use super::{Board, each, first, keys};

/// All of a position but the kinds by square: small, so that it is copied for a move and copied back.
///
/// Whole vectors of 32 bytes: a copy that ends with an overlapping one waits for the stores of the copy before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct State {
    pub(super) pieces: [BitBoard; Piece::NUM],
    pub(super) colors: [BitBoard; Color::NUM],
    /// By colour: how many pieces of each kind there are, each number a [`digit`].
    pub(super) material: [u32; Color::NUM],
    pub(super) key: u64,
    /// By colour: the keys of its pieces without pawns, combined.
    pub(super) pieces_keys: [u64; Color::NUM],
    pub(super) checkers: BitBoard,
    /// The rooks that may still castle.
    pub(super) castling: BitBoard,
    pub(super) side_to_move: Color,
    /// The square that a pawn's double step has passed.
    pub(super) passed: Option<Square>,
    /// Plies without a capture or a pawn's move, at most 100.
    pub(super) quiet_plies: u8,
    pub(super) move_number: u16,
}

/// What a move must leave behind to be taken back.
#[derive(Debug, Clone)]
pub struct Undo {
    before: State,
    /// The kind on the destination.
    stood: Piece,
    /// From where to where a rook went.
    rook: Option<(Square, Square)>,
}

/// One piece of a kind among the hexadecimal digits of [`State::material`], pawns in the highest of them.
#[inline]
pub(super) fn digit(piece: Piece) -> u32 {
    1 << (4 * (Piece::King as u32 - piece as u32))
}

impl State {
    #[inline]
    pub(super) fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub(super) fn king(&self, color: Color) -> Square {
        first(self.colors[color as usize] & self.pieces[Piece::King as usize])
    }

    /// Puts a piece on an empty square, or takes it off.
    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[piece as usize] ^= square.bitboard();
        self.colors[color as usize] ^= square.bitboard();
        self.toggle_key(color, piece, square);
    }

    /// Puts a piece into the keys, or takes it out.
    #[inline]
    pub(super) fn toggle_key(&mut self, color: Color, piece: Piece, square: Square) {
        let key = keys::of_piece(color, piece, square);
        self.key ^= key;
        if piece != Piece::Pawn {
            self.pieces_keys[color as usize] ^= key;
        }
    }

    /// Puts `kind` in the place of a pawn on `square`.
    #[cold]
    fn promote(&mut self, color: Color, kind: Piece, square: Square) {
        for piece in [Piece::Pawn, kind] {
            self.pieces[piece as usize] ^= square.bitboard();
            self.toggle_key(color, piece, square);
        }
        let material = &mut self.material[color as usize];
        *material = *material + digit(kind) - digit(Piece::Pawn);
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.quiet_plies = 100.min(self.quiet_plies + 1);
        if self.side_to_move == Color::Black {
            self.move_number = self.move_number.saturating_add(1);
        }
        self.side_to_move = !self.side_to_move;
        self.key ^= keys::of_black_to_move();
        if let Some(square) = self.passed.take() {
            self.key ^= keys::of_en_passant(square.file());
        }
    }

    #[cold]
    fn lose_castling(&mut self, rooks: BitBoard) {
        self.castling ^= rooks;
        for rook in each(rooks) {
            let color = if rook.rank() == Rank::First {
                Color::White
            } else {
                Color::Black
            };
            self.key ^= keys::of_castling(color, rook.file());
        }
    }

    /// Bishops, rooks and queens of the other side that would see the king of the side to move on an empty board.
    #[inline]
    pub(super) fn aligned_sliders(&self) -> BitBoard {
        let [_, _, bishops, rooks, queens, _] = self.pieces;
        let king = self.king(self.side_to_move);
        let sliders = get_bishop_rays(king) & (bishops | queens) | get_rook_rays(king) & (rooks | queens);
        self.colors[!self.side_to_move as usize] & sliders
    }

    /// What gives check to the side to move after a piece of the other went from `from` to `to`, where it is an `arriving` one.
    #[inline]
    fn checkers_after(&self, from: Square, to: Square, arriving: Piece, is_special: bool) -> BitBoard {
        let us = self.side_to_move;
        let king = self.king(us);
        let is_hidden = |from| !get_between_rays(from, king).is_disjoint(self.occupied());
        let sees = CHECKING[us as usize][king as usize][arriving as usize].has(to) && !is_hidden(to);
        let checker = if sees { to.bitboard() } else { BitBoard::EMPTY };
        let [_, _, bishops, rooks, queens, _] = self.pieces;
        let behind = get_line_rays(king, from) & (bishops | rooks | queens);
        if !is_special && behind.is_disjoint(self.colors[!us as usize]) {
            return checker;
        }
        let uncovered = each(self.aligned_sliders()).filter(|&slider| !is_hidden(slider));
        checker | uncovered.collect::<BitBoard>()
    }
}

impl Board {
    /// Plays a move of which it may be known whether it gives check.
    #[inline]
    pub(super) fn play(&mut self, mv: Move, gives_check: Option<bool>) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let (moved, stood, rook) = (self.kind_on(from), self.kind_on(to), self.castling_rook(mv));
        let (us, passed) = (self.state.side_to_move, self.state.passed);
        let undo = Undo {
            before: self.state,
            stood,
            rook,
        };
        let state = &mut self.state;
        state.pass_turn();
        // None where a king castles and stays.
        let both = from.bitboard() ^ to.bitboard();
        let mut touched = both;
        let mut is_special = rook.is_some();
        self.kinds[from as usize] = Piece::Pawn;
        if let Some((rook_from, rook_to)) = rook {
            state.toggle(us, Piece::Rook, rook_from);
            state.toggle(us, Piece::Rook, rook_to);
            self.kinds[rook_from as usize] = Piece::Pawn;
            self.kinds[rook_to as usize] = Piece::Rook;
        } else if state.colors[!us as usize].has(to) {
            state.toggle(!us, stood, to);
            state.material[!us as usize] -= digit(stood);
            state.quiet_plies = 0;
        }
        match moved {
            Piece::Pawn => {
                state.quiet_plies = 0;
                if from as u8 ^ to as u8 == 16 {
                    state.passed = Some(behind(to, us));
                    state.key ^= keys::of_en_passant(to.file());
                } else if passed == Some(to) {
                    state.toggle(!us, Piece::Pawn, behind(to, us));
                    state.material[!us as usize] -= digit(Piece::Pawn);
                    is_special = true;
                }
            }
            Piece::King => touched |= Rank::First.relative_to(us).bitboard(),
            _ => {}
        }
        self.kinds[to as usize] = moved;
        state.pieces[moved as usize] ^= both;
        state.colors[us as usize] ^= both;
        state.toggle_key(us, moved, from);
        state.toggle_key(us, moved, to);
        if mv.promotes() {
            self.kinds[to as usize] = mv.promoted_kind();
            state.promote(us, mv.promoted_kind(), to);
        }
        if !state.castling.is_disjoint(touched) {
            state.lose_castling(state.castling & touched);
        }
        let arriving = self.kinds[to as usize];
        state.checkers = if gives_check == Some(false) {
            debug_assert!(state.checkers_after(from, to, arriving, is_special).is_empty());
            BitBoard::EMPTY
        } else {
            state.checkers_after(from, to, arriving, is_special)
        };
        undo
    }

    #[inline]
    pub(super) fn take_back(&mut self, mv: Move, undo: Undo) {
        self.state = undo.before;
        let (from, to) = (mv.from(), mv.to());
        let moved = if mv.promotes() {
            Piece::Pawn
        } else {
            self.kind_on(to)
        };
        if let Some((rook_from, rook_to)) = undo.rook {
            self.kinds[to as usize] = Piece::Pawn;
            self.kinds[rook_to as usize] = Piece::Pawn;
            self.kinds[rook_from as usize] = Piece::Rook;
        } else {
            self.kinds[to as usize] = undo.stood;
        }
        self.kinds[from as usize] = moved;
    }

    /// Passes; returns what [`unpass`](Board::unpass) needs.
    #[inline]
    pub(super) fn pass(&mut self) -> Undo {
        let undo = Undo {
            before: self.state,
            stood: Piece::Pawn,
            rook: None,
        };
        self.state.pass_turn();
        self.state.checkers = BitBoard::EMPTY;
        undo
    }

    pub(super) fn unpass(&mut self, undo: Undo) {
        self.state = undo.before;
    }
}

/// The square behind `square`, as `us` sees it.
#[inline]
fn behind(square: Square, us: Color) -> Square {
    let bits = if us == Color::White {
        square.bitboard().0 >> 8
    } else {
        square.bitboard().0 << 8
    };
    first(BitBoard(bits))
}
