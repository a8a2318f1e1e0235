//! A conversation with the engine: every search is bounded, and the hash table is small.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| tanren_fuzz::session(input));
