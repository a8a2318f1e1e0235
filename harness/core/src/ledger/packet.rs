//! A finished pair as one string of bytes: what a machine that played it sends, and puts its signature to.
//!
//! In: a pair. Out: bytes, the same for the same pair; the same pair again. Must not: believe bytes.

use super::turns::{read, write};
use super::{moves, remarks, turns, variations};
use crate::record::{GameRecord, PairFault, PairRecord, PlayerId, Reason};
use crate::schedule::PairPlan;

/// No pair is larger; a game of 512 plies with all its turns takes about 6 kB.
pub const PACKET_BYTES_MAX: usize = 1 << 19;

/// Faults that one pair is excused at most.
const EXCUSED_MAX: u64 = 255;

/// The bytes of `record`.
pub fn pack(record: &PairRecord) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4096);
    let numbers = [record.pair, record.players[0].into(), record.players[1].into()];
    for number in numbers.into_iter().chain([record.opening_line.into()]) {
        write(&mut bytes, number);
    }
    text(&mut bytes, record.opening.as_bytes());
    for game in &record.games {
        pack_game(&mut bytes, game);
    }
    write(&mut bytes, record.excused.len() as u64);
    record
        .excused
        .iter()
        .for_each(|fault| pack_fault(&mut bytes, fault));
    bytes
}

pub(super) fn pack_fault(bytes: &mut Vec<u8>, fault: &PairFault) {
    for number in [fault.pair, fault.game.into(), fault.player.into()] {
        write(bytes, number);
    }
    text(bytes, fault.reason.name().as_bytes());
}

pub(super) fn unpack_fault(bytes: &mut &[u8]) -> Option<PairFault> {
    Some(PairFault {
        pair: read(bytes)?,
        game: small(bytes)?,
        player: small(bytes)?,
        reason: Reason::from_name(name(bytes)?)?,
    })
}

fn pack_game(bytes: &mut Vec<u8>, game: &GameRecord) {
    let winner = game.winner.map_or(0, |winner| 1 + winner.index() as u64);
    write(bytes, winner);
    text(bytes, game.reason.name().as_bytes());
    let sums = [game.nodes, game.time_us, game.depth_sum];
    for number in sums.into_iter().flatten().chain([game.seed.into()]) {
        write(bytes, number);
    }
    text(bytes, &moves::encode(&game.moves));
    text(bytes, &turns::encode(&game.turns));
    text(bytes, &variations::encode(&game.variations));
    text(bytes, &remarks::encode(&game.remarks));
}

pub(super) fn text(bytes: &mut Vec<u8>, content: &[u8]) {
    write(bytes, content.len() as u64);
    bytes.extend(content);
}

/// The pair of these bytes; `None` if they are none, or not those that [`pack`] gives for it.
pub fn unpack(packet: &[u8]) -> Option<PairRecord> {
    if packet.len() > PACKET_BYTES_MAX {
        return None;
    }
    let mut bytes = packet;
    let bytes = &mut bytes;
    let pair = read(bytes)?;
    let players = [small(bytes)?, small(bytes)?];
    let opening_line = small(bytes)?;
    let opening = name(bytes)?.to_owned();
    let games = [
        unpack_game(bytes, PairPlan::FIRST[0])?,
        unpack_game(bytes, PairPlan::FIRST[1])?,
    ];
    let count = read(bytes).filter(|&count| count <= EXCUSED_MAX)?;
    let excused = (0..count).map(|_| unpack_fault(bytes));
    let record = PairRecord {
        pair,
        players,
        opening_line,
        opening,
        games,
        excused: excused.collect::<Option<_>>()?,
    };
    // A number or a blob may be written in several ways; a signature is of one of them.
    (bytes.is_empty() && pack(&record) == packet).then_some(record)
}

fn unpack_game(bytes: &mut &[u8], first: PlayerId) -> Option<GameRecord> {
    let winner = match read(bytes)? {
        0 => None,
        1 => Some(PlayerId::A),
        2 => Some(PlayerId::B),
        _ => return None,
    };
    let reason = Reason::from_name(name(bytes)?)?;
    let mut both = || Some([read(bytes)?, read(bytes)?]);
    let (nodes, time_us, depth_sum) = (both()?, both()?, both()?);
    Some(GameRecord {
        first,
        winner,
        reason,
        nodes,
        time_us,
        depth_sum,
        seed: small(bytes)?,
        moves: moves::decode(counted(bytes)?),
        turns: turns::decode(counted(bytes)?)?,
        variations: variations::decode(counted(bytes)?)?,
        remarks: remarks::decode(counted(bytes)?)?,
    })
}

pub(super) fn small<T: TryFrom<u64>>(bytes: &mut &[u8]) -> Option<T> {
    T::try_from(read(bytes)?).ok()
}

pub(super) fn counted<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(read(bytes)?).ok()?;
    let (content, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(content)
}

pub(super) fn name<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    std::str::from_utf8(counted(bytes)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::pair;
    use proptest::prelude::*;

    fn example() -> PairRecord {
        let mut record = pair(300, [2, 1], 7);
        record.games[0].moves = vec![1, 0xffff, 3];
        record.excused.push(PairFault {
            pair: 300,
            game: 1,
            player: 1,
            reason: Reason::Crash,
        });
        record
    }

    #[test]
    fn a_pair_comes_back_as_it_was() {
        assert_eq!(unpack(&pack(&example())), Some(example()));
    }

    #[test]
    fn a_packet_that_is_cut_short_or_goes_on_is_none() {
        let packet = pack(&example());
        for end in 0..packet.len() {
            assert_eq!(unpack(&packet[..end]), None);
        }
        assert_eq!(unpack(&[&packet[..], &[0]].concat()), None);
    }

    proptest! {
        #[test]
        fn bytes_that_are_taken_for_a_pair_are_those_of_that_pair(at in 0..400_usize, byte in any::<u8>()) {
            let mut packet = pack(&example());
            let length = packet.len();
            packet[at % length] = byte;
            if let Some(record) = unpack(&packet) {
                prop_assert_eq!(pack(&record), packet);
            }
        }
    }
}
