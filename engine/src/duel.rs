//! A tiny game for tests: a king and three guards a side on a board of 4 x 5 squares, with checks, captures and repetition.

use std::fmt;

use crate::config::Config;
use crate::eval::{Evaluate, Evaluated, PHASE_WHOLE};
use crate::game::{EarlyTests, Game, GameMove, MoveList, ParseError, Position, Side, StructureKeys};
use crate::search::{Report, Searchable, Task};

const FILES: i32 = 4;
const RANKS: i32 = 5;
const SQUARES: usize = 20;
/// Pieces: 0 none, 1 guard, 2 king of the first side; 3 guard, 4 king of the second.
const START: [u8; SQUARES] = [4, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2];

/// Origin and destination; 0 is no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DuelMove(u16);

impl DuelMove {
    pub(crate) const NONE: Self = DuelMove(0);

    fn new(from: usize, to: usize) -> Self {
        DuelMove((1 + from * 32 + to) as u16)
    }
    fn from(self) -> usize {
        usize::from(self.0 - 1) / 32
    }
    fn to(self) -> usize {
        usize::from(self.0 - 1) % 32
    }
}

impl fmt::Display for DuelMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from(), self.to())
    }
}

impl GameMove for DuelMove {
    fn bits(self) -> u16 {
        self.0
    }
    fn from_bits(bits: u16) -> Self {
        DuelMove(bits)
    }
    fn parse(text: &str) -> Result<Self, ParseError> {
        Err(ParseError(text.to_owned()))
    }
}

/// The game. With `COUNTED`, the key holds the number of plies played: nothing repeats, and positions transpose only at
/// equal ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Duel<const COUNTED: bool> {
    board: [u8; SQUARES],
    side: Side,
    plies: u64,
}

impl<const COUNTED: bool> Duel<COUNTED> {
    fn owner(piece: u8) -> Option<Side> {
        match piece {
            0 => None,
            1 | 2 => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// Guards step forward (straight or diagonally), kings in all directions.
    fn targets(&self, from: usize) -> impl Iterator<Item = usize> + use<COUNTED> {
        let piece = self.board[from];
        let (file, rank) = (from as i32 % FILES, from as i32 / FILES);
        let forward = if piece <= 2 { -1 } else { 1 };
        let is_king = piece == 2 || piece == 4;
        (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
            .filter(move |&(dx, dy)| (dx, dy) != (0, 0) && (is_king || dy == forward))
            .map(move |(dx, dy)| (file + dx, rank + dy))
            .filter(|&(x, y)| (0..FILES).contains(&x) && (0..RANKS).contains(&y))
            .map(|(x, y)| (y * FILES + x) as usize)
    }

    fn pseudo_legal(&self) -> impl Iterator<Item = DuelMove> + '_ {
        (0..SQUARES)
            .filter(|&from| Self::owner(self.board[from]) == Some(self.side))
            .flat_map(|from| self.targets(from).map(move |to| DuelMove::new(from, to)))
            .filter(|mv| Self::owner(self.board[mv.to()]) != Some(self.side))
    }

    fn is_attacked(&self, square: usize, by: Side) -> bool {
        (0..SQUARES)
            .filter(|&from| Self::owner(self.board[from]) == Some(by))
            .any(|from| self.targets(from).any(|to| to == square))
    }

    fn is_king_attacked(&self, side: Side) -> bool {
        let king = if side == Side::First { 2 } else { 4 };
        (0..SQUARES)
            .find(|&square| self.board[square] == king)
            .is_some_and(|square| self.is_attacked(square, side.opponent()))
    }

    fn after(&self, mv: DuelMove) -> Self {
        let mut next = *self;
        next.board[mv.to()] = std::mem::take(&mut next.board[mv.from()]);
        next.side = self.side.opponent();
        next.plies += 1;
        next
    }

    fn guard_balance(&self) -> i32 {
        let count = |piece: u8| self.board.iter().filter(|&&other| other == piece).count() as i32;
        100 * (count(1) - count(3))
    }
}

impl<const COUNTED: bool> fmt::Display for Duel<COUNTED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.board, self.side)
    }
}

impl<const COUNTED: bool> Position for Duel<COUNTED> {
    type Move = DuelMove;
    type Undo = Self;
    type CheckInfo = ();
    /// A bit for each square.
    type Squares = u32;

    const GAME: Game = Game::Shogi;
    const PIECE_TO: usize = 5 * SQUARES;
    const VICTIMS: usize = 5;
    const REPETITIONS: usize = 4;
    const PERPETUAL_CHECK_LOSES: bool = true;

    fn start() -> Self {
        Duel {
            board: START,
            side: Side::First,
            plies: 0,
        }
    }
    fn parse(text: &str) -> Result<Self, ParseError> {
        Err(ParseError(text.to_owned()))
    }
    fn parse_move(&self, text: &str) -> Result<DuelMove, ParseError> {
        Err(ParseError(text.to_owned()))
    }

    fn side_to_move(&self) -> Side {
        self.side
    }
    fn key(&self) -> u64 {
        let seed = self.side.index() as u64 + if COUNTED { 2 * self.plies } else { 0 };
        self.board.iter().fold(seed, |key, &piece| {
            let key = (key ^ u64::from(piece)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key ^ key >> 29
        })
    }
    fn in_check(&self) -> bool {
        self.is_king_attacked(self.side)
    }

    fn make(&mut self, mv: DuelMove) -> Self {
        assert!(self.is_legal(mv), "{mv} in {self}");
        std::mem::replace(self, self.after(mv))
    }
    fn unmake(&mut self, _: DuelMove, undo: Self) {
        *self = undo;
    }
    fn make_null(&mut self) -> Self {
        assert!(!self.in_check());
        let before = *self;
        self.side = self.side.opponent();
        self.plies += 1;
        before
    }
    fn unmake_null(&mut self, undo: Self) {
        *self = undo;
    }

    fn captures(&self, list: &mut MoveList<DuelMove>, _: EarlyTests) {
        list.extend(self.pseudo_legal().filter(|&mv| self.is_tactical(mv)));
    }
    fn quiets(&self, list: &mut MoveList<DuelMove>, _: EarlyTests) {
        list.extend(self.pseudo_legal().filter(|&mv| !self.is_tactical(mv)));
    }
    fn evasions(&self, list: &mut MoveList<DuelMove>, _: EarlyTests) {
        list.extend(self.pseudo_legal());
    }
    fn legal(&self, list: &mut MoveList<DuelMove>) {
        list.extend(self.pseudo_legal().filter(|&mv| self.is_legal(mv)));
    }
    fn count_legal_all(&self) -> usize {
        self.pseudo_legal().filter(|&mv| self.is_legal(mv)).count()
    }
    fn is_pseudo_legal(&self, mv: DuelMove) -> bool {
        self.pseudo_legal().any(|other| other == mv)
    }
    fn is_legal(&self, mv: DuelMove) -> bool {
        assert!(self.is_pseudo_legal(mv), "{mv:?} in {self}");
        !self.after(mv).is_king_attacked(self.side)
    }

    fn is_tactical(&self, mv: DuelMove) -> bool {
        self.board[mv.to()] != 0
    }
    fn check_info(&self) {}
    fn gives_check_by(&self, mv: DuelMove, (): &()) -> bool {
        self.after(mv).in_check()
    }
    fn attacked_squares(&self) -> u32 {
        (0..SQUARES)
            .filter(|&square| self.is_attacked(square, self.side.opponent()))
            .fold(0, |squares, square| squares | 1 << square)
    }
    fn ends_in(&self, mv: DuelMove, squares: &u32) -> usize {
        (squares >> mv.from() & 1 | (squares >> mv.to() & 1) << 1) as usize
    }
    fn check_squares(&self) -> u32 {
        (1 << SQUARES) - 1
    }
    fn checks_directly(&self, mv: DuelMove, _: &u32) -> bool {
        self.after(mv).in_check()
    }
    fn piece_to(&self, mv: DuelMove) -> usize {
        usize::from(self.board[mv.from()]) * SQUARES + mv.to()
    }
    fn victim(&self, mv: DuelMove) -> usize {
        usize::from(self.board[mv.to()])
    }
    fn gain(&self, mv: DuelMove) -> i32 {
        100 * i32::from(self.board[mv.to()] != 0)
    }
    fn mover_value(&self, mv: DuelMove) -> i32 {
        100 * i32::from(self.board[mv.from()])
    }
    fn see_ge(&self, mv: DuelMove, threshold: i32) -> bool {
        let is_lost = self.after(mv).is_attacked(mv.to(), self.side.opponent());
        self.gain(mv) - 100 * i32::from(is_lost) >= threshold
    }
    fn structure_keys(&self) -> StructureKeys {
        let king = |piece: u8| self.board.iter().position(|&other| other == piece).unwrap_or(0) as u64;
        StructureKeys {
            material: self.guard_balance().unsigned_abs().into(),
            kings: king(2) * 32 + king(4),
            pawns: self.key(),
            pieces: [0; 2],
        }
    }
}

/// Guards, counted as they are captured, and a little noise, so that few values are equal.
pub(crate) struct DuelEval;

impl<const COUNTED: bool> Evaluate<Duel<COUNTED>> for DuelEval {
    type Accumulator = i32;
    type Memory = ();

    fn new(_: &Config) -> Self {
        DuelEval
    }
    fn refresh(&self, position: &Duel<COUNTED>) -> i32 {
        position.guard_balance()
    }
    fn update(&self, position: &Duel<COUNTED>, mv: DuelMove, balance: &i32) -> i32 {
        let gain = position.gain(mv);
        balance + position.side.sign() * gain
    }
    fn phase(&self, _: &Duel<COUNTED>, _: &i32) -> i32 {
        PHASE_WHOLE
    }
    fn evaluate(&self, position: &Duel<COUNTED>, balance: &i32, (): &mut ()) -> i32 {
        assert_eq!(*balance, position.guard_balance());
        let noise = (position.key() >> 40) as i32 % 41 - 20;
        position.side.sign() * balance + noise
    }
    fn material(&self, position: &Duel<COUNTED>, balance: &i32) -> i32 {
        position.side.sign() * balance
    }
}

impl<const COUNTED: bool> Evaluated for Duel<COUNTED> {
    type Evaluator = DuelEval;
}

impl<const COUNTED: bool> Searchable for Duel<COUNTED> {
    fn search(task: Task<'_, Self>) -> Report<DuelMove> {
        task.run()
    }
}

/// Positions met in pseudo-random games from the start position, with the paths that lead to them.
pub(crate) fn playouts<const COUNTED: bool>(count: usize) -> Vec<(Duel<COUNTED>, crate::game::Path)> {
    let mut seed = 1_u64;
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Duel::start();
        let mut path = crate::game::Path::new(&position);
        for _ in 0..20 {
            let mut list = MoveList::new();
            position.legal(&mut list);
            if list.is_empty() {
                break;
            }
            found.push((position, path.clone()));
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            position.make(list[(seed >> 33) as usize % list.len()]);
            path.push(&position);
        }
    }
    found.truncate(count);
    found
}
