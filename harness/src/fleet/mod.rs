//! One run over many machines: a coordinator gives pairs to workers by way of a NATS server, which may lose everything.
//!
//! In: pairs to be played, or jobs from a coordinator. Out: finished pairs, and who played them. Must not: count, store, or
//! believe anything that comes over the network.

mod audit;
mod certificate;
mod class;
mod coordinator;
mod digest;
mod drive;
mod error;
mod executor;
mod exhibit;
mod flights;
mod giving;
mod hosts;
mod init;
mod landing;
mod lease;
mod link;
mod machine;
mod orders;
mod program;
mod proof;
mod second_play;
mod server_conf;
mod settings;
mod slots;
mod speed;
mod streams;
mod tables;
mod taking;
mod turn;
mod up;
mod wire;
mod worker;

pub use coordinator::{FleetExecutor, FleetOptions};
pub use digest::digest_of;
pub use error::FleetError;
pub use init::{FleetSpec, NewFleet};
pub use link::{connect, connect_and_hear, worker_jetstream};
pub use machine::{WorkerNews, WorkerOptions};
pub use orders::{FleetStatus, drain, status, stop};
pub use proof::is_signed;
pub use settings::{Access, COORDINATOR, CoordinatorFile, Seed, WorkerFile};
pub use tables::{MakeTables, PlayJobs};
pub use up::up;
#[cfg(feature = "fuzzing")]
pub use wire::fuzz_message;
pub use wire::{Announcement, Here, Job, JobPair, PairResult, signed_bytes};
pub use worker::work;
