//! An option that an engine announces, and a value for it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|text: &str| fuzzing::engine_option(text));
