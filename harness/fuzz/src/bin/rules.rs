//! Rules of adjudication and faults.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|text: &str| fuzzing::rules(text));
