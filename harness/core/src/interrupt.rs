//! The wish to stop, shared by everything that takes long.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::platform::{EndSignal, Reaction, lock, on_end_signals};

/// How long a second signal counts as the first one said again.
const REPEATED_SIGNAL: Duration = Duration::from_secs(1);

/// Between two looks at the flag where its raising is waited for.
const LOOK_PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    Interrupt = 1,
    Terminate,
    /// No signal of the system: a job of a queue has used up its time.
    OutOfTime,
}

impl Signal {
    /// The exit code that tells a shell about this signal; a job that is out of time has ended well.
    pub fn exit_code(self) -> u8 {
        match self {
            Signal::Interrupt => 130,
            Signal::Terminate => 143,
            Signal::OutOfTime => 0,
        }
    }
}

impl From<EndSignal> for Signal {
    fn from(signal: EndSignal) -> Signal {
        match signal {
            EndSignal::Interrupt => Signal::Interrupt,
            EndSignal::Terminate => Signal::Terminate,
        }
    }
}

/// A flag that a signal raises, or the end of the job or the run it belongs to; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    signal: Arc<AtomicUsize>,
    /// Of one job: its time is up, or it is to end before its time.
    of_job: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Interrupt {
    /// The flag of the process: raised by the first SIGINT or SIGTERM and the same at every call. Another signal a
    /// second later or more ends the process at once; one before that is the same wish, sent twice by a shell.
    pub fn install() -> io::Result<Interrupt> {
        static PROCESS: Mutex<Option<Interrupt>> = Mutex::new(None);
        let mut process = lock(&PROCESS);
        if let Some(interrupt) = &*process {
            return Ok(interrupt.clone());
        }
        let interrupt = Interrupt::default();
        let raised = Arc::clone(&interrupt.signal);
        let mut first: Option<Instant> = None;
        on_end_signals(move |signal| match first {
            None => {
                first = Some(Instant::now());
                raised.store(Signal::from(signal) as usize, Ordering::Relaxed);
                Reaction::Done
            }
            Some(at) if at.elapsed() < REPEATED_SIGNAL => Reaction::Done,
            Some(_) => Reaction::End,
        })?;
        *process = Some(interrupt.clone());
        Ok(interrupt)
    }

    /// A flag for one run: the same signals raise it, and [`end`](Interrupt::end) raises it alone.
    #[must_use]
    pub fn for_run(&self) -> Interrupt {
        Interrupt {
            signal: Arc::clone(&self.signal),
            of_job: Arc::clone(&self.of_job),
            is_over: Arc::default(),
        }
    }

    /// A flag for one job of several that this process runs: signals raise it like all others, its time raises it alone.
    #[must_use]
    pub fn for_job(&self) -> Interrupt {
        Interrupt {
            signal: Arc::clone(&self.signal),
            ..Interrupt::default()
        }
    }

    /// Raises the flag of this job and of its runs, as a signal would.
    pub fn end_job(&self) {
        self.of_job.store(Signal::Terminate as usize, Ordering::Relaxed);
    }

    /// Raises the flag because the run is over: what is still being played is not needed.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    pub fn is_requested(&self) -> bool {
        let is_raised = |flag: &AtomicUsize| flag.load(Ordering::Relaxed) != 0;
        self.is_over.load(Ordering::Relaxed) || is_raised(&self.signal) || is_raised(&self.of_job)
    }

    pub fn is_requested_within(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while !self.is_requested() {
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(LOOK_PAUSE);
        }
        true
    }

    pub fn signal(&self) -> Option<Signal> {
        // What the system says is the stronger wish.
        let of_process = self.signal.load(Ordering::Relaxed);
        let of_job = self.of_job.load(Ordering::Relaxed);
        let raised = if of_process == 0 { of_job } else { of_process };
        let all = [Signal::Interrupt, Signal::Terminate, Signal::OutOfTime];
        all.into_iter().find(|&signal| signal as usize == raised)
    }

    /// Raises the flag of this job after `time`, like a signal, unless the timer is dropped before; dropping it lowers the flag
    /// again, but not that of a real signal.
    pub fn out_of_time_after(&self, time: Duration) -> io::Result<Timer> {
        let (cancel, is_cancelled) = channel::<()>();
        let of_job = Arc::clone(&self.of_job);
        let thread = thread::Builder::new().name("budget".to_owned()).spawn(move || {
            if is_cancelled.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                // A wish that came first is the stronger one.
                replace(&of_job, 0, Signal::OutOfTime as usize);
            }
        })?;
        Ok(Timer {
            of_job: Arc::clone(&self.of_job),
            cancel: Some(cancel),
            thread: Some(thread),
        })
    }

    #[cfg(any(test, feature = "testing"))]
    pub fn raise(&self) {
        self.signal.store(Signal::Interrupt as usize, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub struct Timer {
    of_job: Arc<AtomicUsize>,
    cancel: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Timer {
    fn drop(&mut self) {
        drop(self.cancel.take());
        if let Some(thread) = self.thread.take() {
            // It cannot panic.
            let _ = thread.join();
        }
        replace(&self.of_job, Signal::OutOfTime as usize, 0);
    }
}

/// Sets a flag that has this value, and no other.
fn replace(flag: &AtomicUsize, from: usize, to: usize) {
    let _ = flag.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait_for(interrupt: &Interrupt) {
        while !interrupt.is_requested() {
            thread::yield_now();
        }
    }

    #[test]
    fn the_end_of_a_run_is_no_signal_and_ends_no_other_run() {
        let process = Interrupt::default();
        let (one, two) = (process.for_run(), process.for_run());
        one.end();
        assert!(one.is_requested() && one.signal().is_none());
        assert!(!two.is_requested() && !process.is_requested());
        process.clone().raise();
        assert!(two.is_requested());
        assert_eq!(two.signal().map(Signal::exit_code), Some(130));
    }

    #[test]
    fn a_job_is_out_of_time_when_its_timer_says_so_and_the_next_one_is_not() {
        let process = Interrupt::default();
        let job = process.for_run();
        let timer = job.out_of_time_after(Duration::ZERO).unwrap();
        wait_for(&job);
        assert_eq!(process.signal(), Some(Signal::OutOfTime));
        drop(timer);
        assert_eq!(process.signal(), None);
        let timer = job.out_of_time_after(Duration::from_secs(3600)).unwrap();
        process.raise();
        drop(timer);
        assert_eq!(process.signal(), Some(Signal::Interrupt));
    }

    #[test]
    fn the_time_of_one_job_is_not_that_of_another_and_a_signal_is_for_both() {
        let process = Interrupt::default();
        let (one, two) = (process.for_job(), process.for_job());
        let _timer = one.out_of_time_after(Duration::ZERO).unwrap();
        wait_for(&one.for_run());
        assert_eq!(one.for_run().signal(), Some(Signal::OutOfTime));
        assert!(!two.is_requested() && !process.is_requested());
        two.end_job();
        assert_eq!(
            (two.for_run().signal(), process.signal()),
            (Some(Signal::Terminate), None)
        );
        process.raise();
        assert_eq!(
            [one.signal(), two.signal()],
            [Some(Signal::Interrupt); 2],
            "the stronger wish"
        );
    }
}
