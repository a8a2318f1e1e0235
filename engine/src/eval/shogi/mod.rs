//! Evaluation of shogi: material, square values, mobility of the major pieces, king safety and, if asked for, learnt values.

mod king;
pub mod learned;
mod offset;
mod placement;
mod three_piece;

use self::king::{KingUnits, REACH};
use self::learned::{Learned, LearnedSums};
use self::placement::{PHASE_POINTS_MAX, Placement, Term};
use self::three_piece::ThreePieceSums;
use super::phase::{PhaseLine, mix};
use super::{Evaluate, Evaluated};
use crate::config::{Config, LearnedValues, ShogiWeights};
use crate::game::Side;
use crate::shogi::{Bitboard, Board, Kind, Move, Piece, Square, attacks_of, squares_within};

/// The evaluation with its weights expanded.
#[derive(Debug, Clone)]
pub struct Evaluator {
    weights: ShogiWeights,
    placement: Placement,
    kings: KingUnits,
    phase: PhaseLine,
    learned: Option<Learned>,
    has_three_piece: bool,
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
    learned: LearnedSums,
    three_piece: ThreePieceSums,
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

    fn update_learned(learned: &Learned, board: &Board, mv: Move, sums: &mut LearnedSums) {
        let us = board.side();
        let mut kings = [board.king(Side::First), board.king(Side::Second)];
        let to = mv.to();
        let held = board.hand(us);
        if mv.is_drop() {
            let count = held.count(mv.dropped());
            learned.change_hand(sums, us, mv.dropped(), count, count - 1);
            learned.add_piece(sums, kings, Piece::new(us, mv.dropped()), to);
            return;
        }
        let (moving, captured) = (board.piece_on(mv.from()), board.piece_on(to));
        if !captured.is_none() {
            let count = held.count(captured.kind().demoted());
            learned.change_hand(sums, us, captured.kind().demoted(), count, count + 1);
            learned.remove_piece(sums, kings, captured, to);
        }
        learned.remove_piece(sums, kings, moving, mv.from());
        if moving.kind() == Kind::King {
            kings[us.index()] = to;
        }
        learned.add_piece(sums, kings, mv.arriving(moving), to);
        if moving.kind() == Kind::King {
            let others = board.occupied() & !Bitboard::of(mv.from()) & !Bitboard::of(to);
            learned.move_king(sums, board, us, to, others);
        }
    }

    #[inline]
    fn add_hand(&self, sums: &mut Accumulator, side: Side, kind: Kind, sign: i32) {
        sums.add(self.placement.in_hand(side, kind), sign);
        sums.reserve[side.index()] += sign * self.kings.in_hand(kind);
    }

    /// Relations of three pieces in centipawns, from the first side's view.
    #[inline]
    fn three_piece(&self, sums: &Accumulator) -> i32 {
        if self.has_three_piece {
            sums.three_piece.total() * self.weights.learned_percent / (100 * three_piece::UNITS)
        } else {
            0
        }
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
        let squares = |[plain, promoted]: [Kind; 2]| -> i32 {
            let mut count = 0;
            let pieces = board.pieces_of(side, plain) | board.pieces_of(side, promoted);
            pieces.for_each(|square| {
                count += (attacks_of(board.piece_on(square), square, occupied) & free).count() as i32;
            });
            count
        };
        squares([Kind::Rook, Kind::Dragon]) * mix(w.mobility_rook, w.mobility_rook_ending, share)
            + squares([Kind::Bishop, Kind::Horse]) * mix(w.mobility_bishop, w.mobility_bishop_ending, share)
    }
}

impl Evaluate<Board> for Evaluator {
    type Accumulator = Accumulator;
    type Memory = ();

    fn new(config: &Config) -> Self {
        let weights = config.shogi.clone();
        Evaluator {
            learned: (weights.learned != LearnedValues::Off).then(|| Learned::new(weights.learned_percent)),
            has_three_piece: weights.learned == LearnedValues::ThreePiece,
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
            if let Some(learned) = &self.learned {
                learned.add_piece(&mut sums.learned, kings, piece, square);
            }
        }
        for side in [Side::First, Side::Second] {
            for kind in Kind::HAND {
                let count = board.hand(side).count(kind);
                for _ in 0..count {
                    self.add_hand(&mut sums, side, kind, 1);
                }
                if let Some(learned) = &self.learned {
                    learned.change_hand(&mut sums.learned, side, kind, 0, count);
                }
            }
        }
        if self.has_three_piece {
            sums.three_piece = three_piece::refresh(board);
        }
        sums
    }

    #[inline]
    fn update(&self, board: &Board, mv: Move, sums: &Accumulator) -> Accumulator {
        let mut sums = *sums;
        if let Some(learned) = &self.learned {
            Self::update_learned(learned, board, mv, &mut sums.learned);
        }
        if self.has_three_piece {
            sums.three_piece = three_piece::update(board, mv, sums.three_piece);
        }
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

    fn phase(&self, _: &Board, sums: &Accumulator) -> i32 {
        self.phase.share(sums.phase)
    }

    #[inline]
    fn evaluate(&self, board: &Board, sums: &Accumulator, (): &mut ()) -> i32 {
        let share = self.phase(board, sums);
        let learned = sums.learned.total();
        let (opening, ending) = (sums.opening + learned.opening(), sums.ending + learned.ending());
        let score = mix(opening, ending, share) + self.safety(sums, Side::First, share)
            - self.safety(sums, Side::Second, share)
            + self.mobility(board, Side::First, share)
            - self.mobility(board, Side::Second, share)
            + self.three_piece(sums);
        let score = if board.side() == Side::First {
            score
        } else {
            -score
        };
        (score + self.weights.tempo).clamp(-SCORE_MAX, SCORE_MAX)
    }

    // Counted from the board: it is not carried along, since nothing asks for it by default.
    #[cold]
    fn material(&self, board: &Board, _: &Accumulator) -> i32 {
        board.material(board.side()) - board.material(board.side().opponent())
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
    use crate::game::{Game, MoveList, Position};

    fn score_with(config: &Config, sfen: &str) -> i32 {
        let evaluator = Evaluator::new(config);
        let board = Board::parse(sfen).unwrap();
        evaluator.evaluate(&board, &evaluator.refresh(&board), &mut ())
    }

    fn score(sfen: &str) -> i32 {
        score_with(&Config::default(), sfen)
    }

    fn score_as(player: &str, sfen: &str) -> i32 {
        score_with(&Config::parse(Game::Shogi, player).unwrap(), sfen)
    }

    #[test]
    fn the_start_position_is_worth_the_tempo() {
        assert_eq!(score("startpos"), Config::default().shogi.tempo);
    }

    #[test]
    fn a_position_turned_around_is_worth_the_same() {
        let one = "4k4/9/4g4/9/9/9/4P4/4G4/3RK4 b G2p 1";
        let other = "4kr3/4g4/4p4/9/9/9/4G4/9/4K4 w 2Pg 1";
        assert_eq!(score(one), score(other));
        for player in ["eval.learned=on", "eval.learned=three_piece"] {
            assert_eq!(score_as(player, one), score_as(player, other), "{player}");
        }
    }

    #[test]
    fn learnt_values_change_nothing_at_zero_percent() {
        let sfen = "4k4/9/4g4/9/9/9/4P4/4G4/3RK4 b G2p 1";
        for values in ["on", "three_piece"] {
            let player = format!("eval.learned={values}");
            assert_ne!(
                score_as(&player, sfen),
                score_as("eval.learned=off", sfen),
                "{player}"
            );
            assert_eq!(
                score_as(&format!("{player},eval.learned.percent=0"), sfen),
                score_as("eval.learned=off", sfen),
                "{player}"
            );
        }
    }

    #[test]
    fn sums_carried_along_equal_sums_from_scratch_through_whole_games() {
        let mut config = Config::default();
        config.shogi.learned = LearnedValues::ThreePiece;
        let evaluator = Evaluator::new(&config);
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
