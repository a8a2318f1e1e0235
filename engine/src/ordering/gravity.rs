//! Gravity: how a history value learns without ever leaving its bounds.

/// Moves `value` towards the sign of `bonus` by ever smaller steps ("gravity"), so that it stays within `limit`.
#[inline]
pub(crate) fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*value);
    // |bonus| <= limit keeps |new| <= limit, which fits.
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_never_leaves_its_bounds_and_answers_to_both_signs() {
        for limit in [4096, 8192, 16384] {
            let mut value = 0;
            for _ in 0..1000 {
                pull(&mut value, 4000, limit);
            }
            assert!(
                i32::from(value) > limit - 200 && i32::from(value) <= limit,
                "{value}"
            );
            for _ in 0..1000 {
                pull(&mut value, -4000, limit);
            }
            assert!(
                i32::from(value) < 200 - limit && i32::from(value) >= -limit,
                "{value}"
            );
        }
    }
}
