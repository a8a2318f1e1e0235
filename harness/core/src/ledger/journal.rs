//! The file in which earlier versions kept the searches of a study.
//!
//! In: a folder. Out: the searches that are in it. Must not: change the file.
//!
//! One JSON value a line: the identity of the study, then the searches, in any order. A line that a crash cut short is the
//! last one and counts for nothing.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::Path;

use super::about::About;
use super::error::LedgerError;
use crate::config::Identity;
use crate::record::Search;

/// The file's name in its folder.
pub const JOURNAL_FILE: &str = "searches.jsonl";

/// The searches of the study `about` over `positions` positions that an earlier version left in `folder`; `None` if there is
/// no such file.
///
/// # Errors
/// The file is of another study, in use, damaged, or cannot be read.
pub(super) fn read(
    folder: &Path,
    about: &About,
    positions: usize,
) -> Result<Option<Vec<Search>>, LedgerError> {
    let path = folder.join(JOURNAL_FILE);
    let Some(text) = read_text(folder)? else {
        return Ok(None);
    };
    let damaged = |line: usize, message: &dyn std::fmt::Display| LedgerError::Lost {
        path: path.clone(),
        message: format!("line {line}: {message}"),
    };
    let complete = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = (1..).zip(text[..complete].lines());
    let Some((line, first)) = lines.next() else {
        return Ok(Some(Vec::new()));
    };
    let stored: Identity = serde_json::from_str(first).map_err(|error| damaged(line, &error))?;
    let differences = stored.differences(&about.identity);
    if !differences.is_empty() {
        return Err(LedgerError::OtherSpec {
            path: folder.to_owned(),
            kind: about.kind,
            differences,
        });
    }
    let mut searches = Vec::new();
    for (line, text) in lines {
        let search: Search = serde_json::from_str(text).map_err(|error| damaged(line, &error))?;
        if search.config >= about.labels.len() || search.position >= positions {
            let (config, position) = search.job();
            return Err(damaged(
                line,
                &format_args!("no configuration {config} or position {position}"),
            ));
        }
        searches.push(search);
    }
    searches.sort_by_key(Search::job);
    searches.dedup_by_key(|search| search.job());
    Ok(Some(searches))
}

/// Is there a file of this identity in `folder`?
pub(super) fn is_of(folder: &Path, identity: &Identity) -> bool {
    let text = fs::read_to_string(folder.join(JOURNAL_FILE)).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str::<Identity>(first).is_ok_and(|stored| stored == *identity)
}

/// The text of the file; a program of an earlier version that writes it holds a lock on it.
fn read_text(folder: &Path) -> Result<Option<String>, LedgerError> {
    let to_error = |source: io::Error| LedgerError::Folder {
        path: folder.to_owned(),
        source,
    };
    let mut file = match File::open(folder.join(JOURNAL_FILE)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(to_error(error)),
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(LedgerError::InUse(folder.to_owned())),
        Err(TryLockError::Error(source)) => return Err(to_error(source)),
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(to_error)?;
    Ok(Some(text))
}
