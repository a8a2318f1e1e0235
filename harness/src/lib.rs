//! The program `tanren`: its command line, and the pages that it serves. What it runs and reports is [`tanren_runs`], whose interface is
//! offered here too.

#![allow(
    missing_docs,
    reason = "internal: what users write against is documented where it is exported"
)]
#![cfg_attr(
    feature = "web",
    expect(unreachable_pub, reason = "`pub` inside `web` is what it offers to `cli`")
)]

pub mod cli;
#[cfg(feature = "web")]
mod web;

pub use cli::guard_engines;
use tanren_core::{config, endgame, interrupt, ledger, platform, shard};
#[cfg(feature = "cluster")]
use tanren_fleet as fleet;
pub use tanren_runs::*;
