//! The progress of a study on stderr: a bar on a terminal, a line now and then elsewhere.
//!
//! In: how many searches are done. Out: stderr. Must not: print data.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::number::clock;
use super::output::{label, note};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows how many searches, or other things, are done.
pub struct SearchProgress {
    bar: Option<ProgressBar>,
    unit: &'static str,
    total: usize,
    /// When the first number came, and which.
    started: Option<(Instant, usize)>,
    shown: Instant,
}

impl SearchProgress {
    /// For `total` searches.
    pub fn new(total: usize) -> Self {
        SearchProgress::of("searches", total)
    }

    /// For `total` of something else.
    pub fn of(unit: &'static str, total: usize) -> Self {
        let template = format!("{{prefix}}{{bar:24}} {{pos}}/{{len}} {unit}  {{msg}}");
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = std::io::stderr().is_terminal().then(|| {
            ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr())
                .with_style(style)
                .with_prefix(label())
        });
        SearchProgress {
            bar,
            unit,
            total,
            started: None,
            shown: Instant::now(),
        }
    }

    /// So many are done.
    pub fn show(&mut self, done: usize) {
        self.show_with(done, &|_| String::new());
    }

    /// As [`show`](SearchProgress::show), with what `about` says of the number done in a second.
    pub fn show_with(&mut self, done: usize, about: &dyn Fn(f64) -> String) {
        let (start, before) = *self.started.get_or_insert((Instant::now(), done));
        let left = left_s(start.elapsed(), done - before, self.total - done);
        let left = left.map_or(String::new(), |seconds| format!("{} left", clock(seconds)));
        let message = || {
            let rate = (done - before) as f64 / start.elapsed().as_secs_f64().max(1e-3);
            format!("{}{left}", about(rate))
        };
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            bar.set_message(message());
        } else if self.shown.elapsed() >= LINE_EVERY {
            self.shown = Instant::now();
            note(&format!("{done}/{} {}  {}", self.total, self.unit, message()));
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Seconds for `left` searches if `done` took `elapsed`; unknown before the first.
fn left_s(elapsed: Duration, done: usize, left: usize) -> Option<u64> {
    (done > 0).then(|| (elapsed.as_secs_f64() * left as f64 / done as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_goes_by_what_this_process_searched() {
        assert_eq!(left_s(Duration::from_secs(10), 5, 20), Some(40));
        assert_eq!(left_s(Duration::from_secs(10), 0, 20), None);
    }
}
