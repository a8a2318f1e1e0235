//! A position of shogi, and the moves in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren_engine::shogi::Board;

fuzz_target!(|text: &str| tanren_fuzz::position::<Board>(text));
