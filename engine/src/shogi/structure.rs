//! Parts of a position as numbers: hands, kings with their castles, pawns.

use super::attacks::king_attacks;
use super::{Bitboard, Board, Kind};
use crate::game::{Side, StructureKeys};

impl Board {
    /// The hands; both kings with the own pieces next to them; the pawns that are not promoted.
    #[inline]
    pub(super) fn structure(&self) -> StructureKeys {
        let of_sides = |set: fn(&Board, Side) -> Bitboard| {
            let first = set(self, Side::First).mixed();
            first.rotate_left(23) ^ set(self, Side::Second).mixed()
        };
        StructureKeys {
            material: self.hand_key,
            kings: of_sides(|board, side| {
                let king = board.king(side);
                Bitboard::of(king) | king_attacks(king) & board.pieces(side)
            }),
            pawns: of_sides(|board, side| board.pieces_of(side, Kind::Pawn)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    fn after(moves: &[&str]) -> StructureKeys {
        let mut board = Board::start();
        for text in moves {
            let mv = board.parse_move(text).unwrap();
            board.make(mv);
        }
        board.structure_keys()
    }

    #[test]
    fn each_part_changes_with_its_pieces_alone() {
        let start = after(&[]);
        let rook = after(&["2h5h"]);
        assert_eq!((rook.material, rook.pawns), (start.material, start.pawns));
        let pawn = after(&["7g7f"]);
        assert_eq!((pawn.material, pawn.kings), (start.material, start.kings));
        assert_ne!(pawn.pawns, start.pawns);
        let king = after(&["5i6h"]);
        assert_eq!((king.material, king.pawns), (start.material, start.pawns));
        assert_ne!(king.kings, start.kings);
        let exchange = after(&["7g7f", "3c3d", "8h2b+"]);
        assert_ne!(exchange.material, start.material);
        // The other way round is another structure.
        assert_ne!(after(&["2g2f"]).pawns, after(&["7g7f", "8c8d"]).pawns);
    }
}
