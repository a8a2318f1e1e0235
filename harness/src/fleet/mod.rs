//! One run over many machines: a coordinator gives pairs to workers by way of a NATS server, which may lose everything.
//!
//! In: pairs to be played, or jobs from a coordinator. Out: finished pairs, and who played them. Must not: count, store, or
//! believe anything that comes over the network.

mod audit;
mod certificate;
mod coordinator;
mod drive;
mod error;
mod flights;
mod giving;
mod hosts;
mod init;
mod landing;
mod lease;
mod link;
mod orders;
mod program;
mod second_play;
mod server_conf;
mod settings;
mod slots;
mod streams;
mod tables;
mod taking;
mod up;
mod wire;
mod worker;

use std::collections::BTreeMap;

use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use nkeys::KeyPair;

use crate::ledger::pack;
use crate::record::PairRecord;

pub use coordinator::{FleetExecutor, FleetOptions};
pub use error::FleetError;
pub use init::{FleetSpec, NewFleet};
pub use link::{connect, connect_and_hear, worker_jetstream};
pub use orders::{FleetStatus, drain, status, stop};
pub use settings::{Access, COORDINATOR, CoordinatorFile, Seed, WorkerFile};
pub use tables::{MakeTables, PlayJobs};
pub use up::up;
#[cfg(feature = "fuzzing")]
pub use wire::fuzz_message;
pub use wire::{Announcement, Here, Job, JobPair, PairResult, digest_of, signed_bytes};
pub use worker::{WorkerNews, WorkerOptions, work};

/// Did the machine of this public key sign `record` as a pair of `run`? `proof` is the signature and the digest of the table that
/// it was for.
pub fn is_signed(run: &str, record: &PairRecord, key: &str, proof: &[u8]) -> bool {
    let Some((signature, table)) = proof.split_at_checked(wire::SIGNATURE_BYTES) else {
        return false;
    };
    let key = KeyPair::from_public_key(key);
    key.is_ok_and(|key| {
        let signed = wire::bytes_signed_at(run, &wire::hex(table), &pack(record));
        key.verify(&signed, signature).is_ok()
    })
}

/// Does something stand there already?
fn is_taken(error: &PublishError) -> bool {
    matches!(error.kind(), PublishErrorKind::WrongLastSequence)
}

/// Who may play jobs of a run: those whose built-in engine does the same, and who have the same other engines; the highest priority
/// first.
fn class_of(priority: u8, engine: &str, engines: &BTreeMap<String, String>) -> String {
    if engines.is_empty() {
        return format!("{priority}-{engine}");
    }
    let listed = engines.iter().map(|(name, digest)| format!("{name} {digest}\n"));
    format!("{priority}-{engine}-{}", digest_of(&listed.collect::<String>()))
}

/// The priority and the engine of a class.
fn parts_of_class(class: &str) -> Option<(u8, &str)> {
    let mut parts = class.split('-');
    Some((parts.next()?.parse().ok()?, parts.next()?))
}
