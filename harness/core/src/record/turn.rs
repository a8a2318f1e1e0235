//! What one turn of a player cost and found, and the turns of a game as bytes.
//!
//! Each turn is compared with the same player's turn before (two turns earlier), since both sides of the game change
//! slowly. A head byte holds the usual case and says what follows it:
//!
//! | bits of the head | value | what follows |
//! |---|---|---|
//! | 0-2 | change of depth + 3 | for 7 the change itself |
//! | 3 | did the nodes change? | the change |
//! | 4-7 | milliseconds | for 15 the milliseconds beyond 15 |
//! | then always | | the score: 0 for none, else `1 + 2 * (change of centipawns)` or `2 + 2 * (plies to mate)` |
//!
//! What follows are variable-length integers of seven bits a byte, lowest first; those with a sign put it in the lowest bit.

use std::fmt;

use postcard::{take_from_bytes, to_extend};
use tanren_engine::game::Side;

use super::packed::Packed;

/// What a player expects of a position, from its own view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    Centipawns(i32),
    /// It mates in so many plies; if negative, is mated in so many; 0: it is mated now.
    Mate(i32),
}

impl Score {
    /// In centipawns, a mate being worth more than any other score.
    pub fn centipawns(self) -> i32 {
        match self {
            // The bound keeps `abs` from overflowing for what another program may say.
            Score::Centipawns(value) => value.clamp(-i32::MAX, i32::MAX),
            Score::Mate(plies) if plies > 0 => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        }
    }

    /// The same, which the first side's view is, in the view of `side`.
    #[must_use]
    pub fn from_first_side(self, side: Side) -> Score {
        match self {
            _ if side == Side::First => self,
            Score::Centipawns(value) => Score::Centipawns(value.saturating_neg()),
            Score::Mate(plies) => Score::Mate(plies.saturating_neg()),
        }
    }

    /// Who is ahead by `least` centipawns: 1 for the one whose score it is, -1 for the other, 0 for neither.
    pub fn leader(self, least: i32) -> i32 {
        match self.centipawns() {
            value if value >= least => 1,
            value if value <= -least => -1,
            _ => 0,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "{value:+}"),
            Score::Mate(plies @ 1..) => write!(f, "mate in {plies}"),
            Score::Mate(plies) => write!(f, "mated in {}", plies.unsigned_abs()),
        }
    }
}

/// One turn of a player, whether or not a move came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// What the player expected; `None` if it did not say.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
    /// Thinking time, rounded so that a player's turns sum up to its rounded sum.
    pub time_ms: u64,
}

const DEPTH_OFFSET: i64 = 3;
const DEPTH_ELSEWHERE: u8 = 7;
const NODES_CHANGED: u8 = 1 << 3;
const TIME_SHIFT: u32 = 4;
const TIME_ELSEWHERE: u64 = 15;

/// The last turn of one player, as far as the next one is compared with it.
#[derive(Clone, Copy, Default)]
struct Last {
    depth: i64,
    nodes: i64,
    centipawns: i64,
}

impl Packed for Vec<Turn> {
    fn to_bytes(&self) -> Vec<u8> {
        encode(self)
    }

    fn of_bytes(bytes: &[u8]) -> Option<Vec<Turn>> {
        decode(bytes)
    }
}

fn encode(turns: &[Turn]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(3 * turns.len());
    let mut last = [Last::default(); 2];
    for (index, turn) in turns.iter().enumerate() {
        let last = &mut last[index % 2];
        let depth_change = i64::from(turn.depth) - last.depth;
        let nodes_change = (turn.nodes as i64).wrapping_sub(last.nodes);
        let depth_bits = u8::try_from(depth_change + DEPTH_OFFSET)
            .map_or(DEPTH_ELSEWHERE, |bits| bits.min(DEPTH_ELSEWHERE));
        let nodes_bit = if nodes_change == 0 { 0 } else { NODES_CHANGED };
        let time_bits = turn.time_ms.min(TIME_ELSEWHERE) as u8;
        bytes.push(depth_bits | nodes_bit | time_bits << TIME_SHIFT);
        if depth_bits == DEPTH_ELSEWHERE {
            write(&mut bytes, fold(depth_change));
        }
        if nodes_bit != 0 {
            write(&mut bytes, fold(nodes_change));
        }
        if turn.time_ms >= TIME_ELSEWHERE {
            write(&mut bytes, turn.time_ms - TIME_ELSEWHERE);
        }
        match turn.score {
            None => bytes.push(0),
            Some(Score::Centipawns(value)) => {
                write(&mut bytes, 1 + 2 * fold(i64::from(value) - last.centipawns));
                last.centipawns = i64::from(value);
            }
            Some(Score::Mate(plies)) => write(&mut bytes, 2 + 2 * fold(i64::from(plies))),
        }
        last.depth = i64::from(turn.depth);
        last.nodes = turn.nodes as i64;
    }
    bytes
}

fn decode(mut bytes: &[u8]) -> Option<Vec<Turn>> {
    let mut turns = Vec::with_capacity(bytes.len() / 2);
    let mut last = [Last::default(); 2];
    while let Some((&head, rest)) = bytes.split_first() {
        bytes = rest;
        let last = &mut last[turns.len() % 2];
        let depth_bits = head & 7;
        let depth_change = if depth_bits == DEPTH_ELSEWHERE {
            unfold(read(&mut bytes)?)
        } else {
            i64::from(depth_bits) - DEPTH_OFFSET
        };
        let nodes_change = if head & NODES_CHANGED == 0 {
            0
        } else {
            unfold(read(&mut bytes)?)
        };
        let time_bits = u64::from(head >> TIME_SHIFT);
        let time_ms = if time_bits == TIME_ELSEWHERE {
            TIME_ELSEWHERE.checked_add(read(&mut bytes)?)?
        } else {
            time_bits
        };
        last.depth = last.depth.checked_add(depth_change)?;
        last.nodes = last.nodes.wrapping_add(nodes_change);
        turns.push(Turn {
            score: decode_score(read(&mut bytes)?, &mut last.centipawns)?,
            depth: u32::try_from(last.depth).ok()?,
            nodes: last.nodes as u64,
            time_ms,
        });
    }
    Some(turns)
}

/// `None`: no score has this code.
#[expect(
    clippy::option_option,
    reason = "a turn without a score is not a blob without a meaning"
)]
fn decode_score(code: u64, last_centipawns: &mut i64) -> Option<Option<Score>> {
    let Some(code) = code.checked_sub(1) else {
        return Some(None);
    };
    let value = unfold(code >> 1);
    let score = if code & 1 == 0 {
        *last_centipawns = last_centipawns.checked_add(value)?;
        Score::Centipawns(i32::try_from(*last_centipawns).ok()?)
    } else {
        Score::Mate(i32::try_from(value).ok()?)
    };
    Some(Some(score))
}

/// The sign in the lowest bit.
fn fold(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn unfold(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

fn write(bytes: &mut Vec<u8>, value: u64) {
    *bytes = to_extend(&value, std::mem::take(bytes))
        .unwrap_or_else(|error| unreachable!("a number is plain data: {error}"));
}

fn read(bytes: &mut &[u8]) -> Option<u64> {
    let (value, rest) = take_from_bytes(bytes).ok()?;
    *bytes = rest;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn score() -> impl Strategy<Value = Option<Score>> {
        prop_oneof![
            Just(None),
            any::<i32>().prop_map(|value| Some(Score::Centipawns(value))),
            (-300..300).prop_map(|value| Some(Score::Centipawns(value))),
            any::<i32>().prop_map(|plies| Some(Score::Mate(plies))),
        ]
    }

    prop_compose! {
        fn turn()(
            score in score(),
            depth in prop_oneof![0..20u32, any::<u32>()],
            nodes in prop_oneof![Just(1000), any::<u64>()],
            time_ms in prop_oneof![0..40u64, any::<u64>()],
        ) -> Turn {
            Turn { score, depth, nodes, time_ms }
        }
    }

    proptest! {
        #[test]
        fn turns_come_back_as_they_were(turns in prop::collection::vec(turn(), 0..40)) {
            prop_assert_eq!(decode(&encode(&turns)), Some(turns));
        }

        #[test]
        fn any_bytes_are_turns_or_nothing(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(turns) = decode(&bytes) {
                prop_assert_eq!(decode(&encode(&turns)), Some(turns));
            }
        }
    }

    #[test]
    fn a_usual_turn_takes_two_bytes() {
        let turn = |score| Turn {
            score: Some(Score::Centipawns(score)),
            depth: 5,
            nodes: 1000,
            time_ms: 2,
        };
        let turns = [turn(10), turn(-10), turn(20), turn(-20), turn(-11), turn(11)];
        let first_two = encode(&turns[..2]).len();
        assert_eq!(encode(&turns).len(), first_two + 8);
    }
}
