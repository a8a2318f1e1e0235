//! The position: pieces, hands, side to move, keys; playing and taking back moves.

use super::attacks::{between, line_through, pseudo, pseudo_by_kind};
use super::zobrist;
use super::{Bitboard, Hand, Kind, Move, Piece, Square};
use crate::game::Side;

/// A shogi position with what is kept beside it for search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub(super) sides: [Bitboard; 2],
    /// By kind code; 0 and 15 are unused.
    pub(super) kinds: [Bitboard; Kind::COUNT],
    /// Golds and everything that moves like one.
    pub(super) golds: Bitboard,
    pub(super) checkers: Bitboard,
    /// By the index of the square.
    pub(super) squares: [Piece; 128],
    pub(super) hands: [Hand; 2],
    pub(super) kings: [Square; 2],
    pub(super) side: Side,
    pub(super) board_key: u64,
    pub(super) hand_key: u64,
    /// By side, of the pieces whose attacks a [`StepTable`](super::StepTable) remembers.
    pub(super) stepper_keys: [u64; 2],
    /// Move number of the SFEN, 1 at the start of a game.
    pub(super) ply: u32,
}

/// What a move destroys.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    checkers: Bitboard,
    board_key: u64,
    hand_key: u64,
    stepper_keys: [u64; 2],
    captured: Piece,
}

/// Gold and the kinds that move like it, a bit each by code.
pub(super) const GOLDEN: u32 = 1 << Kind::Gold as u32
    | 1 << Kind::ProPawn as u32
    | 1 << Kind::ProLance as u32
    | 1 << Kind::ProKnight as u32
    | 1 << Kind::ProSilver as u32;

impl Board {
    /// An empty board with both kings nominally on 1a, to be filled by the SFEN parser.
    pub(super) fn empty() -> Board {
        Board {
            sides: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; Kind::COUNT],
            golds: Bitboard::EMPTY,
            checkers: Bitboard::EMPTY,
            squares: [Piece::NONE; 128],
            hands: [Hand::EMPTY; 2],
            kings: [Square::at(0, 0); 2],
            side: Side::First,
            board_key: 0,
            hand_key: 0,
            stepper_keys: [0; 2],
            ply: 1,
        }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The piece on a square, [`Piece::NONE`] if it is empty.
    pub fn piece_on(&self, square: Square) -> Piece {
        self.squares[square.index()]
    }

    /// The pieces in hand of a side.
    pub fn hand(&self, side: Side) -> Hand {
        self.hands[side.index()]
    }

    /// The king of a side.
    pub fn king(&self, side: Side) -> Square {
        self.kings[side.index()]
    }

    /// All squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// All squares with a piece of `side`.
    pub fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// All squares with a piece of this kind and side.
    pub fn pieces_of(&self, side: Side, kind: Kind) -> Bitboard {
        self.sides[side.index()] & self.kinds[kind.index()]
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, Bitboard::of(square));
        self.squares[square.index()] = piece;
    }

    /// Toggles a piece on one square, or on two to move it.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        let kind = piece.kind_index();
        self.sides[piece.side().index()].toggle(squares);
        self.kinds[kind].toggle(squares);
        if GOLDEN >> kind & 1 != 0 {
            self.golds.toggle(squares);
        }
    }

    /// Moves a piece that may become another on its way, or turn back into one.
    #[inline(always)]
    fn shift(&mut self, before: Piece, from: Square, after: Piece, to: Square) {
        if before == after {
            self.toggle(before, Bitboard::of(from) | Bitboard::of(to));
        } else {
            self.toggle(before, Bitboard::of(from));
            self.toggle(after, Bitboard::of(to));
        }
        self.squares[to.index()] = after;
    }

    #[inline]
    pub(super) fn next_key(&self, mv: Move) -> u64 {
        let us = self.side;
        let to = mv.to();
        let key = self.board_key ^ zobrist::SIDE;
        if mv.is_drop() {
            let hand_key = self.hand_key.wrapping_sub(zobrist::hand(us, mv.dropped()));
            return key ^ zobrist::board(mv.dropped_by(us), to) ^ hand_key;
        }
        let from = mv.from();
        let moving = self.piece_on(from);
        let captured = self.piece_on(to);
        let key = key ^ zobrist::board(moving, from) ^ zobrist::board(mv.arriving(moving), to);
        if captured.is_none() {
            return key ^ self.hand_key;
        }
        let hand = zobrist::hand(us, captured.kind().demoted());
        key ^ zobrist::board(captured, to) ^ self.hand_key.wrapping_add(hand)
    }

    /// Plays a move after which the key is `key`, and of which it may be known whether it gives check.
    #[inline]
    pub(super) fn play(&mut self, mv: Move, key: u64, gives_check: Option<bool>) -> Undo {
        let mut undo = Undo {
            checkers: self.checkers,
            board_key: self.board_key,
            hand_key: self.hand_key,
            stepper_keys: self.stepper_keys,
            captured: Piece::NONE,
        };
        let (us, them) = (self.side, self.side.opponent());
        let to = mv.to();
        let enemy_king = self.kings[them.index()];
        let piece;
        if mv.is_drop() {
            let kind = mv.dropped();
            piece = mv.dropped_by(us);
            self.put(piece, to);
            self.stepper_keys[us.index()] ^= zobrist::stepper(piece, to);
            self.hands[us.index()].remove(kind);
            self.hand_key = self.hand_key.wrapping_sub(zobrist::hand(us, kind));
        } else {
            let from = mv.from();
            let moving = self.piece_on(from);
            piece = mv.arriving(moving);
            let captured = self.piece_on(to);
            undo.captured = captured;
            if !captured.is_none() {
                let kind = captured.kind().demoted();
                self.toggle(captured, Bitboard::of(to));
                self.stepper_keys[them.index()] ^= zobrist::stepper(captured, to);
                self.hands[us.index()].add(kind);
                self.hand_key = self.hand_key.wrapping_add(zobrist::hand(us, kind));
            }
            self.shift(moving, from, piece, to);
            self.stepper_keys[us.index()] ^= zobrist::stepper(moving, from) ^ zobrist::stepper(piece, to);
            self.squares[from.index()] = Piece::NONE;
            if piece.kind_index() == Kind::King.index() {
                self.kings[us.index()] = to;
            }
        }
        self.board_key = key ^ self.hand_key;
        self.checkers = if gives_check == Some(false) {
            debug_assert!(self.checkers_after(mv, piece, enemy_king).is_empty());
            Bitboard::EMPTY
        } else {
            self.checkers_after(mv, piece, enemy_king)
        };
        self.side = them;
        self.ply += 1;
        undo
    }

    /// Checks on `king` by the piece just moved or by one behind it.
    #[inline]
    fn checkers_after(&self, mv: Move, piece: Piece, king: Square) -> Bitboard {
        let to = mv.to();
        let mut checkers = Bitboard::EMPTY;
        if pseudo(piece, to).has(king) && !between(to, king).meets(self.occupied()) {
            checkers = Bitboard::of(to);
        }
        if !mv.is_drop() {
            let line = line_through(king, mv.from());
            if line.non_empty() {
                checkers |= self.sliders_on(king, piece.side(), line, self.occupied());
            }
        }
        checkers
    }

    /// Sliders of `side` that stand on `line` and attack `target`, given the occupied squares.
    #[inline]
    pub(super) fn sliders_on(
        &self,
        target: Square,
        side: Side,
        line: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let mut attackers = Bitboard::EMPTY;
        for slider in self.aligned_sliders(target, side) & line {
            if !between(target, slider).meets(occupied) {
                attackers |= Bitboard::of(slider);
            }
        }
        attackers
    }

    /// Lances, bishops and rooks (also promoted) of `side` that would attack `target` on an empty board by sliding.
    #[inline]
    pub(super) fn aligned_sliders(&self, target: Square, side: Side) -> Bitboard {
        let rooks = self.kinds[Kind::Rook.index()] | self.kinds[Kind::Dragon.index()];
        let bishops = self.kinds[Kind::Bishop.index()] | self.kinds[Kind::Horse.index()];
        let seen = pseudo_by_kind(side.opponent(), target);
        self.sides[side.index()]
            & (rooks & seen[Kind::Rook.index()]
                | bishops & seen[Kind::Bishop.index()]
                | self.kinds[Kind::Lance.index()] & seen[Kind::Lance.index()])
    }

    #[inline]
    pub(super) fn take_back(&mut self, mv: Move, undo: Undo) {
        self.side = self.side.opponent();
        self.ply -= 1;
        let us = self.side;
        let to = mv.to();
        let piece = self.squares[to.index()];
        if mv.is_drop() {
            self.toggle(piece, Bitboard::of(to));
            self.squares[to.index()] = Piece::NONE;
            self.hands[us.index()].add(piece.kind());
        } else {
            let from = mv.from();
            let moved = if mv.is_promotion() {
                Piece::new(us, piece.kind().demoted())
            } else {
                piece
            };
            self.shift(piece, to, moved, from);
            self.squares[to.index()] = undo.captured;
            if moved.kind_index() == Kind::King.index() {
                self.kings[us.index()] = from;
            }
            if !undo.captured.is_none() {
                self.toggle(undo.captured, Bitboard::of(to));
                self.hands[us.index()].remove(undo.captured.kind().demoted());
            }
        }
        self.checkers = undo.checkers;
        self.board_key = undo.board_key;
        self.hand_key = undo.hand_key;
        self.stepper_keys = undo.stepper_keys;
    }

    pub(super) fn pass(&mut self) -> Undo {
        debug_assert!(self.checkers.is_empty());
        let undo = Undo {
            checkers: self.checkers,
            board_key: self.board_key,
            hand_key: self.hand_key,
            stepper_keys: self.stepper_keys,
            captured: Piece::NONE,
        };
        self.side = self.side.opponent();
        self.board_key ^= zobrist::SIDE;
        self.ply += 1;
        undo
    }

    pub(super) fn take_back_pass(&mut self, undo: Undo) {
        self.side = self.side.opponent();
        self.board_key = undo.board_key;
        self.ply -= 1;
    }

    /// Finds the keys anew from the pieces, the hands and the side to move.
    pub(super) fn find_keys(&mut self) {
        self.board_key = if self.side == Side::Second {
            zobrist::SIDE
        } else {
            0
        };
        self.stepper_keys = [0; 2];
        for square in self.occupied() {
            let piece = self.piece_on(square);
            self.board_key ^= zobrist::board(piece, square);
            self.stepper_keys[piece.side().index()] ^= zobrist::stepper(piece, square);
        }
        self.hand_key = 0;
        for side in [Side::First, Side::Second] {
            for kind in Kind::HAND {
                let count = u64::from(self.hand(side).count(kind));
                let key = zobrist::hand(side, kind).wrapping_mul(count);
                self.hand_key = self.hand_key.wrapping_add(key);
            }
        }
    }
}
