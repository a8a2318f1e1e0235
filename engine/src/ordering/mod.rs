//! Move ordering: one node's moves, generated in stages, best first.
//!
//! In: a position, a hash move, killers, histories. Out: pseudo-legal moves one at a time, none of them twice.
//! Must not: test legality (the caller does, just before making a move), search, or allocate.

mod history;
mod killers;

use arrayvec::ArrayVec;

pub use history::{Context, HISTORY_MAX, History, HistoryView};
pub use killers::Killers;

use crate::game::{GameMove, MOVES_MAX, MoveList, Position};

/// Where a [`MovePicker`] stands; each stage generates or returns one class of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The move of the hash table.
    Hash,
    /// Generates captures.
    Captures,
    /// Captures that lose nothing (all of them without SEE ordering), most valuable first.
    GoodCaptures,
    /// The latest killer.
    FirstKiller,
    /// The killer before.
    SecondKiller,
    /// Generates quiet moves.
    Quiets,
    /// Quiet moves by history.
    OrderedQuiets,
    /// Captures put aside because they lose material.
    BadCaptures,
    /// In check: the move of the hash table.
    EvasionHash,
    /// In check: generates evasions.
    Evasions,
    /// Evasions: captures first, then by history.
    OrderedEvasions,
    /// Quiescence: the move of the hash table.
    QuiescenceHash,
    /// Quiescence: generates captures.
    QuiescenceCaptures,
    /// Quiescence: captures, most valuable first.
    OrderedCaptures,
    /// Nothing left.
    Done,
}

/// What to do with captures that lose material by static exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LosingCaptures {
    /// Try them last.
    Last,
    /// Do not tell them apart.
    InOrder,
}

/// Sets evading captures apart from quiet evasions, whose scores are at most `3 * HISTORY_MAX`.
const CAPTURE_FIRST: i32 = 1 << 18;

/// Most losing captures put aside; further ones are tried in their order.
const BAD_MAX: usize = 64;

/// Less than every key.
const HANDED_OUT: i32 = i32::MIN;

/// Bits of a key that hold the move's index; see [`key`].
const INDEX_BITS: u32 = 10;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MOVES_MAX < 1 << INDEX_BITS);

/// Generates a node's moves stage by stage and hands out the best one left.
#[derive(Debug)]
pub struct MovePicker<P: Position> {
    stage: Stage,
    hash_move: P::Move,
    killers: [P::Move; 2],
    losing: LosingCaptures,
    skips_quiets: bool,
    moves: MoveList<P::Move>,
    /// The [`key`] of each of `moves`, [`HANDED_OUT`] once returned or if it is not to be returned.
    keys: ArrayVec<i32, MOVES_MAX>,
    /// Where the moves of the present stage start.
    from: usize,
    /// Captures put aside because they lose material.
    bad: ArrayVec<P::Move, BAD_MAX>,
    /// How many of them are handed out.
    bad_taken: usize,
}

impl<P: Position> MovePicker<P> {
    /// All moves of a node of the main search. `hash_move` and `killers` may be any bit patterns.
    #[inline]
    pub fn new(position: &P, hash_move: P::Move, killers: [P::Move; 2], losing: LosingCaptures) -> Self {
        let stage = if position.in_check() {
            Stage::EvasionHash
        } else {
            Stage::Hash
        };
        Self::at(stage, position, hash_move, killers, losing)
    }

    /// The moves of quiescence search: evasions in check, captures otherwise.
    #[inline]
    pub fn quiescence(position: &P, hash_move: P::Move) -> Self {
        let stage = if position.in_check() {
            Stage::EvasionHash
        } else {
            Stage::QuiescenceHash
        };
        let none = P::Move::from_bits(0);
        Self::at(stage, position, hash_move, [none; 2], LosingCaptures::InOrder)
    }

    #[inline]
    fn at(
        stage: Stage,
        position: &P,
        hash_move: P::Move,
        killers: [P::Move; 2],
        losing: LosingCaptures,
    ) -> Self {
        let usable = hash_move.bits() != 0
            && position.is_pseudo_legal(hash_move)
            && (stage != Stage::QuiescenceHash || position.is_tactical(hash_move));
        MovePicker {
            stage,
            hash_move: if usable { hash_move } else { P::Move::from_bits(0) },
            killers,
            losing,
            skips_quiets: false,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            from: 0,
            bad: ArrayVec::new(),
            bad_taken: 0,
        }
    }

    /// Is the move last returned a capture put aside because it loses material?
    #[inline]
    pub fn is_losing(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Is it a killer that this node could play?
    #[inline]
    pub fn is_killer(&self, mv: P::Move) -> bool {
        self.killers.contains(&mv)
    }

    /// Returns no quiet move from now on (evasions are all returned).
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// The best move left.
    pub fn next(&mut self, position: &P, history: &History<P>, context: Context) -> Option<P::Move> {
        loop {
            match self.stage {
                Stage::Hash | Stage::EvasionHash | Stage::QuiescenceHash => {
                    self.stage = match self.stage {
                        Stage::Hash => Stage::Captures,
                        Stage::EvasionHash => Stage::Evasions,
                        _ => Stage::QuiescenceCaptures,
                    };
                    if self.hash_move.bits() != 0 {
                        return Some(self.hash_move);
                    }
                }
                Stage::Captures | Stage::QuiescenceCaptures => {
                    self.generate_captures(position);
                    self.stage = match self.stage {
                        Stage::Captures => Stage::GoodCaptures,
                        _ => Stage::OrderedCaptures,
                    };
                }
                Stage::GoodCaptures => match self.next_good_capture(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::FirstKiller,
                },
                Stage::FirstKiller | Stage::SecondKiller => {
                    let index = usize::from(self.stage == Stage::SecondKiller);
                    if let Some(mv) = self.killer(position, index) {
                        return Some(mv);
                    }
                }
                Stage::Quiets => {
                    self.generate_quiets(position, history, context);
                    self.stage = Stage::OrderedQuiets;
                }
                Stage::OrderedQuiets => match self.next_quiet() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    let Some(&mv) = self.bad.get(self.bad_taken) else {
                        self.stage = Stage::Done;
                        continue;
                    };
                    self.bad_taken += 1;
                    return Some(mv);
                }
                Stage::Evasions => {
                    self.generate_evasions(position, history, context);
                    self.stage = Stage::OrderedEvasions;
                }
                Stage::OrderedEvasions | Stage::OrderedCaptures => match self.pop_best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The killer of this index, if it can be played here; moves on to the next stage.
    #[inline]
    fn killer(&mut self, position: &P, index: usize) -> Option<P::Move> {
        self.stage = if index == 0 {
            Stage::SecondKiller
        } else {
            Stage::Quiets
        };
        let mv = self.killers[index];
        let playable = !self.skips_quiets
            && mv.bits() != 0
            && mv != self.hash_move
            && position.is_pseudo_legal(mv)
            && !position.is_tactical(mv);
        if !playable {
            self.killers[index] = P::Move::from_bits(0);
            return None;
        }
        Some(mv)
    }

    fn next_good_capture(&mut self, position: &P) -> Option<P::Move> {
        loop {
            let mv = self.pop_best()?;
            if self.losing == LosingCaptures::InOrder || self.bad.is_full() || position.see_ge(mv, 0) {
                return Some(mv);
            }
            self.bad.push(mv);
        }
    }

    #[inline]
    fn next_quiet(&mut self) -> Option<P::Move> {
        if self.skips_quiets { None } else { self.pop_best() }
    }

    fn generate_captures(&mut self, position: &P) {
        position.captures(&mut self.moves);
        for (index, &mv) in self.moves.iter().enumerate() {
            self.keys.push(if mv == self.hash_move {
                HANDED_OUT
            } else {
                key(capture_score(position, mv), index)
            });
        }
    }

    fn generate_quiets(&mut self, position: &P, history: &History<P>, context: Context) {
        self.from = self.moves.len();
        if self.skips_quiets {
            return;
        }
        position.quiets(&mut self.moves);
        let view = history.view(context);
        for (index, &mv) in self.moves.iter().enumerate().skip(self.from) {
            let is_done = mv == self.hash_move || mv == self.killers[0] || mv == self.killers[1];
            self.keys.push(if is_done {
                HANDED_OUT
            } else {
                key(view.score(position.piece_to(mv)), index)
            });
        }
    }

    fn generate_evasions(&mut self, position: &P, history: &History<P>, context: Context) {
        position.evasions(&mut self.moves);
        let view = history.view(context);
        for (index, &mv) in self.moves.iter().enumerate() {
            self.keys.push(if mv == self.hash_move {
                HANDED_OUT
            } else if position.is_tactical(mv) {
                key(CAPTURE_FIRST + capture_score(position, mv), index)
            } else {
                key(view.score(position.piece_to(mv)), index)
            });
        }
    }

    /// Takes the move with the greatest key left in the present stage. Keys stay in place: a branchless maximum over all
    /// of them is faster than keeping the ones left together.
    #[inline]
    fn pop_best(&mut self) -> Option<P::Move> {
        let best = self.keys[self.from..].iter().copied().fold(HANDED_OUT, i32::max);
        if best == HANDED_OUT {
            return None;
        }
        let index = (INDEX_MASK - (best & INDEX_MASK)).unsigned_abs() as usize;
        self.keys[index] = HANDED_OUT;
        Some(self.moves[index])
    }
}

/// A score and a move's index in one number that sorts by score, earlier generated first among equals: no two keys are
/// equal, so the order of moves does not depend on how they are sorted.
#[inline]
fn key(score: i32, index: usize) -> i32 {
    (score << INDEX_BITS) | (INDEX_MASK - index as i32)
}

/// Most valuable victim first, among equals the least valuable attacker.
#[inline]
fn capture_score<P: Position>(position: &P, mv: P::Move) -> i32 {
    position.gain(mv) * 16 - position.mover_value(mv)
}

#[cfg(test)]
mod tests;
