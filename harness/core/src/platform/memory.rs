//! A bound on the memory of a process, on Unix.
//!
//! In: a number of MiB. Out: a system call. Must not: be called in the process of this program itself.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Bounds the address space of the calling process, and of each that it starts, for good. Takes no lock and no memory.
///
/// # Errors
/// The system refuses.
pub(super) fn bound_memory(mib: u64) -> io::Result<()> {
    // What is bounded more tightly already cannot be loosened.
    let inherited = getrlimit(Resource::As).maximum.unwrap_or(u64::MAX);
    let bytes = Some(inherited.min(mib.saturating_mul(1 << 20)));
    let limit = Rlimit {
        current: bytes,
        maximum: bytes,
    };
    Ok(setrlimit(Resource::As, limit)?)
}
