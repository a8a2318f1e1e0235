//! What is done with runs, games, suites and engines beside playing runs.

pub mod compliance;
pub mod doctor;
pub mod engines;
pub mod generation;
#[cfg(feature = "cluster")]
pub mod jobs;
pub mod merge;
pub mod methods;
pub mod params;
pub mod perft;
pub mod recount;
pub mod replay;
pub mod simulation;
pub mod sprt;
pub mod upgrade;
pub mod verify;
