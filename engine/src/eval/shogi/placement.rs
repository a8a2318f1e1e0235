//! Material and square values: what a piece is worth where it stands or in hand.

use crate::config::ShogiWeights;
use crate::shogi::{Kind, Square};

/// By rank (a to i), then by file (1 to 9), in centipawns for the first side.
type Shape = ([i32; 9], [i32; 9]);

const FLAT: [i32; 9] = [0; 9];

const PAWN: Shape = ([0, 34, 32, 22, 14, 7, 0, 0, 0], [4, 2, 2, 0, 0, 0, 2, 2, 4]);
const LANCE: Shape = ([0, 12, 8, 0, -4, -4, -4, 0, 6], FLAT);
const KNIGHT: Shape = ([0, 0, 22, 6, -6, 0, 14, 0, 0], [-6, 0, 0, 0, 0, 0, 0, 0, -6]);
const SILVER: Shape = (
    [4, 12, 26, 26, 26, 20, 14, 6, -8],
    [-10, -2, 2, 4, 4, 4, 2, -2, -10],
);
const GOLD: Shape = (
    [8, 14, 12, 6, -2, -4, 6, 10, 0],
    [-14, -4, 0, 2, 2, 2, 0, -4, -14],
);
const BISHOP: Shape = ([10, 14, 10, 6, 10, 0, 2, 6, -6], [-8, 0, 0, 4, 6, 4, 0, 0, -8]);
const ROOK: Shape = (
    [30, 36, 30, -8, -16, -12, -22, 4, 0],
    [-4, 10, 4, 2, -4, 0, 2, 4, -8],
);
const HORSE: Shape = (
    [16, 20, 20, 14, 14, 10, 14, 14, 8],
    [-16, -6, 0, 4, 6, 4, 0, -6, -16],
);
const DRAGON: Shape = ([26, 34, 30, 16, 10, 6, 6, 8, 8], [-8, 0, 2, 4, 4, 4, 2, 0, -8]);
const TOKIN: Shape = (
    [-20, 0, 6, 6, 4, 0, -4, -10, -20],
    [-24, -10, 0, 6, 8, 6, 0, -10, -24],
);
const KING_OPENING: Shape = (
    [-150, -150, -150, -150, -130, -100, -60, 4, 0],
    [-6, 32, 26, -4, -24, -6, 26, 38, 6],
);
const KING_ENDING: Shape = (
    [60, 60, 40, -30, -50, -50, -30, 0, -6],
    [-12, 4, 6, 6, 2, 6, 8, 6, -12],
);

fn at(shape: Shape, square: Square) -> i32 {
    shape.0[usize::from(square.rank())] + shape.1[usize::from(square.file())]
}

/// Square value in the opening and in the ending, in centipawns.
pub(super) fn square_values(weights: &ShogiWeights, kind: Kind, square: Square) -> (i32, i32) {
    let (shape, percent) = match kind {
        Kind::Pawn => (PAWN, weights.placement_pawn),
        Kind::Lance => (LANCE, weights.placement_lance),
        Kind::Knight => (KNIGHT, weights.placement_knight),
        Kind::Silver => (SILVER, weights.placement_silver),
        Kind::Gold => (GOLD, weights.placement_gold),
        Kind::Bishop => (BISHOP, weights.placement_bishop),
        Kind::Rook => (ROOK, weights.placement_rook),
        Kind::Horse => (HORSE, weights.placement_bishop),
        Kind::Dragon => (DRAGON, weights.placement_rook),
        Kind::ProPawn => (TOKIN, weights.placement_pawn),
        Kind::ProLance => (TOKIN, weights.placement_lance),
        Kind::ProKnight => (TOKIN, weights.placement_knight),
        Kind::ProSilver => (TOKIN, weights.placement_silver),
        Kind::King => {
            let percent = weights.placement_king;
            return (
                at(KING_OPENING, square) * percent / 100,
                at(KING_ENDING, square) * percent / 100,
            );
        }
    };
    let value = at(shape, square) * percent / 100;
    (value, value)
}

/// Material value in the opening and in the ending, in centipawns, on the board or in the hand; a king has none.
pub(super) fn material(weights: &ShogiWeights, place: &str, kind: Kind) -> (i32, i32) {
    let value = |phase| {
        weights
            .number(&format!("{place}.{}{phase}", kind.name()))
            .unwrap_or(0)
    };
    (value(""), value(".ending"))
}

/// Progress of the game shown by one piece: promoted, or entering the enemy camp.
pub(super) fn phase_points(kind: Kind, relative_rank: u8) -> i32 {
    let entered = match relative_rank {
        0..=2 if kind != Kind::Pawn => 2,
        3 if kind != Kind::Pawn => 1,
        _ => 0,
    };
    entered + if kind.is_promoted() { 2 } else { 0 }
}

/// Most phase points a position can have: 38 pieces, at most 4 points each.
pub(super) const PHASE_POINTS_MAX: usize = 160;
