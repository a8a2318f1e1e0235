//! The finished searches of a study, in one file: what is in it is never searched again.
//!
//! In: finished searches, as they finish. Out: all of them, in a fixed order. Must not: mix two studies.
//!
//! One JSON value a line: the identity of the study, then the searches. A line that was cut short by a crash is the
//! last one; it is dropped.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Search;
use crate::config::{Difference, Identity};
use crate::ledger::{LockError, lock_file};

/// The journal's file name, beside the files that are made from it.
pub const JOURNAL_FILE: &str = "searches.jsonl";

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system refuses.
    #[error("cannot write in '{}': {source}", path.display())]
    Unwritable {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A finished search cannot be stored.
    #[error("cannot store a search in '{}': {source}", path.display())]
    Append {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder of something else.
    #[error("'{}' holds other files: choose a new or empty folder with --out", .0.display())]
    Foreign(PathBuf),
    /// Another process writes it.
    #[error("'{}' is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The journal of another study.
    #[error(
        "'{}' holds another study:\n{}\nchoose another folder with --out",
        path.display(),
        differences.iter().map(|difference| format!("  {difference}")).collect::<Vec<_>>().join("\n")
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// A line that no study wrote.
    #[error("'{}', line {line}: {message}; remove the file to search again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

impl JournalError {
    /// Is this known before the first search?
    pub fn is_input(&self) -> bool {
        !matches!(self, JournalError::Append { .. })
    }
}

/// A study's file of finished searches, locked while this lives.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    searches: Vec<Search>,
}

impl Journal {
    /// Opens the journal in `folder`, or begins one there, for `configs` configurations over `positions` positions.
    ///
    /// # Errors
    /// The folder cannot be written, is in use, or holds something else or another study.
    pub fn open_or_create(
        folder: &Path,
        identity: &Identity,
        configs: usize,
        positions: usize,
    ) -> Result<Journal, JournalError> {
        let path = folder.join(JOURNAL_FILE);
        if !path.exists() && fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(JournalError::Foreign(folder.to_owned()));
        }
        let unwritable = |source| JournalError::Unwritable {
            path: folder.to_owned(),
            source,
        };
        fs::create_dir_all(folder).map_err(unwritable)?;
        let mut options = File::options();
        let file = options.create(true).truncate(false).read(true).write(true);
        let file = file.open(&path).map_err(unwritable)?;
        lock_file(&file).map_err(|error| match error {
            LockError::InUse => JournalError::InUse(folder.to_owned()),
            LockError::Refused(source) => unwritable(source),
        })?;
        let mut journal = Journal {
            file,
            path,
            searches: Vec::new(),
        };
        journal.take_up(folder, identity)?;
        let mut searches = (2..).zip(&journal.searches);
        if let Some((line, search)) =
            searches.find(|(_, search)| search.config >= configs || search.position >= positions)
        {
            return Err(JournalError::Damaged {
                path: journal.path,
                line,
                message: format!(
                    "no configuration {} or position {}",
                    search.config, search.position
                ),
            });
        }
        journal.searches.sort_by_key(Search::job);
        journal.searches.dedup_by_key(|search| search.job());
        Ok(journal)
    }

    /// Could a study of this identity be taken up in `folder`?
    pub fn is_resumable(folder: &Path, identity: &Identity) -> bool {
        let text = fs::read_to_string(folder.join(JOURNAL_FILE)).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        serde_json::from_str::<Identity>(first).is_ok_and(|stored| stored == *identity)
    }

    /// The finished searches, in the order of configurations and of positions once all of them are in.
    pub fn searches(&self) -> &[Search] {
        &self.searches
    }

    /// Adds a finished search.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn append(&mut self, search: Search) -> Result<(), JournalError> {
        self.write_line(&search).map_err(|source| JournalError::Append {
            path: self.path.clone(),
            source,
        })?;
        let place = self.searches.partition_point(|other| other.job() < search.job());
        self.searches.insert(place, search);
        Ok(())
    }

    /// Reads what is there, or writes the identity of a new study.
    fn take_up(&mut self, folder: &Path, identity: &Identity) -> Result<(), JournalError> {
        let mut text = String::new();
        self.file
            .read_to_string(&mut text)
            .map_err(|source| self.unwritable(source))?;
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let at_end = self
            .file
            .set_len(complete as u64)
            .and_then(|()| self.file.seek(SeekFrom::Start(complete as u64)));
        at_end.map_err(|source| self.unwritable(source))?;
        let mut lines = (1..).zip(text[..complete].lines());
        let Some((line, first)) = lines.next() else {
            return self
                .write_line(identity)
                .map_err(|source| self.unwritable(source));
        };
        let stored: Identity = self.parse(line, first)?;
        let differences = stored.differences(identity);
        if !differences.is_empty() {
            return Err(JournalError::Different {
                path: folder.to_owned(),
                differences,
            });
        }
        let searches: Result<Vec<Search>, JournalError> =
            lines.map(|(line, text)| self.parse(line, text)).collect();
        self.searches = searches?;
        Ok(())
    }

    fn write_line(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let line = serde_json::to_string(value)? + "\n";
        self.file.write_all(line.as_bytes())
    }

    fn parse<T: serde::de::DeserializeOwned>(&self, line: usize, text: &str) -> Result<T, JournalError> {
        serde_json::from_str(text).map_err(|error| JournalError::Damaged {
            path: self.path.clone(),
            line,
            message: error.to_string(),
        })
    }

    fn unwritable(&self, source: io::Error) -> JournalError {
        JournalError::Unwritable {
            path: self.path.clone(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(depth: u32) -> Identity {
        let mut identity = Identity::default();
        identity.push("depth", depth);
        identity
    }

    fn open(folder: &Path, depth: u32) -> Result<Journal, JournalError> {
        Journal::open_or_create(folder, &identity(depth), 2, 2)
    }

    fn search(config: usize, position: usize) -> Search {
        Search {
            config,
            position,
            iterations: Vec::new(),
        }
    }

    #[test]
    fn searches_come_back_in_a_fixed_order_and_a_torn_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = open(folder.path(), 3).unwrap();
        for job in [(1, 0), (0, 1), (0, 0)] {
            journal.append(search(job.0, job.1)).unwrap();
        }
        journal.file.write_all(b"{\"config\":1,\"posi").unwrap();
        drop(journal);
        for expected in [3, 4] {
            let mut journal = open(folder.path(), 3).unwrap();
            let jobs: Vec<(usize, usize)> = journal.searches().iter().map(Search::job).collect();
            assert_eq!(jobs, [(0, 0), (0, 1), (1, 0), (1, 1)][..expected]);
            if expected == 3 {
                journal.append(search(1, 1)).unwrap();
            }
        }
    }

    #[test]
    fn another_study_or_foreign_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), 3).unwrap());
        assert!(Journal::is_resumable(folder.path(), &identity(3)));
        assert!(!Journal::is_resumable(folder.path(), &identity(4)));
        let error = open(folder.path(), 4).unwrap_err();
        assert!(
            error.to_string().contains("depth: '3' there, '4' wanted now"),
            "{error}"
        );
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join("thesis.txt"), "").unwrap();
        let error = open(other.path(), 3).unwrap_err();
        assert!(matches!(error, JournalError::Foreign(_)), "{error}");
    }

    #[test]
    fn a_journal_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let _held = open(folder.path(), 3).unwrap();
        let error = open(folder.path(), 3).unwrap_err();
        assert!(matches!(error, JournalError::InUse(_)), "{error}");
    }

    #[test]
    fn a_line_that_no_study_wrote_is_named() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), 3).unwrap());
        let path = folder.path().join(JOURNAL_FILE);
        let identity = fs::read_to_string(&path).unwrap();
        for line in ["nonsense", "{\"config\":2,\"position\":0,\"iterations\":[]}"] {
            fs::write(&path, format!("{identity}{line}\n")).unwrap();
            let error = open(folder.path(), 3).unwrap_err();
            assert!(error.to_string().contains("line 2"), "{error}");
        }
    }
}
