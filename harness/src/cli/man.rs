//! `tanren man`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use super::all_options;
use super::shared::CliError;

/// Write a manual page for every command.
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The folder, made if it is absent.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

impl ManArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let mut program = all_options().disable_help_subcommand(true);
        program.build();
        fs::create_dir_all(&self.dir)
            .and_then(|()| write(&program, &self.dir))
            .map_err(|error| CliError::input(format!("cannot write in '{}': {error}", self.dir.display())))
    }
}

fn write(command: &Command, dir: &Path) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = File::create(dir.join(format!("{name}.1")))?;
    Man::new(command.clone())
        .source(concat!("tanren ", env!("CARGO_PKG_VERSION")))
        .manual("Tanren")
        .render(&mut page)?;
    command.get_subcommands().try_for_each(|below| write(below, dir))
}
