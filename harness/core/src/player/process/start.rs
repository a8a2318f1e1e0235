//! How many engines may be starting at the same time.

use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

static STARTING: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// The right to start one engine; given back when dropped.
///
/// An engine may load a large network while it starts. A start for each core at a time is as fast as all at once, and
/// none runs into its deadline because of the others.
#[derive(Debug)]
pub(super) struct StartPermit(());

impl StartPermit {
    pub(super) fn acquire() -> StartPermit {
        let most = available_parallelism().map_or(1, NonZero::get);
        let mut starting = lock();
        while *starting >= most {
            starting = FREED.wait(starting).unwrap_or_else(PoisonError::into_inner);
        }
        *starting += 1;
        StartPermit(())
    }
}

impl Drop for StartPermit {
    fn drop(&mut self) {
        *lock() -= 1;
        FREED.notify_one();
    }
}

fn lock() -> MutexGuard<'static, usize> {
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}
