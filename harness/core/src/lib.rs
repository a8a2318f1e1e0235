//! What every run of Tanren is made of: records of games, configurations, players, games, openings, the ledger and the runner.
//!
//! A run reads a configuration (`config`), lays out its pairs (`openings`, `schedule`), plays them (`player`, `play`, `runner`), keeps
//! them (`ledger`) and counts them (`match_state`, `crosstable`) until a rule ends it (`stop`).

#![allow(missing_docs, reason = "internal: the public interface is the crate tanren")]
#![expect(
    unreachable_pub,
    reason = "modules keep their files private; `pub` inside them is what a stage offers to the next"
)]

pub mod config;
pub mod crosstable;
pub mod endgame;
pub mod event;
#[cfg(any(test, feature = "testing"))]
pub mod fixtures;
pub mod interrupt;
pub mod ledger;
pub mod match_state;
pub mod openings;
pub mod platform;
pub mod play;
pub mod player;
pub mod plural;
pub mod record;
pub mod runner;
pub mod sanitize;
pub mod schedule;
pub mod shard;
pub mod stop;

pub use tanren_stats as stats;
use tanren_stats::random;
