//! Parts of a position as numbers: hands, kings with their castles, pawns, pieces.

use super::attacks::king_attacks;
use super::{Bitboard, Board, Kind};
use crate::game::{Side, StructureKeys};

impl Board {
    /// The hands; both kings with the own pieces next to them; the pawns that are not promoted; the squares of the other pieces of each side.
    #[inline(always)]
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
            pieces: [Side::First, Side::Second].map(|side| {
                let pawns = self.pieces_of(side, Kind::Pawn);
                self.pieces(side).without(pawns).mixed()
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[test]
    fn each_part_changes_with_its_pieces_alone() {
        let keys = |moves: &str| {
            let mut board = Board::start();
            for text in moves.split_whitespace() {
                let mv = board.parse_move(text).unwrap();
                board.make(mv);
            }
            let keys = board.structure_keys();
            [
                keys.material,
                keys.kings,
                keys.pawns,
                keys.pieces[0],
                keys.pieces[1],
            ]
        };
        let changed = |moves| [0, 1, 2, 3, 4].map(|part| keys(moves)[part] != keys("")[part]);
        assert_eq!(changed("7g7f"), [false, false, true, false, false]);
        assert_eq!(changed("5i6h"), [false, true, false, true, false]);
        let [material, _, pawns, own, enemy] = changed("2h5h");
        assert!(!material && !pawns && own && !enemy);
        assert!(changed("7g7f 3c3d 8h2b+")[0]);
        // The other way round is another structure.
        assert_ne!(keys("2g2f")[2], keys("7g7f 8c8d")[2]);
    }
}
