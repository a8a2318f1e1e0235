//! Runs on a fleet of this machine: a server, workers, a coordinator, and everything that befalls them. What they leave behind is to
//! be what one machine alone leaves behind.
//!
//! They need a `nats-server` on the PATH or in TANREN_NATS_SERVER, say so if there is none, and fail then if TANREN_REQUIRE_NATS is
//! set.

#![expect(
    clippy::print_stderr,
    reason = "what was not tested, and last words, are told"
)]
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![cfg(unix)]

#[expect(dead_code, reason = "a fleet needs not all of it")]
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/engines.rs"]
mod engines;
#[path = "../common/nats.rs"]
mod nats;
mod support;

mod by_time;
mod clocks;
mod deaths;
mod faults;
mod liars;
mod network;
mod nights;
mod refusals;
mod room;
mod same_files;
mod scale;
mod searches;
mod shares;
mod showing;
mod soak;
mod stops;
