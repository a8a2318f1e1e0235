//! Do two groups of pairs come from the same distribution?

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Cells are joined with their neighbours until so many are expected in each.
const EXPECTED_MIN: f64 = 5.0;

/// The probability that two samples of the same distribution differ as much as these or more, by Pearson's χ² over cells that are
/// large enough; `None` if there are too few pairs to tell.
pub fn same_distribution(one: &[u64; 5], other: &[u64; 5]) -> Option<f64> {
    let total = |counts: &[u64; 5]| counts.iter().sum::<u64>() as f64;
    let (all_one, all_other) = (total(one), total(other));
    let all = all_one + all_other;
    let smaller = all_one.min(all_other) / all;
    let mut cells: Vec<[f64; 2]> = Vec::new();
    let mut open = [0.0; 2];
    for (&count, &count_other) in one.iter().zip(other) {
        open[0] += count as f64;
        open[1] += count_other as f64;
        if (open[0] + open[1]) * smaller >= EXPECTED_MIN {
            cells.push(std::mem::take(&mut open));
        }
    }
    let last = cells.last_mut()?;
    last[0] += open[0];
    last[1] += open[1];
    if cells.len() < 2 {
        return None;
    }
    let statistic: f64 = cells
        .iter()
        .map(|cell| {
            let both = cell[0] + cell[1];
            let (expected, expected_other) = (both * all_one / all, both * all_other / all);
            (cell[0] - expected).powi(2) / expected + (cell[1] - expected_other).powi(2) / expected_other
        })
        .sum();
    let distribution = ChiSquared::new((cells.len() - 1) as f64).ok()?;
    Some(distribution.sf(statistic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statistic_is_that_of_the_textbook() {
        // 2 x 2, all of 40: (10 - 15)^2 (1/15 + 1/15 + 1/25 + 1/25) = 5.3333, one degree of freedom.
        let p = same_distribution(&[10, 0, 0, 0, 30], &[20, 0, 0, 0, 20]).unwrap();
        assert!((p - 0.020_921).abs() < 1e-5, "{p}");
    }

    #[test]
    fn equal_shares_are_no_difference_and_few_pairs_say_nothing() {
        let p = same_distribution(&[10, 20, 40, 20, 10], &[20, 40, 80, 40, 20]).unwrap();
        assert!((p - 1.0).abs() < 1e-12, "{p}");
        assert_eq!(same_distribution(&[1, 0, 1, 0, 0], &[50, 0, 50, 0, 0]), None);
        assert_eq!(same_distribution(&[0; 5], &[50, 0, 50, 0, 0]), None);
        assert_eq!(same_distribution(&[0, 0, 90, 0, 0], &[0, 0, 90, 0, 0]), None);
    }
}
