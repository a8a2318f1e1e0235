//! Records a game while it is played.

use super::watch::Watch;
use crate::record::{GameRecord, PlayerId, Reason, Remark, Remarks, Turn, Variations};

/// Longer games let the lists grow.
const MOVES_EXPECTED: usize = 256;

pub(super) struct GameRecorder {
    moves: Vec<u16>,
    turns: Vec<Turn>,
    variations: Variations,
    pub(super) watch: Watch,
    remarks: [Remarks; 2],
    nodes: [u64; 2],
    time_us: [u64; 2],
    depth_sum: [u64; 2],
}

impl GameRecorder {
    pub(super) fn new() -> GameRecorder {
        GameRecorder {
            moves: Vec::with_capacity(MOVES_EXPECTED),
            turns: Vec::with_capacity(MOVES_EXPECTED),
            variations: Variations::default(),
            watch: Watch::default(),
            remarks: [Remarks::default(); 2],
            nodes: [0; 2],
            time_us: [0; 2],
            depth_sum: [0; 2],
        }
    }

    /// Writes down a turn of `player` that took `used_us`, and what it expects; `turn.time_ms` is filled in here.
    pub(super) fn turn(&mut self, player: PlayerId, used_us: u64, turn: Turn, variation: &[u16]) {
        self.variations.push(self.turns.len(), variation);
        let id = player.index();
        let before_ms = rounded_ms(self.time_us[id]);
        self.time_us[id] += used_us;
        self.nodes[id] += turn.nodes;
        self.depth_sum[id] += u64::from(turn.depth);
        self.turns.push(Turn {
            time_ms: rounded_ms(self.time_us[id]) - before_ms,
            ..turn
        });
    }

    pub(super) fn moves(&self) -> &[u16] {
        &self.moves
    }

    pub(super) fn played(&mut self, bits: u16) {
        self.moves.push(bits);
    }

    pub(super) fn remark(&mut self, player: PlayerId, remark: Remark) {
        self.remarks[player.index()].add(remark);
    }

    /// The remarks of `player`, who counted `own` itself, with what its clock shows.
    pub(super) fn remarks(&self, player: PlayerId, own: Remarks, time_left_ms: Option<u64>) -> Remarks {
        let found = self.remarks[player.index()];
        Remarks {
            illegal_variations: found.illegal_variations,
            contradicted_mates: found.contradicted_mates,
            time_left_ms,
            ..own
        }
    }

    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn finish(
        mut self,
        first: PlayerId,
        seed: u32,
        winner: Option<PlayerId>,
        reason: Reason,
        remarks: [Option<Remarks>; 2],
    ) -> GameRecord {
        self.moves.shrink_to_fit();
        self.turns.shrink_to_fit();
        GameRecord {
            first,
            winner,
            reason,
            moves: self.moves,
            turns: self.turns,
            variations: self.variations,
            remarks,
            nodes: self.nodes,
            time_us: self.time_us,
            depth_sum: self.depth_sum,
            seed,
        }
    }
}

/// To the nearest; differences of rounded sums are times that sum up to the rounded sum.
fn rounded_ms(time_us: u64) -> u64 {
    (time_us + 500) / 1000
}
