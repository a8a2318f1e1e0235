//! A book of Polyglot: how many plies of it, then the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|bytes: &[u8]| fuzzing::polyglot(bytes));
