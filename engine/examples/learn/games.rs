//! Quiet positions of finished games.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use tanren_engine::chess;
use tanren_engine::eval::chess::counts;
use tanren_engine::eval::shogi::learned::{THREATS_FROM, WEIGHTS};
use tanren_engine::eval::shogi::threats;
use tanren_engine::eval::{Evaluate, Evaluated, PHASE_WHOLE};
use tanren_engine::game::{EarlyTests, MoveList, Position, Side};
use tanren_engine::shogi;

use crate::features::Sample;
use crate::scores::Scores;

/// One pair of so many is for validation.
const VALIDATION_EVERY: u64 = 20;
/// A capture that gains so much (a pawn in hand and one less against) makes a position loud.
const LOUD_FROM: i32 = 100;

/// Positions judged worse or better than this teach little, since no value that is learnt would change their result.
const UNDECIDED_TO: i32 = 1500;

#[derive(Default)]
pub(crate) struct Games {
    pub(crate) count: usize,
    pub(crate) training: Vec<Sample>,
    pub(crate) validation: Vec<Sample>,
}

/// A game that is learnt from.
pub(crate) trait Learnable: Evaluated {
    /// The file of the moves of a match, and the word that its lines begin with.
    const FILE: &str;
    const WORD: &str;

    /// Pieces, hands and counts of the position.
    fn sample(&self, evaluator: &Self::Evaluator) -> Sample;

    /// Percent of its values in the score of the position, which is `score` from the first side's view.
    fn percent(&self, _: &Self::Evaluator, _score: i32) -> i32 {
        100
    }
}

impl Learnable for shogi::Board {
    const FILE: &str = "games.sfen";
    const WORD: &str = "sfen ";

    fn sample(&self, evaluator: &Self::Evaluator) -> Sample {
        let hand = |side: Side| shogi::Kind::HAND.map(|kind| self.hand(side).count(kind) as u8);
        let mut counts = vec![0; WEIGHTS - THREATS_FROM];
        threats(self, |place| {
            counts[place - THREATS_FROM] += self.side().sign() as i16
        });
        counts.extend(evaluator.counts(self));
        let piece = |square| (self.piece_on(square).index() as u8, square.index() as u8);
        Sample {
            pieces: self.occupied().into_iter().map(piece).collect(),
            hands: [hand(Side::First), hand(Side::Second)],
            counts: counts.into(),
            ..Sample::default()
        }
    }
}

impl Learnable for chess::Board {
    const FILE: &str = "games.fen";
    const WORD: &str = "fen ";

    fn sample(&self, _: &Self::Evaluator) -> Sample {
        let mut pieces = Vec::with_capacity(32);
        for color in chess::Color::ALL {
            for piece in chess::Piece::ALL {
                let squares = self.colored_pieces(color, piece).into_iter();
                pieces.extend(squares.map(|square| ((color as u8) << 4 | piece as u8, square as u8)));
            }
        }
        let [mut counts, black] = counts(self);
        for (count, black) in counts.iter_mut().zip(black) {
            *count -= black;
        }
        Sample {
            pieces: pieces.into(),
            counts: counts.into(),
            ..Sample::default()
        }
    }

    fn percent(&self, evaluator: &Self::Evaluator, score: i32) -> i32 {
        evaluator.percent(self, score)
    }
}

/// Neither in check nor able to win material, and left by a move that captures nothing.
fn is_quiet<P: Position>(board: &P, next: P::Move) -> bool {
    if board.in_check() || board.is_tactical(next) {
        return false;
    }
    let mut captures = MoveList::new();
    board.captures(&mut captures, EarlyTests::default());
    !captures
        .iter()
        .any(|&mv| board.see_ge(mv, LOUD_FROM) && board.is_legal(mv))
}

/// The position as the learner needs it; `result` is the first side's, in halves, and so is the view of `searched`.
fn push<P: Learnable>(
    positions: &mut Vec<Sample>,
    evaluator: &P::Evaluator,
    board: &P,
    result: u8,
    searched: Option<f32>,
) {
    let sums = evaluator.refresh(board);
    let score = evaluator.evaluate(board, &sums, &mut Default::default());
    if score.abs() > UNDECIDED_TO {
        return;
    }
    let sign = board.side_to_move().sign();
    let sample = Sample {
        score: (sign * score) as f32,
        on_move: sign as f32,
        scale: board.percent(evaluator, sign * score) as f32 / 100.0,
        share: evaluator.phase(board, &sums) as f32 / PHASE_WHOLE as f32,
        result: f32::from(result) / 2.0,
        searched,
        ..board.sample(evaluator)
    };
    positions.push(sample);
}

impl Games {
    /// Adds the games of the match in `folder`, judged by `evaluator`, with the scores of their searches if `with_scores`.
    pub(crate) fn read<P: Learnable>(
        &mut self,
        folder: &Path,
        evaluator: &P::Evaluator,
        with_scores: bool,
    ) -> Result<(), String> {
        let (moves_path, results_path) = (folder.join(P::FILE), folder.join("games.csv"));
        let at = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let lines = BufReader::new(File::open(&moves_path).map_err(|error| at(&moves_path, &error))?).lines();
        let mut results = csv::Reader::from_path(&results_path).map_err(|error| at(&results_path, &error))?;
        let headers = results.headers().map_err(|error| at(&results_path, &error))?;
        let column = |name: &str| {
            let found = headers.iter().position(|header| header == name);
            found.ok_or_else(|| at(&results_path, &format!("there is no column '{name}'")))
        };
        let (pair_column, result_column) = (column("pair")?, column("result")?);
        let mut rows = results.records();
        let mut scores = with_scores.then(|| Scores::open(folder, P::GAME)).transpose()?;
        for (index, line) in lines.enumerate() {
            let line = line.map_err(|error| at(&moves_path, &error))?;
            let row = rows
                .next()
                .ok_or_else(|| at(&results_path, &format!("fewer games than {}", P::FILE)))?;
            let row = row.map_err(|error| at(&results_path, &error))?;
            let number = index + 1;
            let pair = row[pair_column].parse().map_err(|_| {
                at(
                    &results_path,
                    &format!("game {number}: '{}' is no pair", &row[pair_column]),
                )
            })?;
            let searched = match &mut scores {
                Some(scores) => scores.next_game()?,
                None => Vec::new(),
            };
            self.game::<P>(evaluator, &line, &row[result_column], pair, &searched)
                .map_err(|error| at(&moves_path, &format!("line {number}: {error}")))?;
        }
        Ok(())
    }

    /// Adds one game: `sfen <position> moves <move> …` (in chess `fen`) and its result as that of Sente or White.
    fn game<P: Learnable>(
        &mut self,
        evaluator: &P::Evaluator,
        line: &str,
        result: &str,
        pair: u64,
        searched: &[Option<f32>],
    ) -> Result<(), String> {
        let (position, moves) = line
            .strip_prefix(P::WORD)
            .and_then(|line| line.split_once(" moves"))
            .ok_or_else(|| format!("not of the form '{}<position> moves <move> ...'", P::WORD))?;
        let mut board = P::parse(position).map_err(|error| error.to_string())?;
        let halves = match result {
            "1/2" => 1,
            "1-0" => 2,
            "0-1" => 0,
            _ => return Err(format!("'{result}' is no result (expected 1-0, 0-1 or 1/2)")),
        };
        let positions = if pair.is_multiple_of(VALIDATION_EVERY) {
            &mut self.validation
        } else {
            &mut self.training
        };
        for (ply, text) in moves.split_whitespace().enumerate() {
            let mv = board.parse_move(text).map_err(|error| error.to_string())?;
            if is_quiet(&board, mv) {
                let score = searched.get(ply).copied().flatten();
                push(positions, evaluator, &board, halves, score);
            }
            board.make(mv);
        }
        self.count += 1;
        Ok(())
    }
}
