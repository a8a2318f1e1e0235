//! The harness half of Tanren.
