//! The processes that a guard is the parent of; no other process is touched.

use std::fs;

use rustix::process::{Pid, Signal, getpid, kill_process};

use super::link::ProcessEnd;

/// What is left of the children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitResult {
    /// This one ended and is taken note of; the memory is the most that it, or a child that it waited for, held.
    Ended(Pid, ProcessEnd),
    /// All that are left run.
    Running,
    /// None is left, nor anything that one of them started.
    None,
}

/// Takes note of a child that ended.
pub(super) fn next() -> WaitResult {
    let mut status = 0;
    // SAFETY: zeros are a valid value of this plain struct.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both places are valid for writing as long as the call lasts.
    let pid = unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage) };
    match (Pid::from_raw(pid.max(0)), pid) {
        (Some(pid), _) => {
            let ended = ProcessEnd {
                status,
                peak_kib: usage.ru_maxrss as u64,
                is_by_group: None,
            };
            WaitResult::Ended(pid, ended)
        }
        (None, 0) => WaitResult::Running,
        _ => WaitResult::None,
    }
}

/// Kills every child. Their children are ours as soon as they are gone; the number of a child is not given to another process
/// before its end is taken note of.
pub(super) fn kill_all() {
    let own = getpid();
    let Ok(entries) = fs::read_dir("/proc") else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let is_child = fs::read_to_string(entry.path().join("stat"))
            .is_ok_and(|stat| parent_of(&stat) == Some(own.as_raw_pid()));
        if let (true, Some(pid)) = (is_child, Pid::from_raw(pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// The parent in a line of `/proc/PID/stat`. The name of the program, which may hold anything, stands in brackets before.
fn parent_of(stat: &str) -> Option<i32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_a_process_is_found_behind_any_name() {
        assert_eq!(parent_of("12 (engine) S 7 12 12 0"), Some(7));
        assert_eq!(parent_of("12 (a) R 3 (b) S 8 12"), Some(8));
        assert_eq!(parent_of("12 nothing"), None);
    }
}
