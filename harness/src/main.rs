//! The `tanren` command: parse, dispatch, exit code.

use std::process::ExitCode;

use tanren::cli::Cli;

fn main() -> ExitCode {
    tanren::guard_engines();
    Cli::of_process().run()
}
