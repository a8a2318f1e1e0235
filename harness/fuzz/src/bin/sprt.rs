//! A sequential test.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|text: &str| fuzzing::sprt(text));
