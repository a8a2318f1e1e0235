//! A small process between this program and an engine, on Linux: whatever an engine starts is ended with it, also when this
//! program is killed.
//!
//! The guard is this program again, called with [`WORD`]. It adopts every process that an engine starts and leaves (a
//! subreaper), so a group or a session of its own does not get it away. It ends them all when the engine ends, when it is told
//! to, and when this program is gone, which shuts the link. The streams are the engine's alone.

mod cgroup;
mod children;
mod link;
mod serve;

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::{FdFlags, fcntl_setfd};

pub use link::Link;

use super::file_id;

/// The first argument of a guard.
const WORD: &str = "guard-an-engine";
/// The program of this process, whatever became of its file since it was started.
const OWN_PROGRAM: &str = "/proc/self/exe";
/// Stands for no bound.
const UNBOUNDED: &str = "-";

/// Does this program serve as a guard when it is called as one?
static IS_OFFERED: AtomicBool = AtomicBool::new(false);

/// Serves as a guard to the end of this process if `arguments`, those of the process without its name, ask for it; else lets
/// this program be started as one from now on.
pub fn serve_or_offer(mut arguments: impl Iterator<Item = OsString>) {
    if arguments.next().is_some_and(|word| word == WORD) {
        process::exit(serve::serve(arguments));
    }
    IS_OFFERED.store(Path::new(OWN_PROGRAM).exists(), Ordering::Relaxed);
}

/// Under Valgrind, Valgrind is the program of this process, and only the name of its file leads to ours.
fn own_program() -> PathBuf {
    let named = env::current_exe().unwrap_or_default();
    let ids = [file_id(&named), file_id(Path::new(OWN_PROGRAM))];
    match ids {
        [Ok(named_id), Ok(own_id)] if named_id != own_id => named,
        _ => PathBuf::from(OWN_PROGRAM),
    }
}

/// Can engines be started behind guards?
pub(super) fn is_offered() -> bool {
    IS_OFFERED.load(Ordering::Relaxed)
}

/// The command that starts a guard of `engine`, its end of the link, and ours. Streams are set by the caller, and are the
/// engine's.
pub(super) fn command(engine: &Command, memory_mib: Option<u64>) -> io::Result<(Command, UnixStream, Link)> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut guard = Command::new(own_program());
    let bound = memory_mib.map_or_else(|| UNBOUNDED.to_owned(), |mib| mib.to_string());
    guard
        .arg0("tanren")
        .args([WORD, &theirs.as_raw_fd().to_string(), &bound])
        .arg(engine.get_program())
        .args(engine.get_args());
    for (name, value) in engine.get_envs() {
        match value {
            Some(value) => guard.env(name, value),
            None => guard.env_remove(name),
        };
    }
    if let Some(directory) = engine.get_current_dir() {
        guard.current_dir(directory);
    }
    let fd = theirs.as_raw_fd();
    // SAFETY: between fork and exec nothing is called but one system call, which takes no lock and no memory; whoever holds
    // the command holds `theirs`, whose number it is.
    unsafe {
        guard.pre_exec(move || Ok(fcntl_setfd(BorrowedFd::borrow_raw(fd), FdFlags::empty())?));
    }
    Ok((guard, theirs, Link::new(ours)))
}
