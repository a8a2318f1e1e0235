//! Evaluation weights of shogi, in centipawns where nothing else is said.
//!
//! A weight with a twin named `.ending` holds in the opening and turns into its twin along the phase line.

use super::declare::settings;
use crate::named::named;

named! {
    /// Which learnt values the evaluation adds.
    LearnedValues {
        Off = "off", "None.";
        On = "on", "Pieces, and relations of a king and a piece.";
        ThreePiece = "three_piece", "Those, and relations of three pieces.";
    }
}

settings! {
    /// Evaluation weights of shogi.
    ShogiWeights {
        pawn "eval.pawn": int = 115 in 0..2500 step 58, "pawn on the board, opening value";
        pawn_ending "eval.pawn.ending": int = 85 in 0..2500 step 43, "pawn on the board, ending value";
        lance "eval.lance": int = 296 in 0..2500 step 150, "lance on the board, opening value";
        lance_ending "eval.lance.ending": int = 300 in 0..2500 step 150, "lance on the board, ending value";
        knight "eval.knight": int = 290 in 0..2500 step 140, "knight on the board, opening value";
        knight_ending "eval.knight.ending": int = 380 in 0..2500 step 190, "knight on the board, ending value";
        silver "eval.silver": int = 465 in 0..2500 step 230, "silver on the board, opening value";
        silver_ending "eval.silver.ending": int = 510 in 0..2500 step 220, "silver on the board, ending value";
        gold "eval.gold": int = 583 in 0..2500 step 290, "gold on the board, opening value";
        gold_ending "eval.gold.ending": int = 560 in 0..2500 step 280, "gold on the board, ending value";
        bishop "eval.bishop": int = 748 in 0..2500 step 220, "bishop on the board, opening value";
        bishop_ending "eval.bishop.ending": int = 830 in 0..2500 step 320, "bishop on the board, ending value";
        rook "eval.rook": int = 1071 in 0..2500 step 440, "rook on the board, opening value";
        rook_ending "eval.rook.ending": int = 970 in 0..2500 step 490, "rook on the board, ending value";
        tokin "eval.tokin": int = 520 in 0..2500 step 260, "promoted pawn on the board, opening value";
        tokin_ending "eval.tokin.ending": int = 560 in 0..2500 step 280, "promoted pawn on the board, ending value";
        pro_lance "eval.pro_lance": int = 510 in 0..2500 step 250, "promoted lance on the board, opening value";
        pro_lance_ending "eval.pro_lance.ending": int = 540 in 0..2500 step 10, "promoted lance on the board, ending value";
        pro_knight "eval.pro_knight": int = 510 in 0..2500 step 250, "promoted knight on the board, opening value";
        pro_knight_ending "eval.pro_knight.ending": int = 540 in 0..2500 step 270, "promoted knight on the board, ending value";
        pro_silver "eval.pro_silver": int = 520 in 0..2500 step 260, "promoted silver on the board, opening value";
        pro_silver_ending "eval.pro_silver.ending": int = 550 in 0..2500 step 280, "promoted silver on the board, ending value";
        horse "eval.horse": int = 1025 in 0..2500 step 310, "promoted bishop on the board, opening value";
        horse_ending "eval.horse.ending": int = 1100 in 0..2500 step 400, "promoted bishop on the board, ending value";
        dragon "eval.dragon": int = 1295 in 0..2500 step 600, "promoted rook on the board, opening value";
        dragon_ending "eval.dragon.ending": int = 1300 in 0..2500 step 600, "promoted rook on the board, ending value";
        hand_pawn "eval.hand.pawn": int = 97 in 0..2500 step 48, "pawn in hand, opening value";
        hand_pawn_ending "eval.hand.pawn.ending": int = 110 in 0..2500 step 55, "pawn in hand, ending value";
        hand_lance "eval.hand.lance": int = 343 in 0..2500 step 170, "lance in hand, opening value";
        hand_lance_ending "eval.hand.lance.ending": int = 330 in 0..2500 step 160, "lance in hand, ending value";
        hand_knight "eval.hand.knight": int = 378 in 0..2500 step 170, "knight in hand, opening value";
        hand_knight_ending "eval.hand.knight.ending": int = 420 in 0..2500 step 210, "knight in hand, ending value";
        hand_silver "eval.hand.silver": int = 472 in 0..2500 step 240, "silver in hand, opening value";
        hand_silver_ending "eval.hand.silver.ending": int = 560 in 0..2500 step 220, "silver in hand, ending value";
        hand_gold "eval.hand.gold": int = 500 in 0..2500 step 250, "gold in hand, opening value";
        hand_gold_ending "eval.hand.gold.ending": int = 630 in 0..2500 step 320, "gold in hand, ending value";
        hand_bishop "eval.hand.bishop": int = 912 in 0..2500 step 160, "bishop in hand, opening value";
        hand_bishop_ending "eval.hand.bishop.ending": int = 910 in 0..2500 step 360, "bishop in hand, ending value";
        hand_rook "eval.hand.rook": int = 991 in 0..2500 step 500, "rook in hand, opening value";
        hand_rook_ending "eval.hand.rook.ending": int = 1060 in 0..2500 step 530, "rook in hand, ending value";
        placement_pawn "eval.placement.pawn": int = 100 in 0..400 step 43, "percent of the built-in square values of the pawn (and what it promotes to)";
        placement_lance "eval.placement.lance": int = 100 in 0..400 step 50, "percent of the built-in square values of the lance (and what it promotes to)";
        placement_knight "eval.placement.knight": int = 100 in 0..400 step 50, "percent of the built-in square values of the knight (and what it promotes to)";
        placement_silver "eval.placement.silver": int = 100 in 0..400 step 50, "percent of the built-in square values of the silver (and what it promotes to)";
        placement_gold "eval.placement.gold": int = 100 in 0..400 step 50, "percent of the built-in square values of the gold (and what it promotes to)";
        placement_bishop "eval.placement.bishop": int = 100 in 0..400 step 50, "percent of the built-in square values of the bishop (and what it promotes to)";
        placement_rook "eval.placement.rook": int = 100 in 0..400 step 50, "percent of the built-in square values of the rook (and what it promotes to)";
        placement_king "eval.placement.king": int = 100 in 0..400 step 50, "percent of the built-in square values of the king (and what it promotes to)";
        mobility_rook "eval.mobility.rook": int = 9 in 0..40 step 1, "each square the rook and dragon can go to, opening value";
        mobility_rook_ending "eval.mobility.rook.ending": int = 19 in 0..40 step 2, "each square the rook and dragon can go to, ending value";
        mobility_bishop "eval.mobility.bishop": int = 11 in 0..40 step 2, "each square the bishop and horse can go to, opening value";
        mobility_bishop_ending "eval.mobility.bishop.ending": int = 17 in 0..40 step 1, "each square the bishop and horse can go to, ending value";
        shelter_pawn "eval.shelter.pawn": int = 4 in -50..100 step 1, "castle units of a pawn next to its own king";
        shelter_lance "eval.shelter.lance": int = 2 in -50..100 step 25, "castle units of a lance next to its own king";
        shelter_knight "eval.shelter.knight": int = 3 in -50..100 step 5, "castle units of a knight next to its own king";
        shelter_silver "eval.shelter.silver": int = 9 in -50..100 step 5, "castle units of a silver next to its own king";
        shelter_gold "eval.shelter.gold": int = 10 in -50..100 step 5, "castle units of a gold next to its own king";
        shelter_horse "eval.shelter.horse": int = 14 in -50..100 step 32, "castle units of a horse next to its own king";
        shelter_rook "eval.shelter.rook": int = (-4) in -50..100 step 18, "castle units of a rook next to its own king";
        attack_pawn "eval.attack.pawn": int = 4 in 0..100 step 2, "attack units of a pawn next to the enemy king";
        attack_lance "eval.attack.lance": int = 3 in 0..100 step 1, "attack units of a lance next to the enemy king";
        attack_knight "eval.attack.knight": int = 5 in 0..100 step 2, "attack units of a knight next to the enemy king";
        attack_silver "eval.attack.silver": int = 9 in 0..100 step 4, "attack units of a silver next to the enemy king";
        attack_gold "eval.attack.gold": int = 10 in 0..100 step 5, "attack units of a gold next to the enemy king";
        attack_bishop "eval.attack.bishop": int = 6 in 0..100 step 3, "attack units of a bishop next to the enemy king";
        attack_rook "eval.attack.rook": int = 7 in 0..100 step 1, "attack units of a rook next to the enemy king";
        attack_horse "eval.attack.horse": int = 13 in 0..100 step 6, "attack units of a horse next to the enemy king";
        attack_dragon "eval.attack.dragon": int = 16 in 0..100 step 8, "attack units of a dragon next to the enemy king";
        reserve_pawn "eval.reserve.pawn": int = 1 in 0..100 step 1, "reserve units of a pawn in hand";
        reserve_lance "eval.reserve.lance": int = 2 in 0..100 step 1, "reserve units of a lance in hand";
        reserve_knight "eval.reserve.knight": int = 3 in 0..100 step 1, "reserve units of a knight in hand";
        reserve_silver "eval.reserve.silver": int = 5 in 0..100 step 2, "reserve units of a silver in hand";
        reserve_gold "eval.reserve.gold": int = 6 in 0..100 step 3, "reserve units of a gold in hand";
        reserve_bishop "eval.reserve.bishop": int = 5 in 0..100 step 2, "reserve units of a bishop in hand";
        reserve_rook "eval.reserve.rook": int = 8 in 0..100 step 1, "reserve units of a rook in hand";
        castle "eval.castle": int = 27 in 0..200 step 23, "tenths of a centipawn for each castle unit, opening value";
        castle_ending "eval.castle.ending": int = 103 in 0..200 step 18, "tenths of a centipawn for each castle unit, ending value";
        danger "eval.danger": int = 487 in 0..2000 step 130, "1024ths of a centipawn for attack x (attack + twice the reserve), opening value";
        danger_ending "eval.danger.ending": int = 843 in 0..2000 step 270, "1024ths of a centipawn for attack x (attack + twice the reserve), ending value";
        exposure "eval.exposure": int = 724 in 0..1000 step 10, "1024ths of a centipawn for reserve x missing castle units, opening value";
        exposure_ending "eval.exposure.ending": int = 228 in 0..1000 step 10, "1024ths of a centipawn for reserve x missing castle units, ending value";
        exposure_from "eval.exposure.from": int = 38 in 0..200 step 19, "castle units from which a king is not exposed";
        learned "eval.learned": choice(LearnedValues) = On, "add the values learnt from games: of king and piece, or of three pieces too (docs/src/learning.md)";
        learned_percent "eval.learned.percent": int = 100 in 0..400 step 10, "percent of the learnt values";
        threats "eval.threats": switch = true, "add learnt values of pieces of the side to move that may be lost, and of attacks on the squares next to its king (with eval.learned)";
        tempo "eval.tempo": int = 35 in 0..200 step 5, "to be on move";
        phase_opening "eval.phase.opening": int = 4 in 0..60 step 2, "phase points up to which the opening values hold";
        phase_ending "eval.phase.ending": int = 36 in 1..120 step 7, "phase points from which the ending values hold";
    }
}
