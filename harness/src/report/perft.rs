//! A count of sequences of moves.

use serde_json::{Map, Value, json};

use crate::tools::perft::PerftFindings;

/// A line for each first move, and the sum with its rate.
pub fn describe_perft(found: &PerftFindings) -> String {
    let moves = found.moves.iter().flatten();
    let mut text: String = moves.map(|(mv, nodes)| format!("{mv} {nodes}\n")).collect();
    let rate = found.nodes as f64 / found.time.as_secs_f64().max(1e-9) / 1e6;
    let (nodes, time_ms) = (found.nodes, found.time.as_millis());
    text += &format!("{nodes} nodes in {time_ms} ms ({rate:.1} M/s)\n");
    text
}

pub fn perft_json(found: &PerftFindings) -> Value {
    let mut result = json!({ "nodes": found.nodes, "time_ms": found.time.as_millis() as u64 });
    if let Some(moves) = &found.moves {
        let moves = moves.iter().map(|(mv, nodes)| (mv.clone(), json!(nodes)));
        result["moves"] = moves.collect::<Map<_, _>>().into();
    }
    result
}
