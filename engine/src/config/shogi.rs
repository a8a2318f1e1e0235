//! Evaluation weights of shogi, in centipawns.
//!
//! In: nothing. Out: [`ShogiWeights`]. Must not: know how a feature is counted.

use super::declare::settings;

settings! {
    /// Evaluation weights of shogi, in centipawns (a pawn on the board is about 100).
    ShogiWeights {
        pawn "eval.pawn": int = 100 in 0..2000 step 10, "pawn on the board";
    }
}
