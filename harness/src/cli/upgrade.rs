//! `tanren upgrade`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, print_document};
use crate::tools::upgrade::{document, upgrade};

/// Write the ledgers of an older version anew in the format of this one.
///
/// All folders below are looked at too. The old ledger stays next to the new one; damaged pairs are left out, and the run plays them
/// again. A ledger that has the format already is left as it is.
///
/// Exit codes: 0 all ledgers have the format now, 1 one could not be written, 2 one is of no version that can be read.
#[derive(Debug, Args)]
pub(super) struct UpgradeArgs {
    /// Folders of runs.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Print a JSON array with an object for each ledger.
    #[arg(long)]
    json: bool,
}

impl UpgradeArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let found: Vec<_> = self.folders.iter().flat_map(|folder| upgrade(folder)).collect();
        let document = document(&found);
        if self.json || found.iter().any(|(_, upgraded)| upgraded.is_ok()) {
            print_document(self.json, &document)?;
        }
        let mut errors = found.into_iter().filter_map(|(_, upgraded)| upgraded.err());
        let Some(first) = errors.next() else {
            return Ok(());
        };
        for error in errors {
            crate::report::note(&format!("error: {error}"));
        }
        Err(first.into())
    }
}
