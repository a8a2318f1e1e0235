//! What the evaluation of chess counts, each thing with its name.
//!
//! The definitions of the first [`SAYURI_FEATURES`] are those of Sayuri's evaluation, whose published weights they are multiplied with; the others are ours. "Own", "enemy", "ahead" and ranks
//! are as the side sees them that the count belongs to.

use crate::named::named;

/// How many there are.
pub const FEATURES: usize = 45;

/// How many of them, the first, are Sayuri's.
pub const SAYURI_FEATURES: usize = 24;

/// How often each feature is there for one side, or for White less Black.
pub type Counts = [i16; FEATURES];

named! {
    /// Something that is counted, in the order of [`Counts`], with the name of the setting that weighs it.
    Feature {
        Passed = "eval.passed", "Pawns with no enemy pawn ahead on their file or the files beside. An own pawn ahead does not matter.";
        Protected = "eval.protected", "Passed pawns that an own pawn protects.";
        Doubled = "eval.doubled", "Pawns with another own pawn on their file: two pawns on one file count two.";
        Isolated = "eval.isolated", "Pawns without an own pawn on the files beside.";
        BishopPair = "eval.bishop_pair", "1 with two bishops or more, whatever their colours.";
        RookPair = "eval.rook_pair", "1 with two rooks or more.";
        SemiOpen = "eval.semi_open", "Rooks on files without an own pawn (open ones too).";
        OpenFile = "eval.open_file", "Rooks on files without any pawn.";
        EarlyQueen = "eval.early_queen", "For each queen away from the square that a queen starts on: the knights and bishops on squares that such a piece starts on.";
        Castling = "eval.castling", "1 if the king has castled: there is no right to castle left, and the king stands on the first or second rank, on files a to c or g to h, with no own rook on the first rank between it and that edge of the board. Sayuri remembers the move; a position does not tell it, and an evaluation that depends on more than the position could not be kept in a hash table.";
        CastlingLost = "eval.castling_lost", "1 if castling was given up: there is no right to castle left, and the king has not castled.";
        Shield = "eval.shield", "Pawns on the second rank of the files a to c or f to h, if the king stands on those files and on its first or second rank.";
        MobilityPawn = "eval.mobility.pawn", "Moves of pawns: one step or two onto empty squares, captures of enemy pieces, captures en passant of the side to move.";
        MobilityKnight = "eval.mobility.knight", "Squares without an own piece that each knight attacks. Pins and checks are not looked at, here and below.";
        MobilityBishop = "eval.mobility.bishop", "The same for bishops.";
        MobilityRook = "eval.mobility.rook", "The same for rooks.";
        MobilityQueen = "eval.mobility.queen", "The same for queens.";
        MobilityKing = "eval.mobility.king", "The same for the king; squares that the enemy attacks count.";
        KingAttackPawn = "eval.king_attack.pawn", "The squares beside the enemy king (up to eight) that a pawn attacks, summed over pawns.";
        KingAttackKnight = "eval.king_attack.knight", "The same for knights.";
        KingAttackBishop = "eval.king_attack.bishop", "The same for bishops; they do not see through pieces.";
        KingAttackRook = "eval.king_attack.rook", "The same for rooks.";
        KingAttackQueen = "eval.king_attack.queen", "The same for queens.";
        KingAttackKing = "eval.king_attack.king", "The same for the king.";
        PassedAdvance = "eval.passed_advance", "For each passed pawn the square of the ranks that it is beyond its second: 0, 1, 4, 9, 16, 25.";
        PassedAdvanceFree = "eval.passed_advance.free", "The same for passed pawns alone whose next square is empty.";
        Connected = "eval.connected", "Pawns with an own pawn beside them or protecting them.";
        Outpost = "eval.outpost", "Knights and bishops on ranks 4 to 6 that an own pawn protects and that no enemy pawn attacks, wherever it advances to.";
        KingFiles = "eval.king_files", "Files without an own pawn, of that of the own king and those beside it.";
        ThreatPawn = "eval.threat.pawn", "Enemy pieces, neither pawn nor king, that own pawns attack.";
        ThreatMinor = "eval.threat.minor", "Enemy rooks and queens that own knights and bishops attack.";
        KingAttackers = "eval.king_attackers", "The square of the number of own knights, bishops, rooks and queens that attack a square beside the enemy king.";
        ThreatWeak = "eval.threat.weak", "Enemy pawns, knights and bishops, not well protected, that own knights, bishops and rooks attack. Well protected is a square that a pawn protects, or two pieces where only one attacks.";
        ThreatHanging = "eval.threat.hanging", "Enemy pawns and pieces that are attacked and not protected, and pieces attacked twice that are not well protected.";
        ThreatPush = "eval.threat.push", "Enemy pieces, neither pawn nor king, that own pawns attack after a step or a double step onto a square that no enemy pawn attacks, and that no enemy attacks or an own piece protects.";
        PassedSafe = "eval.passed_advance.safe", "As free, for passed pawns whose next square no enemy attacks either.";
        PassedDefended = "eval.passed_advance.defended", "As free, for passed pawns whose next square an own pawn, piece or the king protects.";
        PassedRook = "eval.passed_advance.enemy_rook", "As passed_advance, for passed pawns with an enemy rook behind them on their file.";
        PassedKings = "eval.passed_advance.kings", "As passed_advance, times the steps that the enemy king is away from the next square (five at most), less those of the own king.";
        Restricted = "eval.restricted", "Squares that both sides attack and that the enemy does not protect well.";
        CheckKnight = "eval.safe_check.knight", "1 if a knight attacks a square from which it would give check, where no own piece is and no enemy takes it: none attacks the square, or only the king or a queen, once, while it is attacked twice.";
        CheckBishop = "eval.safe_check.bishop", "The same for bishops, through an enemy queen, here and below.";
        CheckRook = "eval.safe_check.rook", "The same for rooks.";
        CheckQueen = "eval.safe_check.queen", "The same for queens.";
        Unstoppable = "eval.unstoppable", "1 if the enemy has pawns alone, and its king cannot catch a passed pawn that no own man is ahead of.";
    }
}
