//! `tanren run`.
//!
//! In: specification files, such as the `run.toml` of an earlier run. Out: the same calls as from the command line.
//! Must not: have options of its own that decide results.

use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::play::{PlayOptions, play_match};
use crate::config::MatchSpec;
use crate::config::wire::MatchFile;

/// Play what specification files say, one after the other.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Files such as the run.toml of an earlier run.
    #[arg(required = true, value_name = "FILE.toml")]
    files: Vec<PathBuf>,
    /// Where results go; for one file only.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    options: PlayOptions,
}

impl RunArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.files.len() > 1 && self.out.is_some() {
            return Err(CliError::Input(
                "--out is for one file, but there are several".to_owned(),
            ));
        }
        let specs = self.files.iter().map(|path| {
            let file = MatchFile::read(path)?;
            if file.command.is_none() {
                let message = format!(
                    "'{}' does not say its command, such as command = \"match\"",
                    path.display()
                );
                return Err(CliError::Input(message));
            }
            Ok(MatchSpec::from_file(&file)?)
        });
        // All files are checked before the first game of the first one.
        let specs: Vec<MatchSpec> = specs.collect::<Result<_, CliError>>()?;
        specs
            .iter()
            .try_for_each(|spec| play_match(spec, self.out.as_deref(), &self.options))
    }
}
