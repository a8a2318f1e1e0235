//! `tanren engines`.

use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::{Map, Value};

use super::check::CheckOptions;
use super::detect::{PATIENCE, detached, protocol_of};
use super::shared::{CliError, print, print_document};
use crate::config::{ConfigError, EngineProtocol, PlayerFile, ProcessSpec, library_names};
use crate::report::note;
use crate::session::error::ExperimentError;
use crate::tools::compliance::document;
use crate::tools::engines::{NewEngine, check_name, list, remove};
use tanren_core::player::{Finding, command_of};

/// Keep engines by name: a player is then @NAME.
///
/// The library is a folder of files of players, one for each engine: $XDG_CONFIG_HOME/tanren/engines (~/.config/tanren/engines),
/// %APPDATA% on Windows, ~/Library/Application Support on macOS, or the folder engines of $TANREN_CONFIG.
#[derive(Debug, Subcommand)]
pub(super) enum EnginesCommand {
    /// Start an engine once and add it under a name.
    ///
    /// The protocol is what the engine answers to. For engines that are known, options are suggested and written into the
    /// file, where you can change them.
    Add(AddArgs),
    /// List the engines, with what they call themselves and whether their program is there.
    List(ListArgs),
    /// Examine engines of the library as tanren check does.
    Check(CheckArgs),
    /// Remove engines from the library; their programs stay.
    Remove(RemoveArgs),
}

#[derive(Debug, Args)]
pub(super) struct AddArgs {
    /// The name: letters of any script, digits, '.', '_', '+' and '-'.
    #[arg(value_name = "NAME")]
    name: String,
    /// The engine as a player: ./engine, stockfish, 'engine --fast,option.Threads=1', uci:COMMAND, usi:COMMAND.
    #[arg(value_name = "COMMAND")]
    command: String,
    /// Replace the engine of this name.
    #[arg(long)]
    force: bool,
    /// Set no options that are suggested for known engines.
    #[arg(long)]
    plain: bool,
    /// How long it may take to start and to be ready, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 60_000)]
    startup_ms: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Print one JSON array.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The engines; all if none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    options: CheckOptions,
}

#[derive(Debug, Args)]
pub(super) struct RemoveArgs {
    /// The engines.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
}

impl EnginesCommand {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match self {
            EnginesCommand::Add(args) => args.run(),
            EnginesCommand::List(args) => print_document(args.json, &list()?),
            EnginesCommand::Check(args) => args.run(),
            EnginesCommand::Remove(args) => {
                remove(&args.names)?;
                note(&format!("removed {}", args.names.join(", ")));
                Ok(())
            }
        }
    }
}

impl AddArgs {
    fn run(&self) -> Result<(), CliError> {
        let (label, process, is_asked) = self.process().map_err(CliError::input)?;
        let mut engine = NewEngine {
            name: self.name.clone(),
            command: self.command.clone(),
            process,
            label,
            startup_ms: self.startup_ms,
            is_plain: self.plain,
            replaces: self.force,
        };
        engine.check()?;
        if !is_asked {
            engine.process.protocol = self.asked(&engine)?;
        }
        print_document(self.json, &engine.add()?)
    }

    /// The name and the program of the command; and is its protocol given?
    fn process(&self) -> Result<(Option<String>, ProcessSpec, bool), String> {
        let given = ProcessSpec::parse(&self.command);
        let is_given = given.is_some();
        let read = given.or_else(|| ProcessSpec::parse(&format!("usi:{}", self.command)));
        let (label, process) = read.unwrap_or_else(|| Err("there is no command".to_owned()))?;
        Ok((label, process, is_given))
    }

    /// The protocol that the engine answers to; of one that ends instead, its start says why.
    fn asked(&self, engine: &NewEngine) -> Result<EngineProtocol, CliError> {
        let begun = Instant::now();
        match protocol_of(&self.command, detached(command_of(&engine.process)), false) {
            Ok(protocol) => Ok(protocol),
            Err(message) if begun.elapsed() >= PATIENCE => Err(CliError::input(message)),
            Err(_) => Ok(engine.process.protocol),
        }
    }
}

fn unstarted(error: &ExperimentError) -> Finding {
    Finding {
        check: "starts, takes its options and is ready",
        is_passed: false,
        detail: error.to_string(),
    }
}

impl CheckArgs {
    fn run(&self) -> Result<(), CliError> {
        let names = if self.names.is_empty() {
            library_names()
        } else {
            self.names.clone()
        };
        if names.is_empty() {
            return Err(CliError::input(
                "the engine library is empty: tanren engines add NAME COMMAND",
            ));
        }
        let (mut failed, mut of, mut all) = (0, 0, Map::new());
        for name in &names {
            check_name(name)?;
            if let Err(error @ ConfigError::NotInLibrary { .. }) = PlayerFile::of_library(name) {
                return Err(error.into());
            }
            let found = match self.options.examine(&format!("@{name}")) {
                // The others are examined all the same.
                Err(CliError::Experiment(error)) if error.is_input() => vec![unstarted(&error)],
                found => found?,
            };
            let document = document(&found);
            if self.options.json {
                all.insert(name.clone(), document.json());
            } else {
                print(&format!("@{name}\n{}", document.text()))?;
            }
            failed += found.iter().filter(|finding| !finding.is_passed).count();
            of += found.len();
        }
        if self.options.json {
            print(&Value::from(all).to_string())?;
        }
        match failed {
            0 => Ok(()),
            failed => Err(CliError::Failed { failed, of }),
        }
    }
}
