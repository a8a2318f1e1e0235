//! Evaluation weights of chess, in centipawns where nothing else is said.
//!
//! A term is a switch here and a line (or several) of `chess_terms.tsv`; [`eval::chess`](crate::eval::chess) says what each counts.

use super::declare::settings;

settings! {
    /// Evaluation weights of chess. Material is Sayuri's.
    ChessWeights {
        pawn "eval.pawn": int = 100 in 0..2500 step 27, "pawn";
        knight "eval.knight": int = 413 in 0..2500 step 10, "knight";
        bishop "eval.bishop": int = 392 in 0..2500 step 10, "bishop";
        rook "eval.rook": int = 602 in 0..2500 step 190, "rook";
        queen "eval.queen": int = 1229 in 0..2500 step 610, "queen";
        bishop_pair "eval.bishop_pair": int = 2 in 0..200 step 10, "both bishops, opening value";
        bishop_pair_ending "eval.bishop_pair.ending": int = 32 in 0..200 step 13, "both bishops, ending value";
        placement_pawn "eval.placement.pawn": int = 137 in 0..400 step 10, "percent of the built-in square values of the pawn";
        placement_knight "eval.placement.knight": int = 107 in 0..400 step 10, "percent of the built-in square values of the knight";
        placement_bishop "eval.placement.bishop": int = 111 in 0..400 step 10, "percent of the built-in square values of the bishop";
        placement_rook "eval.placement.rook": int = 132 in 0..400 step 66, "percent of the built-in square values of the rook";
        placement_queen "eval.placement.queen": int = 95 in 0..400 step 47, "percent of the built-in square values of the queen";
        placement_king "eval.placement.king": int = 103 in 0..400 step 52, "percent of the built-in square values of the king";
        tempo "eval.tempo": int = 14 in 0..200 step 5, "to be on move";
        phase_opening "eval.phase.opening": int = 32 in 3..32 step 1, "pieces on the board from which the opening values hold";
        phase_ending "eval.phase.ending": int = 14 in 2..31 step 1, "pieces on the board up to which the ending values hold";
        learned "eval.learned": switch = true, "add values that were learnt from games: pieces on squares, and pieces seen from both kings";
        learned_percent "eval.learned.percent": int = 100 in 0..300 step 10, "percent of the learnt values";
        passed "eval.passed": switch = true, "count passed pawns";
        protected "eval.protected": switch = true, "count passed pawns that a pawn protects";
        doubled "eval.doubled": switch = true, "count doubled pawns";
        isolated "eval.isolated": switch = true, "count isolated pawns";
        rook_pair "eval.rook_pair": switch = true, "count the pair of rooks";
        semi_open "eval.semi_open": switch = true, "count rooks on files without an own pawn";
        open_file "eval.open_file": switch = true, "count rooks on files without any pawn";
        early_queen "eval.early_queen": switch = true, "count minor pieces at home while the queen is out";
        castling "eval.castling": switch = true, "count castling done";
        castling_lost "eval.castling_lost": switch = true, "count castling given up";
        shield "eval.shield": switch = true, "count the pawns that shield the king";
        mobility "eval.mobility": switch = true, "count the squares that pieces can go to";
        king_attack "eval.king_attack": switch = true, "count attacks on the squares around the enemy king";
        passed_advance "eval.passed_advance": switch = true, "count how far passed pawns are";
        connected "eval.connected": switch = true, "count pawns next to each other or protected by pawns";
        outpost "eval.outpost": switch = true, "count knights and bishops that a pawn protects where no enemy pawn can attack them";
        king_files "eval.king_files": switch = true, "count files without an own pawn around the king";
        threat "eval.threat": switch = true, "count pieces attacked by cheaper ones";
        king_attackers "eval.king_attackers": switch = true, "count the pieces that attack squares around the enemy king, squared";
        restricted "eval.restricted": switch = true, "count squares that both sides attack and the enemy does not protect well";
        safe_check "eval.safe_check": switch = true, "count kinds of pieces that have a safe check";
        unstoppable "eval.unstoppable": switch = true, "count passed pawns that the enemy king alone cannot catch";
        scale "eval.scale": switch = true, "scale the evaluation where a lead is worth more or less than elsewhere";
        scale_pawn_ending "eval.scale.pawn_ending": int = 123 in 0..200 step 10, "percent of the evaluation of kings and pawns alone";
        scale_pawnless "eval.scale.pawnless": int = 87 in 0..200 step 10, "percent of the evaluation if the side that leads has no pawns";
        scale_one_wing "eval.scale.one_wing": int = 94 in 0..200 step 10, "percent of the evaluation if no pawn is on files a to d, or none on files e to h";
    }
}
