//! Moves as bytes.
//!
//! In: the bits of moves. Out: a blob of two bytes a move, lowest first, and the same bits again. Must not: know of SQL.

/// The blob of `moves`.
pub(super) fn encode(moves: &[u16]) -> Vec<u8> {
    moves.iter().flat_map(|bits| bits.to_le_bytes()).collect()
}

/// The moves of a blob.
pub(super) fn decode(blob: &[u8]) -> Vec<u16> {
    let units = blob.chunks_exact(2);
    units.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}
