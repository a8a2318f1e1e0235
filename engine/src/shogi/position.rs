//! Shogi behind the trait that search knows.
//!
//! In and out: [`Position`]. Must not: hold any rule itself.

use super::board::{Board, Undo};
use super::movegen::{CAPTURES, Counter, EVERYTHING, QUIETS};
use super::moves::Move;
use super::piece::{Kind, Piece};
use super::sfen::START;
use crate::game::{Declaration, DeclarationRule, Game, MoveList, ParseError, Position, Region, Side};

impl Position for Board {
    type Move = Move;
    type Undo = Undo;

    const GAME: Game = Game::Shogi;
    const PIECE_TO: usize = Piece::COUNT * 81;
    const REPETITIONS: usize = 4;
    const PERPETUAL_CHECK_LOSES: bool = true;

    fn start() -> Self {
        match Board::from_sfen(START) {
            Ok(board) => board,
            Err(error) => unreachable!("the start position parses: {error}"),
        }
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        Board::from_sfen(text)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let mv = Move::parse(text)?;
        if self.could_generate(mv) && self.survives(mv) {
            return Ok(mv);
        }
        Err(ParseError(format!("move '{text}' is illegal in {self}")))
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.checkers.non_empty()
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Undo {
        self.play(mv)
    }

    #[inline]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.take_back(mv, undo);
    }

    #[inline]
    fn make_null(&mut self) -> Undo {
        self.pass()
    }

    #[inline]
    fn unmake_null(&mut self, undo: Undo) {
        self.take_back_pass(undo);
    }

    #[inline]
    fn is_pass_safe(&self) -> bool {
        true
    }

    fn captures(&self, list: &mut MoveList<Move>) {
        self.generate::<CAPTURES, false, false>(list);
    }

    fn quiets(&self, list: &mut MoveList<Move>) {
        self.generate::<QUIETS, false, false>(list);
    }

    fn evasions(&self, list: &mut MoveList<Move>) {
        debug_assert!(self.in_check());
        self.generate::<EVERYTHING, false, false>(list);
    }

    fn legal(&self, list: &mut MoveList<Move>) {
        self.generate::<EVERYTHING, false, true>(list);
    }

    fn legal_all(&self, list: &mut MoveList<Move>) {
        self.generate::<EVERYTHING, true, true>(list);
    }

    fn count_legal_all(&self) -> usize {
        let mut counter = Counter::default();
        self.generate::<EVERYTHING, true, true>(&mut counter);
        counter.0
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.could_generate(mv)
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.survives(mv)
    }

    #[inline]
    fn is_tactical(&self, mv: Move) -> bool {
        if mv.is_drop() {
            return false;
        }
        !self.piece_on(mv.to()).is_none()
            || mv.is_promotion() && self.piece_on(mv.from()).kind_index() == Kind::Pawn.index()
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        self.checks(mv)
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let piece = if mv.is_drop() {
            Piece::new(self.side, mv.dropped())
        } else {
            let moving = self.piece_on(mv.from());
            mv.arriving(moving)
        };
        piece.index() * 81 + mv.to().index()
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        self.gain_of(mv)
    }

    #[inline]
    fn mover_value(&self, mv: Move) -> i32 {
        self.value_of_mover(mv)
    }

    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.exchange_wins(mv, threshold)
    }

    fn region(&self, mv: Move) -> Option<Region> {
        self.region_of(mv)
    }

    fn declaration(&self, rule: DeclarationRule) -> Declaration {
        self.judge_declaration(rule)
    }
}
