//! What comes over the network to a coordinator or a worker.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|bytes: &[u8]| fuzzing::message(bytes));
