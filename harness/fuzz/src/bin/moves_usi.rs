//! Moves of shogi, as text and as bits, from the start.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren_engine::shogi::Board;

fuzz_target!(|input: &[u8]| tanren_fuzz::moves::<Board>(input));
