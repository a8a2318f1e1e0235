//! A new ledger with all that is whole of a damaged one, or of one in an older format, which stays beside it under another name.
//! Nothing is taken over that is not proved by a checksum of this run.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rusqlite::OpenFlags;

use super::examine::Repaired;
use super::schema::Tables;
use super::{Holds, Ledger, LedgerError, Manifest, continues, log_of, schema, upgrade, with_suffix};

const BATCH_UNITS: usize = 1000;

const HEADER_BYTES: usize = 100;

impl Ledger {
    /// Replaces the damaged ledger at `path` by one with all that is whole; `why` it is damaged. The caller holds the lock of the
    /// folder.
    pub(super) fn repair(
        path: &Path,
        manifest: &Manifest,
        holds: Holds,
        why: LedgerError,
    ) -> Result<Repaired, LedgerError> {
        match rewrite(path, manifest, holds, "damaged") {
            Ok(Some((damaged_file, kept))) => Ok(Repaired {
                damaged_file,
                why: why.damage().to_owned(),
                kept,
            }),
            Ok(None) => Err(why.beyond_repair()),
            Err(error) if error.is_damage() => Err(why.beyond_repair()),
            Err(error) => Err(error),
        }
    }
}

/// Replaces the ledger at `path`, which stays as `ledger.WHY.sqlite`, by one with all that is whole of it. Where the old one is and
/// how many units were taken over; `None` if nothing shows that it is of this run.
pub(super) fn rewrite(
    path: &Path,
    manifest: &Manifest,
    holds: Holds,
    why: &str,
) -> Result<Option<(PathBuf, u64)>, LedgerError> {
    let (copy, fresh) = (beside(path, "copy"), beside(path, "new"));
    let made = copy_whole(path, &copy)
        .map_err(|source| unwritable(path, source))
        .and_then(|()| refill(&copy, &fresh, manifest, holds));
    let replaced = made.and_then(|made| match made {
        Some(kept) => replace(path, &fresh, why)
            .map_err(|source| unwritable(path, source))
            .map(|old_file| Some((old_file, kept))),
        None => Ok(None),
    });
    remove(&copy);
    remove(&fresh);
    replaced
}

/// Makes the ledger `fresh` of what is whole in `copy`. How much that is; `None` if nothing shows that it is of this run.
fn refill(copy: &Path, fresh: &Path, manifest: &Manifest, holds: Holds) -> Result<Option<u64>, LedgerError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(mut damaged) = Ledger::connect(copy.to_owned(), flags) else {
        return Ok(None);
    };
    if damaged.tables()? == Tables::Foreign {
        return Ok(None);
    }
    let stored = damaged.check_description().and_then(|()| damaged.manifest());
    let stored = stored.ok();
    if stored.as_ref().is_some_and(|stored| !continues(stored, manifest)) {
        return Ok(None);
    }
    let is_described = stored.is_some();
    if let Ok(format) = damaged.version()
        && upgrade::is_older(format)
    {
        damaged.format = format as u32;
    }
    damaged.be_of(manifest);
    remove(fresh);
    let mut ledger = Ledger::connect(fresh.to_owned(), OpenFlags::default())?;
    // With the stored number of pairs: opening it then sees whether the run was extended.
    ledger.initialise(stored.as_ref().unwrap_or(manifest))?;
    let (mut kept, mut batch, mut stored, mut has_all) = (0, Vec::new(), Ok(()), true);
    damaged.for_each_readable(&mut |unit| {
        let whole = unit.and_then(|unit| Ok((damaged.record(&unit)?, damaged.origin(&unit)?)));
        has_all &= whole.is_ok();
        batch.extend(whole.ok());
        if batch.len() >= BATCH_UNITS && stored.is_ok() {
            kept += batch.len() as u64;
            stored = ledger.insert(&std::mem::take(&mut batch));
        }
    })?;
    stored.and_then(|()| ledger.insert(&batch))?;
    kept += batch.len() as u64;
    if is_described {
        ledger.describe_like(&damaged, has_all && damaged.check_tally().is_ok())?;
        ledger.keep_format_of(&damaged)?;
    }
    // The ledgers of its parts say whose they are.
    let holds_nothing = holds == Holds::Parts;
    Ok((is_described || kept > 0 || holds_nothing).then_some(kept))
}

/// Copies an SQLite file and its log. What was cut off its end is zeros in the copy, so that the rest can be read.
fn copy_whole(path: &Path, copy: &Path) -> io::Result<()> {
    remove(copy);
    fs::copy(path, copy)?;
    if log_of(path).exists() {
        fs::copy(log_of(path), log_of(copy))?;
    }
    let mut header = Vec::new();
    File::open(copy)?
        .take(HEADER_BYTES as u64)
        .read_to_end(&mut header)?;
    let Ok(header) = <[u8; HEADER_BYTES]>::try_from(header) else {
        return Ok(());
    };
    let page_bytes = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        bytes => u64::from(bytes),
    };
    let pages = u64::from(u32::from_be_bytes([
        header[28], header[29], header[30], header[31],
    ]));
    let file = File::options().write(true).open(copy)?;
    let bytes = file.metadata()?.len();
    let whole = pages * page_bytes;
    // A header that is damaged itself may say anything.
    if bytes < whole && whole <= bytes.saturating_mul(16).max(1 << 24) {
        file.set_len(whole)?;
    }
    Ok(())
}

/// Puts `fresh` at `path`; the file that was there gets another name.
fn replace(path: &Path, fresh: &Path, why: &str) -> io::Result<PathBuf> {
    let name = |number: u32| match number {
        1 => path.with_file_name(format!("ledger.{why}.sqlite")),
        _ => path.with_file_name(format!("ledger.{why}-{number}.sqlite")),
    };
    let mut aside = name(1);
    for number in 2..=u32::MAX {
        if !aside.exists() {
            break;
        }
        aside = name(number);
    }
    fs::copy(path, &aside)?;
    if log_of(path).exists() {
        fs::copy(log_of(path), log_of(&aside))?;
    }
    // A log beside a file that it is not of would be played into it.
    for suffix in ["-wal", "-shm"] {
        let file = with_suffix(path, suffix);
        if file.exists() {
            fs::remove_file(file)?;
        }
    }
    fs::rename(fresh, path)?;
    Ok(aside)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    path.with_file_name(format!("{}.{ending}", schema::LEDGER_FILE))
}

/// Removes an SQLite file with all that belongs to it, if it is there.
fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(with_suffix(path, suffix));
    }
}

fn unwritable(path: &Path, source: io::Error) -> LedgerError {
    LedgerError::Folder {
        path: path.parent().unwrap_or(path).to_owned(),
        source,
    }
}
