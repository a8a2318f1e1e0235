//! `tanren verify`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, print_document};
use crate::tools::verify::{Verification, document, verify};

/// Check a stored run: checksums, schedule, moves and results.
///
/// All folders below are checked too. Results by resignation, adjudication, fault and time are taken as recorded. Nothing is written; the command of the run itself repairs a damaged ledger.
///
/// Exit codes: 0 all is good, 1 something is damaged or wrong, 2 no ledger that could be examined.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Folders of runs.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Play so many pairs of each match again and compare every move, score, depth and node count.
    ///
    /// Only under node or depth limits and with the built-in engine.
    #[arg(long, value_name = "N", default_value_t = 0)]
    replay: u64,
    /// Print one JSON object, or an array of them for several folders.
    #[arg(long)]
    json: bool,
    /// Print nothing but problems.
    #[arg(long)]
    quiet: bool,
}

impl VerifyArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let found = self.folders.iter().map(|folder| verify(folder, self.replay));
        let found: Vec<Verification> = found.collect::<Result<_, _>>()?;
        let all = found.iter().flat_map(|folder| &folder.ledgers);
        let failed = all.clone().filter(|ledger| !ledger.problems.is_empty()).count();
        if self.json || !self.quiet || failed > 0 {
            print_document(self.json, &document(&found))?;
        }
        if failed == 0 {
            return Ok(());
        }
        Err(CliError::Unproved {
            failed,
            of: all.count(),
        })
    }
}
