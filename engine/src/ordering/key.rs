//! Keys that sort moves: a score and the move's place in its list in one number.

use super::History;
use crate::config::CaptureOrder;
use crate::game::{MOVES_MAX, Position};

/// Sets evading captures apart from quiet evasions, whose scores are at most four times the greatest limit of a history (16384).
pub(super) const CAPTURE_FIRST: i32 = 1 << 18;

const GAIN_WEIGHT: i32 = 16;

/// Less than every key.
pub(super) const HANDED_OUT: i32 = i32::MIN;

/// Bits of a key that hold the move's index; see [`key`].
const INDEX_BITS: u32 = 10;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MOVES_MAX < 1 << INDEX_BITS);

/// A score and a move's index in one number that sorts by score, earlier generated first among equals: no two keys are
/// equal, so the order of moves does not depend on how they are sorted.
pub(super) fn key(score: i32, index: usize) -> i32 {
    (score << INDEX_BITS) | (INDEX_MASK - index as i32)
}

pub(super) fn score_of(key: i32) -> i32 {
    key >> INDEX_BITS
}

pub(super) fn index_of(key: i32) -> usize {
    (INDEX_MASK - (key & INDEX_MASK)).unsigned_abs() as usize
}

pub(super) fn greatest<const COUNT: usize>(keys: &[i32; COUNT]) -> i32 {
    keys.iter().copied().fold(HANDED_OUT, i32::max)
}

/// Most valuable victim first, among equals the least valuable attacker if the order asks for that, both corrected by what captures did
/// before.
#[inline(always)]
pub(super) fn capture_score<P: Position>(position: &P, mv: P::Move, history: &History<P>) -> i32 {
    let worth = if history.captures.is_on() {
        history.captures.worth(position, mv)
    } else {
        0
    };
    let victim = (position.gain(mv) + worth) * GAIN_WEIGHT;
    match history.capture_order {
        CaptureOrder::VictimAttacker => victim - position.mover_value(mv),
        CaptureOrder::Victim => victim,
    }
}
