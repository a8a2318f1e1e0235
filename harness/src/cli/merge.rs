//! `tanren merge`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{CliError, Printing};
use crate::tools::merge::merge;

/// Make one run of the shards of a match or a tournament.
///
/// Each DIR was played with another --shard I/N of the same command. All N are needed; each may be stopped early. The merged run counts the pairs
/// in order up to the first that is missing, as one run would have: a test is decided there. The command without --shard resumes it.
/// Merging again into the same --out adds what the shards have played since.
///
/// Exit codes: 0 merged, whatever the verdict; 2 the folders are not all shards of one run; 3 the run is invalid.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Folders of all shards.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Folder of the merged run.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Print nothing but problems.
    #[arg(long)]
    quiet: bool,
}

impl MergeArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let printing = Printing {
            is_quiet: self.quiet,
            is_json: self.json,
            ..Printing::default()
        };
        printing.finish(merge(&self.folders, &self.out), None, |_| Ok(()))
    }
}
