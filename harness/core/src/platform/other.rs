//! Priorities, signals and limits where there is no Unix.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use windows::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows::core::BOOL;

use super::machine::{Disk, MissingResource, ResourceLimit};
use super::{EndSignal, FileId, Reaction};

type React = Box<dyn FnMut(EndSignal) -> Reaction + Send>;

static REACT: Mutex<Option<React>> = Mutex::new(None);

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

pub fn on_end_signals(react: impl FnMut(EndSignal) -> Reaction + Send + 'static) -> io::Result<()> {
    *REACT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(react));
    // SAFETY: the system calls it on a thread of its own.
    Ok(unsafe { SetConsoleCtrlHandler(Some(on_console_event), true) }?)
}

unsafe extern "system" fn on_console_event(event: u32) -> BOOL {
    let wish = if event == CTRL_C_EVENT {
        EndSignal::Interrupt
    } else {
        EndSignal::Terminate
    };
    let mut react = REACT.lock().unwrap_or_else(PoisonError::into_inner);
    if react.as_mut().is_some_and(|react| react(wish) == Reaction::End) {
        std::process::exit(1);
    }
    // Where the window is closed or the user logs off, the return ends the process, and otherwise the system does in 5 s.
    if event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT {
        thread::sleep(Duration::MAX);
    }
    true.into()
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
