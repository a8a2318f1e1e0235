//! What the evaluation of chess counts, each thing with its name.
//!
//! In: nothing. Out: [`Feature`]s, [`Counts`]. Must not: look at a position.
//!
//! The definitions of the first [`SAYURI_FEATURES`] are those of Sayuri's evaluation, whose published weights they are multiplied with; the others are ours. "Own", "enemy", "ahead" and ranks
//! are as the side sees them that the count belongs to.

/// How many there are, a multiple of what one vector instruction takes.
pub const FEATURES: usize = 32;

/// How many of them, the first, are Sayuri's.
pub const SAYURI_FEATURES: usize = 24;

/// How often each feature is there for one side, or for White less Black.
pub type Counts = [i16; FEATURES];

macro_rules! features {
    ($( $(#[$meta:meta])+ $name:ident = $text:literal, )+) => {
        /// Something that is counted.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Feature { $( $(#[$meta])+ $name, )+ }

        impl Feature {
            /// All of them, in the order of [`Counts`].
            pub const ALL: [Feature; FEATURES] = [ $( Feature::$name, )+ ];

            /// The name of the setting that weighs it.
            pub fn name(self) -> &'static str {
                match self { $( Feature::$name => $text, )+ }
            }
        }
    };
}

features! {
    /// Pawns with no enemy pawn ahead on their file or the files beside. An own pawn ahead does not matter.
    Passed = "eval.passed",
    /// Passed pawns that an own pawn protects.
    Protected = "eval.protected",
    /// Pawns with another own pawn on their file: two pawns on one file count two.
    Doubled = "eval.doubled",
    /// Pawns without an own pawn on the files beside.
    Isolated = "eval.isolated",
    /// 1 with two bishops or more, whatever their colours.
    BishopPair = "eval.bishop_pair",
    /// 1 with two rooks or more.
    RookPair = "eval.rook_pair",
    /// Rooks on files without an own pawn (open ones too).
    SemiOpen = "eval.semi_open",
    /// Rooks on files without any pawn.
    OpenFile = "eval.open_file",
    /// For each queen away from the square that a queen starts on: the knights and bishops on squares that such a piece starts on.
    EarlyQueen = "eval.early_queen",
    /// 1 if the king has castled: there is no right to castle left, and the king stands on the first or second rank, on files a to c or
    /// g to h, with no own rook on the first rank between it and that edge of the board. Sayuri remembers the move; a position
    /// does not tell it, and an evaluation that depends on more than the position could not be kept in a hash table.
    Castling = "eval.castling",
    /// 1 if castling was given up: there is no right to castle left, and the king has not castled.
    CastlingLost = "eval.castling_lost",
    /// Pawns on the second rank of the files a to c or f to h, if the king stands on those files and on its first or second rank.
    Shield = "eval.shield",
    /// Moves of pawns: one step or two onto empty squares, captures of enemy pieces, captures en passant of the side to move.
    MobilityPawn = "eval.mobility.pawn",
    /// Squares without an own piece that each knight attacks. Pins and checks are not looked at, here and below.
    MobilityKnight = "eval.mobility.knight",
    /// The same for bishops.
    MobilityBishop = "eval.mobility.bishop",
    /// The same for rooks.
    MobilityRook = "eval.mobility.rook",
    /// The same for queens.
    MobilityQueen = "eval.mobility.queen",
    /// The same for the king; squares that the enemy attacks count.
    MobilityKing = "eval.mobility.king",
    /// The squares beside the enemy king (up to eight) that a pawn attacks, summed over pawns.
    KingAttackPawn = "eval.king_attack.pawn",
    /// The same for knights.
    KingAttackKnight = "eval.king_attack.knight",
    /// The same for bishops; they do not see through pieces.
    KingAttackBishop = "eval.king_attack.bishop",
    /// The same for rooks.
    KingAttackRook = "eval.king_attack.rook",
    /// The same for queens.
    KingAttackQueen = "eval.king_attack.queen",
    /// The same for the king.
    KingAttackKing = "eval.king_attack.king",
    /// For each passed pawn the square of the ranks that it is beyond its second: 0, 1, 4, 9, 16, 25.
    PassedAdvance = "eval.passed_advance",
    /// The same for passed pawns alone whose next square is empty.
    PassedAdvanceFree = "eval.passed_advance.free",
    /// Pawns with an own pawn beside them or protecting them.
    Connected = "eval.connected",
    /// Knights and bishops on ranks 4 to 6 that an own pawn protects and that no enemy pawn attacks, wherever it advances to.
    Outpost = "eval.outpost",
    /// Files without an own pawn, of that of the own king and those beside it.
    KingFiles = "eval.king_files",
    /// Enemy pieces, neither pawn nor king, that own pawns attack.
    ThreatPawn = "eval.threat.pawn",
    /// Enemy rooks and queens that own knights and bishops attack.
    ThreatMinor = "eval.threat.minor",
    /// The square of the number of own knights, bishops, rooks and queens that attack a square beside the enemy king.
    KingAttackers = "eval.king_attackers",
}
