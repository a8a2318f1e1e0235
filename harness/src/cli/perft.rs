//! `tanren perft`.
//!
//! In: a position and a depth. Out: the number of move sequences. Must not: count itself.

use std::time::Instant;

use clap::Args;
use serde_json::json;
use tanren_engine::game::Position;
use tanren_engine::perft::{divide, perft};

use super::shared::{CliError, GameArg};
use crate::experiment::with_game;
use crate::report::print_data;

const EXAMPLES: &str = "\
Examples:
  tanren perft --depth 4
      from the start position
  tanren perft --position \"4k4/9/4P4/9/9/9/9/9/4K4 b G 1\" --depth 3 --divide
      from another, with a count for each first move";

/// Count the sequences of legal moves to a depth.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PerftArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// startpos or a position in the game's notation.
    #[arg(long, default_value = "startpos", value_name = "POSITION")]
    position: String,
    /// Plies.
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Also show the count behind each first move.
    #[arg(long)]
    divide: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl PerftArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        with_game!(self.game.game(), count(self))
    }
}

fn count<P: Position>(args: &PerftArgs) -> Result<(), CliError> {
    let parsed = P::parse(args.position.trim());
    let mut position =
        parsed.map_err(|error| CliError::input(format!("--position '{}': {error}", args.position)))?;
    let start = Instant::now();
    let moves = if args.divide && args.depth > 0 {
        divide(&mut position, args.depth)
    } else {
        Vec::new()
    };
    let nodes = if moves.is_empty() {
        perft(&mut position, args.depth)
    } else {
        moves.iter().map(|(_, nodes)| nodes).sum()
    };
    let time = start.elapsed();
    let time_ms = time.as_millis() as u64;
    let text = if args.json {
        let mut result = json!({ "nodes": nodes, "time_ms": time_ms });
        if args.divide {
            let moves = moves.iter().map(|(mv, nodes)| (mv.to_string(), json!(nodes)));
            result["moves"] = moves.collect::<serde_json::Map<_, _>>().into();
        }
        result.to_string()
    } else {
        let mut text: String = moves
            .iter()
            .map(|(mv, nodes)| format!("{mv} {nodes}\n"))
            .collect();
        let rate = nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6;
        text += &format!("{nodes} nodes in {time_ms} ms ({rate:.1} M/s)\n");
        text
    };
    print_data(&text).map_err(CliError::system("print the count"))
}
