//! Evaluation of shogi: material, square values, mobility of the major pieces, king safety and, if asked for, learnt values, those of threats among them.

mod king;
pub mod learned;
mod placement;
mod sums;
mod threats;
mod three_piece;

use self::learned::{THREATS_FROM, WEIGHTS};
use self::placement::PHASE_POINTS_MAX;
use self::sums::{Sums, Tables};
use self::threats::threats_between;
use self::three_piece::ThreePieceSums;
use super::learned::PackedScore;
use super::phase::{PhaseLine, mix};
use super::{Evaluate, Evaluated};
use crate::config::{Config, LearnedValues, ShogiWeights};
use crate::game::Side;
use crate::shogi::{Bitboard, Board, Kind, Move, SquareIndices, StepTable};

/// The evaluation with its weights expanded.
#[derive(Debug, Clone)]
pub struct Evaluator {
    weights: ShogiWeights,
    tables: Tables,
    /// By phase points.
    phases: Box<[PhaseWeights; PHASE_POINTS_MAX + 1]>,
    has_three_piece: bool,
    /// Of threats, from [`THREATS_FROM`] on; none if they are not counted.
    threats: Option<Box<[PackedScore; WEIGHTS - THREATS_FROM]>>,
}

/// What holds for a number of phase points: the share of the ending values, and weights mixed by it.
#[derive(Debug, Clone, Copy)]
struct PhaseWeights {
    share: i32,
    castle: i32,
    danger: i32,
    exposure: i32,
    rook: i32,
    bishop: i32,
}

impl PhaseWeights {
    fn new(w: &ShogiWeights, share: i32) -> Self {
        PhaseWeights {
            share,
            castle: mix(w.castle, w.castle_ending, share),
            danger: mix(w.danger, w.danger_ending, share),
            exposure: mix(w.exposure, w.exposure_ending, share),
            rook: mix(w.mobility_rook, w.mobility_rook_ending, share),
            bishop: mix(w.mobility_bishop, w.mobility_bishop_ending, share),
        }
    }
}

pub use self::threats::{Ring, Threat, threats};

/// Sums carried from ply to ply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accumulator {
    sums: Sums,
    three_piece: ThreePieceSums,
}

/// What an evaluation leaves behind.
#[derive(Debug, Default)]
pub struct Memory {
    /// What the side to move and its opponent attack; none if threats are not counted.
    attacked: Option<[Bitboard; 2]>,
    /// Valid for every configuration.
    steps: StepTable,
}

impl Evaluator {
    /// Relations of three pieces in centipawns, from the first side's view.
    #[inline]
    fn three_piece(&self, accumulator: &Accumulator) -> i32 {
        if self.has_three_piece {
            accumulator.three_piece.total() * self.weights.learned_percent / (100 * three_piece::UNITS)
        } else {
            0
        }
    }

    #[inline]
    fn phase_weights(&self, sums: &Sums) -> &PhaseWeights {
        &self.phases[(sums.pieces.phase().max(0) as usize).min(PHASE_POINTS_MAX)]
    }

    /// What `side` has by its castle, and what it fears: castle units in tenths, attack × (attack + twice the reserve), reserve × missing castle
    /// units.
    #[inline]
    fn king_terms(&self, sums: &Sums, side: Side) -> [i32; 3] {
        let king = sums.kings[side.index()];
        let (castle, attack) = (king.castle(), king.attack() / 10);
        let reserve = sums.reserve[side.opponent().index()];
        let missing = (self.weights.exposure_from - castle / 10).max(0);
        [castle, attack * (attack + 2 * reserve), reserve * missing]
    }

    /// What the castles, the attacks on them and the reserves are worth, from the first side's view.
    #[inline]
    fn safety(&self, sums: &Sums, weights: &PhaseWeights) -> i32 {
        let of = |side: Side| {
            let [castle, danger, exposure] = self.king_terms(sums, side);
            castle * weights.castle / 100
                - danger * weights.danger / 1024
                - exposure * weights.exposure / 1024
        };
        of(Side::First) - of(Side::Second)
    }

    /// What the squares that the major pieces can go to, and the threats against the side to move, are worth to it. Sets
    /// `memory.attacked`.
    #[inline]
    fn attacks(&self, board: &Board, weights: &PhaseWeights, memory: &mut Memory) -> i32 {
        let (us, them) = (board.side(), board.side().opponent());
        let mobility = |side: Side, kind: Kind, reach: Bitboard| {
            let weight = if kind == Kind::Rook {
                weights.rook
            } else {
                weights.bishop
            };
            weight * reach.without(board.pieces(side)).count() as i32
        };
        let mut value = 0;
        let Some(values) = &self.threats else {
            memory.attacked = None;
            board.majors(us, |kind, reach| value += mobility(us, kind, reach));
            board.majors(them, |kind, reach| value -= mobility(them, kind, reach));
            return value;
        };
        let own = board.attack_map(us, memory.steps.of(board, us), |kind, reach| {
            value += mobility(us, kind, reach)
        });
        let enemy = board.attack_map(them, memory.steps.of(board, them), |kind, reach| {
            value -= mobility(them, kind, reach)
        });
        memory.attacked = Some([own.all, enemy.all]);
        let mut sum = PackedScore::default();
        threats_between(board, &own, &enemy, |place| {
            sum = sum.plus(values[place - THREATS_FROM])
        });
        value + mix(sum.opening(), sum.ending(), weights.share)
    }
}

/// A term of the evaluation that settings weigh.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// The setting of the opening value; that of the ending value has `.ending` after it.
    pub name: &'static str,
    /// How far the setting must rise to add a centipawn where [`Evaluator::counts`] says `count`.
    pub step: i32,
    /// See `step`.
    pub count: i32,
}

/// The terms that [`Evaluator::counts`] counts, in its order.
pub const TERMS: [Term; 5] = [
    Term::new("eval.castle", 5, 20),
    Term::new("eval.danger", 8, 2),
    Term::new("eval.exposure", 8, 2),
    Term::new("eval.mobility.rook", 1, 1),
    Term::new("eval.mobility.bishop", 1, 1),
];

impl Term {
    const fn new(name: &'static str, step: i32, count: i32) -> Self {
        Term { name, step, count }
    }
}

impl Evaluator {
    /// How much there is of each of [`TERMS`], from the first side's view.
    pub fn counts(&self, board: &Board) -> [i16; TERMS.len()] {
        let sums = self.refresh(board).sums;
        let of = |side: Side| {
            let [castle, danger, exposure] = self.king_terms(&sums, side);
            let mut squares = [0; 2];
            board.majors(side, |kind, reach| {
                squares[usize::from(kind == Kind::Bishop)] +=
                    reach.without(board.pieces(side)).count() as i32;
            });
            let [rook, bishop] = squares;
            // Whole products may not fit into 16 bits.
            [castle, -danger / 64, -exposure / 64, rook, bishop]
        };
        let (first, second) = (of(Side::First), of(Side::Second));
        std::array::from_fn(|index| {
            let count = first[index] - second[index];
            count.clamp(i16::MIN.into(), i16::MAX.into()) as i16
        })
    }
}

impl Evaluate<Board> for Evaluator {
    type Accumulator = Accumulator;
    type Memory = Memory;

    fn new(config: &Config) -> Self {
        let weights = config.shogi.clone();
        let points_max = PHASE_POINTS_MAX as i32;
        let phase = PhaseLine::new(weights.phase_opening, weights.phase_ending, points_max);
        Evaluator {
            tables: Tables::new(&weights),
            phases: Box::new(std::array::from_fn(|points| {
                PhaseWeights::new(&weights, phase.share(points as i32))
            })),
            has_three_piece: weights.learned == LearnedValues::ThreePiece,
            threats: (weights.threats && weights.learned != LearnedValues::Off).then(|| {
                Box::new(std::array::from_fn(|index| {
                    let [opening, ending] = learned::value_of(THREATS_FROM + index, weights.learned_percent);
                    PackedScore::new(opening, ending)
                }))
            }),
            weights,
        }
    }

    fn refresh(&self, board: &Board) -> Accumulator {
        Accumulator {
            sums: self.tables.refresh(board),
            three_piece: if self.has_three_piece {
                three_piece::refresh(board)
            } else {
                ThreePieceSums::default()
            },
        }
    }

    #[inline]
    fn update(&self, board: &Board, mv: Move, accumulator: &Accumulator) -> Accumulator {
        let mut accumulator = *accumulator;
        if self.has_three_piece {
            accumulator.three_piece = three_piece::update(board, mv, accumulator.three_piece);
        }
        self.tables.update(board, mv, &mut accumulator.sums);
        accumulator
    }

    fn phase(&self, _: &Board, accumulator: &Accumulator) -> i32 {
        self.phase_weights(&accumulator.sums).share
    }

    #[inline]
    fn evaluate(&self, board: &Board, accumulator: &Accumulator, memory: &mut Memory) -> i32 {
        let sums = &accumulator.sums;
        let weights = self.phase_weights(sums);
        let [first, second] = sums.kings;
        let opening = sums.pieces.opening() + first.opening() + second.opening();
        let ending = sums.pieces.ending() + first.ending() + second.ending();
        let score =
            mix(opening, ending, weights.share) + self.safety(sums, weights) + self.three_piece(accumulator);
        let score = if board.side() == Side::First {
            score
        } else {
            -score
        };
        (score + self.attacks(board, weights, memory) + self.weights.tempo).clamp(-SCORE_MAX, SCORE_MAX)
    }

    #[inline]
    fn attacks_of_both(memory: &Memory) -> Option<[SquareIndices; 2]> {
        memory.attacked.map(|sets| sets.map(SquareIndices::from))
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
        evaluator.evaluate(&board, &evaluator.refresh(&board), &mut Memory::default())
    }

    fn score(sfen: &str) -> i32 {
        score_with(&Config::default(), sfen)
    }

    fn score_as(player: &str, sfen: &str) -> i32 {
        score_with(&Config::parse(Game::Shogi, player).unwrap(), sfen)
    }

    #[test]
    fn attacked_squares_are_known_only_while_threats_are_counted() {
        let board = Board::start();
        let mut memory = Memory::default();
        let mut evaluate = |player| {
            let evaluator = Evaluator::new(&Config::parse(Game::Shogi, player).unwrap());
            evaluator.evaluate(&board, &evaluator.refresh(&board), &mut memory);
            Evaluator::attacks_of_both(&memory)
        };
        let [_, them] = evaluate("base").unwrap();
        assert_eq!(them, board.attacked_squares());
        assert_eq!(evaluate("base,eval.threats=off"), None);
    }

    #[test]
    fn the_start_position_is_worth_the_tempo() {
        assert_eq!(
            score_as("eval.threats=off", "startpos"),
            Config::default().shogi.tempo
        );
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
    fn a_setting_that_rises_adds_what_its_term_counts() {
        let sfen = "4k4/9/3+PG4/9/9/9/9/1B2G4/3RK4 b RG2S4P 1";
        let config = Config::parse(Game::Shogi, "eval.learned=off").unwrap();
        let counts = Evaluator::new(&config).counts(&Board::parse(sfen).unwrap());
        for (term, count) in TERMS.into_iter().zip(counts) {
            let mut raised = config.clone();
            for name in [term.name.to_owned(), format!("{}.ending", term.name)] {
                let value: i32 = config.get(Game::Shogi, &name).unwrap().parse().unwrap();
                let value = (value + 10 * term.step).to_string();
                raised.set(Game::Shogi, &name, &value).unwrap();
            }
            let gained = score_with(&raised, sfen) - score_with(&config, sfen);
            let expected = 10 * i32::from(count) / term.count;
            // Counts are rounded towards 0, and so are scores.
            assert!(
                expected >= 25 && (gained - expected).abs() <= 12,
                "{term:?}: {gained}, {expected}"
            );
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
