//! Move ordering: one node's moves, generated in stages, best first.

mod capture_history;
mod counter_moves;
mod generation;
mod history;
mod key;
mod killers;

use std::cell::OnceCell;

use arrayvec::ArrayVec;

pub(crate) use capture_history::CaptureHistory;
pub(crate) use counter_moves::CounterMoves;
pub(crate) use history::{Context, History, Place, pull};
pub(crate) use killers::Killers;

use self::key::{HANDED_OUT, greatest, index_of, key, score_of};
use crate::game::{EarlyTests, GameMove, MOVES_MAX, MoveList, Position};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LosingCaptures {
    Last,
    InOrder,
}

const BAD_MAX: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    Captures,
    /// Captures that lose nothing (all of them without SEE ordering), most valuable first.
    GoodCaptures,
    FirstKiller,
    SecondKiller,
    CounterMove,
    Quiets,
    OrderedQuiets,
    BadCaptures,
    EvasionHash,
    /// In check: generates evasions.
    Evasions,
    OrderedEvasions,
    QuiescenceHash,
    QuiescenceCaptures,
    OrderedCaptures,
    Done,
}

impl Stage {
    /// Where the generated moves start.
    #[inline]
    fn after_hash(self) -> Stage {
        match self {
            Stage::Hash => Stage::Captures,
            Stage::EvasionHash => Stage::Evasions,
            _ => Stage::QuiescenceCaptures,
        }
    }
}

/// The end of the captures where no moves were generated before their stage.
const STAGED: usize = usize::MAX;

/// Keys whose greatest is known together.
const BLOCK: usize = 16;
/// Blocks whose greatest keys are compared together.
const GROUP: usize = 4;
const BLOCKS_MAX: usize = MOVES_MAX.div_ceil(BLOCK) + GROUP;

#[derive(Debug)]
pub(crate) struct MovePicker<P: Position> {
    stage: Stage,
    hash_move: P::Move,
    killers: [P::Move; 2],
    /// Bits 0 for none.
    counter_move: P::Move,
    losing: LosingCaptures,
    early: EarlyTests,
    /// What [`History::attacked`] says, once asked for or set.
    attacked: OnceCell<P::Squares>,
    skips_quiets: bool,
    moves: MoveList<P::Move>,
    /// Where the captures end if all moves were generated together; past the end if not.
    captures_end: usize,
    /// Where the moves of the present stage start.
    from: usize,
    /// The [`key`] of each of these, [`HANDED_OUT`] once returned or if it is not to be returned, in whole blocks.
    keys: ArrayVec<i32, { MOVES_MAX + BLOCK }>,
    /// The [`Place`] of each generated quiet move; none in check.
    places: ArrayVec<Place, MOVES_MAX>,
    /// The key of the move handed out last.
    last_key: i32,
    /// The greatest key of each block of the present stage.
    greatest: ArrayVec<i32, BLOCKS_MAX>,
    /// Captures put aside because they lose material.
    bad: ArrayVec<P::Move, BAD_MAX>,
    bad_taken: usize,
}

impl<P: Position> MovePicker<P> {
    /// All moves of a node of the main search, those left out that fail an `early` test. `hash_move` and `killers` may be
    /// any bit patterns.
    #[inline]
    pub(crate) fn new(
        position: &P,
        hash_move: P::Move,
        killers: [P::Move; 2],
        losing: LosingCaptures,
        early: EarlyTests,
    ) -> Self {
        let stage = if position.in_check() {
            Stage::EvasionHash
        } else {
            Stage::Hash
        };
        Self::at(stage, position, hash_move, killers, losing, early)
    }

    /// The moves of quiescence search: evasions in check, captures otherwise.
    #[inline]
    pub(crate) fn quiescence(position: &P, hash_move: P::Move, early: EarlyTests) -> Self {
        let stage = if position.in_check() {
            Stage::EvasionHash
        } else {
            Stage::QuiescenceHash
        };
        let none = P::Move::from_bits(0);
        Self::at(
            stage,
            position,
            hash_move,
            [none; 2],
            LosingCaptures::InOrder,
            early,
        )
    }

    #[inline]
    fn at(
        stage: Stage,
        position: &P,
        hash_move: P::Move,
        killers: [P::Move; 2],
        losing: LosingCaptures,
        early: EarlyTests,
    ) -> Self {
        let usable = hash_move.bits() != 0
            && position.is_pseudo_legal_tested(hash_move, early)
            && (stage != Stage::QuiescenceHash || position.is_tactical(hash_move));
        MovePicker {
            stage,
            hash_move: if usable { hash_move } else { P::Move::from_bits(0) },
            killers,
            counter_move: P::Move::from_bits(0),
            losing,
            early,
            attacked: OnceCell::new(),
            skips_quiets: false,
            moves: MoveList::new(),
            captures_end: STAGED,
            keys: ArrayVec::new(),
            places: ArrayVec::new(),
            last_key: HANDED_OUT,
            from: 0,
            greatest: ArrayVec::new(),
            bad: ArrayVec::new(),
            bad_taken: 0,
        }
    }

    /// Where the quiet move, the one just returned, has its history.
    #[inline]
    pub(crate) fn place(&self, position: &P, history: &History<P>, mv: P::Move) -> Place {
        if self.is_at_quiets() {
            let index = index_of(self.last_key);
            debug_assert_eq!(self.moves[self.from + index], mv);
            return self.places[index];
        }
        Place::of(position, mv, self.attacked(position, history))
    }

    /// What the generated quiet move just returned scored when the moves were ordered.
    #[inline]
    pub(crate) fn score(&self) -> i32 {
        debug_assert!(self.is_at_quiets());
        score_of(self.last_key)
    }

    #[inline]
    fn attacked(&self, position: &P, history: &History<P>) -> &P::Squares {
        self.attacked.get_or_init(|| history.attacked(position))
    }

    /// Generates all moves that the node could ask for; only before the first is asked for.
    #[cold]
    pub(crate) fn generate_all(&mut self, position: &P) {
        if self.stage == Stage::EvasionHash {
            position.evasions(&mut self.moves, self.early);
            self.captures_end = self.moves.len();
            return;
        }
        position.captures(&mut self.moves, self.early);
        self.captures_end = self.moves.len();
        if self.stage == Stage::Hash {
            position.quiets(&mut self.moves, self.early);
        }
    }

    /// Is the move just returned one of the quiet moves generated?
    #[inline]
    pub(crate) fn is_at_quiets(&self) -> bool {
        self.stage == Stage::OrderedQuiets
    }

    /// How many of the generated quiet moves are still to come, at that stage.
    pub(crate) fn quiets_left(&self) -> u64 {
        self.keys.iter().filter(|key| **key != HANDED_OUT).count() as u64
    }

    pub(crate) fn is_losing(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    pub(crate) fn is_killer(&self, mv: P::Move) -> bool {
        self.killers.contains(&mv)
    }

    pub(crate) fn has_tactical_hash_move(&self, position: &P) -> bool {
        self.hash_move.bits() != 0 && position.is_tactical(self.hash_move)
    }

    pub(crate) fn is_counter_move(&self, mv: P::Move) -> bool {
        self.counter_move == mv
    }

    /// Tries `mv` (any bit pattern) right after the killers, unless in check; only before the first move is asked for.
    pub(crate) fn set_counter_move(&mut self, mv: P::Move) {
        self.counter_move = mv;
    }

    /// Sets what the opponent attacks, so that it is not looked for; only before the first move is asked for.
    pub(crate) fn set_attacked(&mut self, attacked: P::Squares) {
        self.attacked = OnceCell::from(attacked);
    }

    /// Leaves out the move of the hash table; only before the first move is asked for.
    pub(crate) fn skip_hash_move(&mut self) {
        self.stage = self.stage.after_hash();
    }

    /// The moves generated so far, handed out or not: in check all evasions, or none yet.
    pub(crate) fn generated(&self) -> &[P::Move] {
        &self.moves
    }

    /// The quiet moves that were generated, handed out or not; none in check.
    pub(crate) fn generated_quiets(&self) -> &[P::Move] {
        match self.stage {
            Stage::OrderedQuiets | Stage::BadCaptures | Stage::Done => &self.moves[self.from..],
            _ => &[],
        }
    }

    /// Returns the move of the hash table and no other; that move must be pseudo-legal.
    pub(crate) fn stop_after_hash_move(&mut self) {
        self.moves.clear();
        self.moves.push(self.hash_move);
        self.keys.push(key(0, 0));
        self.seal();
        self.stage = Stage::OrderedEvasions;
    }

    /// Returns no quiet move from now on (evasions are all returned).
    pub(crate) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    #[inline(always)]
    pub(crate) fn next(&mut self, position: &P, history: &History<P>, context: Context) -> Option<P::Move> {
        // Most moves are quiet ones.
        if self.stage == Stage::OrderedQuiets
            && let Some(mv) = self.next_quiet()
        {
            return Some(mv);
        }
        self.next_in_stages(position, history, context)
    }

    #[inline(never)]
    fn next_in_stages(&mut self, position: &P, history: &History<P>, context: Context) -> Option<P::Move> {
        loop {
            match self.stage {
                Stage::Hash | Stage::EvasionHash | Stage::QuiescenceHash => {
                    self.stage = self.stage.after_hash();
                    if self.hash_move.bits() != 0 {
                        return Some(self.hash_move);
                    }
                }
                Stage::Captures | Stage::QuiescenceCaptures => {
                    self.generate_captures(position, history);
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
                Stage::CounterMove => {
                    if let Some(mv) = self.counter_move(position) {
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
        } else if self.counter_move.bits() != 0 {
            Stage::CounterMove
        } else {
            Stage::Quiets
        };
        let mv = self.killers[index];
        if !self.is_playable(position, mv) {
            self.killers[index] = P::Move::from_bits(0);
            return None;
        }
        Some(mv)
    }

    /// The counter move, if it can be played here and has not been; moves on to the next stage.
    #[cold]
    fn counter_move(&mut self, position: &P) -> Option<P::Move> {
        self.stage = Stage::Quiets;
        let mv = self.counter_move;
        if self.is_killer(mv) || !self.is_playable(position, mv) {
            self.counter_move = P::Move::from_bits(0);
            return None;
        }
        Some(mv)
    }

    /// Is `mv`, of any bit pattern, a quiet move of this position that is still to be tried?
    #[inline]
    fn is_playable(&self, position: &P, mv: P::Move) -> bool {
        !self.skips_quiets
            && mv.bits() != 0
            && mv != self.hash_move
            && position.is_pseudo_legal_tested(mv, self.early)
            && !position.is_tactical(mv)
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

    #[inline(always)]
    fn next_quiet(&mut self) -> Option<P::Move> {
        if self.skips_quiets { None } else { self.pop_best() }
    }

    /// Takes the move with the greatest key left in the present stage. Keys stay in place: looking through one block again,
    /// without a branch, is faster than keeping the ones left in order.
    #[inline(always)]
    fn pop_best(&mut self) -> Option<P::Move> {
        let (groups, _) = self.greatest.as_chunks::<GROUP>();
        let best = groups.iter().map(greatest).fold(HANDED_OUT, i32::max);
        if best == HANDED_OUT {
            return None;
        }
        self.last_key = best;
        let index = index_of(best);
        let (blocks, _) = self.keys.as_chunks_mut::<BLOCK>();
        let block = &mut blocks[index / BLOCK];
        block[index % BLOCK] = HANDED_OUT;
        self.greatest[index / BLOCK] = greatest(block);
        Some(self.moves[self.from + index])
    }
}

#[cfg(test)]
mod tests;
