//! A player specification.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tanren::fuzzing;

fuzz_target!(|input: &[u8]| {
    if let Some((&selector, text)) = input.split_first()
        && let Ok(text) = std::str::from_utf8(text)
    {
        fuzzing::player(selector, text);
    }
});
