//! All that depends on the operating system: child processes, priorities, cores, signals.
//!
//! In: a command, a niceness, the number of a worker. Out: a child whose every wait has a deadline, a process that others are
//! served before, a thread that stays on its core, signals as calls. Must not: change any result, or know what is said;
//! where the system has no such thing, say so.

mod child;
mod file;
#[cfg(not(unix))]
mod other;
mod signal;
#[cfg(unix)]
mod unix;

pub(crate) use child::{Child, Received, Sent};
pub(crate) use file::FileId;
#[cfg(not(unix))]
use other as system;
pub(crate) use signal::{EndSignal, Reaction};
#[cfg(unix)]
use unix as system;

use std::io;

/// Calls `react` with every signal that wants the process to end, on a thread of its own.
///
/// # Errors
/// The system refuses to install a handler, or a thread.
pub(crate) fn on_end_signals(react: impl FnMut(EndSignal) -> Reaction + Send + 'static) -> io::Result<()> {
    system::on_end_signals(react)
}

/// Lowers the priority of this thread, and of all that it starts from now on, by `increment` (1 to 19).
///
/// # Errors
/// The system refuses, or has no such thing.
pub fn be_nice(increment: i32) -> io::Result<()> {
    system::be_nice(increment)
}

/// The cores that this process may use, one for each worker in turn.
#[derive(Debug, Clone)]
pub struct Cores {
    ids: Vec<core_affinity::CoreId>,
}

impl Cores {
    /// Asks the system.
    ///
    /// # Errors
    /// It does not say.
    pub fn available() -> io::Result<Cores> {
        match core_affinity::get_core_ids() {
            Some(ids) if !ids.is_empty() => Ok(Cores { ids }),
            _ => Err(io::Error::from(io::ErrorKind::Unsupported)),
        }
    }

    /// Keeps this thread on the core of worker number `worker`. A refusal costs nothing but the wish.
    pub fn pin(&self, worker: usize) -> bool {
        core_affinity::set_for_current(self.ids[worker % self.ids.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_can_be_kept_on_one_core() {
        let cores = Cores::available().unwrap();
        let pinned = std::thread::spawn(move || {
            cores.pin(usize::MAX);
            Cores::available().unwrap().ids.len()
        });
        let seen = pinned.join().unwrap();
        assert!(seen == 1 || !cfg!(target_os = "linux"), "{seen} cores");
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
