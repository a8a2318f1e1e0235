//! Charts as SVG images, the same on every machine.

mod chart;

pub(super) mod ablation;
pub(super) mod bars;
pub(super) mod course;
pub(super) mod intervals;
pub(super) mod nodes;
pub(super) mod odds;
pub(super) mod slice;
pub(super) mod tuning;
