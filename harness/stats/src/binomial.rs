//! Exact tails of a binomial number: what a count of rare events says about their rate, however few there are.

use statrs::function::beta::beta_reg;

/// The probability of at most `successes` in `trials`, each with `probability`.
pub fn at_most(successes: u64, trials: u64, probability: f64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    let (x, n) = (successes as f64, trials as f64);
    beta_reg(n - x, x + 1.0, 1.0 - probability)
}

/// The probability of at least `successes` in `trials`, each with `probability`.
pub fn at_least(successes: u64, trials: u64, probability: f64) -> f64 {
    successes
        .checked_sub(1)
        .map_or(1.0, |below| 1.0 - at_most(below, trials, probability))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_sums_of_the_terms() {
        for (successes, trials, probability, expected) in [
            (0, 10, 0.02, 0.98_f64.powi(10)),
            (1, 3, 0.5, 0.5),
            (1, 236, 0.02, 0.049_4),
            (3, 3, 0.1, 1.0),
            (0, 0, 0.1, 1.0),
            (40_000, 1_000_000, 0.02, 1.0),
        ] {
            let found = at_most(successes, trials, probability);
            assert!(
                (found - expected).abs() < 1e-4,
                "{successes} of {trials}: {found}"
            );
        }
        assert!((at_least(2, 12, 0.02) - 0.023_1).abs() < 1e-4);
        assert_eq!(at_least(0, 5, 0.1), 1.0);
    }
}
