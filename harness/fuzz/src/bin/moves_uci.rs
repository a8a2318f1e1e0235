//! Moves of chess, as text and as bits, from the start.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren_engine::chess::Board;

fuzz_target!(|input: &[u8]| tanren_fuzz::moves::<Board>(input));
