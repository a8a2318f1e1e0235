//! Scores: mates, perpetual checks and how they travel through the hash table.

use crate::game::{Known, Side};

/// Value of "mated now"; mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 30_000;
/// Scores at or beyond this are mates.
pub const MATE_IN_MAX: i32 = MATE - 512;
pub(crate) const INFINITE: i32 = 32_000;
/// Plies that a search may go down.
pub const PLY_MAX: usize = 128;

/// Scores at or below this are mates against the side to move.
const MATED_IN_MAX: i32 = -MATE_IN_MAX;

/// A first repetition by perpetual check, `ply` plies from the root, wins `PERPETUAL - ply`: as good as any win by force,
/// but not a mate, since the fault can still be corrected before the game's rule applies.
const PERPETUAL: i32 = MATE_IN_MAX - 1;
/// Scores at or beyond this are decided: mates and perpetual checks.
pub(crate) const DECISIVE: i32 = PERPETUAL - PLY_MAX as i32;
/// Greatest absolute value of a static evaluation.
pub(crate) const EVAL_MAX: i32 = DECISIVE - 1;
/// Stands for "no static evaluation" (in check).
pub(crate) const EVAL_NONE: i32 = i16::MIN as i32;

pub(crate) fn lost(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The side to move wins by the opponent's perpetual check at `ply`.
pub(crate) fn perpetual_win(ply: usize) -> i32 {
    PERPETUAL - ply as i32
}

/// The score of a root of which tables know the result.
pub(crate) fn known_score(known: Known, mover: Side) -> i32 {
    match known {
        Known::Drawn => 0,
        Known::Won(side) if side == mover => perpetual_win(0),
        Known::Won(_) => -perpetual_win(0),
    }
}

/// A score seen from the root as one seen from `ply`, for the hash table.
#[inline]
pub(crate) fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let score = match score {
        MATE_IN_MAX.. => score + ply,
        ..=MATED_IN_MAX => score - ply,
        _ => score,
    };
    score as i16
}

#[inline]
pub(crate) fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    match score {
        MATE_IN_MAX.. => score - ply,
        ..=MATED_IN_MAX => score + ply,
        _ => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_found_at_one_ply_is_nearer_when_met_at_another() {
        let mate_in_3_at_ply_5 = MATE - 8;
        assert_eq!(from_table(to_table(mate_in_3_at_ply_5, 5), 2), MATE - 5);
        assert_eq!(from_table(to_table(lost(8), 5), 2), lost(5));
        assert_eq!(from_table(to_table(123, 5), 2), 123);
        assert_eq!(from_table(to_table(perpetual_win(9), 5), 2), perpetual_win(9));
    }
}
