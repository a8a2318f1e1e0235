//! Priorities and signals on Unix.

use std::io;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::{EndSignal, Reaction};

pub(super) use super::limits::{
    descriptors, memory_free_mib, missing_resource, now_ms, place_of, processes, raise_descriptors,
};

pub(super) fn be_nice(increment: i32) -> io::Result<()> {
    rustix::process::nice(increment)?;
    Ok(())
}

pub(super) fn hand_over(command: &mut std::process::Command) -> io::Error {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    keep_from_broken_pipes();
    error
}

/// A program that could not be started has left its default for a pipe that nobody reads: the end of this process.
#[cfg(target_os = "linux")]
fn keep_from_broken_pipes() {
    // SAFETY: no handler is given, and no other thread is asked for.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}

#[cfg(not(target_os = "linux"))]
fn keep_from_broken_pipes() {}

pub(super) fn on_end_signals(
    mut react: impl FnMut(EndSignal) -> Reaction + Send + 'static,
) -> io::Result<()> {
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
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(listen)
        .map(drop)
}
