//! Parts of a record that take fewer bytes than serde would give them: each is one string of bytes.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub trait Packed: Sized {
    fn to_bytes(&self) -> Vec<u8>;
    /// `None` if the bytes mean nothing.
    fn of_bytes(bytes: &[u8]) -> Option<Self>;
}

pub(crate) fn serialize<T: Packed, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(&value.to_bytes())
}

pub(crate) fn deserialize<'de, T: Packed, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let bytes = <&[u8]>::deserialize(deserializer)?;
    T::of_bytes(bytes).ok_or_else(|| D::Error::custom("bytes that mean nothing"))
}

/// The bits of moves, two bytes a move: as numbers of variable length most would take three.
impl Packed for Vec<u16> {
    fn to_bytes(&self) -> Vec<u8> {
        self.iter().flat_map(|bits| bits.to_le_bytes()).collect()
    }

    fn of_bytes(bytes: &[u8]) -> Option<Vec<u16>> {
        let (moves, odd) = bytes.as_chunks::<2>();
        odd.is_empty()
            .then(|| moves.iter().map(|&bits| u16::from_le_bytes(bits)).collect())
    }
}
