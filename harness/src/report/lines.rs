//! Lines of progress of several jobs at the same time, one below the other.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{MultiProgress, ProgressBar};

static LINES: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);
/// Nobody has to be asked before there is a line.
static IS_USED: AtomicBool = AtomicBool::new(false);

/// Shows `line` below the others.
pub(super) fn add_line(line: ProgressBar) -> ProgressBar {
    IS_USED.store(true, Ordering::Relaxed);
    LINES.add(line)
}

pub(super) fn remove_line(line: &ProgressBar) {
    line.finish_and_clear();
    LINES.remove(line);
}

/// Prints something while no line is in its way.
pub(super) fn above_lines<T>(print: impl FnOnce() -> T) -> T {
    if IS_USED.load(Ordering::Relaxed) {
        LINES.suspend(print)
    } else {
        print()
    }
}
