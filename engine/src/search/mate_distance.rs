//! Mate-distance pruning: a line that cannot beat a mate already found need not be searched.

use super::data::Window;
use super::score::{MATE, lost};
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
        let config = SearchConfig::default();
        let of = |alpha, beta, ply| narrowed(&config, Window { alpha, beta }, ply);
        let mate_in_3 = MATE - 3;
        assert_eq!(
            of(mate_in_3, MATE, 1),
            Some(Window {
                alpha: mate_in_3,
                beta: MATE - 2
            })
        );
        assert_eq!(of(mate_in_3, MATE, 2), None);
        assert_eq!(of(-MATE, lost(4), 4), None);
        assert_eq!(
            of(-MATE, 0, 4),
            Some(Window {
                alpha: lost(4),
                beta: 0
            })
        );
        let off = SearchConfig {
            mate_distance: false,
            ..config
        };
        let window = Window {
            alpha: mate_in_3,
            beta: MATE,
        };
        assert_eq!(narrowed(&off, window, 2), Some(window));
    }
}
