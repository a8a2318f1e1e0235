//! One run over many machines: a coordinator sends pairs to workers by way of a NATS server, which may lose everything. Nothing that comes
//! over the network is believed.

#![allow(missing_docs, reason = "internal: the public interface is the crate tanren")]

mod audit;
mod connection;
mod coordinator;
mod dispatch;
mod drive;
mod error;
mod fetch;
mod hosts;
mod in_flight;
mod init;
mod lease;
mod orders;
mod server;
mod settings;
mod speed;
mod streams;
mod tables;
mod timeouts;
mod wire;
mod worker;

pub use connection::{connect, connect_and_hear, worker_jetstream};
pub use coordinator::{FleetExecutor, FleetOptions};
pub use error::FleetError;
pub use init::{FleetSpec, NewFleet};
pub use orders::{FleetStatus, drain, status, stop};
pub use server::up;
pub use settings::{Access, COORDINATOR, CoordinatorFile, Seed, WorkerFile, parse_file};
pub use tables::{MakeTables, PlayJobs, Readiness};
#[cfg(feature = "fuzzing")]
pub use wire::fuzz_message;
pub use wire::{
    Announcement, Heartbeat, Job, JobPair, SignedPair, digest_of, is_signed, signed, signed_bytes,
};
pub use worker::{WorkerOptions, work};

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use tanren_core::{config, interrupt, ledger, platform, play, plural, record, runner, sanitize, schedule};

/// Appends the events of a fleet to the file at `path`: what a hanging fleet waits for. All runs of a process have one log.
fn log_to(path: &Path) -> Result<(), FleetError> {
    let file = File::options().create(true).append(true).open(path);
    let file = file.map_err(FleetError::unwritable(path))?;
    let events = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .finish();
    // An earlier run of this process may have opened it.
    let _ = tracing::subscriber::set_global_default(events);
    Ok(())
}
