//! Priorities, signals, limits, memory and clocks on Unix; what only Linux tells is read from `/proc` and the control groups.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, getuid, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::machine::{Disk, MissingResource, ResourceLimit};
use super::{EndSignal, FileId, Reaction};

const MIB: u64 = 1 << 20;
/// Where the system shows its control groups if they are all of version 2.
pub(super) const GROUPS: &str = "/sys/fs/cgroup";
const KIB_PER_MIB: u64 = 1 << 10;
#[cfg(target_os = "linux")]
const OPEN_FILES: &str = "/proc/self/fd";
#[cfg(not(target_os = "linux"))]
const OPEN_FILES: &str = "/dev/fd";
/// A clock that runs on while the machine sleeps.
#[cfg(target_os = "linux")]
const CLOCK: ClockId = ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const CLOCK: ClockId = ClockId::Monotonic;

/// Lowers the priority of this thread, and of all that it starts from now on, by `increment` (1 to 19).
pub fn be_nice(increment: i32) -> io::Result<()> {
    rustix::process::nice(increment)?;
    Ok(())
}

/// Lets the program of `command` take the place of this one: it gets the signals, and its end is the end of this process.
/// Returns only if it could not be started.
pub fn hand_over(command: &mut Command) -> io::Error {
    let error = command.exec();
    // A program that could not be started has left its default for a pipe that nobody reads: the end of this process.
    #[cfg(target_os = "linux")]
    // SAFETY: no handler is given, and no other thread is asked for.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN)
    };
    error
}

/// A write beyond the limit on the size of files is an error from now on, and no end without a word. Programs that are started have the
/// usual reaction.
pub fn outlive_file_limit() {
    let signal = rustix::process::Signal::XFSZ.as_raw();
    // Who cannot have it is as badly off as before.
    drop(signal_hook::flag::register(signal, Arc::default()));
}

/// Calls `react` with every such signal, on a thread of its own.
pub fn on_end_signals(mut react: impl FnMut(EndSignal) -> Reaction + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let listen = move || {
        for signal in signals.forever() {
            let wish = if signal == SIGTERM {
                EndSignal::Terminate
            } else {
                EndSignal::Interrupt
            };
            if react(wish) == Reaction::End {
                // If even that fails, the next signal tries again.
                drop(emulate_default_handler(signal));
            }
        }
    };
    let thread = thread::Builder::new().name("signals".to_owned());
    thread.spawn(listen).map(drop)
}

/// Bounds the address space of the calling process, and of each that it starts, for good. It is called between fork and exec: it takes no lock
/// and no memory.
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

pub(super) fn missing_resource(code: i32) -> Option<MissingResource> {
    let is = |errno: Errno| errno.raw_os_error() == code;
    if is(Errno::MFILE) || is(Errno::NFILE) {
        return Some(MissingResource::Descriptors);
    }
    None
}

pub(super) fn now_ms() -> u64 {
    let now = clock_gettime(CLOCK);
    now.tv_sec as u64 * 1_000 + now.tv_nsec as u64 / 1_000_000
}

pub(super) fn file_id(metadata: &Metadata) -> FileId {
    (metadata.dev(), metadata.ino())
}

pub(super) fn changed_at(metadata: &Metadata) -> (i64, i64) {
    (metadata.ctime(), metadata.ctime_nsec())
}

pub(super) fn descriptors() -> Option<ResourceLimit> {
    let used = fs::read_dir(OPEN_FILES).map_or(0, |open| open.count() as u64);
    bound(Resource::Nofile, used)
}

/// Lets this process have `descriptors` open files and pipes, as far as it may; never fewer than before.
pub fn raise_descriptors(descriptors: u64) {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(descriptors, |hard| hard.min(descriptors));
    if limit.current.is_some_and(|soft| soft < wanted) {
        let raised = Rlimit {
            current: Some(wanted),
            maximum: limit.maximum,
        };
        // What is refused is found missing when it is asked for.
        let _ = setrlimit(Resource::Nofile, raised);
    }
}

/// The disk that `folder` is on.
pub fn disk(folder: &Path) -> Option<Disk> {
    let room = rustix::fs::statvfs(folder).ok()?;
    Some(Disk {
        free_mib: room.f_bavail.saturating_mul(room.f_frsize) / MIB,
        is_remote: is_remote(folder),
    })
}

/// Is `folder` on a file system of NFS, SMB or 9P?
#[cfg(target_os = "linux")]
fn is_remote(folder: &Path) -> bool {
    const KINDS: [u32; 5] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997];
    rustix::fs::statfs(folder).is_ok_and(|found| KINDS.contains(&(found.f_type as u32)))
}

#[cfg(not(target_os = "linux"))]
fn is_remote(_: &Path) -> bool {
    false
}

/// The limit of processes does not hold for root; that of a control group does.
pub(super) fn processes() -> Option<ResourceLimit> {
    let own = || bound(Resource::Nproc, threads_of_user().unwrap_or(0));
    let of_user = if getuid().is_root() { None } else { own() };
    let of_group = in_groups(|group| {
        let most = number(&group.join("pids.max"))?;
        Some(ResourceLimit {
            used: number(&group.join("pids.current"))?,
            soft: most,
            hard: most,
        })
    });
    let all = of_group.into_iter().chain(of_user);
    all.min_by_key(|bound| bound.soft.saturating_sub(bound.used))
}

fn bound(resource: Resource, used: u64) -> Option<ResourceLimit> {
    let limit = getrlimit(resource);
    let soft = limit.current?;
    Some(ResourceLimit {
        used,
        soft,
        hard: limit.maximum.unwrap_or(u64::MAX),
    })
}

/// What can be had without swapping, and not more than the limits of this process and its control groups allow.
pub(super) fn memory_free_mib() -> Option<u64> {
    let of_machine = field_kib("/proc/meminfo", "MemAvailable:").map(|kib| kib / KIB_PER_MIB);
    let of_groups = in_groups(|group| {
        let most = number(&group.join("memory.max"))?;
        let used = number(&group.join("memory.current"))?;
        // Pages of files that nobody uses now are given back when memory is asked for.
        let cached = fs::read_to_string(group.join("memory.stat")).ok();
        let cached = cached.as_deref().and_then(|text| field(text, "inactive_file"));
        Some((most + cached.unwrap_or(0)).saturating_sub(used) / MIB)
    });
    let own_limit = getrlimit(Resource::As).current.and_then(|bytes| {
        let used_kib = field_kib("/proc/self/status", "VmSize:")?;
        Some((bytes / MIB).saturating_sub(used_kib / KIB_PER_MIB))
    });
    let all = of_groups.into_iter().chain(of_machine).chain(own_limit);
    all.min()
}

/// What `ask` says of each control group that this process is in, its own first.
fn in_groups<T>(ask: impl Fn(&Path) -> Option<T>) -> Vec<T> {
    let own = own_group().unwrap_or_default();
    let groups = own.ancestors().filter(|group| group.starts_with(GROUPS));
    groups.filter_map(ask).collect()
}

/// The control group (of version 2) of this process.
pub(super) fn own_group() -> Option<PathBuf> {
    group_of(&fs::read_to_string("/proc/self/cgroup").ok()?)
}

/// What stands so in `/proc/self/cgroup`.
fn group_of(text: &str) -> Option<PathBuf> {
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new(GROUPS).join(path))
}

/// Threads of all processes of this user.
fn threads_of_user() -> Option<u64> {
    let own = u64::from(getuid().as_raw());
    let threads = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path().join("status")).ok()?;
        (field(&text, "Uid:")? == own).then(|| field(&text, "Threads:"))?
    };
    let processes = fs::read_dir("/proc").ok()?;
    Some(processes.flatten().filter_map(threads).sum())
}

fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn field_kib(path: &str, name: &str) -> Option<u64> {
    field(&fs::read_to_string(path).ok()?, name)
}

/// The number after `name` at the beginning of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_the_number_after_its_name() {
        let text = "VmPeak:\t 9 kB\nVmSize:\t  1234 kB\nThreads:\t3\n";
        assert_eq!(field(text, "VmSize:"), Some(1234));
        assert_eq!(field(text, "Threads:"), Some(3));
        assert_eq!(field(text, "Uid:"), None);
    }

    #[test]
    fn the_own_group_is_the_one_of_version_2() {
        let own = group_of("4:memory:/old\n0::/user.slice/a.scope\n").unwrap();
        assert_eq!(own, Path::new(GROUPS).join("user.slice/a.scope"));
        assert_eq!(group_of("4:memory:/old\n"), None);
    }

    #[test]
    fn the_clock_goes_on() {
        let before = now_ms();
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!(now_ms() > before);
    }
}
