//! Studies: experiments that are no match.
//!
//! In: configurations, positions, limits. Out: records and their summaries. Must not: format or print anything.

pub mod ablate;
pub mod nodes;
pub mod odds;
