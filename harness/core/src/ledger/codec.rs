//! What was finished as one string of bytes: what a machine of a fleet sends and signs is what is stored.

use serde::{Deserialize, Serialize};

use crate::record::{Finished, GameRecord, PairRecord};
use crate::schedule::PairPlan;

/// Another number whenever a ledger is written, or jobs, players and records travel, in another way: a ledger of another number is
/// not read, and machines of two numbers share no jobs.
pub const FORMAT: u32 = 8;

/// No packet is larger; a game of 512 plies with all its turns takes about 6 kB.
pub const PACKET_BYTES_MAX: usize = 1 << 19;

/// Replays of one pair at most.
const REPLAYS_MAX: usize = 255;

pub fn encode(finished: &Finished) -> Vec<u8> {
    to_bytes(finished)
}

/// What these bytes, which may come from anybody, are of; `None` if they are not those that [`encode`] gives for it.
pub fn decode(packet: &[u8]) -> Option<Finished> {
    if packet.len() > PACKET_BYTES_MAX {
        return None;
    }
    let finished = of_bytes(packet).filter(is_sound)?;
    // A number or a turn may be written in several ways; a signature is of one of them.
    (encode(&finished) == packet).then_some(finished)
}

fn is_sound(finished: &Finished) -> bool {
    match finished {
        Finished::Pair(PairRecord { games, replayed, .. }) => {
            let first = games.each_ref().map(|game: &GameRecord| game.first);
            first == PairPlan::FIRST && replayed.len() <= REPLAYS_MAX
        }
        Finished::Search(_) | Finished::Stopped(_) => true,
    }
}

pub(super) fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).unwrap_or_else(|error| unreachable!("a record is plain data: {error}"))
}

/// `None` if the bytes are not those of one value.
pub(super) fn of_bytes<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::pair;
    use crate::record::{
        EngineWarnings, FinishedSearch, PairFault, Reason, SearchIteration, TechniqueCounts, Variations,
    };
    use proptest::prelude::*;

    fn examples() -> [Finished; 3] {
        let fault = PairFault {
            pair: 300,
            game: 1,
            player: 1,
            reason: Reason::Crash,
        };
        let mut record = pair(300, [2, 1], 7);
        record.games[0].moves = vec![1, 0xffff, 3];
        let mut variations = Variations::default();
        variations.push(1, &[7, 8]);
        record.games[1].variations = variations;
        record.games[1].comments = vec![(2, "eval=7".to_owned())];
        record.book = "startpos moves 7g7f".to_owned();
        record.games[1].warnings[0] = Some(EngineWarnings {
            starts: 1,
            time_left_ms: Some(0),
            ..EngineWarnings::default()
        });
        record.replayed.push(fault);
        let iteration = |depth, score: Option<i32>| SearchIteration {
            depth,
            nodes: 1_000,
            time_us: score.map(|_| 7),
            score,
            pv: vec!["7g7f".to_owned(), "8c8d".to_owned()],
            tried: vec![TechniqueCounts {
                tries: 5,
                successes: 2,
            }],
        };
        let search = FinishedSearch {
            number: 700,
            iterations: vec![iteration(1, Some(-30)), iteration(2, None)],
            fault: Some("it crashed".to_owned()),
        };
        [
            Finished::Pair(record),
            Finished::Search(search),
            Finished::Stopped(fault),
        ]
    }

    #[test]
    fn what_was_finished_comes_back_as_it_was_and_only_from_its_own_bytes() {
        for finished in examples() {
            let packet = encode(&finished);
            for end in 0..packet.len() {
                assert_eq!(decode(&packet[..end]), None);
            }
            assert_eq!(decode(&[&packet[..], &[0]].concat()), None);
            // The number of the variant, written longer than it has to be: postcard itself takes it.
            let longer = [&[packet[0] | 0x80, 0], &packet[1..]].concat();
            assert_eq!(of_bytes(&longer), Some(finished.clone()));
            assert_eq!(decode(&longer), None);
            assert_eq!(decode(&packet), Some(finished));
        }
    }

    #[test]
    fn a_pair_that_another_player_begins_is_none() {
        let mut record = pair(0, [2, 1], 7);
        record.games.swap(0, 1);
        assert_eq!(decode(&encode(&Finished::Pair(record))), None);
    }

    proptest! {
        #[test]
        fn bytes_that_are_taken_are_those_of_what_they_are_taken_for(
            which in 0..3_usize,
            at in any::<prop::sample::Index>(),
            bytes in prop::collection::vec(any::<u8>(), 1..4),
        ) {
            let mut packet = encode(&examples()[which]);
            let at = at.index(packet.len());
            let end = packet.len().min(at + 1);
            packet.splice(at..end, bytes);
            if let Some(found) = decode(&packet) {
                prop_assert_eq!(encode(&found), packet);
            }
        }
    }
}
