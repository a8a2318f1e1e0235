//! One game and one pair, from the opening to the record.
//!
//! In: an opening, two players, the rules. Out: a [`PairRecord`]. Must not: know of other pairs, threads or files.

mod referee;

pub use referee::{Ending, judge};

use std::time::Instant;

use tanren_engine::game::{GameMove, Path, Position, Side};

use crate::config::Rules;
use crate::openings::Opening;
use crate::player::{Action, Player};
use crate::record::{GameRecord, PairRecord, PlayerId};
use crate::schedule::PairPlan;

/// Longer games let the list of moves grow.
const MOVES_EXPECTED: usize = 256;

/// Two players facing each other, and what is reused from game to game. One worker owns it.
pub struct Table<P: Position> {
    players: [Box<dyn Player<P>>; 2],
    rules: Rules,
    path: Path,
}

impl<P: Position> Table<P> {
    /// A table for players A and B.
    pub fn new(players: [Box<dyn Player<P>>; 2], rules: Rules) -> Self {
        Table {
            players,
            rules,
            path: Path::default(),
        }
    }

    /// Plays both games of a pair. `None` if a player was interrupted.
    pub fn play_pair(&mut self, plan: &PairPlan, opening: &Opening<P>) -> Option<PairRecord> {
        let [first, second] = PairPlan::FIRST;
        Some(PairRecord {
            pair: plan.pair,
            opening_line: opening.line,
            opening: opening.position.to_string(),
            games: [
                self.play_game(&opening.position, first, plan.seeds[0])?,
                self.play_game(&opening.position, second, plan.seeds[1])?,
            ],
        })
    }

    /// Plays one game in which `first` makes the first move. `None` if a player was interrupted.
    pub fn play_game(&mut self, start: &P, first: PlayerId, seed: u32) -> Option<GameRecord> {
        let mut position = start.clone();
        self.path.restart(&position);
        for player in &mut self.players {
            player.new_game(seed);
        }
        let mut moves = Vec::with_capacity(MOVES_EXPECTED);
        let (mut nodes, mut time_us, mut depth_sum) = ([0; 2], [0; 2], [0; 2]);
        let first_side = start.side_to_move();
        let player_of = |side: Side| {
            if side == first_side {
                first
            } else {
                first.opponent()
            }
        };
        let ending = loop {
            let id = player_of(position.side_to_move()).index();
            let began = Instant::now();
            let thought = self.players[id].think(&position, &self.path)?;
            time_us[id] += began.elapsed().as_micros() as u64;
            nodes[id] += thought.nodes;
            depth_sum[id] += u64::from(thought.depth);
            let plies = self.path.len();
            let ending = judge(&mut position, &mut self.path, thought.action, &self.rules);
            if let (Action::Move(mv), true) = (thought.action, self.path.len() > plies) {
                moves.push(mv.bits());
            }
            if let Some(ending) = ending {
                break ending;
            }
        };
        moves.shrink_to_fit();
        Some(GameRecord {
            first,
            winner: ending.winner.map(player_of),
            reason: ending.reason,
            moves,
            nodes,
            time_us,
            depth_sum,
            seed,
        })
    }
}

#[cfg(test)]
mod tests;
