//! Priorities and signals where there is no Unix.
//!
//! In: a niceness, what to do about a signal. Out: flags that a thread looks at. Must not: decide what a signal means.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::register;

use super::signal::{EndSignal, Reaction};

/// How often the thread looks: no system call here waits for a signal.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) fn be_nice(_: i32) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

pub(super) fn on_end_signals(
    mut react: impl FnMut(EndSignal) -> Reaction + Send + 'static,
) -> io::Result<()> {
    let watched = [(SIGINT, EndSignal::Interrupt), (SIGTERM, EndSignal::Terminate)];
    let mut flags = Vec::with_capacity(watched.len());
    for (signal, wish) in watched {
        let flag = Arc::new(AtomicBool::new(false));
        register(signal, Arc::clone(&flag))?;
        flags.push((flag, wish));
    }
    let listen = move || {
        loop {
            for (flag, wish) in &flags {
                if flag.swap(false, Ordering::Relaxed) && react(*wish) == Reaction::End {
                    std::process::exit(1);
                }
            }
            thread::sleep(PAUSE);
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(listen)
        .map(drop)
}
