//! `tanren verify`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, print_document};
use crate::tools::verify::{Verification, document, verify};

/// Check that a run is stored as it was played, and that its results follow from its moves and the rules.
///
/// Checksums, the order of the schedule, every move and every ending are checked, in the folder and in those below it. Results
/// by resignation, adjudication, fault and time stand as they are recorded, if they fit who was to move. Nothing is written;
/// the command of the run itself keeps what is whole of a damaged ledger and plays the rest again.
///
/// Exit codes: 0 all is good, 1 something is damaged or wrong, 2 no ledger that could be examined.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Folders of runs.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Play so many pairs of each match and tournament again, spread over all of it, and compare every move, score, depth and
    /// node count; only where no time decides and no external engine plays.
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
