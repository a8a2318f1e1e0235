//! Extensions: forcing moves are searched deeper.

use crate::config::SearchConfig;

/// May checks be extended in a node of this depth and ply? The ply bound keeps a series of checks from running away.
#[inline]
pub(super) fn extends_checks(config: &SearchConfig, depth: i32, ply: usize, root_depth: i32) -> bool {
    config.check_extension && depth <= config.check_extension_depth_max && (ply as i32) < 2 * root_depth
}
