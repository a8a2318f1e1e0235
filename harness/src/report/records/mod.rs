//! Games in the formats that other programs read.
//!
//! In: a ledger and how far it is counted. Out: `games.csa`, `kif/*.kifu` or `games.pgn`. Must not: judge a game again;
//! moves are taken as they were recorded.
//!
//! No date is written, and times only where they decided what was played: otherwise two runs of one specification would
//! have different files.

mod csa;
mod ends;
mod kif;
mod pgn;
mod san;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tanren_engine::game::{Game, GameMove, Position, Side};

use super::files::{ReportError, each_counted, write_atomically};
use crate::ledger::{About, Ledger};
use crate::record::{GameRecord, PairRecord, PlayerId, Reason, Score, Turn};

/// A format of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// CSA V2.2, shogi: one file, games separated by `/`.
    Csa,
    /// KIF in UTF-8, shogi: one file a game.
    Kif,
    /// PGN, chess: one file.
    Pgn,
}

impl RecordFormat {
    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            RecordFormat::Csa => "csa",
            RecordFormat::Kif => "kif",
            RecordFormat::Pgn => "pgn",
        }
    }

    /// The game that it is made for.
    pub fn game(self) -> Game {
        match self {
            RecordFormat::Csa | RecordFormat::Kif => Game::Shogi,
            RecordFormat::Pgn => Game::Chess,
        }
    }
}

/// What a record says of its run.
#[derive(Debug, Clone, Copy)]
pub struct RecordHeader<'a> {
    /// What the games belong to.
    pub event: &'a str,
    /// Are times worth telling?
    pub times: Times,
}

/// Whether a record tells times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// They decided what was played.
    Shown,
    /// They depend on nothing but the machine.
    Hidden,
}

/// One game as a format sees it.
struct View<'a> {
    header: RecordHeader<'a>,
    /// Through the run, from 1, as in `games.csv`.
    number: u64,
    /// The position it started from.
    opening: &'a str,
    /// Who played [`Side::First`] and [`Side::Second`].
    names: [&'a str; 2],
    /// The side that moved first.
    start: Side,
    winner: Option<Side>,
    game: &'a GameRecord,
}

impl View<'_> {
    /// The side of the turn with this index.
    fn side(&self, index: usize) -> Side {
        if index.is_multiple_of(2) {
            self.start
        } else {
            self.start.opponent()
        }
    }

    /// The side whose turn it is after the last move.
    fn side_at_end(&self) -> Side {
        self.side(self.game.moves.len())
    }

    fn has_lost(&self, side: Side) -> bool {
        self.winner == Some(side.opponent())
    }

    fn reason(&self) -> Reason {
        self.game.reason
    }

    /// The turn of this index, if it is recorded.
    fn turn(&self, index: usize) -> Option<&Turn> {
        self.game.turns.get(index)
    }

    /// Time of a turn, if it is to be told.
    fn time_ms(&self, index: usize) -> Option<u64> {
        let turn = self.turn(index)?;
        (self.header.times == Times::Shown).then_some(turn.time_ms)
    }
}

/// The words of the moves that were expected after the move with this index, if that was the first of its variation.
/// `after` is the position after it; `word` gets each move and the position it is made in. An engine may say anything: the
/// first move against the rules is the last thing that is looked at.
fn expected_words<P: Position>(
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

/// A score as a number of centipawns, as programs that know no mates write it: mates are 30000 less the plies to them.
fn plain_centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(plies) if plies > 0 => 30_000_i32.saturating_sub(plies),
        Score::Mate(plies) => (-30_000_i32).saturating_sub(plies),
    }
}

/// `value`, seen by `side`, as [`Side::First`] sees it.
fn from_first(value: i32, side: Side) -> i32 {
    match side {
        Side::First => value,
        Side::Second => value.saturating_neg(),
    }
}

/// Writes the counted games of `ledger` in `format` into `folder`.
///
/// # Errors
/// The ledger cannot be read, holds moves that are none, or a file cannot be written.
pub fn write_records(
    folder: &Path,
    ledger: &Ledger,
    counted: u64,
    format: RecordFormat,
    header: RecordHeader<'_>,
) -> Result<(), ReportError> {
    let about = ledger.about()?;
    let one_file = |name: &str, write: fn(&mut dyn Write, &View<'_>) -> io::Result<()>| {
        write_atomically(&folder.join(name), |output| {
            each_view(ledger, &about, counted, format, header, |view| {
                write(output, view)
            })
        })
    };
    match format {
        RecordFormat::Csa => one_file("games.csa", csa::write),
        RecordFormat::Pgn => one_file("games.pgn", pgn::write),
        RecordFormat::Kif => write_folder(&folder.join("kif"), ledger, &about, counted, header),
    }
}

fn write_folder(
    folder: &Path,
    ledger: &Ledger,
    about: &About,
    counted: u64,
    header: RecordHeader<'_>,
) -> Result<(), ReportError> {
    let to_error = |source| ReportError::Write {
        path: folder.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(to_error)?;
    let written = each_view(ledger, about, counted, RecordFormat::Kif, header, |view| {
        let path = folder.join(format!("{:06}.kifu", view.number));
        write_atomically(&path, |output| kif::write(output, view)).map_err(io::Error::other)
    });
    written.map_err(to_error)
}

fn each_view(
    ledger: &Ledger,
    about: &About,
    counted: u64,
    format: RecordFormat,
    header: RecordHeader<'_>,
    mut write: impl FnMut(&View<'_>) -> io::Result<()>,
) -> io::Result<()> {
    each_counted(ledger, counted, |record| {
        let labels = about.labels_of(record.players);
        (0..2).try_for_each(|index| write(&view(record, index, &labels, format, header)))
    })
}

fn view<'a>(
    record: &'a PairRecord,
    index: usize,
    labels: &'a [String; 2],
    format: RecordFormat,
    header: RecordHeader<'a>,
) -> View<'a> {
    let game = &record.games[index];
    // The second field is the side to move: the second side is white in shogi and black in chess.
    let second = match format.game() {
        Game::Shogi => "w",
        Game::Chess => "b",
    };
    let start = if record.opening.split(' ').nth(1) == Some(second) {
        Side::Second
    } else {
        Side::First
    };
    let side_of = |player: PlayerId| {
        if player == game.first {
            start
        } else {
            start.opponent()
        }
    };
    let mut names = [""; 2];
    for player in [PlayerId::A, PlayerId::B] {
        names[side_of(player).index()] = &labels[player.index()];
    }
    View {
        header,
        number: 2 * record.pair + index as u64 + 1,
        opening: &record.opening,
        names,
        start,
        winner: game.winner.map(side_of),
        game,
    }
}

/// What a game that cannot be written down says.
fn unreadable(view: &View<'_>, problem: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("game {}: {problem}", view.number),
    )
}

#[cfg(test)]
mod tests;
