//! `tanren serve` as a browser, a script and an attacker meet it.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![cfg(all(unix, feature = "web"))]

mod boards;
#[expect(dead_code, reason = "of all suites")]
#[path = "../common/mod.rs"]
mod common;
mod http;

use common::{engines, folder, shell, tools};

#[test]
fn transcripts_hold() {
    common::transcript::play_all("serve/transcripts", 4, http::browser);
}
