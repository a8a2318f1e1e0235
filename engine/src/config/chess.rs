//! Evaluation weights of chess, in centipawns where nothing else is said.
//!
//! A term is a switch here and a line (or several) below; [`eval::chess`](crate::eval::chess) says what each counts.

use super::declare::settings;
use super::lines::lines;

settings! {
    /// Evaluation weights of chess. Material is Sayuri's.
    ChessWeights {
        pawn "eval.pawn": int = 100 in 0..2500 step 10, "pawn";
        knight "eval.knight": int = 413 in 0..2500 step 10, "knight";
        bishop "eval.bishop": int = 392 in 0..2500 step 10, "bishop";
        rook "eval.rook": int = 602 in 0..2500 step 10, "rook";
        queen "eval.queen": int = 1229 in 0..2500 step 10, "queen";
        bishop_pair "eval.bishop_pair": int = 21 in 0..200 step 4, "both bishops, opening value";
        bishop_pair_ending "eval.bishop_pair.ending": int = 25 in 0..200 step 4, "both bishops, ending value";
        bishop_pair_opening_pieces "eval.bishop_pair.opening_pieces": int = 0 in 0..32 step 1, "pieces from which that opening value holds (0: eval.phase.opening)";
        bishop_pair_ending_pieces "eval.bishop_pair.ending_pieces": int = 0 in 0..31 step 1, "pieces up to which that ending value holds (0: eval.phase.ending)";
        placement_opening_pieces "eval.placement.opening_pieces": int = 0 in 0..32 step 1, "pieces from which the opening values of squares hold (0: eval.phase.opening)";
        placement_ending_pieces "eval.placement.ending_pieces": int = 0 in 0..31 step 1, "pieces up to which the ending values of squares hold (0: eval.phase.ending)";
        placement_pawn "eval.placement.pawn": int = 137 in 0..400 step 10, "percent of the built-in square values of the pawn";
        placement_knight "eval.placement.knight": int = 107 in 0..400 step 10, "percent of the built-in square values of the knight";
        placement_bishop "eval.placement.bishop": int = 111 in 0..400 step 10, "percent of the built-in square values of the bishop";
        placement_rook "eval.placement.rook": int = 132 in 0..400 step 10, "percent of the built-in square values of the rook";
        placement_queen "eval.placement.queen": int = 95 in 0..400 step 10, "percent of the built-in square values of the queen";
        placement_king "eval.placement.king": int = 103 in 0..400 step 10, "percent of the built-in square values of the king";
        tempo "eval.tempo": int = 8 in 0..200 step 5, "to be on move";
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
        connected "eval.connected": switch = true, "count pawns beside each other or protected by pawns";
        outpost "eval.outpost": switch = true, "count knights and bishops that a pawn protects where no enemy pawn can attack them";
        king_files "eval.king_files": switch = true, "count files without an own pawn around the king";
        threat "eval.threat": switch = true, "count pieces attacked by cheaper ones";
        king_attackers "eval.king_attackers": switch = true, "count the pieces that attack squares around the enemy king, squared";
    }
}

lines! {
    /// Evaluation weights of chess that change with the number of pieces, in tenths of a centipawn.
    ChessTerms {
        passed "eval.passed" = 231, 315 in -500..1500 step 20, "tenths of a centipawn for each passed pawn";
        protected "eval.protected" = 139, -32 in -500..1500 step 20, "further tenths if a pawn protects it";
        doubled "eval.doubled" = -66, -112 in -1000..500 step 10, "tenths of a centipawn for each pawn with another on its file";
        isolated "eval.isolated" = -121, -66 in -1000..500 step 10, "tenths of a centipawn for each pawn without one on the files beside";
        rook_pair "eval.rook_pair" = 92, 195 in -1000..1000 step 20, "tenths of a centipawn for both rooks";
        semi_open "eval.semi_open" = 221, 234 in -500..1000 step 20, "tenths of a centipawn for each rook on a file without an own pawn";
        open_file "eval.open_file" = 196, -206 in -500..1000 step 20, "further tenths if there is no enemy pawn either";
        early_queen "eval.early_queen" = -254, -0 in -1000..500 step 20, "tenths of a centipawn for each minor piece at home and each queen out";
        castling "eval.castling" = 136, 17 in -500..1500 step 20, "tenths of a centipawn for a king that has castled";
        castling_lost "eval.castling_lost" = -613, -22 in -2000..500 step 40, "tenths of a centipawn for castling given up";
        shield "eval.shield" = 99, -21 in -500..1000 step 20, "tenths of a centipawn for each pawn of the shield";
        mobility_pawn "eval.mobility.pawn" = 58, 62 in -500..500 step 4, "tenths of a centipawn for each move of a pawn";
        mobility_knight "eval.mobility.knight" = 16, 4 in -500..500 step 4, "tenths of a centipawn for each square of a knight";
        mobility_bishop "eval.mobility.bishop" = 65, 74 in -500..500 step 8, "tenths of a centipawn for each square of a bishop";
        mobility_rook "eval.mobility.rook" = 35, 51 in -500..500 step 8, "tenths of a centipawn for each square of a rook";
        mobility_queen "eval.mobility.queen" = 51, -10 in -500..500 step 8, "tenths of a centipawn for each square of a queen";
        mobility_king "eval.mobility.king" = -40, -24 in -500..500 step 4, "tenths of a centipawn for each square of the king";
        king_attack_pawn "eval.king_attack.pawn" = 9, -68 in -500..500 step 8, "tenths of a centipawn for each square beside the enemy king that a pawn attacks";
        king_attack_knight "eval.king_attack.knight" = -28, -97 in -500..500 step 8, "tenths of a centipawn for each square beside the enemy king that a knight attacks";
        king_attack_bishop "eval.king_attack.bishop" = 51, -65 in -500..500 step 8, "tenths of a centipawn for each square beside the enemy king that a bishop attacks";
        king_attack_rook "eval.king_attack.rook" = 117, -55 in -500..500 step 8, "tenths of a centipawn for each square beside the enemy king that a rook attacks";
        king_attack_queen "eval.king_attack.queen" = 94, 51 in -500..500 step 8, "tenths of a centipawn for each square beside the enemy king that a queen attacks";
        king_attack_king "eval.king_attack.king" = 17, 38 in -500..500 step 8, "tenths of a centipawn for each square beside the enemy king that the king attacks";
        passed_advance "eval.passed_advance" = -11, 25 in -200..400 step 4, "tenths of a centipawn for each passed pawn, times the square of the ranks beyond its second";
        passed_advance_free "eval.passed_advance.free" = -45, 59 in -200..400 step 4, "further tenths, times the same, if the square before it is empty";
        connected "eval.connected" = 42, 37 in -500..1000 step 8, "tenths of a centipawn for each pawn with another beside or protecting it";
        outpost "eval.outpost" = 75, 112 in -500..1500 step 20, "tenths of a centipawn for each knight or bishop on ranks 4 to 6 that a pawn protects and no enemy pawn can attack";
        king_files "eval.king_files" = -33, -90 in -1000..500 step 10, "tenths of a centipawn for each file without an own pawn, of the king's and those beside";
        threat_pawn "eval.threat.pawn" = 255, 107 in -500..1500 step 20, "tenths of a centipawn for each piece that pawns attack";
        threat_minor "eval.threat.minor" = 131, 132 in -500..1500 step 20, "tenths of a centipawn for each rook or queen that knights and bishops attack";
        king_attackers "eval.king_attackers" = 20, 120 in -200..400 step 4, "tenths of a centipawn, times the square of the number of pieces that attack squares beside the enemy king";
    }
}
