//! All that depends on the operating system: child processes, priorities, cores, signals, limits, sleep. Nothing of it changes a result.

mod child;
mod cores;
mod file;
#[cfg(target_os = "linux")]
mod guard;
mod machine;
#[cfg(not(unix))]
mod other;
mod own;
mod reading;
mod shell;
mod suspension;
#[cfg(unix)]
mod unix;

pub use child::{Child, ChildLimits, Received, WriteOutcome};
pub use cores::{Cores, elsewhere, keep_here, let_go, processor_time, threads};
pub use file::{FileId, FileStamp, file_id, write_secret};
pub use machine::{Disk, Machine, MissingResource, ResourceLimit, clock_source, load, processor, processors};
#[cfg(not(unix))]
use other as system;
pub use own::{OwnChild, ask_holder_to_end, is_holder};
pub use reading::{
    allowed, may_start_programs, open_named, open_regular, read_named, read_regular, work_for_page,
    works_for_page,
};
pub use shell::{run_in_shell, run_until, shell};
pub use suspension::suspensions;
pub use system::{be_nice, disk, hand_over, on_end_signals, raise_descriptors};
#[cfg(unix)]
use unix as system;

use std::env;
use std::ffi::OsString;
use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

/// Serves as the guard of an engine to the end of this process if `arguments`, those of the process without its name, ask for it;
/// else lets engines be started behind guards from now on. Only Linux has guards.
pub fn serve_or_offer_guard(arguments: impl Iterator<Item = OsString>) {
    system::outlive_file_limit();
    #[cfg(target_os = "linux")]
    guard::serve_or_offer(arguments);
    #[cfg(not(target_os = "linux"))]
    drop(arguments);
}

/// For what is valid also after a panic.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A signal that asks the process to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndSignal {
    Interrupt,
    Terminate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    Done,
    /// The process is to end as if nobody had listened.
    End,
}

/// What asks the desktop to show an address.
pub const BROWSER: &[&str] = if cfg!(windows) {
    &["rundll32", "url.dll,FileProtocolHandler"]
} else if cfg!(target_os = "macos") {
    &["open"]
} else {
    &["xdg-open"]
};

/// Asks the desktop to show `address`; what comes of it is not waited for.
pub fn show_in_browser(address: &str) -> io::Result<()> {
    let mut command = Command::new(BROWSER[0]);
    command.args(&BROWSER[1..]).arg(address);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().map(drop)
}

/// The folder of the user's engine library; `None` if the system tells no folder of this user.
pub fn library_folder() -> Option<PathBuf> {
    let folder = |variable: &str| {
        let path = PathBuf::from(env::var_os(variable)?);
        (!path.as_os_str().is_empty()).then_some(path)
    };
    let of_user = || {
        if cfg!(windows) {
            return folder("APPDATA");
        }
        if cfg!(target_os = "macos") {
            return Some(env::home_dir()?.join("Library/Application Support"));
        }
        let absolute = folder("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
        absolute.or_else(|| Some(env::home_dir()?.join(".config")))
    };
    let own = folder("TANREN_CONFIG").or_else(|| Some(of_user()?.join("tanren")));
    Some(own?.join("engines"))
}

pub fn survey() -> Machine {
    Machine {
        cores: available_parallelism().map_or(1, NonZero::get),
        memory_free_mib: system::memory_free_mib(),
        descriptors: system::descriptors(),
        processes: system::processes(),
    }
}

/// What `error` of the start of a process says that there is too little of; nothing if it says something else.
pub fn missing_resource(error: &io::Error) -> Option<MissingResource> {
    match error.kind() {
        io::ErrorKind::OutOfMemory => Some(MissingResource::Memory),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(MissingResource::Disk),
        // A start waits for nothing else.
        io::ErrorKind::WouldBlock => Some(MissingResource::Processes),
        _ => system::missing_resource(error.raw_os_error()?),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_start_that_are_ours_are_told_from_those_of_the_engine() {
        use rustix::io::Errno;
        let of = |errno: Errno| missing_resource(&io::Error::from(errno));
        assert_eq!(of(Errno::MFILE), Some(MissingResource::Descriptors));
        assert_eq!(of(Errno::NFILE), Some(MissingResource::Descriptors));
        assert_eq!(of(Errno::AGAIN), Some(MissingResource::Processes));
        assert_eq!(of(Errno::NOMEM), Some(MissingResource::Memory));
        assert_eq!(of(Errno::NOSPC), Some(MissingResource::Disk));
        assert_eq!(of(Errno::DQUOT), Some(MissingResource::Disk));
        for other in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC] {
            assert_eq!(of(other), None);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_memory_and_open_files() {
        let machine = survey();
        assert!(machine.cores > 0);
        assert!(machine.memory_free_mib.unwrap() > 0);
        let descriptors = machine.descriptors.unwrap();
        assert!(descriptors.used >= 1 && descriptors.soft <= descriptors.hard);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn being_nice_lowers_the_priority_of_the_threads_started_later() {
        let niceness = || rustix::process::nice(0).unwrap();
        let seen = std::thread::spawn(move || {
            let before = niceness();
            be_nice(1).unwrap();
            let after = std::thread::spawn(niceness).join().unwrap();
            (before, after)
        });
        let (before, after) = seen.join().unwrap();
        assert_eq!(after, (before + 1).min(19));
    }
}
