//! What a game came to, without its moves: all that a count needs.
//!
//! In: records. Out: [`GameOutcome`] and [`PairOutcome`], plain data. Must not: count.

use super::{GameRecord, PairFault, PairRecord, PlayerId, Reason};

/// What one game came to. Arrays of two are indexed by [`PlayerId::index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOutcome {
    /// Who moved first.
    pub first: PlayerId,
    /// Who won; `None` for a draw.
    pub winner: Option<PlayerId>,
    /// Why it ended.
    pub reason: Reason,
    /// How many moves were played.
    pub plies: u32,
    /// Nodes searched by each player.
    pub nodes: [u64; 2],
    /// Thinking time of each player in microseconds.
    pub time_us: [u64; 2],
    /// Sum over each player's searches of the depth reached.
    pub depth_sum: [u64; 2],
    /// The game's seed.
    pub seed: u32,
}

/// What a pair came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairOutcome {
    /// Place in the schedule, from 0.
    pub pair: u64,
    /// Which of the run's players sat at A's and at B's place.
    pub players: [u16; 2],
    /// The opening's line in its file, from 1.
    pub opening_line: u32,
    /// See [`PairRecord::fingerprint`].
    pub fingerprint: u64,
    /// See [`PairRecord::is_mirrored`].
    pub is_mirrored: bool,
    /// First the game that A began, then the one that B began.
    pub games: [GameOutcome; 2],
    /// The faults after each of which the pair was played again, in order.
    pub excused: Vec<PairFault>,
}

impl From<&GameRecord> for GameOutcome {
    fn from(game: &GameRecord) -> Self {
        GameOutcome {
            first: game.first,
            winner: game.winner,
            reason: game.reason,
            plies: game.moves.len() as u32,
            nodes: game.nodes,
            time_us: game.time_us,
            depth_sum: game.depth_sum,
            seed: game.seed,
        }
    }
}

impl From<&PairRecord> for PairOutcome {
    fn from(record: &PairRecord) -> Self {
        PairOutcome {
            pair: record.pair,
            players: record.players,
            opening_line: record.opening_line,
            fingerprint: record.fingerprint(),
            is_mirrored: record.is_mirrored(),
            games: record.games.each_ref().map(GameOutcome::from),
            excused: record.excused.clone(),
        }
    }
}

impl GameOutcome {
    /// How many moves `player` made.
    pub fn moves_by(&self, player: PlayerId) -> u32 {
        if player == self.first {
            self.plies.div_ceil(2)
        } else {
            self.plies / 2
        }
    }
}
