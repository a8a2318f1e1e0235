//! What is counted of pawns alone, and a table that remembers it.
//!
//! In: the pawns of both sides. Out: [`Pawns`]. Must not: know a weight, so that what is remembered holds for every configuration.

use cozy_chess::BitBoard;

use crate::chess::{Board, Color, File, Piece, Rank};

/// Entries of the table, a power of two.
const ENTRIES: usize = 1 << 12;

/// What is counted of the pawns of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pawns {
    /// By colour.
    pawns: [BitBoard; 2],
    /// By colour: passed, protected, doubled, isolated.
    pub(super) counts: [[u8; 4]; 2],
    /// By colour: files without a pawn of it, a to h from the lowest bit.
    pub(super) files: [u8; 2],
}

impl Pawns {
    /// Those of a board without pawns.
    pub(super) const NONE: Pawns = Pawns {
        pawns: [BitBoard::EMPTY; 2],
        counts: [[0; 4]; 2],
        files: [0xff; 2],
    };

    /// Counts.
    pub(super) fn of(pawns: [BitBoard; 2]) -> Pawns {
        let files = pawns.map(|pawns| !fold(pawns));
        let counts =
            [Color::White, Color::Black].map(|us| counts(us, pawns[us as usize], pawns[!us as usize]));
        Pawns { pawns, counts, files }
    }
}

/// The files that hold one of `squares`.
fn fold(squares: BitBoard) -> u8 {
    let half = squares.0 | squares.0 >> 32;
    let quarter = half | half >> 16;
    (quarter | quarter >> 8) as u8
}

/// The files beside `files`.
fn beside(files: u64) -> u64 {
    (files & !File::A.bitboard().0) >> 1 | (files & !File::H.bitboard().0) << 1
}

/// Passed, protected, doubled, isolated pawns of `us`.
fn counts(us: Color, own: BitBoard, enemy: BitBoard) -> [u8; 4] {
    // From black's view the board is upside down.
    let seen = |squares: BitBoard| {
        if us == Color::White {
            squares.0
        } else {
            squares.flip_ranks().0
        }
    };
    let (own, enemy) = (seen(own), seen(enemy));
    let mut reached = enemy | beside(enemy);
    reached |= reached >> 8;
    reached |= reached >> 16;
    reached |= reached >> 32;
    // The ranks below the enemy pawns, not their own.
    let passed = own & !(reached >> 8);
    let protecting = beside(own) << 8;
    let (mut above, mut below) = (own << 8, own >> 8);
    for shift in [8, 16, 32] {
        above |= above << shift;
        below |= below >> shift;
    }
    let files = 0x0101_0101_0101_0101 * u64::from(fold(BitBoard(own)));
    [
        passed,
        passed & protecting,
        own & (above | below),
        own & !beside(files),
    ]
    .map(|pawns| pawns.count_ones() as u8)
}

/// The pawns of both sides.
#[inline]
fn pawns_of(board: &Board) -> [BitBoard; 2] {
    Color::ALL.map(|color| board.inner().colored_pieces(color, Piece::Pawn))
}

/// Counts of the pawns met before. An entry holds the pawns themselves, so that no other pawns are ever taken for them.
#[derive(Debug)]
pub struct PawnTable(Box<[Pawns]>);

impl PawnTable {
    /// Knows nothing but a board without pawns.
    pub fn new() -> Self {
        PawnTable(vec![Pawns::NONE; ENTRIES].into_boxed_slice())
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.fill(Pawns::NONE);
    }

    /// Remembered or counted now.
    #[inline]
    pub(super) fn of(&mut self, board: &Board) -> Pawns {
        let pawns = pawns_of(board);
        let mixed =
            pawns[0].0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ pawns[1].0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let entry = &mut self.0[((mixed ^ mixed >> 32) as usize >> 3) & (ENTRIES - 1)];
        if entry.pawns != pawns {
            *entry = Pawns::of(pawns);
        }
        *entry
    }
}

impl Default for PawnTable {
    fn default() -> Self {
        PawnTable::new()
    }
}

/// The rank of the pawns that shield a king of `us`.
pub(super) fn second_rank(us: Color) -> BitBoard {
    Rank::Second.relative_to(us).bitboard()
}
