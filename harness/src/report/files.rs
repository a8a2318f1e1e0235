//! The files of a run's folder.
//!
//! In: what was found, the ledger that it was counted from. Out: every file that can be made again from them.

use std::io::{self, Write};
use std::path::Path;

use tanren_engine::game::Position;

use super::engines;
use super::games::{self, GameRow};
use super::hosts;
use super::moves::MoveLines;
use super::sheet::Sheet;
use super::steps;
use super::summary::Summary;
use crate::experiment::{EngineTotals, HostTotals, MatchFindings};
pub(super) use crate::experiment::{FileError as ReportError, write_atomically};
use crate::ledger::{Ledger, LedgerError};
use crate::record::PairFault;

/// Writes `games.csv`, `games.sfen` (or `games.fen`), `summary.csv`, `sprt.csv`, of programs `engines.csv` and, after such faults,
/// `replayed.csv` of a match.
/// The files of games hold the pairs that were counted.
pub(super) fn write_match<P: Position>(
    folder: &Path,
    ledger: &Ledger,
    found: &MatchFindings,
) -> Result<(), ReportError> {
    let standing = &found.standing;
    let summary = Summary::new(standing, &found.labels);
    let counted = standing.tally().pairs();
    write_games(folder, ledger, counted, None)?;
    write_moves::<P>(folder, ledger, counted)?;
    write_replayed(folder, ledger, &found.labels)?;
    write_engines(folder, &found.engines)?;
    write_hosts(folder, &found.hosts)?;
    for (name, bytes) in [("summary.csv", summary.csv()), ("sprt.csv", steps::csv(standing))] {
        write_atomically(&folder.join(name), |output| output.write_all(&bytes?))?;
    }
    Ok(())
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

/// Writes `engines.csv`, a row for each player that is a program; no file if there are none.
pub(super) fn write_engines(folder: &Path, engines: &[EngineTotals]) -> Result<(), ReportError> {
    write_rows(&folder.join("engines.csv"), engines::sheet(), engines)
}

/// Writes `hosts.csv`, a row for each machine of a fleet; no file if none played.
pub(super) fn write_hosts(folder: &Path, hosts: &[HostTotals]) -> Result<(), ReportError> {
    write_rows(&folder.join("hosts.csv"), hosts::sheet(), hosts)
}

fn write_rows<R>(path: &Path, sheet: Sheet<'_, R>, rows: &[R]) -> Result<(), ReportError> {
    if rows.is_empty() {
        return Ok(());
    }
    let bytes = sheet.csv(rows);
    write_atomically(path, |output| output.write_all(&bytes?))
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
