//! A name in the records of games.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|text: &str| fuzzing::names(text));
