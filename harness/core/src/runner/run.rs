//! What is played of a run.
//!
//! In: nothing. Out: [`Run`], plain data.

use std::collections::BTreeMap;

use tanren_engine::game::Position;

use crate::config::{FaultPolicy, Rules};
use crate::interrupt::Interrupt;
use crate::openings::Opening;
use crate::play::Table;
use crate::schedule::PairPlan;

/// What is played, at tables of type `T`.
pub struct Run<'a, P: Position, T = Table<P>> {
    /// All openings.
    pub openings: &'a [Opening<P>],
    /// Orders the openings and seeds the games.
    pub seed: u64,
    /// Most pairs.
    pub pairs_max: u64,
    /// Makes a table for one worker.
    pub make_table: &'a (dyn Fn() -> T + Sync),
    /// What workers elsewhere need; `None` if only a table made here can play.
    pub elsewhere: Option<Elsewhere<'a>>,
    /// Raised by a signal; the run raises it itself when it is decided.
    pub interrupt: &'a Interrupt,
}

/// What is said of a run to workers that are not here, and asked of what they answer.
pub struct Elsewhere<'a> {
    /// The table of a pair as keys of a match; `None` if it cannot be played any more.
    pub table: &'a (dyn Fn(&PairPlan) -> Option<String> + Sync),
    /// The rules of its games.
    pub rules: Rules,
    /// What follows from the faults of each player, by its number.
    pub policies: Vec<FaultPolicy>,
    /// Does the time that passes decide what is played?
    pub is_timed: bool,
    /// The digests of its players that are programs, by the names of engines.
    pub engines: BTreeMap<String, String>,
}
