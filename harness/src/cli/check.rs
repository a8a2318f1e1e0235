//! `tanren check`.
//!
//! In: another program. Out: what it does of its protocol, a line a question. Must not: ask itself.

use clap::Args;
use serde_json::json;
use tanren_engine::game::Position;

use super::shared::{CliError, GameArg};
use crate::config::{Patience, PlayerSpec};
use crate::experiment::with_game;
use crate::interrupt::Interrupt;
use crate::player::{Finding, Silence, comply};
use crate::report::print_data;

const EXAMPLES: &str = "\
Examples:
  tanren check usi:./engine,option.Threads=1
      an engine for shogi
  tanren check uci:stockfish --game chess
      one for chess";

/// Examine another engine: does it start, keep its time, stop, ponder, play the same again, leave?
///
/// Exit code 0 if everything is as it should be, 1 if not.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CheckArgs {
    /// The engine: usi:COMMAND,option.NAME=value,..., uci:COMMAND... or @file.toml.
    engine: String,
    /// What it plays.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// Hash table that it is asked for in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4)]
    hash: usize,
    /// How long it may take to start and to be ready, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    startup_ms: u64,
    /// How long it may take for any move, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    stall_ms: u64,
    /// Print one JSON array.
    #[arg(long)]
    json: bool,
}

impl CheckArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        with_game!(self.game.game(), check(self))
    }
}

fn check<P: Position>(args: &CheckArgs) -> Result<(), CliError> {
    let player = PlayerSpec::parse(args.game.game(), "to check", &args.engine)?;
    let Some(process) = player.process() else {
        let message = format!(
            "'{}' is the built-in engine; expected usi:COMMAND or uci:COMMAND",
            args.engine
        );
        return Err(CliError::input(message));
    };
    let interrupt = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let patience = Patience {
        startup_ms: args.startup_ms,
        stall_ms: args.stall_ms,
    };
    let findings = match comply::<P>(process, patience, args.hash, &interrupt) {
        Ok(findings) => findings,
        Err(Silence::Fault(fault)) => return Err(CliError::input(fault.to_string())),
        Err(Silence::Interrupted) => {
            let signal = interrupt.signal();
            return Err(signal.map_or_else(|| CliError::input("interrupted".to_owned()), CliError::Stopped));
        }
    };
    let text = if args.json {
        let row = |finding: &Finding| json!({"check": finding.check, "passed": finding.is_passed, "detail": finding.detail});
        serde_json::Value::Array(findings.iter().map(row).collect()).to_string()
    } else {
        crate::report::findings(&findings)
    };
    print_data(&text).map_err(CliError::system("print the result"))?;
    match findings.iter().filter(|finding| !finding.is_passed).count() {
        0 => Ok(()),
        failed => Err(CliError::Failed {
            failed,
            of: findings.len(),
        }),
    }
}
