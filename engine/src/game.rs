//! What search may know of a game.
//!
//! In: nothing. Out: the [`Position`] trait, the two [`Side`]s, and the [`Path`] of a game.
//! Must not: name a piece, a square or a rule of one particular game.

use std::fmt;
use std::hash::Hash;

use arrayvec::ArrayVec;

/// More moves than any position of any supported game has (shogi: 593, chess: 218).
pub const MOVES_MAX: usize = 600;

/// A list of moves on the stack, in generation order.
pub type MoveList<M> = ArrayVec<M, MOVES_MAX>;

/// The games that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Game {
    /// Japanese chess, 9x9 with drops.
    Shogi,
    /// Western chess.
    Chess,
}

impl Game {
    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Game::Shogi => "shogi",
            Game::Chess => "chess",
        }
    }

    /// The game of this name.
    pub fn from_name(name: &str) -> Option<Game> {
        [Game::Shogi, Game::Chess]
            .into_iter()
            .find(|game| game.name() == name)
    }

    /// What the notation of positions is called.
    pub fn notation(self) -> &'static str {
        match self {
            Game::Shogi => "sfen",
            Game::Chess => "fen",
        }
    }
}

/// Who moves: `First` is black (sente) in shogi and white in chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that moves first from the start position.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// The opponent.
    #[inline]
    #[must_use]
    pub fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Which declaration (impasse) rule is in force, where a game has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeclarationRule {
    /// No declaration.
    Off,
    /// 27-point rule: the first side needs 28 points, the second 27, to win.
    #[default]
    Points27,
    /// 24-point rule: 31 points win, 24 to 30 are a draw.
    Points24,
}

impl DeclarationRule {
    /// The rule called `off`, `24` or `27`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "off" => Some(DeclarationRule::Off),
            "24" => Some(DeclarationRule::Points24),
            "27" => Some(DeclarationRule::Points27),
            _ => None,
        }
    }

    /// `off`, `24` or `27`.
    pub fn name(self) -> &'static str {
        match self {
            DeclarationRule::Off => "off",
            DeclarationRule::Points24 => "24",
            DeclarationRule::Points27 => "27",
        }
    }
}

/// What a declaration by the side to move would be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Declaration {
    /// The conditions are not met: declaring loses.
    Invalid,
    /// The conditions are met for a draw (24-point rule only).
    Draw,
    /// The conditions are met: declaring wins.
    Win,
}

/// A text is not a position or not a move; the message says which part and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(pub String);

/// A move in 16 bits: any bit pattern is a value of the type (a hash table may return anything).
pub trait GameMove: Copy + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The move's bits; 0 is never a legal move.
    fn bits(self) -> u16;
    /// The move with these bits, whatever they mean.
    fn from_bits(bits: u16) -> Self;
    /// Reads protocol notation; whether the move is legal anywhere is another question.
    ///
    /// # Errors
    /// If the text does not have the form of a move.
    fn parse(text: &str) -> Result<Self, ParseError>;
}

/// Which tests of legality the generators make themselves, instead of [`Position::is_legal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct EarlyTests {
    /// Is a dropped pawn mate?
    pub drop_pawn_mate: bool,
    /// Does an evading king step into an attack?
    pub king_evasions: bool,
}

/// A position with the side to move; all that search may know of a game.
///
/// The legality ladder: any bit pattern -> [`is_pseudo_legal`](Position::is_pseudo_legal) ->
/// [`is_legal`](Position::is_legal) -> [`Path::is_genuine_legal`]. A step never repeats the checks of the one before.
pub trait Position: Clone + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The game's move.
    type Move: GameMove;
    /// What [`make`](Position::make) must remember for [`unmake`](Position::unmake).
    type Undo;

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

    /// The start position.
    fn start() -> Self;
    /// Parses the game's position notation (SFEN, FEN) or `startpos`; refuses positions that cannot be played on.
    ///
    /// # Errors
    /// Names the field, the character and the reason.
    fn parse(text: &str) -> Result<Self, ParseError>;
    /// Parses a move in protocol notation and checks that it is legal here.
    ///
    /// # Errors
    /// Says whether the text is no move at all or a move that is illegal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// The side to move.
    fn side_to_move(&self) -> Side;
    /// Zobrist key of board, hands and side to move.
    fn key(&self) -> u64;
    /// Is the side to move in check?
    fn in_check(&self) -> bool;

    /// Plays a legal move.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;
    /// Takes back the last move.
    fn unmake(&mut self, mv: Self::Move, undo: Self::Undo);
    /// Passes; only when not in check.
    fn make_null(&mut self) -> Self::Undo;
    /// Takes back a pass.
    fn unmake_null(&mut self, undo: Self::Undo);
    /// May null-move search trust a pass here? (No in chess pawn endings.)
    fn is_pass_safe(&self) -> bool;

    /// Is the position drawn by a rule that looks at nothing but the position and its counters?
    #[inline]
    fn is_draw_by_rule(&self) -> bool {
        false
    }

    /// Appends pseudo-legal captures (and, in shogi, pawn promotions), when not in check.
    fn captures(&self, list: &mut MoveList<Self::Move>);
    /// Appends the pseudo-legal moves that [`captures`](Position::captures) left out, when not in check.
    fn quiets(&self, list: &mut MoveList<Self::Move>);
    /// Appends pseudo-legal check evasions, when in check.
    fn evasions(&self, list: &mut MoveList<Self::Move>);
    /// Appends the legal moves without dominated ones (needless non-promotions).
    fn legal(&self, list: &mut MoveList<Self::Move>);
    /// Appends every legal move.
    fn legal_all(&self, list: &mut MoveList<Self::Move>);
    /// The number of legal moves, dominated ones included, without listing them.
    fn count_legal_all(&self) -> usize;
    /// Takes any bit pattern to pseudo-legal: could a generator have made this move here (dominated ones included)?
    fn is_pseudo_legal(&self, mv: Self::Move) -> bool;
    /// Takes a pseudo-legal move to legal: no suicide, no drop-pawn mate.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// As [`quiets`](Position::quiets), without what `early` rules out.
    #[inline]
    fn quiets_tested(&self, list: &mut MoveList<Self::Move>, _early: EarlyTests) {
        self.quiets(list);
    }
    /// As [`evasions`](Position::evasions), without what `early` rules out.
    #[inline]
    fn evasions_tested(&self, list: &mut MoveList<Self::Move>, _early: EarlyTests) {
        self.evasions(list);
    }
    /// As [`is_pseudo_legal`](Position::is_pseudo_legal), and passes the `early` tests.
    #[inline]
    fn is_pseudo_legal_tested(&self, mv: Self::Move, _early: EarlyTests) -> bool {
        self.is_pseudo_legal(mv)
    }
    /// As [`is_legal`](Position::is_legal), for a move that has passed the `early` tests.
    #[inline]
    fn is_legal_tested(&self, mv: Self::Move, _early: EarlyTests) -> bool {
        self.is_legal(mv)
    }

    /// Is it a move of the class that [`captures`](Position::captures) makes?
    fn is_tactical(&self, mv: Self::Move) -> bool;
    /// Does the legal move give check?
    fn gives_check(&self, mv: Self::Move) -> bool;
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
    /// What is returned mates; that nothing is returned proves nothing.
    #[inline]
    fn mate_in_one(&self) -> Option<Self::Move> {
        None
    }

    /// Where a legal quiet move acts; `None` for moves (and in games) that pruning by region does not judge.
    #[inline]
    fn region(&self, _: Self::Move, _: RegionRules) -> Option<Region> {
        None
    }

    /// In what the position is like others that an evaluation errs on in the same way.
    fn likenesses(&self) -> Likenesses;

    /// What a declaration by the side to move is worth (games without one: `Invalid`).
    fn declaration(&self, rule: DeclarationRule) -> Declaration;
}

/// Parts of a position, each as a number that equal parts share (others may share it by chance).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Likenesses {
    /// What each side has: in shogi the pieces in hand.
    pub material: u64,
    /// The kings and what stands around them.
    pub kings: u64,
    /// The pawns on the board.
    pub pawns: u64,
}

/// What a quiet move does, as pruning by region sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// It attacks an enemy piece.
    Attack,
    /// It answers an attack.
    Defence,
    /// Neither.
    Other,
}

/// How the distance of two squares is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Moves of a king (Chebyshev distance).
    KingMoves,
    /// Files and ranks between them added (Manhattan distance).
    Steps,
}

/// How pruning by region looks at moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegionRules {
    /// The measure of distances.
    pub metric: Metric,
    /// Are moves of the king and of fast pieces left out?
    pub exempts: bool,
}

/// Where a quiet move acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    /// What it does.
    pub kind: RegionKind,
    /// From what it does to the king concerned; less than [`Region::DISTANCES`].
    pub distance: u8,
}

impl Region {
    /// More than every distance of every game and metric.
    pub const DISTANCES: usize = 17;
}

/// How a repetition on the path scores for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Nobody's fault.
    Draw,
    /// The opponent gave perpetual check.
    Win,
    /// The side to move gave perpetual check.
    Loss,
}

/// The positions of a game so far, the present one last: what repetition rules look at.
#[derive(Debug, Clone, Default)]
pub struct Path {
    entries: Vec<PathEntry>,
}

#[derive(Debug, Clone, Copy)]
struct PathEntry {
    key: u64,
    in_check: bool,
}

impl Path {
    /// A path that starts (and stands) at `position`.
    pub fn new<P: Position>(position: &P) -> Self {
        let mut path = Path {
            entries: Vec::with_capacity(1024),
        };
        path.push(position);
        path
    }

    /// Starts again at `position`, keeping the allocation.
    pub fn restart<P: Position>(&mut self, position: &P) {
        self.entries.clear();
        self.push(position);
    }

    /// Becomes the same path as `other`, keeping the allocation.
    pub fn copy_from(&mut self, other: &Path) {
        self.entries.clone_from(&other.entries);
    }

    /// Appends the position reached.
    #[inline]
    pub fn push<P: Position>(&mut self, position: &P) {
        self.entries.push(PathEntry {
            key: position.key(),
            in_check: position.in_check(),
        });
    }

    /// Drops the last position.
    #[inline]
    pub fn pop(&mut self) {
        self.entries.pop();
    }

    /// Number of positions on the path, the present one included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True before the first position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How often the present position has stood on the path, itself included.
    pub fn occurrences(&self) -> usize {
        let Some(last) = self.entries.last() else { return 0 };
        self.entries
            .iter()
            .rev()
            .step_by(2)
            .filter(|entry| entry.key == last.key)
            .count()
    }

    /// The earlier occurrence nearest to the present position within `plies_max`, judged for the side to move.
    #[inline]
    pub fn nearest_repetition<P: Position>(&self, plies_max: usize) -> Option<Repetition> {
        let last = self.entries.len().checked_sub(1)?;
        let key = self.entries[last].key;
        let mut distance = 4;
        while distance <= plies_max.min(last) {
            if self.entries[last - distance].key == key {
                return Some(self.judge::<P>(last - distance));
            }
            distance += 2;
        }
        None
    }

    /// The verdict once the present position has occurred `P::REPETITIONS` times, for the side to move; `None` before that.
    pub fn referee_repetition<P: Position>(&self) -> Option<Repetition> {
        if self.occurrences() < P::REPETITIONS {
            return None;
        }
        let last = self.entries.len() - 1;
        let key = self.entries[last].key;
        let first = (last % 2..last)
            .step_by(2)
            .find(|&index| self.entries[index].key == key)?;
        Some(self.judge::<P>(first))
    }

    /// Takes a legal move to genuinely legal: it does not complete a perpetual check by repetition.
    pub fn is_genuine_legal<P: Position>(&mut self, position: &mut P, mv: P::Move) -> bool {
        // In a perpetual check the mover's last move gave check too, so most positions need no trial.
        if !P::PERPETUAL_CHECK_LOSES || !self.gave_check() {
            return true;
        }
        let undo = position.make(mv);
        self.push(position);
        let verdict = self.referee_repetition::<P>();
        self.pop();
        position.unmake(mv, undo);
        verdict != Some(Repetition::Win)
    }

    /// Did the last move of the side to move give check?
    #[inline]
    fn gave_check(&self) -> bool {
        self.entries
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|entry| entry.in_check)
    }

    /// Judges the cycle from index `from` to the end. A side gave perpetual check if all its moves in the cycle did.
    fn judge<P: Position>(&self, from: usize) -> Repetition {
        if !P::PERPETUAL_CHECK_LOSES {
            return Repetition::Draw;
        }
        let cycle = &self.entries[from + 1..];
        let checked_always = cycle.iter().rev().step_by(2).all(|entry| entry.in_check);
        let checking_always = cycle.iter().rev().skip(1).step_by(2).all(|entry| entry.in_check);
        match (checked_always, checking_always) {
            (true, false) => Repetition::Win,
            (false, true) => Repetition::Loss,
            _ => Repetition::Draw,
        }
    }
}
