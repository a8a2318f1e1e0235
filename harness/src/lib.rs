//! The harness half of Tanren: matches between configurations of the engine, and what they say.
//!
//! ```text
//!  cli -> config -> openings -> schedule -+-> worker: player, play -+-> runner -> ledger
//!                                         +-> worker: player, play -+     |          |
//!                                                                         v          v
//!                                            stats -> stop -> standing -> event -> report
//! ```
//!
//! One stage, one module; a stage imports only stages before it (`tests/layering.rs` holds the exact order):
//!
//! 1. [`config`]: what the user wrote becomes a validated specification and its identity.
//! 2. [`openings`]: the positions that pairs start from.
//! 3. [`schedule`]: which pairs, in which order, with which seeds ([`random`]).
//! 4. [`player`] and [`play`]: one game and one pair, to a [`record`].
//! 5. [`stats`] and [`stop`]: pure functions of counts; [`standing`] counts pairs in schedule order.
//! 6. [`ledger`]: what is finished, exactly once.
//! 7. [`runner`]: workers, the count and the ledger together; it tells of [`event`]s.
//! 8. [`study`]: experiments that are no match, from positions or runs to records and summaries.
//! 9. [`report`]: everything that is formatted, from a standing, a ledger or a study.
//! 10. [`cli`]: one module a command; the only other place that prints.
//!
//! [`interrupt`] is the wish to stop, which players and the runner ask for.

pub mod cli;
pub mod config;
pub mod event;
pub mod interrupt;
pub mod ledger;
pub mod openings;
pub mod play;
pub mod player;
pub mod random;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod stats;
pub mod stop;
pub mod study;
#[cfg(test)]
mod toy;
