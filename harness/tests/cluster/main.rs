//! Runs on a fleet of this machine: a server, workers, a coordinator, and everything that can happen to them. The games are to be those of one
//! machine alone.
//!
//! They need a `nats-server` on the PATH or in TANREN_NATS_SERVER. Without `--ignored` the short set runs.

#![expect(
    clippy::print_stderr,
    reason = "what was not tested, and last words, are told"
)]
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/engines.rs"]
#[expect(dead_code, reason = "no engine with faults plays here")]
mod engines;
#[expect(dead_code, reason = "these tests read few files")]
#[path = "../common/folder.rs"]
mod folder;
mod impostor;
mod monitor;
mod proxy;
mod support;

mod accounts;
mod liars;
mod limits;
mod misfortunes;
mod queues;
mod same_files;
mod scale;
