//! Chess behind the trait that search knows.

use cozy_chess::{BitBoard, Color, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::exchange::VALUES;
use super::movegen::{CAPTURES, EVERYTHING, QUIETS};
use super::{Board, Move, Undo};
use crate::game::{
    EarlyTests, Game, GameMove, MoveList, ParseError, Position, Region, RegionRules, Side, StructureKeys,
};

impl Position for Board {
    type Move = Move;
    type Undo = Undo;
    type CheckInfo = ();
    type Squares = BitBoard;

    const GAME: Game = Game::Chess;
    const PIECE_TO: usize = 2 * 6 * 64;
    const VICTIMS: usize = 1 + 6;
    const REPETITIONS: usize = 3;
    const PERPETUAL_CHECK_LOSES: bool = false;
    const STALEMATE_LOSES: bool = false;

    fn start() -> Self {
        Board::startpos()
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        Board::from_fen(text)
    }

    fn castling_onto_rooks(self) -> Self {
        Board {
            is_chess960: true,
            ..self
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let parsed = Move::parse(text)?;
        let mv = self.resolve(parsed);
        if self.is_pseudo_legal(mv) {
            return Ok(mv);
        }
        Err(ParseError(format!("move '{text}' is illegal in {self}")))
    }

    fn castling_meant(&self, text: &str) -> Option<Move> {
        self.castling_by_other_notation(Move::parse(text).ok()?)
    }

    fn side_to_move(&self) -> Side {
        Board::side_of(self.turn())
    }

    fn key(&self) -> u64 {
        self.state.key
    }

    fn repetition_key(&self) -> u64 {
        self.repetition_hash()
    }

    fn in_check(&self) -> bool {
        !self.state.checkers.is_empty()
    }

    fn make(&mut self, mv: Move) -> Undo {
        self.play(mv, None)
    }

    #[inline]
    fn make_known(&mut self, mv: Move, _: Option<u64>, gives_check: Option<bool>) -> Undo {
        self.play(mv, gives_check)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.take_back(mv, undo);
    }

    fn make_null(&mut self) -> Undo {
        self.pass()
    }

    fn unmake_null(&mut self, undo: Undo) {
        self.unpass(undo);
    }

    /// With king and pawns alone a pass may be the best move (zugzwang).
    #[inline]
    fn is_pass_safe(&self) -> bool {
        let us = self.turn();
        let pawns_and_kings = self.pieces(Piece::Pawn) | self.pieces(Piece::King);
        !(self.colors(us) & !pawns_and_kings).is_empty()
    }

    fn can_mate(&self, side: Side) -> bool {
        self.has_mating_material(side)
    }

    fn is_draw_by_rule(&self) -> bool {
        self.is_dead_draw()
    }

    fn halfmove_clock(&self) -> Option<u8> {
        Some(self.quiet_plies())
    }

    fn captures(&self, list: &mut MoveList<Move>, _: EarlyTests) {
        self.list::<CAPTURES>(list);
    }

    fn quiets(&self, list: &mut MoveList<Move>, _: EarlyTests) {
        self.list::<QUIETS>(list);
    }

    fn evasions(&self, list: &mut MoveList<Move>, _: EarlyTests) {
        self.list::<EVERYTHING>(list);
    }

    fn legal(&self, list: &mut MoveList<Move>) {
        self.list::<EVERYTHING>(list);
    }

    fn count_legal_all(&self) -> usize {
        self.count()
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        mv.bits() != 0 && self.allows(mv)
    }

    /// The generators make legal moves only, so nothing is left to test.
    fn is_legal(&self, _: Move) -> bool {
        true
    }

    #[inline]
    fn is_tactical(&self, mv: Move) -> bool {
        if mv.promotes() {
            return mv.promoted_kind() == Piece::Queen;
        }
        self.captures_any(mv)
    }

    fn check_info(&self) {}

    fn gives_check_by(&self, mv: Move, (): &()) -> bool {
        self.checks(mv)
    }

    fn attacked_squares(&self) -> BitBoard {
        self.attacked()
    }

    #[inline(always)]
    fn ends_in(&self, mv: Move, squares: &BitBoard) -> usize {
        usize::from(squares.has(mv.from())) | usize::from(squares.has(mv.to())) << 1
    }

    fn check_squares(&self) -> BitBoard {
        let (us, king) = (self.turn(), self.king(!self.turn()));
        // A pawn that promotes leaves the line on which its rook or bishop gives check.
        let others = self.occupied() & !(self.pieces(Piece::Pawn) & self.colors(us));
        get_rook_moves(king, others) | get_bishop_moves(king, others) | get_knight_moves(king)
    }

    #[inline(always)]
    fn checks_directly(&self, mv: Move, squares: &BitBoard) -> bool {
        debug_assert!(
            squares.has(mv.to()) || !self.checks_by_mover(mv),
            "{mv} in {self}"
        );
        squares.has(mv.to()) && self.checks_by_mover(mv)
    }

    #[inline(always)]
    fn piece_to(&self, mv: Move) -> usize {
        (self.turn() as usize * 6 + self.arriving(mv) as usize) * 64 + mv.to() as usize
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        self.captured(mv).map_or(0, |piece| 1 + piece as usize)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        self.gain_of(mv)
    }

    #[inline]
    fn mover_value(&self, mv: Move) -> i32 {
        VALUES[self.kind_on(mv.from()) as usize]
    }

    fn region(&self, mv: Move, rules: RegionRules) -> Option<Region> {
        self.region_of(mv, rules)
    }

    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.exchange_wins(mv, threshold)
    }

    #[inline(always)]
    fn structure_keys(&self) -> StructureKeys {
        let mixed = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let of_colors = |[white, black]: [u64; 2]| mixed(white).rotate_left(23) ^ mixed(black ^ 1);
        StructureKeys {
            material: of_colors(self.state.material.map(u64::from)),
            kings: of_colors(Color::ALL.map(|color| {
                let king = self.king(color);
                (cozy_chess::get_king_moves(king) & self.colors(color) | king.bitboard()).0
            })),
            pawns: of_colors(Color::ALL.map(|color| self.colored_pieces(color, Piece::Pawn).0)),
            pieces: self.state.pieces_keys,
        }
    }
}
