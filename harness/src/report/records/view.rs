//! One game as a format sees it.

use std::borrow::Cow;
use std::io;

use tanren_engine::game::{GameMove, Position, Side};

use crate::foreign;
use crate::record::{GameRecord, Reason, Score, Turn};

/// What a record says of its run.
#[derive(Debug, Clone, Copy)]
pub struct RecordHeader<'a> {
    pub event: &'a str,
    pub times: Times,
    /// What each player plays by, by its number, as PGN writes it.
    pub time_controls: &'a [String],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    Shown,
    /// They depend on nothing but the machine.
    Hidden,
}

/// One game as a format sees it.
pub(super) struct View<'a> {
    pub(super) header: RecordHeader<'a>,
    /// Through the run, from 1, as in `games.csv`.
    pub(super) number: u64,
    pub(super) opening: &'a str,
    /// Who played [`Side::First`] and [`Side::Second`].
    pub(super) names: [&'a str; 2],
    /// What they played by, as PGN writes it; nothing if it is not known.
    pub(super) time_controls: [&'a str; 2],
    pub(super) start: Side,
    pub(super) winner: Option<Side>,
    pub(super) game: &'a GameRecord,
}

impl View<'_> {
    /// Who played `side`, as one line of any format.
    pub(super) fn name(&self, side: Side) -> Cow<'_, str> {
        foreign::line(self.names[side.index()])
    }

    /// What the game belongs to, as one line of any format.
    pub(super) fn event(&self) -> Cow<'_, str> {
        foreign::line(self.header.event)
    }

    /// The side of the turn with this index.
    pub(super) fn side(&self, index: usize) -> Side {
        if index.is_multiple_of(2) {
            self.start
        } else {
            self.start.opponent()
        }
    }

    /// The side whose turn it is after the last move.
    pub(super) fn side_at_end(&self) -> Side {
        self.side(self.game.moves.len())
    }

    pub(super) fn has_lost(&self, side: Side) -> bool {
        self.winner == Some(side.opponent())
    }

    pub(super) fn reason(&self) -> Reason {
        self.game.reason
    }

    /// The turn of this index, if it is recorded.
    pub(super) fn turn(&self, index: usize) -> Option<&Turn> {
        self.game.turns.get(index)
    }

    /// Time of a turn, if it is to be told.
    pub(super) fn time_ms(&self, index: usize) -> Option<u64> {
        let turn = self.turn(index)?;
        (self.header.times == Times::Shown).then_some(turn.time_ms)
    }
}

/// The words of the moves that were expected after the move with this index, if that was the first of its variation.
/// `after` is the position after it; `word` gets each move and the position it is made in. An engine may say anything: the
/// first move against the rules is the last thing that is looked at.
pub(super) fn expected_words<P: Position>(
    view: &View<'_>,
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

/// The recorded move of this index in `position`. A move against the rules could not be written down, nor made.
pub(super) fn recorded_move<P: Position>(view: &View<'_>, index: usize, position: &P) -> io::Result<P::Move> {
    let mv = P::Move::from_bits(view.game.moves[index]);
    if position.is_pseudo_legal(mv) && position.is_legal(mv) {
        return Ok(mv);
    }
    Err(unreadable(
        view,
        &format_args!("{mv} is no move at ply {}", index + 1),
    ))
}

/// A score as a number of centipawns, as programs that know no mates write it: mates are 30000 less the plies to them.
pub(super) fn plain_centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(plies) if plies > 0 => 30_000_i32.saturating_sub(plies),
        Score::Mate(plies) => (-30_000_i32).saturating_sub(plies),
    }
}

/// `value`, seen by `side`, as [`Side::First`] sees it.
pub(super) fn from_first(value: i32, side: Side) -> i32 {
    match side {
        Side::First => value,
        Side::Second => value.saturating_neg(),
    }
}

/// What a game that cannot be written down says.
pub(super) fn unreadable(view: &View<'_>, problem: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("game {}: {problem}", view.number),
    )
}
