//! The command line: one module a command.

mod ablate;
mod attempts;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod detect;
mod doctor;
mod engines;
mod fastchess;
mod kinds;
mod language;
mod man;
mod merge;
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
mod test;
mod tune;
mod upgrade;
mod verify;
mod version;
#[cfg(feature = "cluster")]
mod worker;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use unicode_width::UnicodeWidthStr;

use self::ablate::ListArgs;
use self::kinds::KindArgs;
use self::shared::{PgnArgs, PlayArgs, ShardArgs, WorkKeys};
use self::tune::BenchArgs;
use crate::config::{ADVANCED, Engines, MatchKeys, TournamentKeys};
use crate::document::language::{Language, said};
use crate::kinds::ablate::AblateKeys;
use crate::kinds::nodes::spec::NodesKeys;
use crate::kinds::odds::OddsKeys;
use crate::kinds::tune::TuneKeys;
use crate::platform;

/// Plays shogi and chess engines against each other and tells which version is stronger.
///
/// Exit codes: 0 ran, whatever the verdict; 1 failed while running; 2 bad input; 3 invalid, or stopped by an engine's fault.
/// 130 or 143: stopped by SIGINT or SIGTERM after a clean save.
#[derive(Parser)]
#[command(name = "tanren", version, max_term_width = 100, override_help = whole_menu(), mut_subcommands = with_examples)]
pub struct Cli {
    /// Lower the priority of this process by N (1 to 19); changes no result.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=19), hide = true, help_heading = ADVANCED)]
    nice: Option<i32>,
    /// Print help with every option and all details.
    #[arg(long, global = true)]
    help_all: bool,
    /// Is it told at the end what to do next?
    #[arg(skip)]
    is_demo: bool,
    /// Language: en or ja (TANREN_LANG, else the locale).
    #[arg(long, global = true, value_name = "LANG", hide_possible_values = true, hide = true, help_heading = ADVANCED)]
    lang: Option<Language>,
    #[command(subcommand)]
    command: Command,
}

/// To be called first in `main` of a program that plays with engines, as `tanren` does: on Linux lets it be called again as the guard
/// of each engine, so that whatever an engine starts is ended with it, also when the program itself is killed. In a process
/// that is such a guard it does not return. Without it engines are ended with their process group alone.
pub fn guard_engines() {
    platform::serve_or_offer_guard(std::env::args_os().skip(1));
}

#[derive(Subcommand)]
enum Command {
    /// Play A against B in pairs of games, both colours of each opening.
    ///
    /// Without --a and --b: losing captures in quiescence search skipped against tried, at 400 nodes a move. Without --pairs and
    /// --sprt too: under an SPRT, in some seconds.
    /// The same command on the same folder resumes where it stopped.
    Match(Box<KindArgs<MatchKeys, ShardArgs, PgnArgs>>),
    /// Play a round robin or a gauntlet of many players in pairs of games, and rate them.
    ///
    /// Round by round every pairing gets the same next opening, so that a tournament that is stopped is a shorter one. The
    /// same command on the same folder resumes where it stopped.
    Tournament(Box<KindArgs<TournamentKeys, ShardArgs, PgnArgs>>),
    #[command(mut_arg("a", |arg| arg.hide(true).help_heading(ADVANCED).help("Refused: what is tested is player A").long_help(None::<&str>)))]
    #[command(mut_arg("b", |arg| arg.hide(true).help_heading(ADVANCED).help("Refused: the base is player B").long_help(None::<&str>)))]
    #[command(mut_arg("nodes", |arg| arg.help("Nodes per move, such as 20k")))]
    #[command(mut_arg("out", |arg| arg.help("Folder of the run (results/BRANCH-vs-BASE); the same command resumes it")))]
    #[command(mut_arg("sprt", |arg| arg.help("Bounds instead of those of the preset, such as 0,5").long_help(None::<&str>)))]
    #[command(mut_arg("pairs", |arg| arg.help("Most pairs (of the preset; with --series 500 for each commit)")))]
    Test(Box<test::TestArgs>),
    #[command(visible_alias = "cutechess")]
    Fastchess(fastchess::FastchessArgs),
    Run(Box<run::RunArgs>),
    Merge(merge::MergeArgs),
    Report(report::ReportArgs),
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    Replay(replay::ReplayArgs),
    Verify(verify::VerifyArgs),
    Upgrade(upgrade::UpgradeArgs),
    /// Count the nodes that configurations need for each depth, over a suite of positions.
    ///
    /// Every position is searched by every configuration, each time as the first move of a new game, and compared with the
    /// first configuration. The settings that end a search before its depth (one_reply, mate_stop, second_best_stop) are
    /// switched off in all configurations of the built-in engine. The same command on the same folder resumes where it
    /// stopped.
    ///
    /// External engines are asked for `go depth D` and counted by their info lines; what these leave out stays empty. Engines count
    /// differently (quiescence, the root, null moves; what a depth is): a ratio between two engines is no measure of either, their
    /// growth from depth to depth is. A position that an engine fails on is in no ratio.
    ///
    /// Files: comparisons.csv, nodes.csv, nodes_summary.csv, counters.csv, distances.csv, nodes.svg, and ledger.sqlite, which the others are made from.
    Nodes(Box<KindArgs<NodesKeys, WorkKeys>>),
    /// Measure what each technique is worth: the engine against itself with one setting changed.
    ///
    /// There is a row for every other value of every switch and choice, except for time rules without a clock. Everything is
    /// seen from the base's setting: Elo above 0 says that the base is stronger, a node ratio above 1 that it needs fewer nodes
    /// to a fixed depth.
    ///
    /// The same command on the same folder resumes where it stopped; more pairs, rows or positions can be asked for later.
    /// A change that shows in no game of the first 50 pairs is given up as identical.
    ///
    /// Files: ablation.csv, ablation.svg, and for each row the folder of a match (matches/...) and of its searches (nodes/...).
    #[command(mut_arg("engine_log", |arg| arg.hide(true).help_heading(ADVANCED)))]
    #[command(mut_arg("on_fault", |arg| arg.hide(true).help_heading(ADVANCED)))]
    #[command(mut_arg("pause_after", |arg| arg.hide(true).help_heading(ADVANCED)))]
    Ablate(Box<KindArgs<AblateKeys, PlayArgs, ListArgs>>),
    /// Find the ratio of nodes (or time) at which A and B are equally strong.
    ///
    /// B always plays with the given limit, A with a multiple of it. Each batch of pairs is played near the ratio that looks even
    /// so far. A ratio below 1 says that A needs less.
    ///
    /// B may have a limit of another kind: --nodes 10000 --b base,depth=8 finds how many times 10,000 nodes make A as strong as B
    /// to depth 8.
    ///
    /// The same command on the same folder resumes where it stopped, with more --pairs too.
    ///
    /// Files: odds.csv, odds.svg, and the folder of a match for each batch (batches/...).
    Odds(Box<KindArgs<OddsKeys>>),
    /// Tune numbers of a player by games of the player against itself, and test whether it became stronger.
    ///
    /// Every iteration plays two sets of values, one on either side of the state, and moves the state towards the winner. At the
    /// end the values found play a match against those of the start on openings that the tuning never saw.
    ///
    /// Files: spsa.csv, spsa.svg, tuned.toml, summary.csv, run.toml and the folder of the match (confirm).
    #[command(mut_arg("openings", |arg| arg.help("Openings, as of a match (the built-in suite if absent); every fourth is kept for the confirming match").long_help(None::<&str>)))]
    #[command(mut_arg("seed", |arg| arg.help("Decides every flip, orders the openings and varies the node limits (1)")))]
    Tune(Box<KindArgs<TuneKeys, PlayArgs, BenchArgs>>),
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
    Doctor(doctor::DoctorArgs),
    #[command(subcommand)]
    Engines(engines::EnginesCommand),
    Params(params::ParamsArgs),
    Perft(perft::PerftArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Cli {
    /// Runs the command and says on stderr what went wrong, if anything did.
    pub fn run(&self) -> ExitCode {
        match self.be_nice().and_then(|()| self.command.run()) {
            Ok(()) => {
                if self.is_demo {
                    let _ = crate::report::print_data(match Language::spoken() {
                        Language::English => NEXT,
                        Language::Japanese => NEXT_JAPANESE,
                    });
                }
                ExitCode::SUCCESS
            }
            Err(error) => {
                if let Some(text) = error.shown() {
                    crate::report::note(&text);
                }
                ExitCode::from(error.exit_code())
            }
        }
    }
}

impl Cli {
    /// The command line of this process; help and mistakes end it.
    pub fn of_process() -> Cli {
        let words = by_name(std::env::args_os().collect());
        match language::choose(&words) {
            Ok(chosen) => chosen.speak(),
            Err(error) => refuse(&error),
        }
        let words = detect::with_protocols(words).unwrap_or_else(|error| refuse(&error));
        match words.get(1).and_then(|word| word.to_str()) {
            None if words.len() == 1 => return menu(),
            Some("--version") if words.len() == 2 => {
                let _ = crate::report::print_data(&version::text());
                std::process::exit(0)
            }
            _ => {}
        }
        let words = fastchess::as_cutechess(words);
        let words = short_help(words);
        if words.iter().any(|word| word == HELP_ALL) {
            let words = words.iter().map(|word| {
                if word == HELP_ALL {
                    "--help".into()
                } else {
                    word.clone()
                }
            });
            let words: Vec<OsString> = words.collect();
            say_japanese(all_options(), &words);
            all_options().get_matches_from(words);
        }
        Cli::try_parse_from(&words).unwrap_or_else(|error| {
            let command = Cli::command();
            let is_of_command = |word: &OsString| command.find_subcommand(word).is_some();
            if error.kind() == ErrorKind::MissingSubcommand && !words.iter().any(is_of_command) {
                return menu();
            }
            say_japanese(command, &words);
            if !error.use_stderr() {
                error.exit();
            }
            crate::report::note(attempts::answer(&words, &error, &Cli::command()).trim_end());
            std::process::exit(2)
        })
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
            Command::Test(args) => args.run(),
            Command::Fastchess(args) => args.run(),
            Command::Run(args) => args.run(),
            Command::Merge(args) => args.run(),
            Command::Report(args) => args.run(),
            #[cfg(feature = "web")]
            Command::Serve(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Upgrade(args) => args.run(),
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
            Command::Doctor(args) => args.run(),
            Command::Engines(command) => command.run(),
            Command::Params(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}

fn refuse(error: &dyn Display) -> ! {
    crate::report::note(&format!("error: {error}"));
    std::process::exit(2)
}

/// Ends the process with the help that is asked for, if it is to be in Japanese.
fn say_japanese(command: clap::Command, words: &[OsString]) {
    let is_japanese = Language::spoken() == Language::Japanese;
    let help = is_japanese.then(|| language::japanese_help(command, words));
    if let Some((help, code)) = help.flatten() {
        let _ = std::io::stdout().write_all(help.as_bytes());
        std::process::exit(code)
    }
}

/// A link or copy that is named after a program whose command lines are run as they are is that command.
fn by_name(mut words: Vec<OsString>) -> Vec<OsString> {
    let program = words.first().and_then(|program| Path::new(program).file_name());
    let program = program.and_then(|program| program.to_str()).unwrap_or_default();
    if let Some(name) = ["fastchess", "cutechess"]
        .iter()
        .find(|name| program.starts_with(**name))
    {
        words[0] = "tanren".into();
        words.insert(1, name.into());
    }
    words
}

/// The commands by purpose.
const MENU: &str = include_str!("menu.txt");
const MENU_JAPANESE: &str = include_str!("menu.ja.txt");
/// What `tanren` alone offers on a terminal.
const DEMO: [&str; 2] = ["tanren", "match"];

/// After the demo.
const NEXT: &str = "
Next:
  tanren serve --open                              all games in a browser
  tanren match --a ./new --b ./old --tc 10+0.1     two engines of your own
  tanren doctor                                    games at a time, time controls
  tanren --help                                    all commands
";

const NEXT_JAPANESE: &str = "
次に：
  tanren serve --open                              全対局をブラウザで見る
  tanren match --a ./new --b ./old --tc 10+0.1     自作エンジン同士の対戦
  tanren doctor                                    同時対局数と持ち時間の目安
  tanren --help                                    全コマンド
";
const QUESTION: &str = "Press Enter to play the demo match, q and Enter to leave.";

/// The commands by purpose; on a terminal Enter plays a demo match.
fn menu() -> Cli {
    let _ = crate::report::print_data(&short_menu(whole_menu()));
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let mut line = "q".to_owned();
    if is_terminal {
        let _ = crate::report::print_data(&format!("\n{}", said(QUESTION)));
        line.clear();
        // The end of input is no wish to play.
        if std::io::stdin().read_line(&mut line).unwrap_or(0) == 0 {
            line = "q".to_owned();
        }
    }
    if !line.trim().is_empty() {
        std::process::exit(0)
    }
    let _ = crate::report::print_data(&format!("{}\n", DEMO.join(" ")));
    Cli {
        is_demo: true,
        ..Cli::parse_from(DEMO)
    }
}

/// The commands by purpose, in the language that is spoken.
fn whole_menu() -> &'static str {
    match Language::spoken() {
        Language::English => MENU,
        Language::Japanese => MENU_JAPANESE,
    }
}

/// The menu without what each command does.
fn short_menu(menu: &str) -> String {
    let mut text = String::new();
    for part in menu.split("\n\n") {
        let is_list = part.starts_with(|first: char| !first.is_whitespace()) && part.contains("\n  ");
        match is_list {
            true => text += &groups(part),
            false if part.contains("--help") => {
                text += &format!("{}\n", said("tanren --help says what each of them does."))
            }
            false => text += &format!("{part}\n\n"),
        }
    }
    text
}

/// A line for each purpose, with the names of its commands.
fn groups(list: &str) -> String {
    let mut text = String::new();
    for line in list.lines() {
        match line.strip_prefix("  ") {
            None => text += &format!("\n{line}{}", " ".repeat(11_usize.saturating_sub(line.width()))),
            Some(command) => {
                text += if text.ends_with(' ') { "" } else { ", " };
                text += command.split(' ').next().unwrap_or_default();
            }
        }
    }
    format!("{}\n\n", text.trim_start())
}

/// `--help` is the short one; `--help-all` has everything.
fn short_help(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.len() > 2 && words[1] == "help" {
        words.remove(1);
        words.push("--help".into());
    }
    let own = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for word in &mut words[..own] {
        if word == "--help" {
            *word = "-h".into();
        }
    }
    words
}

/// The examples of every command, each below its name.
const EXAMPLES: &str = include_str!("examples.txt");

fn with_examples(command: clap::Command) -> clap::Command {
    let head = format!("== {}\n", command.get_name());
    let found = EXAMPLES.split_once(&head).map(|(_, rest)| rest);
    let examples = found.map(|rest| rest.split("\n== ").next().unwrap_or(rest).trim_end());
    let add = |command: clap::Command| {
        let help = clap::Arg::new("help").short('h').long("help");
        let help = help.action(clap::ArgAction::Help).help("Print help");
        let help = help.help_heading(None::<&str>);
        let command = command.disable_help_flag(true).arg(help);
        match examples {
            Some(examples) => command.after_help(examples),
            None => command,
        }
    };
    add(command).mut_subcommands(add)
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
            let text = attempts::in_plain_words(&error);
            let text = text.split("\n\nFor more information").next().unwrap_or(&text);
            shared::CliError::input(text.strip_prefix("error: ").unwrap_or(text).trim_end())
        });
        Ok(read?.command)
    }

    /// Could it be run, as far as it can be told without programs and files?
    fn check(&self) -> Result<(), shared::CliError> {
        match self {
            Command::Match(args) => args.check(),
            Command::Tournament(args) => args.check(),
            _ => Ok(()),
        }
    }

    fn check_files(&self) -> Result<(), shared::CliError> {
        match self {
            Command::Match(args) => args.check_files(Engines::default()),
            Command::Tournament(args) => args.check_files(Engines::default()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_is_in_the_menu() {
        for command in Cli::command().get_subcommands() {
            let line = format!("\n  {} ", command.get_name());
            assert!(MENU.contains(&line) && MENU_JAPANESE.contains(&line), "{line}");
        }
        assert!(
            (MENU.to_owned() + MENU_JAPANESE)
                .lines()
                .all(|line| line.width() <= 80)
        );
    }

    /// A text that replaces the short help of an option replaces the long one too, which begins with it.
    #[test]
    fn long_help_begins_with_the_short_help() {
        for command in Cli::command().get_subcommands() {
            for arg in command.get_arguments() {
                if let (Some(short), Some(long)) = (arg.get_help(), arg.get_long_help()) {
                    let (short, long) = (short.to_string(), long.to_string());
                    let short = short.trim_end_matches('.');
                    assert!(
                        long.starts_with(short),
                        "{} {}: {short} / {long}",
                        command.get_name(),
                        arg.get_id()
                    );
                }
            }
        }
    }

    #[test]
    fn help_is_short_unless_all_is_asked_for() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for (line, expected) in [
            ("tanren match --help", "tanren match -h"),
            ("tanren help match", "tanren match -h"),
            ("tanren match --help-all", "tanren match --help-all"),
            ("tanren fastchess -- --help", "tanren fastchess -- --help"),
        ] {
            assert_eq!(short_help(words(line)), words(expected));
        }
        assert!(Cli::try_parse_from(DEMO).is_ok());
    }
}
