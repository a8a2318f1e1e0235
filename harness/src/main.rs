//! The `tanren` command: parse, dispatch, exit code.

use std::process::ExitCode;

use clap::Parser;
use tanren::cli::Cli;

fn main() -> ExitCode {
    tanren::guard_engines();
    Cli::parse().run()
}
