//! The command line: one module a command.
//!
//! In: arguments. Out: an experiment run and its outcome printed, an exit code. Must not: do what a stage should do.

mod ablate;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod fastchess;
mod man;
mod r#match;
mod nodes;
mod odds;
mod openings;
mod params;
mod perft;
mod replay;
mod report;
mod run;
#[cfg(feature = "web")]
mod serve;
mod shared;
mod simulate;
mod sprt;
mod tournament;
mod tune;
mod verify;
#[cfg(feature = "cluster")]
mod worker;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::config::ADVANCED;
use crate::experiment::ExperimentError;
use crate::platform;

/// Self-play tournaments and tuning for shogi and chess engines.
///
/// Exit codes: 0 ran, whatever the verdict; 1 failed while running; 2 bad input; 3 stopped by an engine's fault, as
/// --on-fault says; 130 or 143 stopped by SIGINT or SIGTERM after a clean save.
#[derive(Debug, Parser)]
#[command(name = "tanren", version, max_term_width = 100)]
pub struct Cli {
    /// Lower the priority of this process by N (1 to 19); changes no result.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=19))]
    nice: Option<i32>,
    #[command(subcommand)]
    command: Command,
}

/// To be called first in `main` of a program that plays with engines, as `tanren` does: on Linux lets it be called again as the guard
/// of each engine, so that whatever an engine starts is ended with it, also when the program itself is killed. In a process
/// that is such a guard it does not return. Without it engines are ended with their process group alone.
pub fn guard_engines() {
    platform::serve_or_offer_guard(std::env::args_os().skip(1));
}

#[derive(Debug, Subcommand)]
enum Command {
    Match(Box<r#match::MatchArgs>),
    Tournament(Box<tournament::TournamentArgs>),
    #[command(visible_alias = "cutechess")]
    Fastchess(fastchess::FastchessArgs),
    Run(run::RunArgs),
    Report(report::ReportArgs),
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    Replay(replay::ReplayArgs),
    Verify(verify::VerifyArgs),
    Nodes(nodes::NodesArgs),
    Ablate(Box<ablate::AblateArgs>),
    Odds(Box<odds::OddsArgs>),
    Tune(Box<tune::TuneArgs>),
    Sprt(sprt::SprtArgs),
    Simulate(Box<simulate::SimulateArgs>),
    #[command(subcommand)]
    Openings(openings::OpeningsCommand),
    #[cfg(feature = "cluster")]
    Worker(worker::WorkerArgs),
    #[cfg(feature = "cluster")]
    #[command(subcommand)]
    Cluster(cluster::ClusterCommand),
    Check(check::CheckArgs),
    Params(params::ParamsArgs),
    Perft(perft::PerftArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Cli {
    /// Runs the command and says on stderr what went wrong, if anything did.
    pub fn run(&self) -> ExitCode {
        match self.be_nice().and_then(|()| self.command.run()) {
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

impl Cli {
    /// Before any thread is started: threads inherit their niceness.
    fn be_nice(&self) -> Result<(), shared::CliError> {
        match self.nice {
            None => Ok(()),
            Some(increment) => platform::be_nice(increment)
                .map_err(shared::CliError::system("lower the priority for --nice")),
        }
    }
}

impl Command {
    fn run(&self) -> Result<(), shared::CliError> {
        match self {
            Command::Match(args) => args.run(),
            Command::Tournament(args) => args.run(),
            Command::Fastchess(args) => args.run(check_words, run_words),
            Command::Run(args) => args.run(),
            Command::Report(args) => args.run(),
            #[cfg(feature = "web")]
            Command::Serve(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Nodes(args) => args.run(),
            Command::Ablate(args) => args.run(),
            Command::Odds(args) => args.run(),
            Command::Tune(args) => args.run(),
            Command::Sprt(args) => args.run(),
            Command::Simulate(args) => args.run(),
            Command::Openings(command) => command.run(),
            #[cfg(feature = "cluster")]
            Command::Worker(args) => args.run(),
            #[cfg(feature = "cluster")]
            Command::Cluster(command) => command.run(),
            Command::Check(args) => args.run(),
            Command::Params(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}

/// The program with all its options, those that `--help` leaves out as well.
pub fn all_options() -> clap::Command {
    reveal(Cli::command())
}

fn reveal(command: clap::Command) -> clap::Command {
    let is_advanced = |arg: &clap::Arg| arg.get_help_heading() == Some(ADVANCED);
    command
        .mut_args(|arg| if is_advanced(&arg) { arg.hide(false) } else { arg })
        .mut_subcommands(reveal)
}

/// Reads a command in words, without the name of the program.
fn parse_words(words: &[String]) -> Result<Command, shared::CliError> {
    let words = std::iter::once("tanren").chain(words.iter().map(String::as_str));
    let read = Cli::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        ExperimentError::Input(text.trim_end().to_owned())
    });
    Ok(read?.command)
}

/// Could this command in words be run, as far as it can be told without programs and openings?
fn check_words(words: &[String]) -> Result<(), shared::CliError> {
    match parse_words(words)? {
        Command::Match(args) => args.check(),
        Command::Tournament(args) => args.check(),
        _ => Ok(()),
    }
}

fn run_words(words: &[String]) -> Result<(), shared::CliError> {
    parse_words(words)?.run()
}
