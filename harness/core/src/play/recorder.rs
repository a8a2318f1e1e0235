//! Records a game while it is played, and notices what players say that they should not.

use tanren_engine::game::{GameMove, Position};

use crate::player::Thought;
use crate::record::{GameRecord, PlayerId, Reason, Remark, Remarks, Score, Turn, Variations};

/// Longer games let the lists grow.
const MOVES_EXPECTED: usize = 256;

/// Arrays are by [`PlayerId::index`].
#[derive(Default)]
pub(super) struct GameRecorder {
    pub(super) moves: Vec<u16>,
    turns: Vec<Turn>,
    variations: Variations,
    remarks: [Remarks; 2],
    has_announced_mate: [bool; 2],
    late_stops: [u32; 2],
    nodes: [u64; 2],
    time_us: [u64; 2],
    depth_sum: [u64; 2],
}

impl GameRecorder {
    pub(super) fn new() -> GameRecorder {
        GameRecorder {
            moves: Vec::with_capacity(MOVES_EXPECTED),
            turns: Vec::with_capacity(MOVES_EXPECTED),
            ..GameRecorder::default()
        }
    }

    /// Writes down a turn of `player` that took `used_us`, and what it expects.
    pub(super) fn turn<M>(
        &mut self,
        player: PlayerId,
        used_us: u64,
        thought: &Thought<M>,
        variation: &[u16],
    ) {
        self.variations.push(self.turns.len(), variation);
        let id = player.index();
        let before_ms = rounded_ms(self.time_us[id]);
        self.time_us[id] += used_us;
        self.nodes[id] += thought.nodes;
        self.depth_sum[id] += u64::from(thought.depth);
        self.turns.push(Turn {
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
            time_ms: rounded_ms(self.time_us[id]) - before_ms,
        });
    }

    /// A mate that is announced again is the same one, however far away.
    pub(super) fn contradicted_mate(&mut self, player: PlayerId, score: Option<Score>) -> Option<Remark> {
        let announces = matches!(score?, Score::Mate(1..));
        let had = std::mem::replace(&mut self.has_announced_mate[player.index()], announces);
        (had && !announces).then_some(Remark::ContradictedMate)
    }

    pub(super) fn late_stop(&mut self, player: PlayerId, late_stops: u32) -> Option<Remark> {
        let before = std::mem::replace(&mut self.late_stops[player.index()], late_stops);
        (late_stops > before).then_some(Remark::LateStop)
    }

    /// A mate that was announced to the end, and did not come.
    pub(super) fn missed_mate(
        &self,
        player: PlayerId,
        winner: Option<PlayerId>,
        reason: Reason,
    ) -> Option<Remark> {
        // What ended the game otherwise says nothing of the position.
        let is_played_out = matches!(
            reason,
            Reason::NoLegalMove
                | Reason::Resignation
                | Reason::Declaration
                | Reason::DeclarationDraw
                | Reason::Repetition
                | Reason::PerpetualCheck
                | Reason::Stalemate
                | Reason::DrawnByRule
        );
        let is_missed = self.has_announced_mate[player.index()] && is_played_out && winner != Some(player);
        is_missed.then_some(Remark::ContradictedMate)
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

pub(super) fn illegal_variation<P: Position>(position: &P, variation: &[u16]) -> Option<Remark> {
    if variation.is_empty() {
        return None;
    }
    let mut position = position.clone();
    let is_legal = variation.iter().all(|&bits| {
        let mv = P::Move::from_bits(bits);
        let is_legal = position.is_pseudo_legal(mv) && position.is_legal(mv);
        if is_legal {
            position.make(mv);
        }
        is_legal
    });
    (!is_legal).then_some(Remark::IllegalVariation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_engine::shogi::Board;

    #[test]
    fn a_mate_that_is_taken_back_is_remarked_once_and_one_that_is_kept_never() {
        let mut recorder = GameRecorder::default();
        let mut scores = |scores: &[Score]| {
            let said = scores
                .iter()
                .map(|&score| recorder.contradicted_mate(PlayerId::A, Some(score)));
            said.flatten().count()
        };
        assert_eq!(scores(&[Score::Mate(5), Score::Mate(7), Score::Mate(1)]), 0);
        assert_eq!(scores(&[Score::Centipawns(30), Score::Centipawns(900)]), 1);
        assert_eq!(scores(&[Score::Mate(-3), Score::Centipawns(0)]), 0);
        assert_eq!(scores(&[Score::Mate(3), Score::Mate(-2)]), 1);
    }

    #[test]
    fn silence_and_the_other_player_take_no_mate_back() {
        let mut recorder = GameRecorder::default();
        assert_eq!(
            recorder.contradicted_mate(PlayerId::A, Some(Score::Mate(3))),
            None
        );
        assert_eq!(
            recorder.contradicted_mate(PlayerId::B, Some(Score::Centipawns(9))),
            None
        );
        assert_eq!(recorder.contradicted_mate(PlayerId::A, None), None);
        let end = |player, winner, reason| recorder.missed_mate(player, winner, reason).is_some();
        assert!(end(PlayerId::A, None, Reason::Repetition));
        assert!(end(PlayerId::A, Some(PlayerId::B), Reason::NoLegalMove));
        assert!(!end(PlayerId::A, Some(PlayerId::A), Reason::NoLegalMove));
        assert!(!end(PlayerId::A, Some(PlayerId::B), Reason::TimeLoss));
        assert!(!end(PlayerId::B, Some(PlayerId::A), Reason::NoLegalMove));
    }

    #[test]
    fn a_variation_is_legal_to_its_last_move_or_is_remarked() {
        let start = Board::start();
        let bits = |moves: &str| -> Vec<u16> {
            let words = moves.split_whitespace();
            words
                .map(|word| <Board as Position>::Move::parse(word).unwrap().bits())
                .collect()
        };
        let is_legal = |moves: &str| illegal_variation(&start, &bits(moves)).is_none();
        assert!(is_legal("") && is_legal("7g7f 3c3d 8h2b+"));
        assert!(!is_legal("3c3d") && !is_legal("7g7f 3c3d 8h2b+ 2b3c"));
    }
}
