//! Who plays the pairs of jobs.
//!
//! In: the words of a job. Out: a table that plays its pairs. Must not: know how tables are made.

use super::wire::JobPair;
use crate::interrupt::Interrupt;
use crate::play::{LiveSlot, Unplayed};
use crate::record::{Finished, Pace};

/// Makes tables of the words of jobs.
pub trait MakeTables: Send + Sync {
    /// A table for pairs of a job with these `keys` of a match, limits by time at this `pace`; what is played at it ends when
    /// `interrupt` is raised.
    ///
    /// # Errors
    /// It cannot be played here, and why.
    fn table(
        &self,
        keys: &str,
        pace: Option<Pace>,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn PlayJobs>, String>;

    /// Is there an engine of this name here, with these digests?
    fn has_engine(&self, name: &str, digest: &str) -> bool;

    /// What the built-in engine does here, in 16 hexadecimal digits: two machines where it differs may not play one run.
    fn engine(&self) -> String;

    /// Nodes in a second of the built-in engine on the calling thread; takes some tenths of a second.
    fn nps(&self) -> u64;
}

/// A table for the pairs of jobs. One thread owns it.
pub trait PlayJobs {
    /// Plays a pair, or makes the search of this number.
    ///
    /// # Errors
    /// There is no result.
    fn play(&mut self, pair: &JobPair) -> Result<Finished, Unplayed>;

    /// Shows its games from here on.
    fn show_in(&mut self, _: LiveSlot) {}
}
