//! Priorities, signals and limits where there is no Unix.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::register;

use super::machine::{Disk, MissingResource, ResourceLimit};
use super::{EndSignal, FileId, Reaction};

/// How often the thread looks: no system call here waits for a signal.
const PAUSE: Duration = Duration::from_millis(50);

pub fn outlive_file_limit() {}

pub fn be_nice(_: i32) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// Where no program can take the place of another: waits for its end, which Ctrl-C asks of both.
pub fn hand_over(command: &mut std::process::Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

pub fn on_end_signals(mut react: impl FnMut(EndSignal) -> Reaction + Send + 'static) -> io::Result<()> {
    let flags = [(SIGINT, EndSignal::Interrupt), (SIGTERM, EndSignal::Terminate)]
        .map(|(signal, wish)| (signal, wish, Arc::new(AtomicBool::new(false))));
    for (signal, _, flag) in &flags {
        register(*signal, Arc::clone(flag))?;
    }
    let listen = move || {
        loop {
            for (_, wish, flag) in &flags {
                if flag.swap(false, Ordering::Relaxed) && react(*wish) == Reaction::End {
                    std::process::exit(1);
                }
            }
            thread::sleep(PAUSE);
        }
    };
    let thread = thread::Builder::new().name("signals".to_owned());
    thread.spawn(listen).map(drop)
}

/// What the numbers of Windows mean: too many open files, not enough memory, the commitment limit, a full disk.
pub(super) fn missing_resource(code: i32) -> Option<MissingResource> {
    match code {
        4 => Some(MissingResource::Descriptors),
        8 | 14 | 1455 => Some(MissingResource::Memory),
        39 | 112 => Some(MissingResource::Disk),
        _ => None,
    }
}

pub(super) fn memory_free_mib() -> Option<u64> {
    None
}

pub(super) fn descriptors() -> Option<ResourceLimit> {
    None
}

pub(super) fn processes() -> Option<ResourceLimit> {
    None
}

pub fn disk(_: &Path) -> Option<Disk> {
    None
}

pub fn raise_descriptors(_: u64) {}

/// By the clock on the wall, which runs on through sleep.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

pub(super) fn file_id(_: &Metadata) -> FileId {
    (0, 0)
}

pub(super) fn changed_at(_: &Metadata) -> (i64, i64) {
    (0, 0)
}
