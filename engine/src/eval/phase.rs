//! Weights as functions of the phase: a broken line, expanded once per configuration.

/// Shares are in units of 1/256.
pub(crate) const WHOLE: i32 = 256;

/// The share of the ending value for every number of phase points.
#[derive(Debug, Clone)]
pub(crate) struct PhaseLine {
    shares: Vec<i32>,
}

impl PhaseLine {
    /// Opening values up to `opening` points, ending values from `ending` points on, a straight line between.
    pub(crate) fn new(opening: i32, ending: i32, points_max: i32) -> Self {
        let width = (ending - opening).max(1);
        let shares = (0..=points_max)
            .map(|points| ((points - opening) * WHOLE / width).clamp(0, WHOLE))
            .collect();
        PhaseLine { shares }
    }

    /// The share of the ending value, 0 to [`WHOLE`].
    #[inline]
    pub(crate) fn share(&self, points: i32) -> i32 {
        let last = self.shares.len() - 1;
        self.shares[usize::try_from(points).unwrap_or(0).min(last)]
    }
}

pub(crate) fn mix(opening: i32, ending: i32, share: i32) -> i32 {
    (opening * (WHOLE - share) + ending * share) / WHOLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_flat_at_both_ends_and_straight_between() {
        let line = PhaseLine::new(4, 36, 60);
        assert_eq!(
            [0, 4, 20, 36, 60, 99].map(|points| line.share(points)),
            [0, 0, 128, 256, 256, 256]
        );
        assert_eq!(mix(100, 200, line.share(20)), 150);
    }

    #[test]
    fn a_line_without_width_is_a_step() {
        let line = PhaseLine::new(10, 10, 20);
        assert_eq!([9, 10, 11].map(|points| line.share(points)), [0, 0, 256]);
    }
}
