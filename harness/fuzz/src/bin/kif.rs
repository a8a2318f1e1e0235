//! Games of shogi in KIF: how many plies of them, then the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|bytes: &[u8]| fuzzing::kif(bytes));
