//! Evaluation of shogi: material, square values, mobility of the major pieces and king safety.
//!
//! In: a [`Board`] and [`ShogiWeights`]. Out: centipawns for the side to move. Must not: search.

mod king;
mod placement;

use self::king::{KingUnits, REACH};
use self::placement::{PHASE_POINTS_MAX, Placement, Term};
use super::phase::{PhaseLine, mix};
use super::{Evaluate, Evaluated};
use crate::config::{Config, ShogiWeights};
use crate::game::Side;
use crate::shogi::{Board, Kind, Move, Piece, Square, attacks_of, squares_within};

/// The evaluation with its weights expanded.
#[derive(Debug, Clone)]
pub struct Evaluator {
    weights: ShogiWeights,
    placement: Placement,
    kings: KingUnits,
    phase: PhaseLine,
}

/// Sums carried from ply to ply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accumulator {
    /// Material and square values from the first side's view.
    opening: i32,
    ending: i32,
    phase: i32,
    /// By the king's side, tenths of units.
    castle: [i32; 2],
    attack: [i32; 2],
    /// By the holder's side, units.
    reserve: [i32; 2],
}

impl Accumulator {
    #[inline]
    fn add(&mut self, term: Term, sign: i32) {
        self.opening += sign * i32::from(term.opening);
        self.ending += sign * i32::from(term.ending);
        self.phase += sign * i32::from(term.phase);
    }
}

impl Evaluator {
    #[inline]
    fn add_piece(&self, sums: &mut Accumulator, kings: [Square; 2], piece: Piece, square: Square, sign: i32) {
        sums.add(self.placement.on_board(piece, square), sign);
        let (own, enemy) = (piece.side(), piece.side().opponent());
        sums.castle[own.index()] += sign * self.kings.units(own, kings[own.index()], piece, square);
        sums.attack[enemy.index()] += sign * self.kings.units(enemy, kings[enemy.index()], piece, square);
    }

    #[inline]
    fn add_hand(&self, sums: &mut Accumulator, side: Side, kind: Kind, sign: i32) {
        sums.add(self.placement.in_hand(side, kind), sign);
        sums.reserve[side.index()] += sign * self.kings.in_hand(kind);
    }

    /// Castle and attack units around the king of `side` on `king`, from scratch, without the piece on `skipped`.
    fn around_king(&self, board: &Board, side: Side, king: Square, skipped: Square) -> (i32, i32) {
        let (mut castle, mut attack) = (0, 0);
        for square in squares_within(king, REACH) & board.occupied() {
            let piece = board.piece_on(square);
            if square == skipped || piece.kind() == Kind::King {
                continue;
            }
            let units = self.kings.units(side, king, piece, square);
            if piece.side() == side {
                castle += units;
            } else {
                attack += units;
            }
        }
        (castle, attack)
    }

    /// What the king of `side` loses by being attacked and gains by its castle, in centipawns (negative is bad).
    #[inline]
    fn safety(&self, sums: &Accumulator, side: Side, share: i32) -> i32 {
        let w = &self.weights;
        let (castle, attack) = (sums.castle[side.index()], sums.attack[side.index()] / 10);
        let reserve = sums.reserve[side.opponent().index()];
        let danger = attack * (attack + 2 * reserve) * mix(w.danger, w.danger_ending, share) / 1024;
        let missing = (w.exposure_from - castle / 10).max(0);
        let exposure = reserve * missing * mix(w.exposure, w.exposure_ending, share) / 1024;
        castle * mix(w.castle, w.castle_ending, share) / 100 - danger - exposure
    }

    /// Squares that the major pieces of `side` can go to, in centipawns.
    #[inline]
    fn mobility(&self, board: &Board, side: Side, share: i32) -> i32 {
        let w = &self.weights;
        let occupied = board.occupied();
        let free = !board.pieces(side);
        let squares = |kinds: [Kind; 2]| -> i32 {
            let mut count = 0;
            for kind in kinds {
                board.pieces_of(side, kind).for_each(|square| {
                    count += (attacks_of(Piece::new(side, kind), square, occupied) & free).count() as i32;
                });
            }
            count
        };
        squares([Kind::Rook, Kind::Dragon]) * mix(w.mobility_rook, w.mobility_rook_ending, share)
            + squares([Kind::Bishop, Kind::Horse]) * mix(w.mobility_bishop, w.mobility_bishop_ending, share)
    }
}

impl Evaluate<Board> for Evaluator {
    type Accumulator = Accumulator;

    fn new(config: &Config) -> Self {
        let weights = config.shogi.clone();
        Evaluator {
            placement: Placement::new(&weights),
            kings: KingUnits::new(&weights),
            phase: PhaseLine::new(weights.phase_opening, weights.phase_ending, PHASE_POINTS_MAX),
            weights,
        }
    }

    fn refresh(&self, board: &Board) -> Accumulator {
        let mut sums = Accumulator::default();
        let kings = [board.king(Side::First), board.king(Side::Second)];
        for square in board.occupied() {
            let piece = board.piece_on(square);
            self.add_piece(&mut sums, kings, piece, square, 1);
        }
        for side in [Side::First, Side::Second] {
            for kind in Kind::HAND {
                for _ in 0..board.hand(side).count(kind) {
                    self.add_hand(&mut sums, side, kind, 1);
                }
            }
        }
        sums
    }

    #[inline]
    fn update(&self, board: &Board, mv: Move, sums: &Accumulator) -> Accumulator {
        let mut sums = *sums;
        let us = board.side();
        let mut kings = [board.king(Side::First), board.king(Side::Second)];
        let to = mv.to();
        if mv.is_drop() {
            let kind = mv.dropped();
            self.add_hand(&mut sums, us, kind, -1);
            self.add_piece(&mut sums, kings, Piece::new(us, kind), to, 1);
            return sums;
        }
        let from = mv.from();
        let moving = board.piece_on(from);
        let captured = board.piece_on(to);
        if !captured.is_none() {
            self.add_piece(&mut sums, kings, captured, to, -1);
            self.add_hand(&mut sums, us, captured.kind().demoted(), 1);
        }
        self.add_piece(&mut sums, kings, moving, from, -1);
        let piece = mv.arriving(moving);
        if moving.kind() == Kind::King {
            kings[us.index()] = to;
        }
        self.add_piece(&mut sums, kings, piece, to, 1);
        if moving.kind() == Kind::King {
            (sums.castle[us.index()], sums.attack[us.index()]) = self.around_king(board, us, to, to);
        }
        sums
    }

    #[inline]
    fn evaluate(&self, board: &Board, sums: &Accumulator) -> i32 {
        let share = self.phase.share(sums.phase);
        let score = mix(sums.opening, sums.ending, share) + self.safety(sums, Side::First, share)
            - self.safety(sums, Side::Second, share)
            + self.mobility(board, Side::First, share)
            - self.mobility(board, Side::Second, share);
        let score = if board.side() == Side::First {
            score
        } else {
            -score
        };
        (score + self.weights.tempo).clamp(-SCORE_MAX, SCORE_MAX)
    }
}

/// Static scores stay below the mate scores whatever the weights.
const SCORE_MAX: i32 = 25_000;

impl Evaluated for Board {
    type Evaluator = Evaluator;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MoveList, Position};

    fn score(sfen: &str) -> i32 {
        let evaluator = Evaluator::new(&Config::default());
        let board = Board::parse(sfen).unwrap();
        evaluator.evaluate(&board, &evaluator.refresh(&board))
    }

    #[test]
    fn the_start_position_is_worth_the_tempo() {
        assert_eq!(score("startpos"), Config::default().shogi.tempo);
    }

    #[test]
    fn a_position_turned_around_is_worth_the_same() {
        let pairs = [(
            "4k4/9/4g4/9/9/9/4P4/4G4/3RK4 b G2p 1",
            "4kr3/4g4/4p4/9/9/9/4G4/9/4K4 w 2Pg 1",
        )];
        for (one, other) in pairs {
            assert_eq!(score(one), score(other));
        }
    }

    #[test]
    fn sums_carried_along_equal_sums_from_scratch_through_whole_games() {
        let evaluator = Evaluator::new(&Config::default());
        for seed in 0..20usize {
            let mut board = Board::start();
            let mut sums = evaluator.refresh(&board);
            let mut random = seed as u64 + 1;
            for _ in 0..200 {
                let mut list = MoveList::new();
                board.legal(&mut list);
                if list.is_empty() {
                    break;
                }
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let mv = list[(random >> 33) as usize % list.len()];
                sums = evaluator.update(&board, mv, &sums);
                board.make(mv);
                assert_eq!(sums, evaluator.refresh(&board), "after {mv} in {board}");
            }
        }
    }

    #[test]
    fn a_castled_king_is_safer_than_one_at_home() {
        let home = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let mino = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B1R3K1/LNSG1GSNL b - 1";
        assert!(score(mino) > score(home));
    }

    #[test]
    fn enemy_pieces_near_the_king_cost_more_than_far_away() {
        let near = score("4k4/9/9/9/9/9/4+p4/4+p4/2G1KG3 b - 1");
        let far = score("4k4/9/9/4+p4/4+p4/9/9/9/2G1KG3 b - 1");
        assert!(near < far - 50, "{near} {far}");
    }
}
