//! Counts the features of a position for one side.

use cozy_chess::{BitBoard, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

use super::feature::{Counts, Feature};
use super::pawns::{Pawns, advance};
use crate::chess::{Board, Color, File, Piece, Rank, Square, each, has_two};

const MINORS_AT_HOME: [(Piece, u64); 2] = [(Piece::Knight, 0x42), (Piece::Bishop, 0x24)];
/// By file of a king: the files of the pawns that shield it.
const WINGS: [u8; 8] = [0x07, 0x07, 0x07, 0, 0, 0xe0, 0xe0, 0xe0];
/// By file of a king that castling leads to: the files from it to the edge, where a rook would be shut in.
const BEHIND_CASTLED: [Option<u8>; 8] = [
    Some(0),
    Some(0x01),
    Some(0x03),
    None,
    None,
    None,
    Some(0x80),
    Some(0),
];

/// What is done with a number of features.
pub(super) trait Tally {
    fn add(&mut self, feature: Feature, number: i32);
}

impl Tally for Counts {
    #[inline]
    fn add(&mut self, feature: Feature, number: i32) {
        self[feature as usize] += number as i16;
    }
}

fn count_of(squares: BitBoard) -> i32 {
    squares.len() as i32
}

/// Which features have to be counted, by what they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Pawns, and what stands well or badly because of them, out of the table of pawns.
    pub(super) pawns: bool,
    pub(super) safety: bool,
    pub(super) attacks: bool,
}

impl Wanted {
    pub(super) const ALL: Wanted = Wanted {
        pawns: true,
        safety: true,
        attacks: true,
    };
}

/// Counts for `us` what is not in [`Pawns::counts`].
#[inline(always)]
pub(super) fn count(board: &Board, pawns: &Pawns, us: Color, wanted: Wanted, tally: &mut impl Tally) {
    let own = |piece| board.colored_pieces(us, piece);
    tally.add(Feature::BishopPair, i32::from(has_two(own(Piece::Bishop))));
    tally.add(Feature::RookPair, i32::from(has_two(own(Piece::Rook))));
    if wanted.pawns {
        rooks(own(Piece::Rook), pawns, us, tally);
        around_pawns(board, pawns, us, tally);
    }
    if wanted.safety {
        queens(board, us, tally);
        king(board, us, tally);
    }
    if wanted.attacks {
        attacks(board, us, tally);
    }
}

#[inline(always)]
fn rooks(rooks: BitBoard, pawns: &Pawns, us: Color, tally: &mut impl Tally) {
    let files = |bits: u8| BitBoard(0x0101_0101_0101_0101 * u64::from(bits));
    let semi_open = rooks & files(pawns.files[us as usize]);
    tally.add(Feature::SemiOpen, count_of(semi_open));
    tally.add(
        Feature::OpenFile,
        count_of(semi_open & files(pawns.files[!us as usize])),
    );
}

#[inline(always)]
fn around_pawns(board: &Board, pawns: &Pawns, us: Color, tally: &mut impl Tally) {
    let at = us as usize;
    tally.add(Feature::PassedAdvance, i32::from(pawns.advances[at]));
    tally.add(Feature::Connected, i32::from(pawns.connected[at]));
    let occupied = board.occupied().0;
    let stopped = if us == Color::White {
        occupied >> 8
    } else {
        occupied << 8
    };
    let mut free = 0;
    for square in each(pawns.passed[at] & !BitBoard(stopped)) {
        free += i32::from(advance(square.relative_to(us)));
    }
    tally.add(Feature::PassedAdvanceFree, free);
    let minors = board.colored_pieces(us, Piece::Knight) | board.colored_pieces(us, Piece::Bishop);
    tally.add(Feature::Outpost, count_of(minors & pawns.outposts[at]));
    let around = 0b111_u32 << board.king(us).file() as u32 >> 1;
    tally.add(
        Feature::KingFiles,
        (u32::from(pawns.files[at]) & around).count_ones() as i32,
    );
}

#[inline(always)]
fn queens(board: &Board, us: Color, tally: &mut impl Tally) {
    let own = |piece| board.colored_pieces(us, piece);
    let first = if us == Color::White { 0 } else { 56 };
    let home = Square::new(File::D, Rank::First.relative_to(us)).bitboard();
    let out = own(Piece::Queen) & !home;
    if !out.is_empty() {
        let at_home =
            MINORS_AT_HOME.map(|(piece, squares)| count_of(own(piece) & BitBoard(squares << first)));
        tally.add(Feature::EarlyQueen, count_of(out) * (at_home[0] + at_home[1]));
    }
}

#[inline(always)]
fn king(board: &Board, us: Color, tally: &mut impl Tally) {
    let king = board.king(us).relative_to(us);
    let (file, is_low) = (king.file() as usize, king.rank() <= Rank::Second);
    let row = |piece, rank: Rank| {
        let from = 8 * rank.relative_to(us) as u32;
        (board.colored_pieces(us, piece).0 >> from) as u8
    };
    if is_low {
        let shield = row(Piece::Pawn, Rank::Second) & WINGS[file];
        tally.add(Feature::Shield, shield.count_ones() as i32);
    }
    if !board.may_castle(us) {
        let is_free = |behind| row(Piece::Rook, Rank::First) & behind == 0;
        let feature = if is_low && BEHIND_CASTLED[file].is_some_and(is_free) {
            Feature::Castling
        } else {
            Feature::CastlingLost
        };
        tally.add(feature, 1);
    }
}

#[inline(always)]
fn attacks(board: &Board, us: Color, tally: &mut impl Tally) {
    let (own, occupied) = (board.colors(us), board.occupied());
    let of = |piece| board.colored_pieces(us, piece);
    let ring = get_king_moves(board.king(!us));
    let (mut attackers, mut by_minors) = (0, BitBoard::EMPTY);
    let mut add = |mobility: Feature, attack: Feature, attacked: BitBoard| {
        tally.add(mobility, count_of(attacked & !own));
        tally.add(attack, count_of(attacked & ring));
        attackers += i32::from(!(attacked & ring).is_empty());
    };
    for square in each(of(Piece::Knight)) {
        let attacked = get_knight_moves(square);
        add(Feature::MobilityKnight, Feature::KingAttackKnight, attacked);
        by_minors |= attacked;
    }
    for square in each(of(Piece::Bishop)) {
        let attacked = get_bishop_moves(square, occupied);
        add(Feature::MobilityBishop, Feature::KingAttackBishop, attacked);
        by_minors |= attacked;
    }
    for square in each(of(Piece::Rook)) {
        let attacked = get_rook_moves(square, occupied);
        add(Feature::MobilityRook, Feature::KingAttackRook, attacked);
    }
    for square in each(of(Piece::Queen)) {
        let attacked = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        add(Feature::MobilityQueen, Feature::KingAttackQueen, attacked);
    }
    let near = get_king_moves(board.king(us));
    tally.add(Feature::MobilityKing, count_of(near & !own));
    tally.add(Feature::KingAttackKing, count_of(near & ring));
    tally.add(Feature::KingAttackers, attackers * attackers);
    let majors = board.colored_pieces(!us, Piece::Rook) | board.colored_pieces(!us, Piece::Queen);
    tally.add(Feature::ThreatMinor, count_of(by_minors & majors));
    pawn_attacks(board, us, ring, tally);
}

/// The same for all pawns at once.
#[inline(always)]
fn pawn_attacks(board: &Board, us: Color, ring: BitBoard, tally: &mut impl Tally) {
    let pawns = board.colored_pieces(us, Piece::Pawn).0;
    let (left, right) = (pawns & !File::A.bitboard().0, pawns & !File::H.bitboard().0);
    let is_white = us == Color::White;
    let (to_left, to_right) = if is_white {
        (left << 7, right << 9)
    } else {
        (left >> 9, right >> 7)
    };
    let up = |squares: u64| if is_white { squares << 8 } else { squares >> 8 };
    let empty = !board.occupied().0;
    let steps = up(pawns) & empty;
    let jumps = up(steps & Rank::Third.relative_to(us).bitboard().0) & empty;
    let mut targets = board.colors(!us).0;
    if us == board.turn()
        && let Some(square) = board.en_passant_square()
    {
        targets |= square.bitboard().0;
    }
    // A step and a jump never end on the same square: the pawn that steps there stands in the way of the other.
    let moves = (steps | jumps).count_ones() as i32;
    let hits = |squares: u64| count_of(BitBoard(to_left & squares)) + count_of(BitBoard(to_right & squares));
    tally.add(Feature::MobilityPawn, moves + hits(targets));
    tally.add(Feature::KingAttackPawn, hits(ring.0));
    let pieces = board.colors(!us) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
    tally.add(
        Feature::ThreatPawn,
        count_of(BitBoard(to_left | to_right) & pieces),
    );
}
