//! A finished search as one string of bytes, and whatever was finished as such.
//!
//! In: a search. Out: bytes, the same for the same search; the same search again. Must not: believe bytes.

use super::packet::{PACKET_BYTES_MAX, counted, name, pack, pack_fault, small, text, unpack, unpack_fault};
use super::search_rows::{decode, encode};
use super::turns::{read, write};
use crate::record::{Finished, FinishedSearch, SearchIteration};

/// Where the packet of a pair has its number, that of a search has a 0 that is written longer than it has to be: no pair's begins so.
const SEARCH: [u8; 2] = [0x80, 0];
/// As [`SEARCH`], with a 1.
const STOPPED: [u8; 2] = [0x81, 0];
/// No search goes deeper.
const ITERATIONS_MAX: u64 = 1_024;

/// The bytes of a pair, a search, or the fault in the place of a pair.
pub fn pack_finished(finished: &Finished) -> Vec<u8> {
    match finished {
        Finished::Pair(record) => pack(record),
        Finished::Search(search) => pack_search(search),
        Finished::Stopped(fault) => {
            let mut bytes = STOPPED.to_vec();
            pack_fault(&mut bytes, fault);
            bytes
        }
    }
}

/// What these bytes are of; `None` if they are of nothing of that, or not those that [`pack_finished`] gives for it.
pub fn unpack_finished(packet: &[u8]) -> Option<Finished> {
    if packet.starts_with(&SEARCH) {
        unpack_search(packet).map(Finished::Search)
    } else if let Some(mut bytes) = packet.strip_prefix(&STOPPED) {
        let finished = Finished::Stopped(unpack_fault(&mut bytes)?);
        (bytes.is_empty() && pack_finished(&finished) == packet).then_some(finished)
    } else {
        unpack(packet).map(Finished::Pair)
    }
}

fn pack_search(search: &FinishedSearch) -> Vec<u8> {
    let mut bytes = SEARCH.to_vec();
    write(&mut bytes, search.number);
    match &search.fault {
        None => write(&mut bytes, 0),
        Some(fault) => {
            write(&mut bytes, 1);
            text(&mut bytes, fault.as_bytes());
        }
    }
    write(&mut bytes, search.iterations.len() as u64);
    for iteration in &search.iterations {
        write(&mut bytes, iteration.depth.into());
        write(&mut bytes, iteration.nodes);
        optional(&mut bytes, iteration.time_us);
        // The same bits, as a number that is not negative.
        optional(
            &mut bytes,
            iteration.score.map(|score| score.cast_unsigned().into()),
        );
        text(&mut bytes, iteration.pv.join(" ").as_bytes());
        text(&mut bytes, &encode(&iteration.tried));
    }
    bytes
}

fn optional(bytes: &mut Vec<u8>, number: Option<u64>) {
    write(bytes, number.is_some().into());
    if let Some(number) = number {
        write(bytes, number);
    }
}

fn unpack_search(packet: &[u8]) -> Option<FinishedSearch> {
    if packet.len() > PACKET_BYTES_MAX {
        return None;
    }
    let mut bytes = packet.strip_prefix(&SEARCH)?;
    let bytes = &mut bytes;
    let number = read(bytes)?;
    let fault = match read(bytes)? {
        0 => None,
        1 => Some(name(bytes)?.to_owned()),
        _ => return None,
    };
    let count = read(bytes).filter(|&count| count <= ITERATIONS_MAX)?;
    let iterations = (0..count).map(|_| unpack_iteration(bytes));
    let search = FinishedSearch {
        number,
        iterations: iterations.collect::<Option<_>>()?,
        fault,
    };
    // As for a pair.
    (bytes.is_empty() && pack_search(&search) == packet).then_some(search)
}

fn unpack_iteration(bytes: &mut &[u8]) -> Option<SearchIteration> {
    let (depth, nodes) = (small(bytes)?, read(bytes)?);
    let time_us = read_optional(bytes)?;
    let score = match read_optional(bytes)? {
        None => None,
        Some(score) => Some(u32::try_from(score).ok()?.cast_signed()),
    };
    let pv = name(bytes)?.split_ascii_whitespace().map(str::to_owned);
    Some(SearchIteration {
        depth,
        nodes,
        time_us,
        score,
        pv: pv.collect(),
        tried: decode(counted(bytes)?)?,
    })
}

/// A number that may be absent; `None` if it is neither.
fn read_optional(bytes: &mut &[u8]) -> Option<Option<u64>> {
    match read(bytes)? {
        0 => Some(None),
        1 => Some(Some(read(bytes)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::pair;
    use crate::record::{PairFault, Reason, Tried};
    use proptest::prelude::*;

    fn example() -> FinishedSearch {
        let iteration = |depth, score: Option<i32>| SearchIteration {
            depth,
            nodes: 1_000,
            time_us: score.map(|_| 7),
            score,
            pv: vec!["7g7f".to_owned(), "8c8d".to_owned()],
            tried: vec![Tried {
                tries: 5,
                successes: 2,
            }],
        };
        FinishedSearch {
            number: 700,
            iterations: vec![iteration(1, Some(-30)), iteration(2, None)],
            fault: None,
        }
    }

    #[test]
    fn a_search_comes_back_as_it_was() {
        let failed = FinishedSearch {
            fault: Some("it crashed".to_owned()),
            iterations: Vec::new(),
            ..example()
        };
        for search in [example(), failed].map(Finished::Search) {
            assert_eq!(unpack_finished(&pack_finished(&search)), Some(search));
        }
    }

    #[test]
    fn a_fault_in_the_place_of_a_pair_comes_back_as_it_was() {
        let fault = Finished::Stopped(PairFault {
            pair: 300,
            game: 1,
            player: 2,
            reason: Reason::Crash,
        });
        let packet = pack_finished(&fault);
        assert_eq!(unpack_finished(&packet), Some(fault));
        let longer = [&packet[..], &[0]].concat();
        for broken in [&packet[..packet.len() - 1], &longer, &STOPPED] {
            assert_eq!(unpack_finished(broken), None);
        }
    }

    #[test]
    fn a_pair_is_no_search_and_no_search_a_pair() {
        for number in [0, 127, 128, 1 << 20] {
            let record = pair(number, [2, 1], 7);
            let found = unpack_finished(&pack_finished(&Finished::Pair(record.clone())));
            assert_eq!(found, Some(Finished::Pair(record)));
        }
        assert_eq!(unpack(&pack_search(&example())), None);
    }

    #[test]
    fn a_packet_that_is_cut_short_or_goes_on_is_none() {
        let packet = pack_search(&example());
        for end in 0..packet.len() {
            assert_eq!(unpack_finished(&packet[..end]), None);
        }
        assert_eq!(unpack_finished(&[&packet[..], &[0]].concat()), None);
    }

    #[test]
    fn a_packet_with_more_depths_than_any_search_has_is_none() {
        let iteration = example().iterations[1].clone();
        let search = |count| FinishedSearch {
            iterations: vec![iteration.clone(); count],
            ..example()
        };
        assert!(unpack_search(&pack_search(&search(ITERATIONS_MAX as usize))).is_some());
        assert_eq!(
            unpack_search(&pack_search(&search(ITERATIONS_MAX as usize + 1))),
            None
        );
    }

    proptest! {
        #[test]
        fn bytes_that_are_taken_for_a_search_are_those_of_that_search(at in 0..400_usize, byte in any::<u8>()) {
            let mut packet = pack_search(&example());
            let length = packet.len();
            packet[at % length] = byte;
            if let Some(found) = unpack_finished(&packet) {
                prop_assert_eq!(pack_finished(&found), packet);
            }
        }
    }
}
