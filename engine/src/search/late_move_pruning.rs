//! Late move pruning: after the first so many moves of a shallow node the remaining quiet ones are dropped.

use crate::config::SearchConfig;

#[inline]
pub(super) fn moves_max(config: &SearchConfig, depth: i32, improving: bool) -> Option<i32> {
    (config.lmp && depth <= config.lmp_depth_max).then(|| {
        let full = config.lmp_base + config.lmp_slope * depth * depth / 100;
        if improving { full } else { full / 2 }
    })
}
