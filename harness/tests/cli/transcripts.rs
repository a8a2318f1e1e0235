//! What a user types and sees: each file of `transcripts` is played again.
//!
//! `TRANSCRIPT=queue` plays those alone whose names hold the word; `TANREN_REWRITE=1` writes what they print now.

use std::path::Path;

use rayon::prelude::*;

use crate::folder::InFolder;
use crate::transcript::play;

#[test]
fn transcripts_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/transcripts");
    let chosen = std::env::var("TRANSCRIPT").unwrap_or_default();
    let names: Vec<String> = folder
        .names()
        .into_iter()
        .filter(|name| name.contains(&chosen))
        .collect();
    assert!(!names.is_empty(), "no transcript is called '{chosen}'");
    let played = names.par_iter().map(|name| play(&folder.join(name)));
    let failures: Vec<String> = played.filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
