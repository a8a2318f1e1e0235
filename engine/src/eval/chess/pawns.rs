//! What is counted of pawns alone, and a table that remembers it.

use cozy_chess::BitBoard;

use crate::chess::{Board, Color, File, Piece, Square, each};

const ENTRIES: usize = 1 << 12;

/// What is counted of the pawns of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pawns {
    pawns: [BitBoard; 2],
    /// By colour: passed, protected, doubled, isolated.
    pub(super) counts: [[u8; 4]; 2],
    /// By colour: how far passed pawns are, squared, and connected pawns.
    pub(super) advances: [u8; 2],
    pub(super) connected: [u8; 2],
    /// By colour: files without a pawn of it, a to h from the lowest bit.
    pub(super) files: [u8; 2],
    pub(super) passed: [BitBoard; 2],
    /// By colour: squares on ranks 4 to 6 that a pawn of it protects and no enemy pawn can ever attack.
    pub(super) outposts: [BitBoard; 2],
}

impl Pawns {
    pub(super) const NONE: Pawns = Pawns {
        pawns: [BitBoard::EMPTY; 2],
        counts: [[0; 4]; 2],
        advances: [0; 2],
        connected: [0; 2],
        files: [0xff; 2],
        passed: [BitBoard::EMPTY; 2],
        outposts: [BitBoard::EMPTY; 2],
    };

    pub(super) fn of(pawns: [BitBoard; 2]) -> Pawns {
        let mut all = Pawns {
            pawns,
            files: pawns.map(|pawns| !fold(pawns)),
            ..Pawns::NONE
        };
        for us in Color::ALL {
            all.count(us);
        }
        all
    }

    fn count(&mut self, us: Color) {
        // From black's view the board is upside down.
        let seen = |squares: BitBoard| {
            if us == Color::White {
                squares.0
            } else {
                squares.flip_ranks().0
            }
        };
        let at = us as usize;
        let (own, enemy) = (seen(self.pawns[at]), seen(self.pawns[!us as usize]));
        // The ranks below the enemy pawns, not their own.
        let passed = own & !(down(enemy | beside(enemy)) >> 8);
        let protected = beside(own) << 8;
        let (mut above, mut below) = (own << 8, own >> 8);
        for shift in [8, 16, 32] {
            above |= above << shift;
            below |= below >> shift;
        }
        let files = 0x0101_0101_0101_0101 * u64::from(fold(BitBoard(own)));
        self.counts[at] = [
            passed,
            passed & protected,
            own & (above | below),
            own & !beside(files),
        ]
        .map(number);
        self.advances[at] = each(BitBoard(passed)).map(advance).sum();
        self.connected[at] = number(own & (beside(own) | protected));
        let seen = |squares: u64| BitBoard(seen(BitBoard(squares)));
        self.passed[at] = seen(passed);
        self.outposts[at] = seen(protected & RANKS_4_TO_6 & !(down(beside(enemy)) >> 8));
    }
}

const RANKS_4_TO_6: u64 = 0x0000_ffff_ff00_0000;

/// How far a pawn is that its owner sees on `square`: the square of the ranks beyond its second.
pub(super) fn advance(square: Square) -> u8 {
    (square.rank() as u8).saturating_sub(1).pow(2)
}

fn number(squares: u64) -> u8 {
    squares.count_ones() as u8
}

fn down(squares: u64) -> u64 {
    let half = squares | squares >> 8;
    let most = half | half >> 16;
    most | most >> 32
}

/// The files that hold one of `squares`.
fn fold(squares: BitBoard) -> u8 {
    let half = squares.0 | squares.0 >> 32;
    let quarter = half | half >> 16;
    (quarter | quarter >> 8) as u8
}

fn beside(files: u64) -> u64 {
    (files & !File::A.bitboard().0) >> 1 | (files & !File::H.bitboard().0) << 1
}

fn pawns_of(board: &Board) -> [BitBoard; 2] {
    Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn))
}

/// Counts of the pawns met before. An entry holds the pawns themselves, so that no other pawns are ever taken for them.
#[derive(Debug)]
pub struct PawnTable(Box<[Pawns]>);

impl PawnTable {
    #[inline]
    pub(super) fn of(&mut self, board: &Board) -> &Pawns {
        let pawns = pawns_of(board);
        let mixed =
            pawns[0].0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ pawns[1].0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let entry = &mut self.0[((mixed ^ mixed >> 32) as usize >> 3) & (ENTRIES - 1)];
        if entry.pawns != pawns {
            *entry = Pawns::of(pawns);
        }
        entry
    }
}

/// Knows nothing but a board without pawns.
impl Default for PawnTable {
    fn default() -> Self {
        PawnTable(vec![Pawns::NONE; ENTRIES].into_boxed_slice())
    }
}
