//! `tanren man`.
//!
//! In: the name of a command, or a folder. Out: manual pages (roff), from the declarations of all commands.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use super::all_options;
use super::shared::CliError;
use crate::experiment::ExperimentError;
use crate::report::{note, print_data};

const EXAMPLES: &str = "\
Examples:
  tanren man match > tanren-match.1
      the page of one command
  tanren man --out ~/.local/share/man/man1
      a page for every command, where `man tanren-match` finds it";

/// Print a manual page, or write all of them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ManArgs {
    /// The command, such as match or openings generate (tanren itself if absent).
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Write a page for every command into this folder instead.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match &self.out {
            Some(folder) => write_all(folder),
            None => {
                let text = one(&self.command)?;
                print_data(&text).map_err(CliError::system("print the page"))
            }
        }
    }
}

/// All commands, each with its full name.
fn program() -> Command {
    let mut program = all_options().disable_help_subcommand(true);
    program.build();
    program
}

fn one(names: &[String]) -> Result<String, CliError> {
    let program = program();
    let mut command = &program;
    for name in names {
        command = command.find_subcommand(name).ok_or_else(|| {
            CliError::input(format!(
                "there is no command '{}' (tanren --help)",
                names.join(" ")
            ))
        })?;
    }
    page(command).map_err(CliError::system("make the page"))
}

fn page(command: &Command) -> io::Result<String> {
    let mut page = Vec::new();
    let program = concat!("tanren ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone())
        .source(program)
        .manual("Tanren")
        .render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn write_all(folder: &Path) -> Result<(), CliError> {
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |source| CliError::from(ExperimentError::Unwritable { path, source })
    };
    fs::create_dir_all(folder).map_err(unwritable(folder))?;
    let pages = all(&program()).map_err(CliError::system("make the pages"))?;
    for (name, text) in &pages {
        let path = folder.join(name);
        fs::write(&path, text).map_err(unwritable(&path))?;
    }
    note(&format!("{} pages written to {}", pages.len(), folder.display()));
    Ok(())
}

/// The page of `command` and those below it, each with the name of its file.
fn all(command: &Command) -> io::Result<Vec<(String, String)>> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut pages = vec![(format!("{name}.1"), page(command)?)];
    for below in command.get_subcommands() {
        pages.extend(all(below)?);
    }
    Ok(pages)
}
