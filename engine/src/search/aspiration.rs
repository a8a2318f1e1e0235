//! Aspiration: an iteration begins with a narrow window around the last score, which widens as the score falls out of it.

use super::{INFINITE, MATE_IN_MAX, Window};
use crate::config::SearchConfig;

/// The window around a score that widens as it fails.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aspiration {
    pub(super) window: Window,
    delta: i32,
    growth: i32,
}

impl Aspiration {
    /// Around `score`, if an iteration of this depth has a narrow window; everything otherwise.
    pub(super) fn new(config: &SearchConfig, depth: u32, score: i32) -> Self {
        let narrow =
            config.aspiration && depth >= config.aspiration_depth_min as u32 && score.abs() < MATE_IN_MAX;
        let delta = if narrow { config.aspiration_delta } else { INFINITE };
        Aspiration {
            window: Window {
                alpha: (score - delta).max(-INFINITE),
                beta: (score + delta).min(INFINITE),
            },
            delta,
            growth: config.aspiration_growth,
        }
    }

    /// Widens the window if `score` fell out of it; false if it did not.
    pub(super) fn widen(&mut self, score: i32) -> bool {
        let Window { alpha, beta } = self.window;
        if score <= alpha && alpha > -INFINITE {
            self.window.beta = i32::midpoint(alpha, beta);
            self.window.alpha = (score - self.delta).max(-INFINITE);
        } else if score >= beta && beta < INFINITE {
            self.window.beta = (score + self.delta).min(INFINITE);
        } else {
            return false;
        }
        self.delta += (self.delta * self.growth / 100).max(1);
        true
    }
}
