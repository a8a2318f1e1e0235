//! What was remarked in a game as bytes.
//!
//! In: remarks of both players. Out: a blob, and the same remarks again. Must not: know of SQL.
//!
//! For A, then for B: 0 if nothing was watched, else 1 and the numbers of [`Remarks`] in their order as variable-length
//! integers, the time left plus one, or 0 for none.

use super::turns::{read, write};
use crate::record::{PlayerId, Reason, Remarks};

/// What was remarked in one game, and how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRemarks {
    /// Which of the run's players sat at A's and at B's place.
    pub players: [u16; 2],
    /// Who won; `None` for a draw.
    pub winner: Option<PlayerId>,
    /// Why it ended.
    pub reason: Reason,
    /// By [`PlayerId::index`]; `None` of whoever is no program.
    pub remarks: [Option<Remarks>; 2],
}

/// The blob of `remarks`.
pub(super) fn encode(remarks: &[Option<Remarks>; 2]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for remarks in remarks {
        let Some(remarks) = remarks else {
            bytes.push(0);
            continue;
        };
        bytes.push(1);
        let counts = [
            remarks.starts,
            remarks.illegal_variations,
            remarks.contradicted_mates,
            remarks.late_stops,
            remarks.latency_turns,
        ];
        let left = remarks.time_left_ms.map_or(0, |ms| ms.saturating_add(1));
        let times = [remarks.latency_us, remarks.latency_max_us, left];
        for number in counts.map(u64::from).into_iter().chain(times) {
            write(&mut bytes, number);
        }
    }
    bytes
}

/// The remarks of a blob; `None` if it is none.
pub(super) fn decode(mut bytes: &[u8]) -> Option<[Option<Remarks>; 2]> {
    let both = [decode_one(&mut bytes)?, decode_one(&mut bytes)?];
    bytes.is_empty().then_some(both)
}

#[expect(
    clippy::option_option,
    reason = "a player that was not watched is not a blob without a meaning"
)]
fn decode_one(bytes: &mut &[u8]) -> Option<Option<Remarks>> {
    match read(bytes)? {
        0 => return Some(None),
        1 => {}
        _ => return None,
    }
    let mut count = || u32::try_from(read(bytes)?).ok();
    let mut remarks = Remarks {
        starts: count()?,
        illegal_variations: count()?,
        contradicted_mates: count()?,
        late_stops: count()?,
        latency_turns: count()?,
        ..Remarks::default()
    };
    remarks.latency_us = read(bytes)?;
    remarks.latency_max_us = read(bytes)?;
    remarks.time_left_ms = read(bytes)?.checked_sub(1);
    Some(Some(remarks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn remarks()(
            counts in any::<[u32; 5]>(),
            latency_us in any::<u64>(),
            latency_max_us in any::<u64>(),
            time_left_ms in proptest::option::of(0..u64::MAX),
        ) -> Remarks {
            let [starts, illegal_variations, contradicted_mates, late_stops, latency_turns] = counts;
            Remarks {
                starts, illegal_variations, contradicted_mates, late_stops, latency_turns,
                latency_us, latency_max_us, time_left_ms,
            }
        }
    }

    proptest! {
        #[test]
        fn remarks_come_back_as_they_were(
            a in proptest::option::of(remarks()),
            b in proptest::option::of(remarks()),
        ) {
            prop_assert_eq!(decode(&encode(&[a, b])), Some([a, b]));
        }

        #[test]
        fn any_bytes_are_remarks_or_nothing(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some(remarks) = decode(&bytes) {
                prop_assert_eq!(decode(&encode(&remarks)), Some(remarks));
            }
        }
    }

    #[test]
    fn a_blob_cut_short_is_none() {
        let bytes = encode(&[Some(Remarks::default()), None]);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "{length}");
        }
    }
}
