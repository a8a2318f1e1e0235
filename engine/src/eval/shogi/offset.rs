//! Where a square lies, seen from a king.

use crate::shogi::Square;

/// Cell of a square by the square of a king: files, then ranks, from `-reach` to `reach`; the number of cells for a square that is
/// farther away.
pub(super) const fn cells(reach: usize) -> [[u8; Square::COUNT]; Square::COUNT] {
    let width = 2 * reach + 1;
    let mut cells = [[(width * width) as u8; Square::COUNT]; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            let file = (square / 9 + reach).wrapping_sub(king / 9);
            let rank = (square % 9 + reach).wrapping_sub(king % 9);
            if file < width && rank < width {
                cells[king][square] = (file * width + rank) as u8;
            }
            square += 1;
        }
        king += 1;
    }
    cells
}
