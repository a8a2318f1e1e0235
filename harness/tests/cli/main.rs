//! The `tanren` binary as a user meets it: transcripts, and what takes more than a transcript. One binary of tests: each would link
//! the whole program.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

#[cfg(feature = "cluster")]
mod cluster_init;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod declarations;
#[path = "../common/engines.rs"]
mod engines;
mod faults;
#[path = "../common/folder.rs"]
mod folder;
mod foreign_text;
mod identity;
#[cfg(unix)]
mod interruption;
#[cfg(target_os = "linux")]
mod killed;
#[cfg(target_os = "linux")]
mod lack;
mod late;
mod million;
#[cfg(all(unix, feature = "web"))]
mod notify;
mod numbers;
mod page;
mod pondering;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
#[path = "../common/running.rs"]
mod running;
#[cfg(unix)]
mod suspension;
#[path = "../common/tools.rs"]
mod tools;
#[path = "../common/transcript.rs"]
mod transcript;
mod transcripts;
mod tuning;
mod verify;
