//! Counts the features of a position for one side.

use cozy_chess::{BitBoard, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

use super::feature::{Counts, Feature};
use super::pawns::{Pawns, advance};
use crate::chess::{Board, Color, File, Piece, Rank, Square, each, first, has_two};

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

/// What a side attacks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attacked {
    /// By kind.
    by: [BitBoard; Piece::NUM],
    all: BitBoard,
    twice: BitBoard,
}

impl Attacked {
    const NOTHING: Attacked = Attacked {
        by: [BitBoard::EMPTY; Piece::NUM],
        all: BitBoard::EMPTY,
        twice: BitBoard::EMPTY,
    };

    #[inline(always)]
    fn add(&mut self, piece: Piece, squares: BitBoard) {
        self.by[piece as usize] |= squares;
        self.twice |= self.all & squares;
        self.all |= squares;
    }

    #[inline(always)]
    fn by<const N: usize>(&self, pieces: [Piece; N]) -> BitBoard {
        pieces.into_iter().fold(BitBoard::EMPTY, |squares, piece| {
            squares | self.by[piece as usize]
        })
    }
}

/// Which features have to be counted, by what they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Pawns, and what stands well or badly because of them, out of the table of pawns.
    pub(super) pawns: bool,
    pub(super) safety: bool,
    pub(super) attacks: bool,
    /// What depends on the attacks of both sides.
    pub(super) both: bool,
}

impl Wanted {
    pub(super) const ALL: Wanted = Wanted {
        pawns: true,
        safety: true,
        attacks: true,
        both: true,
    };
}

/// Counts for each side what is not in [`Pawns::counts`].
#[inline(always)]
pub(super) fn count(board: &Board, pawns: &Pawns, wanted: Wanted, [white, black]: [&mut impl Tally; 2]) {
    let attacked = [
        alone(board, pawns, Color::White, wanted, white),
        alone(board, pawns, Color::Black, wanted, black),
    ];
    if wanted.both {
        let [by_white, by_black] = &attacked;
        both(board, pawns, Color::White, [by_white, by_black], white);
        both(board, pawns, Color::Black, [by_black, by_white], black);
    }
}

/// Counts for `us` what does not depend on enemy attacks.
#[inline(always)]
fn alone(board: &Board, pawns: &Pawns, us: Color, wanted: Wanted, tally: &mut impl Tally) -> Attacked {
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
        attacks(board, us, tally)
    } else {
        Attacked::NOTHING
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
fn attacks(board: &Board, us: Color, tally: &mut impl Tally) -> Attacked {
    let (own, occupied) = (board.colors(us), board.occupied());
    let of = |piece| board.colored_pieces(us, piece);
    let ring = get_king_moves(board.king(!us));
    let mut attacked = Attacked::NOTHING;
    pawn_attacks(board, us, ring, &mut attacked, tally);
    let mut attackers = 0;
    let mut add = |piece: Piece, mobility: Feature, attack: Feature, squares: BitBoard| {
        tally.add(mobility, count_of(squares & !own));
        tally.add(attack, count_of(squares & ring));
        attackers += i32::from(!(squares & ring).is_empty());
        attacked.add(piece, squares);
    };
    for square in each(of(Piece::Knight)) {
        let squares = get_knight_moves(square);
        add(
            Piece::Knight,
            Feature::MobilityKnight,
            Feature::KingAttackKnight,
            squares,
        );
    }
    for square in each(of(Piece::Bishop)) {
        let squares = get_bishop_moves(square, occupied);
        add(
            Piece::Bishop,
            Feature::MobilityBishop,
            Feature::KingAttackBishop,
            squares,
        );
    }
    for square in each(of(Piece::Rook)) {
        let squares = get_rook_moves(square, occupied);
        add(
            Piece::Rook,
            Feature::MobilityRook,
            Feature::KingAttackRook,
            squares,
        );
    }
    for square in each(of(Piece::Queen)) {
        let squares = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        add(
            Piece::Queen,
            Feature::MobilityQueen,
            Feature::KingAttackQueen,
            squares,
        );
    }
    let near = get_king_moves(board.king(us));
    tally.add(Feature::MobilityKing, count_of(near & !own));
    tally.add(Feature::KingAttackKing, count_of(near & ring));
    tally.add(Feature::KingAttackers, attackers * attackers);
    attacked.add(Piece::King, near);
    let majors = board.colored_pieces(!us, Piece::Rook) | board.colored_pieces(!us, Piece::Queen);
    let by_minors = attacked.by([Piece::Knight, Piece::Bishop]);
    tally.add(Feature::ThreatMinor, count_of(by_minors & majors));
    attacked
}

fn up(us: Color, squares: BitBoard) -> BitBoard {
    BitBoard(if us == Color::White {
        squares.0 << 8
    } else {
        squares.0 >> 8
    })
}

/// What `pawns` attack towards file a, and towards file h.
fn pawn_captures(us: Color, pawns: BitBoard) -> [BitBoard; 2] {
    let (left, right) = (pawns & !File::A.bitboard(), pawns & !File::H.bitboard());
    let ahead = |squares| up(us, squares).0;
    [BitBoard(ahead(left) >> 1), BitBoard(ahead(right) << 1)]
}

/// Where `pawns` may step, one square or two.
fn pawn_steps(board: &Board, us: Color) -> BitBoard {
    let empty = !board.occupied();
    let steps = up(us, board.colored_pieces(us, Piece::Pawn)) & empty;
    // A step and a jump never end on the same square: the pawn that steps there stands in the way of the other.
    steps | up(us, steps & Rank::Third.relative_to(us).bitboard()) & empty
}

fn pieces_of(board: &Board, us: Color) -> BitBoard {
    board.colors(us) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)
}

/// The same for all pawns at once.
#[inline(always)]
fn pawn_attacks(board: &Board, us: Color, ring: BitBoard, attacked: &mut Attacked, tally: &mut impl Tally) {
    let [to_left, to_right] = pawn_captures(us, board.colored_pieces(us, Piece::Pawn));
    let mut targets = board.colors(!us);
    if us == board.turn()
        && let Some(square) = board.en_passant_square()
    {
        targets |= square.bitboard();
    }
    let hits = |squares: BitBoard| count_of(to_left & squares) + count_of(to_right & squares);
    tally.add(
        Feature::MobilityPawn,
        count_of(pawn_steps(board, us)) + hits(targets),
    );
    tally.add(Feature::KingAttackPawn, hits(ring));
    attacked.add(Piece::Pawn, to_left);
    attacked.add(Piece::Pawn, to_right);
    let threatened = (to_left | to_right) & pieces_of(board, !us);
    tally.add(Feature::ThreatPawn, count_of(threatened));
}

/// Counts for `us` what depends on what both sides attack, `us` first.
#[inline(always)]
fn both(board: &Board, pawns: &Pawns, us: Color, attacked: [&Attacked; 2], tally: &mut impl Tally) {
    threats(board, us, attacked, tally);
    safe_checks(board, us, attacked, tally);
    passed_pawns(board, pawns, us, attacked, tally);
}

#[inline(always)]
fn threats(board: &Board, us: Color, [own, enemy]: [&Attacked; 2], tally: &mut impl Tally) {
    let of = |piece| board.colored_pieces(!us, piece);
    let unprotected = !enemy.by([Piece::Pawn]) & !(enemy.twice & !own.twice);
    tally.add(Feature::Restricted, count_of(own.all & enemy.all & unprotected));
    let pieces = pieces_of(board, !us);
    let weak = (pieces | of(Piece::Pawn)) & own.all & unprotected;
    let by_cheap = own.by([Piece::Knight, Piece::Bishop, Piece::Rook]);
    let cheap = of(Piece::Pawn) | of(Piece::Knight) | of(Piece::Bishop);
    tally.add(Feature::ThreatWeak, count_of(weak & by_cheap & cheap));
    let hanging = weak & (!enemy.all | pieces & own.twice);
    tally.add(Feature::ThreatHanging, count_of(hanging));
    let safe = !enemy.by([Piece::Pawn]) & (own.all | !enemy.all);
    let [to_left, to_right] = pawn_captures(us, pawn_steps(board, us) & safe);
    tally.add(Feature::ThreatPush, count_of((to_left | to_right) & pieces));
}

#[inline(always)]
fn safe_checks(board: &Board, us: Color, [own, enemy]: [&Attacked; 2], tally: &mut impl Tally) {
    let king = board.king(!us);
    let through = board.occupied() & !board.colored_pieces(!us, Piece::Queen);
    let badly_defended = own.twice & !enemy.twice & enemy.by([Piece::King, Piece::Queen]);
    let safe = !board.colors(us) & (!enemy.all | badly_defended);
    let (diagonals, lines) = (get_bishop_moves(king, through), get_rook_moves(king, through));
    for (feature, piece, from) in [
        (Feature::CheckKnight, Piece::Knight, get_knight_moves(king)),
        (Feature::CheckBishop, Piece::Bishop, diagonals),
        (Feature::CheckRook, Piece::Rook, lines),
        (Feature::CheckQueen, Piece::Queen, diagonals | lines),
    ] {
        let checks = own.by([piece]) & from & safe;
        tally.add(feature, i32::from(!checks.is_empty()));
    }
}

/// Steps of a king from one square to another.
fn steps(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32).abs_diff(to.file() as i32);
    let ranks = (from.rank() as i32).abs_diff(to.rank() as i32);
    files.max(ranks) as i32
}

#[inline(always)]
fn passed_pawns(
    board: &Board,
    pawns: &Pawns,
    us: Color,
    [own, enemy]: [&Attacked; 2],
    tally: &mut impl Tally,
) {
    let passed = pawns.passed[us as usize];
    if passed.is_empty() {
        return;
    }
    let kings = [board.king(us), board.king(!us)];
    let rooks = board.colored_pieces(!us, Piece::Rook);
    let has_pawns_alone = pieces_of(board, !us).is_empty();
    let mut unstoppable = false;
    for square in each(passed) {
        let far = i32::from(advance(square.relative_to(us)));
        let next = first(up(us, square.bitboard()));
        let mut add = |feature, holds| tally.add(feature, if holds { far } else { 0 });
        let is_free = !board.occupied().has(next);
        add(Feature::PassedAdvanceFree, is_free);
        add(Feature::PassedSafe, is_free && !enemy.all.has(next));
        add(Feature::PassedDefended, is_free && own.all.has(next));
        let (above, below) = (!0 << square as u32, (1 << square as u32) - 1);
        let (ahead, behind) = if us == Color::White {
            (above, below)
        } else {
            (below, above)
        };
        let file = square.file().bitboard();
        add(Feature::PassedRook, !(file & BitBoard(behind) & rooks).is_empty());
        let [near, away] = kings.map(|king| steps(king, next).min(5));
        tally.add(Feature::PassedKings, far * (away - near));
        if has_pawns_alone {
            let goal = Square::new(square.file(), Rank::Eighth.relative_to(us));
            let rank = square.relative_to(us).rank() as i32;
            let moves = 7 - rank - i32::from(rank == 1);
            let away = steps(kings[1], goal) - i32::from(board.turn() != us);
            let is_open = (file & BitBoard(ahead) & !square.bitboard() & board.colors(us)).is_empty();
            unstoppable |= is_open && away > moves;
        }
    }
    tally.add(Feature::Unstoppable, i32::from(unstoppable));
}
