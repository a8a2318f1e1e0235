//! The engine from outside: rules, search, techniques, evaluation and the program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod fidelity;
mod go;
mod program;
mod protocol;
mod rules;
mod search;
mod signatures;
mod soppo;
mod techniques;
