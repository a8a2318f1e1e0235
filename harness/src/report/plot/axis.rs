//! Axes and where they have their marks.
//!
//! In: the range of the data. Out: round numbers within it. Must not: know what is drawn.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// Marks of a linear stretch that is neither empty nor crowded.
const MARKS_MAX: f64 = 6.0;

/// Round numbers for a logarithmic axis from `low` to `high` (both positive): the wider the range, the fewer within a
/// power of ten; equal steps if it is narrow.
pub(super) fn log_marks(low: f64, high: f64) -> Vec<f64> {
    let decades = (high / low).log10();
    match decades {
        ..0.3 => linear_marks(low, high),
        ..1.0 => multiples(low, high, &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]),
        ..2.5 => multiples(low, high, &[1.0, 2.0, 5.0]),
        _ => multiples(low, high, &[1.0]),
    }
}

/// What lies between the powers of ten of a wide range; nothing in a narrow one.
pub(super) fn log_lines(low: f64, high: f64) -> Vec<f64> {
    if (high / low).log10() < 1.0 {
        return Vec::new();
    }
    multiples(low, high, &[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
}

/// Each factor times each power of ten, from `low` to `high`.
fn multiples(low: f64, high: f64, factors: &[f64]) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let marks = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
    marks.filter(|mark| (low..=high).contains(mark)).collect()
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_marks(low: f64, high: f64) -> Vec<f64> {
    let least = (high - low) / MARKS_MAX;
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= least);
    let step = factor.unwrap_or(10.0) * power;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|multiple| multiple as f64 * step).collect()
}

/// Depths from 1, with half a ply of room on both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct DepthAxis {
    /// The last depth.
    pub(super) depth_max: u32,
}

impl Ranged for DepthAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, depth: &f64, (left, right): (i32, i32)) -> i32 {
        let share = (depth - 0.5) / f64::from(self.depth_max);
        left + (share * f64::from(right - left)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            depth_marks(self.depth_max)
        }
    }

    fn range(&self) -> Range<f64> {
        0.5..f64::from(self.depth_max) + 0.5
    }
}

/// A horizontal axis of numbers with round marks.
#[derive(Debug, Clone, Copy)]
pub(super) enum NumberAxis {
    /// Equal differences are equally long.
    Linear {
        /// The left end.
        low: f64,
        /// The right end.
        high: f64,
    },
    /// Equal ratios are equally long; both ends are positive.
    Log {
        /// The left end.
        low: f64,
        /// The right end.
        high: f64,
    },
}

impl Ranged for NumberAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (left, right): (i32, i32)) -> i32 {
        let share = match *self {
            NumberAxis::Linear { low, high } => (value - low) / (high - low),
            NumberAxis::Log { low, high } => (value / low).ln() / (high / low).ln(),
        };
        left + (share * f64::from(right - left)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match *self {
            _ if hint.weight().allow_light_points() => Vec::new(),
            NumberAxis::Linear { low, high } => linear_marks(low, high),
            NumberAxis::Log { low, high } => log_marks(low, high),
        }
    }

    fn range(&self) -> Range<f64> {
        match *self {
            NumberAxis::Linear { low, high } | NumberAxis::Log { low, high } => low..high,
        }
    }
}

/// Every depth, or every second, fifth, … if there are many.
fn depth_marks(depth_max: u32) -> Vec<f64> {
    let step = [1, 2, 5, 10, 20].into_iter().find(|step| depth_max / step <= 20);
    let step = step.unwrap_or(50);
    let multiples = (1..=depth_max).filter(|depth| depth % step == 0);
    multiples.map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_range_is_marked_at_powers_and_a_narrow_one_in_equal_steps() {
        assert_eq!(log_marks(50.0, 2e5), [100.0, 1e3, 1e4, 1e5]);
        assert_eq!(log_marks(0.5, 12.0), [0.5, 1.0, 2.0, 5.0, 10.0]);
        assert_eq!(log_marks(0.9, 3.5), [1.0, 1.5, 2.0, 3.0]);
        assert!(log_lines(0.9, 3.5).is_empty());
        assert_eq!(log_lines(70.0, 700.0)[..4], [70.0, 80.0, 90.0, 200.0]);
        let narrow: Vec<String> = log_marks(0.91, 1.08)
            .iter()
            .map(|mark| format!("{mark:.2}"))
            .collect();
        assert_eq!(narrow, ["0.95", "1.00", "1.05"]);
    }

    #[test]
    fn depths_are_whole_and_never_crowded() {
        assert_eq!(depth_marks(3), [1.0, 2.0, 3.0]);
        for depth in 1..=127 {
            let marks = depth_marks(depth);
            assert!((1..=20).contains(&marks.len()), "{depth}: {marks:?}");
        }
    }
}
