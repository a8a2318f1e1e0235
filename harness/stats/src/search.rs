//! Where a condition ends, by halving.

/// `low` and `high` after so many halvings; `is_before` holds below the place looked for and not above it.
pub(crate) fn bisect(
    [mut low, mut high]: [f64; 2],
    halvings: u32,
    is_before: impl Fn(f64) -> bool,
) -> [f64; 2] {
    for _ in 0..halvings {
        let middle = 0.5 * (low + high);
        if is_before(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    [low, high]
}
