//! `tanren upgrade`: the ledgers of older versions below a folder, written anew in the format of this one.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::verify::ledgers_in;
use crate::document::Document;
use crate::ledger::{FORMAT, Ledger, LedgerError, Upgraded};

/// What became of the ledger in this folder; nothing if it had the format already.
pub type UpgradedFolder = (PathBuf, Result<Option<Upgraded>, LedgerError>);

pub fn upgrade(folder: &Path) -> Vec<UpgradedFolder> {
    let folders = ledgers_in(folder).into_iter();
    let upgraded = folders.map(|folder| {
        let upgraded = Ledger::upgrade(&folder);
        (folder, upgraded)
    });
    upgraded.collect()
}

/// A line for each ledger that has the format now; an array of all.
pub fn document(found: &[UpgradedFolder]) -> Document<'static> {
    let lines = found.iter().filter_map(|(folder, upgraded)| {
        let folder = folder.display();
        Some(match upgraded.as_ref().ok()? {
            None => format!("{folder}: format {FORMAT} is that of this version\n"),
            Some(of) => format!(
                "{folder}: upgraded from format {} to {FORMAT}, pairs or searches: {}; the old ledger is '{}'\n",
                of.from,
                of.units,
                of.old_file.display()
            ),
        })
    });
    let values = found.iter().map(|(folder, upgraded)| {
        let format = upgraded.is_ok().then_some(FORMAT);
        let of = upgraded.as_ref().ok().and_then(Option::as_ref);
        json!({
            "folder": folder.display().to_string(),
            "format": format,
            "from": of.map(|of| of.from).or(format),
            "units": of.map(|of| of.units),
            "old_file": of.map(|of| of.old_file.display().to_string()),
            "error": upgraded.as_ref().err().map(ToString::to_string),
        })
    });
    Document::of_text(lines.collect(), values.collect::<serde_json::Value>())
}
