//! The blobs of a game in a ledger, and its records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|input: &[u8]| {
    if let Some((&selector, bytes)) = input.split_first() {
        fuzzing::stored_game(selector, bytes);
    }
});
