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
//! 5. [`stats`] (a crate of its own) and [`stop`]: pure functions of counts; [`standing`] counts pairs in schedule
//!    order, [`crosstable`] those of a tournament.
//! 6. [`ledger`]: what is finished, exactly once.
//! 7. [`runner`]: workers, the count and the ledger together; it tells of [`event`]s.
//! 8. [`tune`]: parameters moved by the results of games.
//! 9. [`study`]: experiments that are no match, from positions or runs to records and summaries.
//! 10. [`queue`]: the jobs of a night, the conditions between them, and which one is next.
//! 11. [`experiment`]: what a command does once its arguments are checked.
//! 12. [`report`]: everything that is formatted, from a standing, a ledger, a study or a queue.
//! 13. [`cli`]: one module a command; the only other place that prints.
//!
//! [`interrupt`] is the wish to stop, which players and the runner ask for; [`platform`] what the system does about
//! priorities and cores.

pub mod cli;
pub mod config;
pub mod crosstable;
pub mod event;
pub mod experiment;
pub mod interrupt;
pub mod ledger;
pub mod openings;
pub mod platform;
pub mod play;
pub mod player;
pub mod queue;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod stop;
pub mod study;
#[cfg(test)]
mod toy;
pub mod tune;

pub use tanren_stats as stats;
pub use tanren_stats::random;
