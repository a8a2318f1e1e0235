//! `tanren completions`.

use clap::Args;
use clap_complete::Shell;

use super::all_options;
use super::shared::{CliError, print};

/// Print a script that completes commands and options in a shell.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut all_options(), "tanren", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
