//! One game as a format sees it.

use std::borrow::Cow;
use std::io;

use tanren_engine::game::{GameMove, Position, Side};
use tanren_engine::shogi::{self, Piece, Square};

use super::pgn::time_control;
use crate::openings::moves_of;
use crate::record::{GameRecord, Score};
use crate::sanitize;
use crate::session::error::ExperimentError;
use crate::session::stored::Run;

#[derive(Debug, Clone)]
pub(super) struct RecordHeader {
    pub(super) event: String,
    pub(super) site: Option<String>,
    /// Times are told where they decided what was played; elsewhere they depend on nothing but the machine.
    pub(super) has_times: bool,
    /// What each player plays by, by its number, as PGN writes it.
    pub(super) time_controls: Vec<String>,
}

impl RecordHeader {
    pub(super) fn of(run: &Run) -> Result<RecordHeader, ExperimentError> {
        let seats = run.seats()?;
        let limits = seats.seats.iter().map(|seat| seat.limit);
        Ok(RecordHeader {
            event: seats
                .conditions
                .name
                .clone()
                .unwrap_or_else(|| "tanren".to_owned()),
            site: seats.conditions.site.clone(),
            has_times: seats.is_timed(),
            time_controls: limits.map(time_control).collect(),
        })
    }
}

pub(super) struct GameView<'a> {
    pub(super) header: &'a RecordHeader,
    /// Through the run, from 1, as in `games.csv`.
    pub(super) number: u64,
    pub(super) opening: &'a str,
    /// The moves that led to it, as the record of the pair has them.
    pub(super) book: &'a str,
    /// Who played [`Side::First`] and [`Side::Second`].
    pub(super) names: [&'a str; 2],
    /// What they played by, as PGN writes it; nothing if it is not known.
    pub(super) time_controls: [&'a str; 2],
    pub(super) first: Side,
    pub(super) winner: Option<Side>,
    pub(super) game: &'a GameRecord,
}

impl GameView<'_> {
    pub(super) fn name(&self, side: Side) -> Cow<'_, str> {
        sanitize::line(self.names[side.index()])
    }

    pub(super) fn event(&self) -> Cow<'_, str> {
        sanitize::line(&self.header.event)
    }

    pub(super) fn site(&self) -> Option<Cow<'_, str>> {
        self.header.site.as_deref().map(sanitize::line)
    }

    /// Where the record begins, and the moves of the book from there to the opening; none if the opening is a position.
    pub(super) fn start<P: Position>(&self) -> io::Result<(P, Vec<P::Move>)> {
        let opening = P::parse(self.opening).map_err(|error| unreadable(self, &error))?;
        let text = opening.to_string();
        let leads_there = |(start, moves): &(P, Vec<P::Move>)| {
            let mut position = start.clone();
            for &mv in moves {
                position.make(mv);
            }
            position.to_string() == text
        };
        let book = moves_of::<P>(self.book, usize::MAX).ok().filter(leads_there);
        Ok(book.unwrap_or((opening, Vec::new())))
    }

    /// What the engine wrote about a turn.
    pub(super) fn comment(&self, turn: usize) -> Option<Cow<'_, str>> {
        let comments = &self.game.comments;
        let (_, text) = comments.iter().find(|(of, _)| *of as usize == turn)?;
        Some(sanitize::line(text))
    }

    /// When it began and ended, in UTC, if that is to be told.
    pub(super) fn times(&self, format: &str) -> Option<[String; 2]> {
        let span = self.game.span;
        let text = |ms: u64| {
            let ms = i64::try_from(ms).unwrap_or(i64::MAX);
            let time = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::MAX);
            time.strftime(format).to_string()
        };
        (self.header.has_times && span.start_ms > 0).then(|| [span.start_ms, span.end_ms].map(text))
    }

    pub(super) fn side(&self, index: usize) -> Side {
        if index.is_multiple_of(2) {
            self.first
        } else {
            self.first.opponent()
        }
    }

    pub(super) fn has_lost(&self, side: Side) -> bool {
        self.winner == Some(side.opponent())
    }

    /// Time of a turn, if it is to be told.
    pub(super) fn time_ms(&self, index: usize) -> Option<u64> {
        let turn = self.game.turns.get(index)?;
        self.header.has_times.then_some(turn.time_ms)
    }
}

/// The words of the moves that were expected after the move with this index, if that was the first of its variation.
/// `after` is the position after it; `word` gets each move and the position it is made in. An engine may say anything: the
/// first move against the rules is the last thing that is looked at.
pub(super) fn expected_words<P: Position>(
    view: &GameView<'_>,
    index: usize,
    after: &P,
    mut word: impl FnMut(&P, P::Move) -> String,
) -> Vec<String> {
    let Some((first, expected)) = view.game.variations.of(index).split_first() else {
        return Vec::new();
    };
    let mut words = Vec::new();
    let mut position = after.clone();
    let is_played = view.game.moves.get(index) == Some(first);
    for &bits in expected.iter().filter(|_| is_played) {
        let mv = P::Move::from_bits(bits);
        if !(position.is_pseudo_legal(mv) && position.is_legal(mv)) {
            break;
        }
        words.push(word(&position, mv));
        position.make(mv);
    }
    words
}

/// Hands every move to `write` with the index of its turn, which moves of the book have not, and the positions before and after it. A
/// move against the rules could not be written down, nor made.
pub(super) fn each_move<P: Position>(
    view: &GameView<'_>,
    mut write: impl FnMut(Option<usize>, P::Move, [&P; 2]) -> io::Result<()>,
) -> io::Result<()> {
    let (mut before, book) = view.start::<P>()?;
    for mv in book {
        let mut after = before.clone();
        after.make(mv);
        write(None, mv, [&before, &after])?;
        before = after;
    }
    for (index, &bits) in view.game.moves.iter().enumerate() {
        let mv = P::Move::from_bits(bits);
        if !(before.is_pseudo_legal(mv) && before.is_legal(mv)) {
            return Err(unreadable(
                view,
                &format_args!("{mv} is no move at ply {}", index + 1),
            ));
        }
        let mut after = before.clone();
        after.make(mv);
        write(Some(index), mv, [&before, &after])?;
        before = after;
    }
    Ok(())
}

/// A score of `side` as [`Side::First`] sees it, in centipawns as programs write it that know no mates: 30000 less the plies to them.
pub(super) fn plain_centipawns(score: Score, side: Side) -> i32 {
    let value = match score {
        Score::Centipawns(value) => value,
        Score::Mate(plies) if plies > 0 => 30_000_i32.saturating_sub(plies),
        Score::Mate(plies) => (-30_000_i32).saturating_sub(plies),
    };
    match side {
        Side::First => value,
        Side::Second => value.saturating_neg(),
    }
}

/// The ranks of a diagram, from the first, each from the ninth file.
pub(super) fn ranks(board: &shogi::Board, cell: impl Fn(Piece) -> String) -> impl Iterator<Item = String> {
    (0..9).map(move |rank| {
        let squares = (0..9).rev().map(|file| Square::at(file, rank));
        squares.map(|square| cell(board.piece_on(square))).collect()
    })
}

pub(super) fn unreadable(view: &GameView<'_>, problem: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("game {}: {problem}", view.number),
    )
}
