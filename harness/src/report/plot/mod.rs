//! Charts as SVG images.
//!
//! In: what a study found. Out: the text of an image, the same on every machine. Must not: compute what it shows.

mod axis;
mod style;

pub(super) mod ablation;
pub(super) mod bars;
pub(super) mod course;
pub(super) mod intervals;
pub(super) mod nodes;
pub(super) mod odds;
pub(super) mod plane;
pub(super) mod slice;
pub(super) mod tuning;
