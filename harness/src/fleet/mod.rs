//! One run over many machines: a coordinator gives pairs to workers by way of a NATS server, which may lose everything.
//!
//! In: pairs to be played, or jobs from a coordinator. Out: finished pairs, and who played them. Must not: count, store, or
//! believe anything that comes over the network.

mod error;
mod link;
mod settings;

pub use error::FleetError;
pub use link::{connect, connect_and_hear};
pub use settings::{Access, COORDINATOR, CoordinatorFile, Seed, WorkerFile};
