//! The two streams: data on stdout, everything else on stderr.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use console::Term;
use indicatif::{MultiProgress, ProgressBar};

use crate::document::answer::coloured;
use crate::document::language::said_lines;
use crate::sanitize;

/// Lines of progress, one below the other; what is printed meanwhile stands above them.
static LINES: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);
/// Nobody has to be asked before there is a line.
static IS_USED: AtomicBool = AtomicBool::new(false);

pub(super) fn add_line(line: ProgressBar) -> ProgressBar {
    IS_USED.store(true, Ordering::Relaxed);
    LINES.add(line)
}

pub(super) fn remove_line(line: &ProgressBar) {
    line.finish_and_clear();
    LINES.remove(line);
}

pub(super) fn above_lines<T>(print: impl FnOnce() -> T) -> T {
    if IS_USED.load(Ordering::Relaxed) {
        LINES.suspend(print)
    } else {
        print()
    }
}

/// What runs, where that is not clear: the job of a queue.
static LABEL: Mutex<Option<String>> = Mutex::new(None);

thread_local! {
    /// The same, of a thread whose job runs beside others.
    static OWN_LABEL: RefCell<Option<String>> = const { RefCell::new(None) };
}

pub fn print_data(text: &str) -> io::Result<()> {
    let mut text = sanitize::lines(text).into_owned();
    if Term::stdout().features().colors_supported() {
        text = coloured(&text);
    }
    let print = || {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            stdout.write_all(b"\n")?;
        }
        stdout.flush()
    };
    match above_lines(print) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Longer lines have a text of somebody else in them.
const LINE_CHARS: usize = 2_000;

pub fn note(text: &str) {
    let text = said_lines(text);
    let text = sanitize::lines(&text);
    let lines: Vec<_> = text
        .split('\n')
        .map(|line| sanitize::short(line, LINE_CHARS))
        .collect();
    let line = format!("{}{}\n", label(), lines.join("\n"));
    // Nobody is left to tell if that fails.
    let _ = above_lines(|| io::stderr().lock().write_all(line.as_bytes()));
}

/// Puts `name` before everything that is said from now on, or nothing.
pub fn set_label(name: Option<&str>) {
    *LABEL.lock().unwrap_or_else(PoisonError::into_inner) = name.map(str::to_owned);
}

/// Puts `name` before everything that this thread says from now on, instead of what others say.
pub(super) fn set_own_label(name: &str) {
    OWN_LABEL.set(Some(name.to_owned()));
}

/// Does this thread speak for a job that runs beside others?
pub(super) fn has_own_label() -> bool {
    OWN_LABEL.with_borrow(Option::is_some)
}

pub(super) fn label() -> String {
    if let Some(name) = OWN_LABEL.with_borrow(Option::clone) {
        return format!("{name}: ");
    }
    let label = LABEL.lock().unwrap_or_else(PoisonError::into_inner);
    label.as_ref().map_or(String::new(), |name| format!("{name}: "))
}
