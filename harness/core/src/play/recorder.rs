//! Records a game while it is played, and notices what players say that they should not.

use std::mem;
use std::time::{SystemTime, UNIX_EPOCH};

use tanren_engine::game::{GameMove, Position};

use crate::player::{Player, Thought};
use crate::record::{EngineWarnings, GameRecord, PlayerId, Reason, Score, TimeSpan, Turn};
use crate::sanitize;

/// Longer games let the lists grow.
const MOVES_EXPECTED: usize = 256;
/// Of what an engine writes about one turn, and of all that is kept in one game.
const COMMENT_CHARS_MAX: usize = 200;
const COMMENTS_BYTES_MAX: usize = 1 << 15;
/// Centipawns from which a side is ahead beyond doubt.
const AHEAD: i32 = 300;

pub(super) struct GameRecorder {
    /// Of a game whose end is not known yet.
    pub(super) record: GameRecord,
    found: [EngineWarnings; 2],
    has_announced_mate: [bool; 2],
    /// Who is ahead by each player's last score.
    leaders: [i32; 2],
}

impl GameRecorder {
    pub(super) fn new(first: PlayerId, seed: u32) -> GameRecorder {
        GameRecorder {
            record: GameRecord {
                reason: Reason::MaxPlies,
                moves: Vec::with_capacity(MOVES_EXPECTED),
                turns: Vec::with_capacity(MOVES_EXPECTED),
                span: TimeSpan {
                    start_ms: now_ms(),
                    end_ms: 0,
                },
                ..GameRecord::unplayed(first, seed)
            },
            found: [EngineWarnings::default(); 2],
            has_announced_mate: [false; 2],
            leaders: [0; 2],
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
        self.record.variations.push(self.record.turns.len(), variation);
        let id = player.index();
        self.leaders[id] = thought.score.map_or(0, |score| score.leader(AHEAD));
        self.found[id].add_leader(self.leaders[id], self.leaders[1 - id]);
        let before_ms = rounded_ms(self.record.time_us[id]);
        self.record.time_us[id] += used_us;
        self.record.nodes[id] += thought.nodes;
        self.record.depth_sum[id] += u64::from(thought.depth);
        self.record.turns.push(Turn {
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
            time_ms: rounded_ms(self.record.time_us[id]) - before_ms,
        });
    }

    /// Keeps what a player wrote about the turn that was written down last.
    pub(super) fn comment(&mut self, text: &str) {
        let bytes: usize = self.record.comments.iter().map(|(_, text)| text.len()).sum();
        let text = sanitize::short(text, COMMENT_CHARS_MAX);
        let turn = self.record.turns.len() - 1;
        if bytes + text.len() <= COMMENTS_BYTES_MAX {
            self.record.comments.push((turn as u32, text.into_owned()));
        }
    }

    /// Counts what is wrong with what `player`, if it is watched, said of `position`, and tells the first of it in words.
    pub(super) fn warning<P: Position>(
        &mut self,
        id: PlayerId,
        player: &dyn Player<P>,
        position: &P,
        score: Option<Score>,
    ) -> Option<&'static str> {
        let own = player.warnings()?;
        let takes_mate_back = self.takes_mate_back(id, score);
        let found = &mut self.found[id.index()];
        let is_late = own.late_stops > mem::replace(&mut found.late_stops, own.late_stops);
        let uppercase = &mut found.uppercase_promotions;
        let is_uppercase = own.uppercase_promotions > mem::replace(uppercase, own.uppercase_promotions);
        let is_illegal = !is_legal(position, player.variation());
        found.illegal_variations += u32::from(is_illegal);
        found.contradicted_mates += u32::from(takes_mate_back);
        let late = is_late.then_some("its answer to 'stop' came late");
        let uppercase = is_uppercase.then_some("it wrote the piece of a promotion in upper case");
        let illegal = is_illegal.then_some("it expected a move that the rules forbid");
        let contradicted = takes_mate_back.then_some("it took back a mate that it had announced");
        late.or(uppercase).or(illegal).or(contradicted)
    }

    /// A mate that is announced again is the same one, however far away.
    fn takes_mate_back(&mut self, id: PlayerId, score: Option<Score>) -> bool {
        score.is_some_and(|score| {
            let announces = matches!(score, Score::Mate(1..));
            mem::replace(&mut self.has_announced_mate[id.index()], announces) && !announces
        })
    }

    /// Was a mate announced to the end, and did not come?
    fn misses_mate(&self, id: PlayerId, winner: Option<PlayerId>, reason: Reason) -> bool {
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
        self.has_announced_mate[id.index()] && is_played_out && winner != Some(id)
    }

    /// The record, with what the clocks show at the end.
    pub(super) fn finish<P: Position>(
        mut self,
        (winner, reason): (Option<PlayerId>, Reason),
        players: &[Box<dyn Player<P>>; 2],
        left_ms: [Option<u64>; 2],
    ) -> GameRecord {
        self.record.warnings = [PlayerId::A, PlayerId::B].map(|id| {
            let own = players[id.index()].warnings()?;
            let found = self.found[id.index()];
            let has_run_out = reason == Reason::TimeLoss && winner == Some(id.opponent());
            Some(EngineWarnings {
                illegal_variations: found.illegal_variations,
                contradicted_mates: found.contradicted_mates
                    + u32::from(self.misses_mate(id, winner, reason)),
                matching_scores: found.matching_scores,
                contrary_scores: found.contrary_scores,
                ahead: found.ahead,
                behind: found.behind,
                time_left_ms: left_ms[id.index()].map(|ms| if has_run_out { 0 } else { ms }),
                ..*own
            })
        });
        let mut record = self.record;
        (record.winner, record.reason) = (winner, reason);
        record.span.end_ms = now_ms().max(record.span.start_ms);
        record.moves.shrink_to_fit();
        record.turns.shrink_to_fit();
        record
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// To the nearest; differences of rounded sums are times that sum up to the rounded sum.
fn rounded_ms(time_us: u64) -> u64 {
    (time_us + 500) / 1000
}

fn is_legal<P: Position>(position: &P, variation: &[u16]) -> bool {
    if variation.is_empty() {
        return true;
    }
    let mut position = position.clone();
    variation.iter().all(|&bits| {
        let mv = P::Move::from_bits(bits);
        let is_legal = position.is_pseudo_legal(mv) && position.is_legal(mv);
        if is_legal {
            position.make(mv);
        }
        is_legal
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_engine::shogi::Board;

    #[test]
    fn a_mate_that_is_taken_back_is_noticed_once_and_one_that_is_kept_never() {
        let mut recorder = GameRecorder::new(PlayerId::A, 0);
        let (a, b) = (PlayerId::A, PlayerId::B);
        let (mate, level) = (Score::Mate, Score::Centipawns(0));
        let scores = [
            mate(5),
            mate(7),
            mate(1),
            level,
            level,
            mate(-3),
            level,
            mate(3),
            mate(-2),
            mate(3),
        ];
        let taken_back = scores.map(|score| recorder.takes_mate_back(a, Some(score)));
        let places = (0..10).filter(|&place| taken_back[place]);
        assert_eq!(places.collect::<Vec<_>>(), [3, 8]);
        // Silence and the other player take no mate back.
        assert!(!recorder.takes_mate_back(a, None) && !recorder.takes_mate_back(b, Some(level)));
        for (player, winner, reason, expected) in [
            (a, None, Reason::Repetition, true),
            (a, Some(b), Reason::NoLegalMove, true),
            (a, Some(a), Reason::NoLegalMove, false),
            (a, Some(b), Reason::TimeLoss, false),
            (b, Some(a), Reason::NoLegalMove, false),
        ] {
            assert_eq!(recorder.misses_mate(player, winner, reason), expected);
        }
    }

    #[test]
    fn a_variation_is_legal_to_its_last_move_or_is_not() {
        for (moves, expected) in [
            ("", true),
            ("7g7f 3c3d 8h2b+", true),
            ("3c3d", false),
            ("7g7f 3c3d 8h2b+ 2b3c", false),
        ] {
            let words = moves.split_whitespace();
            let bits = words.map(|word| <Board as Position>::Move::parse(word).unwrap().bits());
            let bits: Vec<u16> = bits.collect();
            assert_eq!(is_legal(&Board::start(), &bits), expected, "{moves}");
        }
    }
}
