use std::time::Instant;

use serde_json::{Map, json};
use tanren_engine::game::{Game, Position};
use tanren_engine::perft;

use crate::document::Document;
use crate::session::error::{ExperimentError, Result};
use crate::session::game::with_game;

pub fn count_moves(game: Game, position: &str, depth: u32, divides: bool) -> Result<Document<'static>> {
    if depth > perft::DEPTH_MAX {
        let most = perft::DEPTH_MAX;
        let message = format!("--depth {depth} is too deep to be counted ({most} at most)");
        return Err(ExperimentError::Input(message));
    }
    with_game!(game, count(position, depth, divides))
}

fn count<P: Position>(text: &str, depth: u32, divides: bool) -> Result<Document<'static>> {
    let mut position = P::parse(text.trim())
        .map_err(|error| ExperimentError::Input(format!("--position '{text}': {error}")))?;
    let start = Instant::now();
    let moves = if divides && depth > 0 {
        perft::divide(&mut position, depth)
    } else {
        Vec::new()
    };
    let nodes = if moves.is_empty() {
        perft::perft(&mut position, depth)
    } else {
        moves.iter().map(|(_, nodes)| nodes).sum()
    };
    let (seconds, time_ms) = (start.elapsed().as_secs_f64(), start.elapsed().as_millis() as u64);
    let mut lines: String = moves
        .iter()
        .map(|(mv, nodes)| format!("{mv} {nodes}\n"))
        .collect();
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    lines += &format!("{nodes} nodes in {time_ms} ms ({rate:.1} M/s)\n");
    let mut values = json!({ "nodes": nodes, "time_ms": time_ms });
    if divides {
        let moves = moves.iter().map(|(mv, nodes)| (mv.to_string(), json!(nodes)));
        values["moves"] = moves.collect::<Map<_, _>>().into();
    }
    Ok(Document::of_text(lines, values))
}
