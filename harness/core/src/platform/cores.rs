//! The cores that threads and engines run on.

use std::io;
use std::time::Duration;

/// Those that this process may use.
#[derive(Debug, Clone)]
pub struct Cores {
    ids: Vec<usize>,
}

impl Cores {
    pub fn available() -> io::Result<Cores> {
        #[cfg(target_os = "linux")]
        {
            let set = rustix::thread::sched_getaffinity(None)?;
            let ids = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&id| set.is_set(id));
            Ok(Cores { ids: ids.collect() })
        }
        #[cfg(not(target_os = "linux"))]
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    /// Keeps this thread on the core of worker number `worker`; false if the system refuses.
    pub fn pin(&self, worker: usize) -> bool {
        let core = self.ids[worker % self.ids.len()];
        #[cfg(target_os = "linux")]
        {
            rustix::thread::sched_setaffinity(None, &linux::only(core)).is_ok()
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = core;
            false
        }
    }
}

#[cfg(target_os = "linux")]
pub use linux::{elsewhere, keep_here, let_go, processor_time, threads};
#[cfg(not(target_os = "linux"))]
pub use portable::{elsewhere, keep_here, let_go, processor_time, threads};

/// Nobody is kept anywhere, and nothing is known of what another process uses.
#[cfg(not(target_os = "linux"))]
mod portable {
    use super::Duration;

    pub fn processor_time(_: u32) -> Option<Duration> {
        None
    }

    pub fn threads(_: u32) -> Option<usize> {
        None
    }

    pub fn keep_here(_: u32, _: Option<(u32, usize)>) -> Option<usize> {
        None
    }

    pub fn let_go(_: u32) {}

    pub fn elsewhere<T>(action: impl FnOnce() -> T) -> T {
        action()
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::RefCell;
    use std::fs;
    use std::sync::{Mutex, PoisonError};

    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    use super::Duration;

    /// The core of a thread that is kept on it, and those that it may use otherwise.
    struct Kept {
        core: usize,
        all: CpuSet,
    }

    impl Drop for Kept {
        fn drop(&mut self) {
            let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
            taken.retain(|&core| core != self.core);
        }
    }

    thread_local! {
        static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
    }

    /// The cores that threads of this process are kept on.
    static TAKEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

    pub(super) fn only(core: usize) -> CpuSet {
        let mut set = CpuSet::new();
        set.set(core);
        set
    }

    /// What all threads of a process have used of processors so far.
    pub fn processor_time(process: u32) -> Option<Duration> {
        let (mut clock, mut time) = (
            0,
            libc::timespec {
                tv_sec: 0,
                tv_nsec: 0,
            },
        );
        let process = i32::try_from(process).ok()?;
        // SAFETY: both calls write to what they are given, which outlives them.
        let is_known = unsafe {
            libc::clock_getcpuclockid(process, &raw mut clock) == 0
                && libc::clock_gettime(clock, &raw mut time) == 0
        };
        is_known.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    fn tasks(process: u32) -> impl Iterator<Item = i32> {
        let tasks = fs::read_dir(format!("/proc/{process}/task"));
        let names = tasks.into_iter().flatten().flatten().map(|task| task.file_name());
        names.filter_map(|name| name.to_str()?.parse().ok())
    }

    pub fn threads(process: u32) -> Option<usize> {
        Some(tasks(process).count()).filter(|&count| count > 0)
    }

    fn move_to(process: u32, cores: &CpuSet) {
        for task in tasks(process) {
            // What has ended meanwhile needs no core.
            let _ = sched_setaffinity(Pid::from_raw(task), cores);
        }
    }

    /// Keeps this thread and `process` on one core: the one on which the system has put this thread, unless another thread of
    /// this program is kept there. Returns which. `known` is the process that it did this for before, and the core.
    pub fn keep_here(process: u32, known: Option<(u32, usize)>) -> Option<usize> {
        let core = KEPT.with_borrow_mut(|kept| {
            if kept.is_none() {
                let all = sched_getaffinity(None).ok().filter(|all| all.count() > 1)?;
                let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
                let core = sched_getcpu();
                if taken.contains(&core) || sched_setaffinity(None, &only(core)).is_err() {
                    return None;
                }
                taken.push(core);
                *kept = Some(Kept { core, all });
            }
            kept.as_ref().map(|kept| kept.core)
        })?;
        if known != Some((process, core)) {
            move_to(process, &only(core));
        }
        Some(core)
    }

    /// Lets this thread and `process` run where the system wants them.
    pub fn let_go(process: u32) {
        let kept = KEPT.take();
        let all = kept
            .as_ref()
            .map(|kept| kept.all)
            .or_else(|| sched_getaffinity(None).ok());
        if let Some(all) = all {
            let _ = sched_setaffinity(None, &all);
            move_to(process, &all);
        }
    }

    /// Does something, such as starting a process, as if this thread were kept nowhere.
    pub fn elsewhere<T>(action: impl FnOnce() -> T) -> T {
        KEPT.with_borrow(|kept| match kept {
            Some(Kept { core, all }) => {
                let _ = sched_setaffinity(None, all);
                let done = action();
                let _ = sched_setaffinity(None, &only(*core));
                done
            }
            None => action(),
        })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_can_be_kept_on_one_core() {
        let cores = Cores::available().unwrap();
        let pinned = std::thread::spawn(move || {
            cores.pin(usize::MAX);
            Cores::available().unwrap().ids.len()
        });
        assert_eq!(pinned.join().unwrap(), 1);
    }

    #[test]
    fn a_thread_and_a_process_share_a_core_of_their_own_until_they_are_let_go() {
        let all = Cores::available().unwrap().ids.len();
        let sleeper = || std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let cores_of = |process: u32| {
            let process = rustix::process::Pid::from_raw(process as i32);
            rustix::thread::sched_getaffinity(process).unwrap().count() as usize
        };
        let mut child = sleeper();
        std::thread::spawn(move || {
            let core = keep_here(child.id(), None);
            // A thread that has one core from the beginning stays as it is.
            assert_eq!(core.is_some(), all > 1);
            let mut other = elsewhere(sleeper);
            assert_eq!([cores_of(child.id()), cores_of(other.id())], [1, all]);
            let beside = std::thread::spawn(move || {
                Cores::available().unwrap().pin(core.unwrap_or(0));
                keep_here(0, None)
            });
            assert_eq!(beside.join().unwrap(), None);
            assert_eq!(keep_here(other.id(), None), core);
            for child in [&mut child, &mut other] {
                let_go(child.id());
                assert_eq!(cores_of(child.id()), all);
                child.kill().unwrap();
                child.wait().unwrap();
            }
            assert_eq!(Cores::available().unwrap().ids.len(), all);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn what_a_process_uses_is_known_while_it_runs() {
        let own = std::process::id();
        let before = processor_time(own).unwrap();
        while processor_time(own) == Some(before) {}
        assert!(threads(own).is_some_and(|threads| threads > 0));
        assert_eq!((processor_time(u32::MAX), threads(u32::MAX)), (None, None));
    }
}
