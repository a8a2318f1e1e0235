//! A position: all that search may know of a game.

use std::fmt;

use super::types::{
    Claim, ClaimRule, Game, GameMove, MoveList, ParseError, Region, RegionRules, Side, StructureKeys,
};

/// Which tests of legality the generators make themselves, instead of [`Position::is_legal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct EarlyTests {
    /// Is a drop forbidden for the mate that it gives?
    pub drops: bool,
    /// Does an evading king step into an attack?
    pub king_evasions: bool,
    /// Does a pinned piece leave its line?
    pub pins: bool,
    /// Does a king that is not in check step into an attack?
    pub kings: bool,
}

impl EarlyTests {
    /// Is nothing left to test later?
    pub fn is_all(self) -> bool {
        self.drops && self.king_evasions && self.pins && self.kings
    }
}

/// A position with the side to move; all that search may know of a game.
///
/// The legality ladder: any bit pattern -> [`is_pseudo_legal`](Position::is_pseudo_legal) ->
/// [`is_legal`](Position::is_legal) -> [`Path::is_genuine_legal`](super::Path::is_genuine_legal). A step never repeats the checks of the one before.
pub trait Position: Clone + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// A move in this game.
    type Move: GameMove;
    /// What [`make`](Position::make) must remember for [`unmake`](Position::unmake).
    type Undo;
    /// What the tests of legality and check of all moves of a position share: pins and discovered checks.
    type CheckInfo: Copy;
    /// A set of squares, by default empty.
    type Squares: Copy + Default + PartialEq + fmt::Debug;

    /// Which game this is.
    const GAME: Game;
    /// How many values [`piece_to`](Position::piece_to) has.
    const PIECE_TO: usize;
    /// How many values [`victim`](Position::victim) has.
    const VICTIMS: usize;
    /// Occurrences of one position that end the game (shogi 4, chess 3).
    const REPETITIONS: usize;
    /// Whether a side that gave check with every move of the repeated cycle loses.
    const PERPETUAL_CHECK_LOSES: bool;
    /// Whether a side without a legal move loses although it is not in check.
    const STALEMATE_LOSES: bool = true;

    /// The position that a game starts from.
    fn start() -> Self;
    /// Parses the game's position notation (SFEN, FEN) or `startpos`; refuses positions that cannot be played on.
    fn parse(text: &str) -> Result<Self, ParseError>;
    /// The same position with castling written, in moves and positions, as Chess960 does: the king moves onto its rook. Games
    /// without castling: no change.
    fn castling_onto_rooks(self) -> Self {
        self
    }
    /// Parses a move in protocol notation and checks that it is legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError>;
    /// The legal castling that `text`, which is no legal move here, means in the notation of the other kind of chess.
    fn castling_meant(&self, _text: &str) -> Option<Self::Move> {
        None
    }

    /// The side to move.
    fn side_to_move(&self) -> Side;
    /// Zobrist key of board, hands and side to move.
    fn key(&self) -> u64;
    /// The key after a legal move, where it costs little to tell before the move is made.
    fn key_after(&self, _mv: Self::Move) -> Option<u64> {
        None
    }
    /// The same for two positions that are one by the rule of repetition, where that is not [`key`](Position::key).
    fn repetition_key(&self) -> u64 {
        self.key()
    }
    /// Is the side to move in check?
    fn in_check(&self) -> bool;

    /// Plays a legal move.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;
    /// As [`make`](Position::make), with what [`key_after`](Position::key_after) and, if it was asked, [`gives_check`](Position::gives_check)
    /// said.
    fn make_known(
        &mut self,
        mv: Self::Move,
        _key_after: Option<u64>,
        _gives_check: Option<bool>,
    ) -> Self::Undo {
        self.make(mv)
    }
    /// Takes back the last move.
    fn unmake(&mut self, mv: Self::Move, undo: Self::Undo);
    /// Passes; only when not in check.
    fn make_null(&mut self) -> Self::Undo;
    /// Takes back a pass.
    fn unmake_null(&mut self, undo: Self::Undo);
    /// May null-move search trust a pass here? (No in chess pawn endings.)
    fn is_pass_safe(&self) -> bool {
        true
    }

    /// Can `side` mate by any series of legal moves, as far as the pieces tell? (Chess; a flag that falls may depend on it.)
    fn can_mate(&self, _side: Side) -> bool {
        true
    }

    /// Is the position drawn by a rule that looks at nothing but the position and its counters?
    fn is_draw_by_rule(&self) -> bool {
        false
    }

    /// Plies since the last capture or pawn move, where the rules count them (chess).
    fn halfmove_clock(&self) -> Option<u8> {
        None
    }

    /// Appends pseudo-legal captures (and, in shogi, pawn promotions) that pass the `early` tests, when not in check.
    fn captures(&self, list: &mut MoveList<Self::Move>, early: EarlyTests);
    /// Appends the moves that [`captures`](Position::captures) left out, when not in check.
    fn quiets(&self, list: &mut MoveList<Self::Move>, early: EarlyTests);
    /// Appends pseudo-legal check evasions that pass the `early` tests, when in check.
    fn evasions(&self, list: &mut MoveList<Self::Move>, early: EarlyTests);
    /// Appends the legal moves without dominated ones (needless non-promotions).
    fn legal(&self, list: &mut MoveList<Self::Move>);
    /// Appends every legal move; where no move dominates another, as [`legal`](Position::legal).
    fn legal_all(&self, list: &mut MoveList<Self::Move>) {
        self.legal(list);
    }
    /// The number of legal moves, dominated ones included, without listing them.
    fn count_legal_all(&self) -> usize;
    /// Takes any bit pattern to pseudo-legal: could a generator have made this move here (dominated ones included)?
    fn is_pseudo_legal(&self, mv: Self::Move) -> bool;
    /// Takes a pseudo-legal move to legal: no suicide, no drop-pawn mate.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// As [`is_pseudo_legal`](Position::is_pseudo_legal), and passes the `early` tests.
    fn is_pseudo_legal_tested(&self, mv: Self::Move, _early: EarlyTests) -> bool {
        self.is_pseudo_legal(mv)
    }
    /// Computed once for a position whose moves are tested.
    fn check_info(&self) -> Self::CheckInfo;
    /// As [`is_legal`](Position::is_legal), for a move that has passed the `early` tests.
    fn is_legal_by(&self, mv: Self::Move, _early: EarlyTests, _info: &Self::CheckInfo) -> bool {
        self.is_legal(mv)
    }

    /// Is it a move of the class that [`captures`](Position::captures) makes?
    fn is_tactical(&self, mv: Self::Move) -> bool;
    /// Does the pseudo-legal move give check?
    fn gives_check(&self, mv: Self::Move) -> bool {
        self.gives_check_by(mv, &self.check_info())
    }
    /// As [`gives_check`](Position::gives_check).
    fn gives_check_by(&self, mv: Self::Move, info: &Self::CheckInfo) -> bool;
    /// The squares that a move must reach to give check by the piece that it moves; not every move there does.
    fn check_squares(&self) -> Self::Squares;
    /// Does the pseudo-legal move give check by the piece that it moves? `squares` are the [`check_squares`](Position::check_squares).
    fn checks_directly(&self, mv: Self::Move, squares: &Self::Squares) -> bool;
    /// The squares that the opponent of the side to move attacks.
    fn attacked_squares(&self) -> Self::Squares;
    /// 1 if `mv` leaves one of `squares`, plus 2 if it reaches one.
    fn ends_in(&self, mv: Self::Move, squares: &Self::Squares) -> usize;
    /// Side, kind of the moving piece (after promotion) and destination as one number less than `PIECE_TO`.
    fn piece_to(&self, mv: Self::Move) -> usize;
    /// The kind of the piece that `mv` captures as a number less than `VICTIMS`; 0 for none.
    fn victim(&self, mv: Self::Move) -> usize;
    /// The material gained at once by `mv` in centipawns (captured piece and promotion), by fixed exchange values.
    fn gain(&self, mv: Self::Move) -> i32;
    /// The fixed exchange value of the moving piece in centipawns, for MVV-LVA.
    fn mover_value(&self, mv: Self::Move) -> i32;
    /// Static exchange evaluation: does `mv` gain at least `threshold` centipawns?
    fn see_ge(&self, mv: Self::Move, threshold: i32) -> bool;

    /// A legal move that mates at once, if one is found by looking at the enemy king alone (games that do not look: `None`).
    ///
    /// What is returned mates; that nothing is returned proves nothing. `own_attacks` is what the side to move attacks, if that is
    /// known.
    fn mate_in_one(&self, _own_attacks: Option<Self::Squares>) -> Option<Self::Move> {
        None
    }

    /// Where a legal quiet move acts; `None` for moves (and in games) that pruning by region does not judge.
    fn region(&self, _: Self::Move, _: RegionRules) -> Option<Region> {
        None
    }

    /// In what the position is like others that an evaluation errs on in the same way.
    fn structure_keys(&self) -> StructureKeys;

    /// What a claim by the side to move is worth under this rule; `None` where nothing can be claimed, by the rules of the
    /// game or by agreement.
    fn claim(&self, _: Option<&ClaimRule>) -> Claim {
        Claim::Invalid
    }
}
