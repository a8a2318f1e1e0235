//! Games in the formats that other programs read.
//!
//! No date is written, and times only where they decided what was played: otherwise two runs of one specification would
//! have different files.

mod csa;
mod ends;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod kif;
mod live;
mod opening_name;
mod pgn;
pub(super) mod san;
mod view;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tanren_engine::game::{Game, Side};

pub use live::LivePgn;
pub use pgn::time_control;
use view::View;
pub use view::{RecordHeader, Times};

use crate::experiment::{FileError, write_atomically};
use crate::ledger::{About, Ledger};
use crate::record::{PairRecord, PlayerId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// CSA V2.2, shogi: one file, games separated by `/`.
    Csa,
    /// KIF in UTF-8, shogi: one file a game.
    Kif,
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

/// Writes both games of a pair as PGN.
fn write_pair(
    output: &mut dyn Write,
    about: &About,
    record: &PairRecord,
    header: RecordHeader<'_>,
) -> io::Result<()> {
    let labels = about.labels_of(record.players);
    (0..2).try_for_each(|index| pgn::write(output, &view(record, index, &labels, RecordFormat::Pgn, header)))
}

/// Writes the counted games of `ledger` in `format` into `folder`.
pub fn write_records(
    folder: &Path,
    ledger: &Ledger,
    counted: u64,
    format: RecordFormat,
    header: RecordHeader<'_>,
) -> Result<(), FileError> {
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
) -> Result<(), FileError> {
    let to_error = |source| FileError::Write {
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
    let mut result = Ok(());
    let read = ledger.for_each_pair(|record| {
        if record.pair < counted && result.is_ok() {
            let labels = about.labels_of(record.players);
            result = (0..2).try_for_each(|index| write(&view(&record, index, &labels, format, header)));
        }
    });
    read.map_err(io::Error::other)?;
    result
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
    let (mut names, mut time_controls) = ([""; 2], [""; 2]);
    for player in [PlayerId::A, PlayerId::B] {
        let (side, index) = (side_of(player).index(), player.index());
        names[side] = &labels[index];
        let control = header.time_controls.get(usize::from(record.players[index]));
        time_controls[side] = control.map_or("", String::as_str);
    }
    View {
        header,
        number: 2 * record.pair + index as u64 + 1,
        opening: &record.opening,
        names,
        time_controls,
        start,
        winner: game.winner.map(side_of),
        game,
    }
}

#[cfg(test)]
mod tests;
