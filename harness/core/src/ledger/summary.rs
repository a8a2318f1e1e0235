//! A look at a run from outside, while it is going on or not, which keeps nobody from writing.

use std::path::Path;

use super::checksum::{Salt, UnitTally};
use super::lock::FolderLock;
use super::{LEDGER_FILE, Ledger, LedgerError, Manifest, log_of};
use crate::platform::{FileStamp, ask_holder_to_end, is_holder};

/// What changes whenever something is written into a ledger.
#[derive(Debug, Clone, Copy, Eq)]
pub struct LedgerStamp {
    ledger: Option<FileStamp>,
    log: Option<FileStamp>,
}

impl PartialEq for LedgerStamp {
    /// A log that holds nothing is made by whoever reads, and is no change.
    fn eq(&self, other: &LedgerStamp) -> bool {
        let written = |stamp: &LedgerStamp| stamp.log.filter(|log| !log.is_empty());
        self.ledger == other.ledger && written(self) == written(other)
    }
}

impl LedgerStamp {
    /// Of the ledger in `folder`, whether or not there is one.
    pub fn of(folder: &Path) -> LedgerStamp {
        let path = folder.join(LEDGER_FILE);
        LedgerStamp {
            ledger: FileStamp::of(&path).ok(),
            log: FileStamp::of(&log_of(&path)).ok(),
        }
    }

    /// Is the ledger open somewhere, or was it left without a close?
    fn is_open(&self) -> bool {
        self.log.is_some()
    }

    /// How long ago something was written.
    pub fn age_s(&self) -> Option<u64> {
        let ages = [self.ledger, self.log].into_iter().flatten();
        ages.filter_map(|stamp| stamp.age())
            .map(|age| age.as_secs())
            .min()
    }
}

/// Asks the process that writes into `folder` to save and end, if it can be proved which one it is.
pub fn ask_writer_to_end(folder: &Path) -> std::io::Result<()> {
    let holder = FolderLock::holder(folder);
    let holder = holder.ok_or_else(|| std::io::Error::other("it did not say who it is"))?;
    ask_holder_to_end(holder, &folder.join(FolderLock::LEDGER))
}

/// Is it proved which process writes into `folder`, so that it may be asked to end?
pub fn is_writer_known(folder: &Path) -> bool {
    FolderLock::holder(folder).is_some_and(|holder| is_holder(holder, &folder.join(FolderLock::LEDGER)))
}

/// What a ledger says without being counted.
#[derive(Debug, Clone)]
pub struct RunSummary {
    /// What it says about its run.
    pub manifest: Manifest,
    /// Pairs, or searches, that are finished.
    pub finished: u64,
}

impl RunSummary {
    /// Reads the summary of the ledger in `folder`.
    pub fn of(folder: &Path) -> Result<RunSummary, LedgerError> {
        let path = folder.join(LEDGER_FILE);
        if !path.is_file() {
            return Err(LedgerError::Missing(folder.to_owned()));
        }
        // Without a log nothing is being written, and a reader that says so leaves no files beside the ledger.
        let ledger = Ledger::connect_read_only(path, !LedgerStamp::of(folder).is_open())?;
        ledger.check_version()?;
        ledger.check_tables()?;
        let manifest = ledger.manifest()?;
        let tally = UnitTally::read(ledger.connection(), Salt::of(&manifest.identity));
        let finished = tally.map_err(|source| ledger.sqlite(source))?.units as u64;
        Ok(RunSummary { manifest, finished })
    }
}

/// Does a process write in `folder` now?
pub fn is_being_written(folder: &Path) -> bool {
    LedgerStamp::of(folder).is_open() && FolderLock::is_held(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_seen_as_written_while_its_ledger_is_open_for_playing_and_whoever_looks_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("run");
        assert!(RunSummary::of(&folder).is_err());
        assert!(!is_being_written(&folder));
        let manifest = Manifest {
            labels: vec!["one".to_owned(), "two".to_owned()],
            ..Manifest::default()
        };
        let ledger = Ledger::open_or_create(&folder, &manifest).unwrap();
        assert!(is_being_written(&folder));
        assert_eq!(RunSummary::of(&folder).unwrap().manifest, manifest);
        drop(ledger);
        assert!(!is_being_written(&folder));
        let files = || std::fs::read_dir(&folder).unwrap().count();
        let before = (files(), LedgerStamp::of(&folder));
        let summary = RunSummary::of(&folder).unwrap();
        assert_eq!((summary.manifest, summary.finished), (manifest, 0));
        assert_eq!((files(), LedgerStamp::of(&folder)), before);
        let reader = Ledger::open_existing(&folder).unwrap();
        assert!(LedgerStamp::of(&folder).is_open());
        assert_eq!(LedgerStamp::of(&folder), before.1);
        drop(reader);
        assert_eq!(LedgerStamp::of(&folder), before.1);
    }
}
