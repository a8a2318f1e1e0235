//! Weights of two bytes each, as `learned.bin` of both games holds them.

/// Whole centipawns, the lower byte first.
pub(crate) fn bytes(weights: &[f32]) -> Vec<u8> {
    weights
        .iter()
        .flat_map(|value| (value.round().clamp(-1000.0, 1000.0) as i16).to_le_bytes())
        .collect()
}

/// The weights of a file of `places` pairs, followed by zeros up to `count` in all; `None` if the file has another length.
pub(crate) fn read(bytes: &[u8], places: usize, count: usize) -> Option<Vec<f32>> {
    if bytes.len() != 4 * places {
        return None;
    }
    let values = bytes.chunks_exact(2);
    let mut weights: Vec<f32> = values
        .map(|bytes| f32::from(i16::from_le_bytes([bytes[0], bytes[1]])))
        .collect();
    weights.resize(count, 0.0);
    Some(weights)
}
