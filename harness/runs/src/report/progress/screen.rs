//! Where progress is shown: one line that is written over on a terminal, a line now and then elsewhere.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::{Term, colors_enabled_stderr};
use indicatif::{ProgressBar, ProgressStyle};

use super::line::{ProgressPart, line, whole};
use crate::document::answer::coloured;
use crate::document::table::wrapped;
use crate::report::output::{add_line, has_own_label, label, note, remove_line};
use crate::sanitize;

const LINE_EVERY: Duration = Duration::from_secs(10);
const REDRAW_EVERY: Duration = Duration::from_millis(100);
/// The job of a queue: known from the lines above, so the first thing to go.
const LABEL_RANK: u8 = u8::MAX;
/// Of one that runs beside others: nothing else tells their lines apart.
const OWN_LABEL_RANK: u8 = 0;
const WIDTH: usize = 80;

/// One line of progress; threads may share it.
pub(super) struct Screen {
    bar: Option<ProgressBar>,
    is_beside: bool,
    /// The last line on a terminal.
    pub(super) footer: Option<String>,
    shown: Mutex<Option<Instant>>,
}

impl Screen {
    pub(super) fn new(footer: Option<String>) -> Screen {
        let is_beside = has_own_label();
        let bar = Term::stderr().is_term().then(|| {
            let style = ProgressStyle::with_template("{msg}");
            add_line(
                ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
            )
        });
        // The first line elsewhere comes after a while: short runs need none.
        let shown = bar.is_none().then(Instant::now);
        Screen {
            bar,
            is_beside,
            footer,
            shown: Mutex::new(shown),
        }
    }

    /// Shows what `parts` gives, or `lines` on a terminal of its own with room for them, unless something was shown just before.
    pub(super) fn show(&self, parts: impl FnOnce() -> Vec<ProgressPart>, lines: impl FnOnce() -> String) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let every = if self.bar.is_some() {
            REDRAW_EVERY
        } else {
            LINE_EVERY
        };
        if shown.is_some_and(|shown| shown.elapsed() < every) {
            return;
        }
        *shown = Some(Instant::now());
        match &self.bar {
            Some(bar) if !self.is_beside && has_room() => {
                let footer = self.footer.as_ref().map(|footer| format!("\n  {footer}\n"));
                let text = lines() + &wrapped(&footer.unwrap_or_default());
                let text = sanitize::lines(&text).into_owned();
                let text = if colors_enabled_stderr() {
                    coloured(&text)
                } else {
                    text
                };
                bar.set_message(label() + text.trim_end());
                bar.tick();
            }
            Some(bar) => {
                let mut parts = parts();
                let rank = if self.is_beside {
                    OWN_LABEL_RANK
                } else {
                    LABEL_RANK
                };
                parts.insert(0, ProgressPart::new(rank, label().trim_end().to_owned()));
                bar.set_message(sanitize::line(&line(width(), &parts)).into_owned());
                bar.tick();
            }
            None => note(&whole(&parts())),
        }
    }

    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            remove_line(bar);
        }
    }
}

/// For lines of progress below each other.
const SIZE_MIN: (u16, u16) = (16, 70);

fn has_room() -> bool {
    let window = Term::stderr().size_checked();
    window.is_some_and(|(rows, columns)| rows >= SIZE_MIN.0 && columns >= SIZE_MIN.1)
}

/// Columns of the window but the last one, behind which some terminals go on below.
fn width() -> usize {
    let window = Term::stderr().size_checked();
    window
        .map_or(WIDTH, |(_, columns)| usize::from(columns))
        .saturating_sub(1)
}
