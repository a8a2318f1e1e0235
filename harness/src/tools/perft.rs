use std::time::{Duration, Instant};

use tanren_engine::game::{Game, Position};
use tanren_engine::perft;

use crate::session::error::{ExperimentError, Result};
use crate::session::game::with_game;

/// Deeper than any count ends, and far from what the stack holds.
const DEPTH_MAX: u32 = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftSpec {
    pub game: Game,
    pub position: String,
    pub depth: u32,
    pub divides: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftFindings {
    pub nodes: u64,
    pub time: Duration,
    pub moves: Option<Vec<(String, u64)>>,
}

pub fn count_moves(spec: &PerftSpec) -> Result<PerftFindings> {
    if spec.depth > DEPTH_MAX {
        let message = format!(
            "--depth {} is too deep to be counted ({DEPTH_MAX} at most)",
            spec.depth
        );
        return Err(ExperimentError::Input(message));
    }
    with_game!(spec.game, count(spec))
}

fn count<P: Position>(spec: &PerftSpec) -> Result<PerftFindings> {
    let mut position = P::parse(spec.position.trim()).map_err(|error| {
        let message = format!("--position '{}': {error}", spec.position);
        ExperimentError::Input(message)
    })?;
    let start = Instant::now();
    let moves = if spec.divides && spec.depth > 0 {
        perft::divide(&mut position, spec.depth)
    } else {
        Vec::new()
    };
    let nodes = if moves.is_empty() {
        perft::perft(&mut position, spec.depth)
    } else {
        moves.iter().map(|(_, nodes)| nodes).sum()
    };
    let time = start.elapsed();
    let named = moves.iter().map(|(mv, nodes)| (mv.to_string(), *nodes));
    Ok(PerftFindings {
        nodes,
        time,
        moves: spec.divides.then(|| named.collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_behind_the_first_moves_sum_to_all() {
        let mut spec = PerftSpec {
            game: Game::Shogi,
            position: " startpos ".to_owned(),
            depth: 2,
            divides: true,
        };
        let found = count_moves(&spec).unwrap();
        let moves = found.moves.unwrap();
        assert_eq!((found.nodes, moves.len()), (900, 30));
        assert_eq!(moves.iter().map(|(_, nodes)| nodes).sum::<u64>(), 900);
        spec.position = "nowhere".to_owned();
        assert!(
            count_moves(&spec)
                .unwrap_err()
                .to_string()
                .contains("--position 'nowhere'")
        );
    }

    #[test]
    fn a_depth_without_end_is_refused() {
        let spec = PerftSpec {
            game: Game::Chess,
            position: "startpos".to_owned(),
            depth: 99_999_999,
            divides: false,
        };
        let message = count_moves(&spec).unwrap_err().to_string();
        assert!(
            message.contains("--depth 99999999") && message.contains("64 at most"),
            "{message}"
        );
    }
}
