//! The command line: one module a command.
//!
//! In: arguments. Out: calls into the pipeline, an exit code. Must not: do what a stage should do.

mod error;
mod folder;
mod game;
mod r#match;
mod nodes;
mod openings;
mod params;
mod perft;
mod play;
mod report;
mod run;
mod simulate;
mod sprt;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Self-play tournaments and tuning for shogi and chess engines.
///
/// Exit codes: 0 ran, whatever the verdict; 1 failed while running; 2 bad input; 130 or 143 stopped by SIGINT or
/// SIGTERM after a clean save.
#[derive(Debug, Parser)]
#[command(name = "tanren", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Match(Box<r#match::MatchArgs>),
    Run(run::RunArgs),
    Report(report::ReportArgs),
    Nodes(nodes::NodesArgs),
    Sprt(sprt::SprtArgs),
    Simulate(Box<simulate::SimulateArgs>),
    #[command(subcommand)]
    Openings(openings::OpeningsCommand),
    Params(params::ParamsArgs),
    Perft(perft::PerftArgs),
}

impl Cli {
    /// Runs the command and says on stderr what went wrong, if anything did.
    pub fn run(&self) -> ExitCode {
        let result = match &self.command {
            Command::Match(args) => args.run(),
            Command::Run(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Nodes(args) => args.run(),
            Command::Sprt(args) => args.run(),
            Command::Simulate(args) => args.run(),
            Command::Openings(command) => command.run(),
            Command::Params(args) => args.run(),
            Command::Perft(args) => args.run(),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                if let Some(text) = error.text() {
                    crate::report::note(&format!("error: {text}"));
                }
                ExitCode::from(error.exit_code())
            }
        }
    }
}
