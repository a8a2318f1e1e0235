//! One run over many machines: a coordinator gives pairs to workers by way of a NATS server, which may lose everything.
//!
//! In: pairs to be played, or jobs from a coordinator. Out: finished pairs, and who played them. Must not: count, store, or
//! believe anything that comes over the network.

mod certificate;
mod error;
mod init;
mod link;
mod program;
mod server_conf;
mod settings;
mod up;

pub use error::FleetError;
pub use init::{FleetSpec, NewFleet};
pub use link::{connect, connect_and_hear, worker_jetstream};
pub use settings::{Access, COORDINATOR, CoordinatorFile, Seed, WorkerFile};
pub use up::up;
