//! Mate-distance pruning: a line that cannot beat a mate already found need not be searched.

use super::{MATE, Window, lost};
use crate::config::SearchConfig;

/// `window` cut to the scores that are possible at `ply`; `None` if nothing is left.
#[inline]
pub(super) fn narrowed(config: &SearchConfig, window: Window, ply: usize) -> Option<Window> {
    if !config.mate_distance {
        return Some(window);
    }
    let alpha = window.alpha.max(lost(ply));
    let beta = window.beta.min(MATE - ply as i32 - 1);
    (alpha < beta).then_some(Window { alpha, beta })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_a_window_above_the_nearest_mate_or_below_the_nearest_loss() {
        let of = |settings, [alpha, beta]: [i32; 2], ply| {
            let window = narrowed(&SearchConfig::with(settings), Window { alpha, beta }, ply);
            window.map(|window| [window.alpha, window.beta])
        };
        let mate_in_3 = [MATE - 3, MATE];
        assert_eq!(of("base", mate_in_3, 1), Some([MATE - 3, MATE - 2]));
        assert_eq!(of("base", mate_in_3, 2), None);
        assert_eq!(of("base", [-MATE, lost(4)], 4), None);
        assert_eq!(of("base", [-MATE, 0], 4), Some([lost(4), 0]));
        assert_eq!(of("mate_distance=off", mate_in_3, 2), Some(mate_in_3));
    }
}
