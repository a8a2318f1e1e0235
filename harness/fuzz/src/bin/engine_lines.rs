//! What an engine says, by USI or UCI.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|input: &[u8]| {
    if let Some((&selector, bytes)) = input.split_first() {
        fuzzing::engine_lines(selector, bytes);
    }
});
