//! The command line: one module a command.

mod ablate;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod fastchess;
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

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::r#match::GamesArgs;
use crate::config::{ADVANCED, MatchKeys, TournamentKeys};
use crate::platform;

/// Self-play tournaments and tuning for shogi and chess engines.
///
/// Exit codes: 0 ran, whatever the verdict; 1 failed while running; 2 bad input; 3 stopped by an engine's fault, as
/// --on-fault says; 130 or 143 stopped by SIGINT or SIGTERM after a clean save.
#[derive(Debug, Parser)]
#[command(name = "tanren", version, max_term_width = 100)]
pub struct Cli {
    /// Lower the priority of this process by N (1 to 19); changes no result.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=19), hide = true, help_heading = ADVANCED)]
    nice: Option<i32>,
    /// Print help with every option, rare ones too.
    #[arg(long, global = true)]
    help_all: bool,
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
    /// Play A against B in pairs of games, both colours of each opening.
    ///
    /// Without --a and --b: null-move reduction on against off, at 2500 nodes a move if no limit is given; without --pairs and --sprt too, under
    /// an SPRT, in about a minute.
    /// The same command on the same folder resumes where it stopped.
    #[command(after_help = r#match::EXAMPLES)]
    Match(Box<GamesArgs<MatchKeys>>),
    /// Play a round robin or a gauntlet of many players in pairs of games, and rate them.
    ///
    /// Round by round every pairing gets the same next opening, so that a tournament that is stopped is a shorter one. The
    /// same command on the same folder resumes where it stopped.
    #[command(after_help = tournament::EXAMPLES)]
    Tournament(Box<GamesArgs<TournamentKeys>>),
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
    /// The command line of this process; help and mistakes end it.
    pub fn of_process() -> Cli {
        let words: Vec<OsString> = std::env::args_os().collect();
        if words.iter().any(|word| word == HELP_ALL) {
            let words = words.iter().map(|word| {
                if word == HELP_ALL {
                    "--help".into()
                } else {
                    word.clone()
                }
            });
            all_options().get_matches_from(words);
        }
        Cli::parse_from(words)
    }

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
            Command::Fastchess(args) => args.run(),
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
        }
    }
}

const HELP_ALL: &str = "--help-all";

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

impl Command {
    /// The command of this name with the values of these keys, unless the user's `own` options say otherwise.
    fn filled(name: &str, keys: &[(&str, String)], own: &[String]) -> Result<Command, shared::CliError> {
        let fill = |arg: clap::Arg| {
            let own = keys.iter().filter(|(key, _)| arg.get_id() == key);
            let values: Vec<String> = own.map(|(_, value)| value.clone()).collect();
            if values.is_empty() {
                arg
            } else {
                arg.default_values(values)
            }
        };
        let program = Cli::command().mut_subcommand(name, |command| command.mut_args(fill));
        let words = ["tanren", name].into_iter().chain(own.iter().map(String::as_str));
        let matches = program.try_get_matches_from(words);
        let read = matches.and_then(|matches| Cli::from_arg_matches(&matches));
        let read = read.map_err(|error| {
            let text = error.to_string();
            shared::CliError::input(text.strip_prefix("error: ").unwrap_or(&text).trim_end())
        });
        Ok(read?.command)
    }

    /// Could it be run, as far as it can be told without programs and openings?
    fn check(&self) -> Result<(), shared::CliError> {
        match self {
            Command::Match(args) => args.check(),
            Command::Tournament(args) => args.check(),
            _ => Ok(()),
        }
    }
}
