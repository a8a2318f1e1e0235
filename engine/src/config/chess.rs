//! Evaluation weights of chess, in centipawns where nothing else is said.
//!
//! In: nothing. Out: [`ChessWeights`]. Must not: know how a feature is counted.

use super::declare::settings;

settings! {
    /// Evaluation weights of chess. Material is Sayuri's.
    ChessWeights {
        pawn "eval.pawn": int = 100 in 0..2500 step 10, "pawn";
        knight "eval.knight": int = 400 in 0..2500 step 10, "knight";
        bishop "eval.bishop": int = 400 in 0..2500 step 10, "bishop";
        rook "eval.rook": int = 600 in 0..2500 step 10, "rook";
        queen "eval.queen": int = 1200 in 0..2500 step 10, "queen";
        bishop_pair "eval.bishop_pair": int = 16 in 0..200 step 4, "both bishops, opening value";
        bishop_pair_ending "eval.bishop_pair.ending": int = 32 in 0..200 step 4, "both bishops, ending value";
        placement_pawn "eval.placement.pawn": int = 100 in 0..400 step 10, "percent of the built-in square values of the pawn";
        placement_knight "eval.placement.knight": int = 100 in 0..400 step 10, "percent of the built-in square values of the knight";
        placement_bishop "eval.placement.bishop": int = 100 in 0..400 step 10, "percent of the built-in square values of the bishop";
        placement_rook "eval.placement.rook": int = 100 in 0..400 step 10, "percent of the built-in square values of the rook";
        placement_queen "eval.placement.queen": int = 100 in 0..400 step 10, "percent of the built-in square values of the queen";
        placement_king "eval.placement.king": int = 100 in 0..400 step 10, "percent of the built-in square values of the king";
        tempo "eval.tempo": int = 10 in 0..200 step 5, "to be on move";
        phase_opening "eval.phase.opening": int = 24 in 3..32 step 1, "pieces on the board from which the opening values hold";
        phase_ending "eval.phase.ending": int = 14 in 2..31 step 1, "pieces on the board up to which the ending values hold";
    }
}
