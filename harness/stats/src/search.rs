//! Where a condition ends: by halving, or by Newton's method.

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

/// The root of a function that falls between `low` and `high`, of which `at` gives value and slope: Newton's method from the middle, guarded
/// by halving. The side of the root on which the function is not above 0.
pub(crate) fn falling_root([mut low, mut high]: [f64; 2], at: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = 0.5 * (low + high);
    for _ in 0..100 {
        let (value, slope) = at(x);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let step = (next - x).abs();
        x = next;
        if step <= 1e-13 * x.abs() {
            break;
        }
    }
    x.min(high)
}
