//! What the learned values of both games share.

/// Which king a piece is seen from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum King {
    /// The king of the piece's owner.
    Own,
    /// The king of the opponent.
    Enemy,
}

/// The opening and the ending value at `place` of a `learned.bin` in centipawns, `percent` of them: two bytes each, the lower byte first.
pub(super) fn value(file: &[u8], place: usize, percent: i32) -> [i32; 2] {
    [4 * place, 4 * place + 2]
        .map(|at| i32::from(i16::from_le_bytes([file[at], file[at + 1]])) * percent / 100)
}

/// An opening and an ending value in one number, so that one addition adds both: the ending value in the upper half, the opening value
/// in the lower one, whose sign borrows from the upper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PackedScore(i32);

impl PackedScore {
    pub(crate) fn new(opening: i32, ending: i32) -> Self {
        PackedScore((ending << 16).wrapping_add(opening))
    }

    pub(crate) fn opening(self) -> i32 {
        i32::from(self.0 as i16)
    }

    pub(crate) fn ending(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }

    pub(crate) fn plus(self, other: PackedScore) -> PackedScore {
        PackedScore(self.0.wrapping_add(other.0))
    }

    pub(crate) fn minus(self, other: PackedScore) -> PackedScore {
        PackedScore(self.0.wrapping_sub(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_of_a_packed_sum_do_not_disturb_each_other() {
        let values = [(-1, 1), (300, -300), (-299, 298), (-7000, 7001), (7000, -7000)];
        let mut sum = PackedScore::default();
        for (index, &(opening, ending)) in values.iter().enumerate() {
            sum = sum.plus(PackedScore::new(opening, ending));
            let expected = values[..=index]
                .iter()
                .fold((0, 0), |(a, b), value| (a + value.0, b + value.1));
            assert_eq!((sum.opening(), sum.ending()), expected);
        }
        assert_eq!(sum.minus(sum), PackedScore::default());
    }
}
