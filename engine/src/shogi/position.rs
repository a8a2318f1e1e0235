//! Shogi behind the trait that search knows.

use super::attacks::{bishop_attacks, pseudo_by_kind, rook_attacks};
use super::bitboard::SquareIndices;
use super::legality::CheckInfo;
use super::movegen::{CAPTURES, EVERYTHING, KING, LEGAL, PAWN_MATE, PINS, QUIETS, UNTESTED};
use super::sfen::START;
use super::{Board, Kind, Move, Piece, Steps, Undo};
use crate::game::{
    Claim, ClaimRule, EarlyTests, Game, MoveList, ParseError, Position, Region, RegionRules, Side,
    StructureKeys,
};

impl Board {
    /// Lists `CLASS` with these tests, and the king's if `kings`.
    #[inline]
    fn generate_tested<const CLASS: u8>(&self, list: &mut MoveList<Move>, early: EarlyTests, kings: bool) {
        match (early.pins, kings, early.drops) {
            (false, false, false) => self.generate::<CLASS, false, UNTESTED>(list),
            (false, false, true) => self.generate::<CLASS, false, PAWN_MATE>(list),
            (false, true, false) => self.generate::<CLASS, false, KING>(list),
            (false, true, true) => self.generate::<CLASS, false, { KING | PAWN_MATE }>(list),
            (true, false, false) => self.generate::<CLASS, false, PINS>(list),
            (true, false, true) => self.generate::<CLASS, false, { PINS | PAWN_MATE }>(list),
            (true, true, false) => self.generate::<CLASS, false, { PINS | KING }>(list),
            (true, true, true) => self.generate::<CLASS, false, LEGAL>(list),
        }
    }
}

impl Position for Board {
    type Move = Move;
    type Undo = Undo;
    type CheckInfo = CheckInfo;
    type Squares = SquareIndices;

    const GAME: Game = Game::Shogi;
    const PIECE_TO: usize = Piece::COUNT * 81;
    const VICTIMS: usize = Kind::COUNT;
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

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }

    #[inline]
    fn key_after(&self, mv: Move) -> Option<u64> {
        Some(self.next_key(mv))
    }

    fn in_check(&self) -> bool {
        self.checkers.non_empty()
    }

    fn make(&mut self, mv: Move) -> Undo {
        self.play(mv, self.next_key(mv), None)
    }

    #[inline]
    fn make_known(&mut self, mv: Move, key_after: Option<u64>, gives_check: Option<bool>) -> Undo {
        self.play(mv, key_after.unwrap_or_else(|| self.next_key(mv)), gives_check)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.take_back(mv, undo);
    }

    fn make_null(&mut self) -> Undo {
        self.pass()
    }

    fn unmake_null(&mut self, undo: Undo) {
        self.take_back_pass(undo);
    }

    fn legal(&self, list: &mut MoveList<Move>) {
        self.generate::<EVERYTHING, false, LEGAL>(list);
    }

    fn legal_all(&self, list: &mut MoveList<Move>) {
        self.generate::<EVERYTHING, true, LEGAL>(list);
    }

    fn count_legal_all(&self) -> usize {
        self.count_moves()
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.could_generate(mv)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.survives(mv)
    }

    fn captures(&self, list: &mut MoveList<Move>, early: EarlyTests) {
        match (early.pins, early.kings) {
            (false, false) => self.generate::<CAPTURES, false, UNTESTED>(list),
            (true, false) => self.generate::<CAPTURES, false, PINS>(list),
            (false, true) => self.generate::<CAPTURES, false, KING>(list),
            (true, true) => self.generate::<CAPTURES, false, { PINS | KING }>(list),
        }
    }

    fn quiets(&self, list: &mut MoveList<Move>, early: EarlyTests) {
        self.generate_tested::<QUIETS>(list, early, early.kings);
    }

    fn evasions(&self, list: &mut MoveList<Move>, early: EarlyTests) {
        debug_assert!(self.in_check());
        self.generate_tested::<EVERYTHING>(list, early, early.king_evasions);
    }

    fn is_pseudo_legal_tested(&self, mv: Move, early: EarlyTests) -> bool {
        self.could_generate(mv) && (!self.is_tested(mv, early) || self.survives(mv))
    }

    #[inline]
    fn check_info(&self) -> CheckInfo {
        CheckInfo::new(self)
    }

    #[inline(always)]
    fn is_legal_by(&self, mv: Move, early: EarlyTests, info: &CheckInfo) -> bool {
        self.is_tested(mv, early) || self.survives_by(mv, info)
    }

    #[inline]
    fn is_tactical(&self, mv: Move) -> bool {
        if mv.is_drop() {
            return false;
        }
        !self.piece_on(mv.to()).is_none()
            || mv.is_promotion() && self.piece_on(mv.from()).kind_index() == Kind::Pawn.index()
    }

    #[inline(always)]
    fn gives_check_by(&self, mv: Move, info: &CheckInfo) -> bool {
        self.checks(mv, info)
    }

    fn attacked_squares(&self) -> SquareIndices {
        let side = self.side.opponent();
        self.attack_map(side, &Steps::of(self, side), |_, _| {})
            .all
            .into()
    }

    #[inline(always)]
    fn ends_in(&self, mv: Move, squares: &SquareIndices) -> usize {
        let leaves = squares.has(mv.origin_or_hand());
        usize::from(leaves) | usize::from(squares.has(mv.to_index())) << 1
    }

    fn check_squares(&self) -> SquareIndices {
        let (king, occupied) = (self.king(self.side.opponent()), self.occupied());
        let knights = pseudo_by_kind(self.side.opponent(), king)[Kind::Knight.index()];
        (rook_attacks(king, occupied) | bishop_attacks(king, occupied) | knights).into()
    }

    #[inline(always)]
    fn checks_directly(&self, mv: Move, squares: &SquareIndices) -> bool {
        let may_check = squares.has(mv.to_index());
        debug_assert!(may_check || !self.checks_by_mover(mv), "{mv} in {self}");
        may_check && self.checks_by_mover(mv)
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let piece = if mv.is_drop() {
            mv.dropped_by(self.side)
        } else {
            let moving = self.piece_on(mv.from());
            mv.arriving(moving)
        };
        piece.index() * 81 + mv.to().index()
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        self.piece_on(mv.to()).kind_index()
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

    fn mate_in_one(&self, own_attacks: Option<SquareIndices>) -> Option<Move> {
        self.adjacent_mate(own_attacks.map(Into::into))
    }

    #[inline(always)]
    fn structure_keys(&self) -> StructureKeys {
        self.structure()
    }

    fn region(&self, mv: Move, rules: RegionRules) -> Option<Region> {
        self.region_of(mv, rules)
    }

    #[inline]
    fn claim(&self, rule: Option<&ClaimRule>) -> Claim {
        rule.map_or(Claim::Invalid, |rule| self.judge_declaration(rule))
    }
}
