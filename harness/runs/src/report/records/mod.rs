//! Games in the formats that other programs read.
//!
//! Dates and times are written only where time decided what was played: otherwise two runs of one specification would have
//! different files.

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
use std::mem::replace;
use std::path::Path;

use tanren_engine::game::{Game, Side};

pub use live::{LivePgn, OldPgn};
use view::{GameView, RecordHeader};

use super::output::note;
use crate::document::file::{FileError, write_atomically};
use crate::document::number::plural;
use crate::kinds::match_::game_files::for_each_counted;
use crate::record::{PairRecord, PlayerId};
use crate::session::error::ExperimentError;
use crate::session::stored::Run;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RecordFormat {
    /// CSA V2.2, all games in games.csa.
    Csa,
    /// KIF in Shift_JIS, one file a game in kif/.
    Kif,
    /// KIF in UTF-8, one file a game in kifu/.
    Kifu,
    /// PGN, all games in games.pgn.
    Pgn,
}

impl RecordFormat {
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The files that hold it, in the folder of the run.
    pub fn files(self) -> &'static str {
        match self {
            RecordFormat::Csa => "games.csa",
            RecordFormat::Kif => "kif/*.kif",
            RecordFormat::Kifu => "kifu/*.kifu",
            RecordFormat::Pgn => "games.pgn",
        }
    }

    pub fn game(self) -> Game {
        match self {
            RecordFormat::Csa | RecordFormat::Kif | RecordFormat::Kifu => Game::Shogi,
            RecordFormat::Pgn => Game::Chess,
        }
    }
}

pub(super) fn write_records(
    folder: &Path,
    run: &Run,
    counted: u64,
    format: RecordFormat,
) -> Result<(), ExperimentError> {
    let header = RecordHeader::of(run)?;
    let each = |write: &mut dyn FnMut(&GameView<'_>) -> io::Result<()>| {
        for_each_counted(&run.ledger, counted, |record| {
            let labels = run.manifest.labels_of(record.players);
            record
                .played()
                .try_for_each(|(index, _)| write(&view(record, index, &labels, &header)))
        })
    };
    Ok(match format {
        RecordFormat::Csa => write_atomically(&folder.join(format.files()), |output| {
            let mut separator = "";
            each(&mut |view| {
                output.write_all(replace(&mut separator, "/\n").as_bytes())?;
                csa::write(output, view)
            })
        }),
        RecordFormat::Pgn => write_atomically(&folder.join(format.files()), |output| {
            each(&mut |view| pgn::write(output, view))
        }),
        RecordFormat::Kif | RecordFormat::Kifu => {
            let name = format.name();
            let folder = folder.join(name);
            let mut lacking = 0;
            let written = fs::create_dir_all(&folder).and_then(|()| {
                each(&mut |view| {
                    let path = folder.join(format!("{:06}.{name}", view.number));
                    let mut text = Vec::new();
                    kif::write(&mut text, view, format)?;
                    if format == RecordFormat::Kif {
                        let replaced;
                        (text, replaced) = kif::to_shift_jis(&String::from_utf8_lossy(&text));
                        lacking += replaced;
                    }
                    write_atomically(&path, |output| output.write_all(&text)).map_err(io::Error::other)
                })
            });
            if lacking > 0 {
                note(&format!(
                    "warning: {} that Shift_JIS lacks: '?' is in its place in '{}'; --records kifu writes UTF-8",
                    plural(lacking, "character"),
                    folder.display()
                ));
            }
            written.map_err(|source| FileError::Write { path: folder, source })
        }
    }?)
}

fn view<'a>(
    record: &'a PairRecord,
    index: usize,
    labels: &'a [String; 2],
    header: &'a RecordHeader,
) -> GameView<'a> {
    let game = &record.games[index];
    let start = if record.is_begun_by_second_side() {
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
    GameView {
        header,
        number: 2 * record.pair + index as u64 + 1,
        opening: &record.opening,
        book: &record.book,
        names,
        time_controls,
        first: start,
        winner: game.winner.map(side_of),
        game,
    }
}

#[cfg(test)]
mod tests;
