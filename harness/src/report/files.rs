//! The files of a run's folder.
//!
//! In: a ledger. Out: every file that can be made again from it. Must not: write one in place: a reader never sees half
//! a file, and a crash leaves the old one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tanren_engine::game::Position;

use super::games::{self, GameRow};
use super::moves::MoveLines;
use super::sheet::Sheet;
use super::steps;
use super::summary::Summary;
use crate::ledger::{Ledger, LedgerError};
use crate::record::PairFault;
use crate::standing::Standing;

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The file system refuses.
    #[error("cannot write '{}': {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The ledger cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Writes `run.toml`, `games.csv`, `games.sfen` (or `games.fen`), `summary.csv`, `sprt.csv` and, after such faults, `replayed.csv`
/// into `folder` from `ledger`. The files
/// of games hold the pairs that `standing` counted.
///
/// # Errors
/// The ledger cannot be read or a file not written.
pub fn rebuild<P: Position>(
    folder: &Path,
    ledger: &Ledger,
    standing: &Standing,
) -> Result<Summary, ReportError> {
    let about = ledger.about()?;
    let summary = Summary::new(standing, &about.labels_of([0, 1]));
    write_atomically(&folder.join("run.toml"), |output| {
        output.write_all(about.spec_toml.as_bytes())
    })?;
    let counted = standing.tally().pairs();
    write_games(folder, ledger, counted, None)?;
    write_moves::<P>(folder, ledger, counted)?;
    write_replayed(folder, ledger, &about.labels)?;
    for (name, bytes) in [("summary.csv", summary.csv()), ("sprt.csv", steps::csv(standing))] {
        write_atomically(&folder.join(name), |output| output.write_all(&bytes?))?;
    }
    Ok(summary)
}

/// Writes a file beside `path` and puts it in its place when it is complete.
///
/// # Errors
/// Names the file.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), ReportError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let unfinished = path.with_file_name(name);
    let result = File::create(&unfinished).and_then(|file| {
        let mut output = BufWriter::new(file);
        write(&mut output)?;
        output.into_inner().map_err(io::IntoInnerError::into_error)?;
        fs::rename(&unfinished, path)
    });
    result.map_err(|source| {
        // Best effort: the error that matters is the first one.
        let _ = fs::remove_file(&unfinished);
        match source.downcast::<LedgerError>() {
            Ok(ledger) => ReportError::Ledger(ledger),
            Err(source) => ReportError::Write {
                path: path.to_owned(),
                source,
            },
        }
    })
}

/// Writes `games.csv`, with the players' labels if they are more than two.
pub(super) fn write_games(
    folder: &Path,
    ledger: &Ledger,
    counted: u64,
    labels: Option<&[String]>,
) -> Result<(), ReportError> {
    write_atomically(&folder.join("games.csv"), |output| {
        let mut games = games::sheet(labels).writer(output)?;
        let mut result = Ok(());
        let read = ledger.for_each_outcome(|pair| {
            if pair.pair < counted && result.is_ok() {
                result = GameRow::both(pair).iter().try_for_each(|row| games.write(row));
            }
        });
        read.map_err(io::Error::other)?;
        result?;
        games.finish().map(drop).map_err(io::Error::from)
    })
}

/// Writes `replayed.csv`, a row for each fault after which a pair was played again; no file if there were none.
pub(super) fn write_replayed(folder: &Path, ledger: &Ledger, labels: &[String]) -> Result<(), ReportError> {
    let faults = ledger.excused()?;
    if faults.is_empty() {
        return Ok(());
    }
    write_atomically(&folder.join("replayed.csv"), |output| {
        let mut rows = replayed_sheet(labels).writer(output)?;
        faults.iter().try_for_each(|fault| rows.write(fault))?;
        rows.flush()
    })
}

/// The columns of `replayed.csv`.
pub(super) fn replayed_sheet(labels: &[String]) -> Sheet<'_, PairFault> {
    Sheet::new()
        .column(
            "pair",
            "number of the pair that was played again, from 1",
            |fault: &PairFault| (fault.pair + 1).into(),
        )
        .column(
            "game",
            "number of the game in which it happened, from 1",
            |fault| (2 * fault.pair + u64::from(fault.game) + 1).into(),
        )
        .column("player", "who was at fault", |fault| {
            let label = labels.get(usize::from(fault.player));
            label.map_or("", String::as_str).to_owned().into()
        })
        .column("reason", "what it did", |fault| fault.reason.name().into())
}

/// Writes `games.sfen` or `games.fen`.
pub(super) fn write_moves<P: Position>(
    folder: &Path,
    ledger: &Ledger,
    counted: u64,
) -> Result<(), ReportError> {
    write_atomically(&folder.join(format!("games.{}", P::GAME.notation())), |output| {
        let mut lines = MoveLines::<P>::new();
        let written = ledger.for_each_moves(counted, |game| Ok(lines.write(output, &game)?));
        written.map_err(ReadOrWrite::into_io)
    })
}

/// A failure on the way from the ledger to a file.
enum ReadOrWrite {
    Read(LedgerError),
    Write(io::Error),
}

impl ReadOrWrite {
    fn into_io(self) -> io::Error {
        match self {
            ReadOrWrite::Read(error) => io::Error::other(error),
            ReadOrWrite::Write(error) => error,
        }
    }
}

impl From<LedgerError> for ReadOrWrite {
    fn from(error: LedgerError) -> Self {
        ReadOrWrite::Read(error)
    }
}

impl From<io::Error> for ReadOrWrite {
    fn from(error: io::Error) -> Self {
        ReadOrWrite::Write(error)
    }
}

/// Hands the counted pairs to `write`.
pub(super) fn each_counted(
    ledger: &Ledger,
    counted: u64,
    mut write: impl FnMut(&crate::record::PairRecord) -> io::Result<()>,
) -> io::Result<()> {
    let mut result = Ok(());
    let read = ledger.for_each_pair(|record| {
        if record.pair < counted && result.is_ok() {
            result = write(&record);
        }
    });
    read.map_err(io::Error::other)?;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        fs::write(&path, "old").unwrap();
        let error = write_atomically(&path, |output| {
            output.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(error.unwrap_err().to_string().contains("disk full"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
