//! The moves of a stage: only those that it asks for are made.

use cozy_chess::{BitBoard, Piece, PieceMoves, Rank, get_king_moves};

use super::{Board, Move, each};
use crate::game::MoveList;

const UNDERPROMOTIONS: [Piece; 3] = [Piece::Knight, Piece::Bishop, Piece::Rook];

impl Board {
    fn last_rank(&self) -> BitBoard {
        Rank::Eighth.relative_to(self.inner.side_to_move()).bitboard()
    }

    #[inline]
    fn en_passant_target(&self) -> BitBoard {
        self.en_passant_square()
            .map_or(BitBoard::EMPTY, |square| square.bitboard())
    }

    /// Captures, and promotions to a queen.
    pub(super) fn list_captures(&self, list: &mut MoveList<Move>) {
        let board = &self.inner;
        let us = board.side_to_move();
        let theirs = board.colors(!us);
        let last = self.last_rank();
        let pawn_targets = theirs | self.en_passant_target() | last;
        let king = self.king(us);
        board.generate_moves_for(!king.bitboard(), |moves| {
            if moves.piece == Piece::Pawn {
                for to in each(moves.to & pawn_targets) {
                    let promotion = last.has(to).then_some(Piece::Queen);
                    list.push(Move::new(moves.from, to, promotion));
                }
            } else {
                for to in each(moves.to & theirs) {
                    list.push(Move::new(moves.from, to, None));
                }
            }
            false
        });
        // Of the king's moves only these have to be safe, and castling need not be looked at.
        for to in each(get_king_moves(king) & theirs) {
            let promotion = None;
            if board.is_legal(cozy_chess::Move {
                from: king,
                to,
                promotion,
            }) {
                list.push(Move::new(king, to, promotion));
            }
        }
    }

    /// What [`list_captures`](Board::list_captures) leaves out.
    pub(super) fn list_quiets(&self, list: &mut MoveList<Move>) {
        let board = &self.inner;
        let theirs = board.colors(!board.side_to_move());
        let last = self.last_rank();
        let not_pawns = !(theirs | self.en_passant_target());
        board.generate_moves(|moves| {
            if moves.piece == Piece::Pawn {
                for to in each(moves.to & last) {
                    list.extend(UNDERPROMOTIONS.map(|piece| Move::new(moves.from, to, Some(piece))));
                }
                for to in each(moves.to & not_pawns & !last) {
                    list.push(Move::new(moves.from, to, None));
                }
            } else {
                self.list_pieces(list, moves, !theirs);
            }
            false
        });
    }

    pub(super) fn list_all(&self, list: &mut MoveList<Move>) {
        self.inner.generate_moves(|moves| {
            if moves.piece == Piece::Pawn {
                list.extend(
                    moves
                        .into_iter()
                        .map(|mv| Move::new(mv.from, mv.to, mv.promotion)),
                );
            } else {
                self.list_pieces(list, moves, BitBoard::FULL);
            }
            false
        });
    }

    /// The moves of a piece, or of the king with castling, to `targets`.
    #[inline]
    fn list_pieces(&self, list: &mut MoveList<Move>, moves: PieceMoves, targets: BitBoard) {
        let ours = self.inner.colors(self.inner.side_to_move());
        for to in each(moves.to & targets) {
            list.push(if ours.has(to) {
                self.our_castling(moves.from, to)
            } else {
                Move::new(moves.from, to, None)
            });
        }
    }
}
