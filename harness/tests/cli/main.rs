//! The `tanren` binary as a user meets it: transcripts, and what takes more than a transcript. One binary of tests: each would link
//! the whole program.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

#[cfg(feature = "cluster")]
mod cluster_init;
#[expect(dead_code, reason = "of all suites")]
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod declarations;
mod faults;
mod foreign_text;
mod formats;
#[cfg(unix)]
mod frameworks;
mod guides;
#[cfg(unix)]
mod hostile;
mod identity;
mod language;
mod million;
mod numbers;
mod page;
mod pondering;
mod transcripts;
mod tuning;
mod verify;

use common::{engines, folder, shell, tools, transcript};
