//! The file of a machine of a fleet.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|text: &str| fuzzing::machine(text));
