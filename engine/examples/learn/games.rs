//! Quiet positions of finished games.
//!
//! In: `games.sfen`, `games.csv` and, for the scores of the searches, `games.csa` of a match. Out: [`Positions`] to learn from
//! and to validate on, kept apart by pair.
//! Must not: choose positions by their result.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use tanren_engine::config::{Config, LearnedValues};
use tanren_engine::eval::shogi::Evaluator;
use tanren_engine::eval::{Evaluate, PHASE_WHOLE};
use tanren_engine::game::{MoveList, Position, Side};
use tanren_engine::shogi::{Board, Kind};

use crate::features::{Positions, Sample};
use crate::scores::Scores;

/// One pair of so many is for validation.
const VALIDATION_EVERY: u64 = 20;
/// A capture that gains so much (a pawn in hand and one less against) makes a position loud.
const LOUD_FROM: i32 = 100;

/// Positions judged worse or better than this teach little, since no value that is learnt would change their result.
const UNDECIDED_TO: i32 = 1500;

/// All positions read so far.
#[derive(Default)]
pub(crate) struct Games {
    pub(crate) count: usize,
    pub(crate) training: Positions,
    pub(crate) validation: Positions,
}

/// Neither in check nor able to win material, and left by a move that captures nothing.
fn is_quiet(board: &Board, next: <Board as Position>::Move) -> bool {
    if board.in_check() || board.is_tactical(next) {
        return false;
    }
    let mut captures = MoveList::new();
    board.captures(&mut captures);
    !captures
        .iter()
        .any(|&mv| board.see_ge(mv, LOUD_FROM) && board.is_legal(mv))
}

/// The position as the learner needs it; `result` is the first side's, in halves, and so is the view of `searched`.
fn push(positions: &mut Positions, evaluator: &Evaluator, board: &Board, result: u8, searched: Option<f32>) {
    let sums = evaluator.refresh(board);
    let score = evaluator.evaluate(board, &sums, &mut ());
    if score.abs() > UNDECIDED_TO {
        return;
    }
    let hand = |side: Side| Kind::HAND.map(|kind| board.hand(side).count(kind) as u8);
    let pieces = board.occupied().into_iter().map(|square| {
        let piece = board.piece_on(square);
        (piece.index() as u8, square.index() as u8)
    });
    let sample = Sample {
        hands: [hand(Side::First), hand(Side::Second)],
        score: if board.side() == Side::First {
            score
        } else {
            -score
        } as f32,
        share: evaluator.phase(board, &sums) as f32 / PHASE_WHOLE as f32,
        result: f32::from(result) / 2.0,
        searched,
        ..Sample::default()
    };
    positions.push(sample, pieces);
}

impl Games {
    /// Adds the games of the match in `folder`, judged by the evaluation with the values `below`, with the scores of their searches if
    /// `with_scores`.
    pub(crate) fn read(
        &mut self,
        folder: &Path,
        below: LearnedValues,
        with_scores: bool,
    ) -> Result<(), String> {
        let (moves_path, results_path) = (folder.join("games.sfen"), folder.join("games.csv"));
        let at = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let lines = BufReader::new(File::open(&moves_path).map_err(|error| at(&moves_path, &error))?).lines();
        let mut results = csv::Reader::from_path(&results_path).map_err(|error| at(&results_path, &error))?;
        let headers = results.headers().map_err(|error| at(&results_path, &error))?;
        let column = |name: &str| {
            let found = headers.iter().position(|header| header == name);
            found.ok_or_else(|| at(&results_path, &format!("there is no column '{name}'")))
        };
        let (pair_column, result_column) = (column("pair")?, column("result")?);
        let mut config = Config::default();
        config.shogi.learned = below;
        let evaluator = <Evaluator as Evaluate<Board>>::new(&config);
        let mut rows = results.records();
        let mut scores = with_scores.then(|| Scores::open(folder)).transpose()?;
        for (index, line) in lines.enumerate() {
            let line = line.map_err(|error| at(&moves_path, &error))?;
            let row = rows
                .next()
                .ok_or_else(|| at(&results_path, &"fewer games than games.sfen"))?;
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
            self.game(&evaluator, &line, &row[result_column], pair, &searched)
                .map_err(|error| at(&moves_path, &format!("line {number}: {error}")))?;
        }
        Ok(())
    }

    /// Adds one game: `sfen <position> moves <move> …` and its result as the first mover's.
    fn game(
        &mut self,
        evaluator: &Evaluator,
        line: &str,
        result: &str,
        pair: u64,
        searched: &[Option<f32>],
    ) -> Result<(), String> {
        let (position, moves) = line
            .strip_prefix("sfen ")
            .and_then(|line| line.split_once(" moves"))
            .ok_or("not of the form 'sfen <position> moves <move> ...'")?;
        let mut board = Board::parse(position).map_err(|error| error.to_string())?;
        let halves = match (result, board.side()) {
            ("1/2", _) => 1,
            ("1-0", Side::First) | ("0-1", Side::Second) => 2,
            ("1-0", Side::Second) | ("0-1", Side::First) => 0,
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
