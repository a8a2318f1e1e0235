//! A manual page for every command: `cargo run --example man -- ~/.local/share/man/man1`.

use std::path::Path;
use std::{env, fs, io};

use clap::Command;
use clap_mangen::Man;
use tanren::cli::all_options;

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    fs::create_dir_all(&folder)?;
    let mut program = all_options().disable_help_subcommand(true);
    program.build();
    write(&program, Path::new(&folder))
}

fn write(command: &Command, folder: &Path) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = fs::File::create(folder.join(format!("{name}.1")))?;
    let program = concat!("tanren ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone())
        .source(program)
        .manual("Tanren")
        .render(&mut page)?;
    command
        .get_subcommands()
        .try_for_each(|below| write(below, folder))
}
