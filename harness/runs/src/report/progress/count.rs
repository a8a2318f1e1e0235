//! The progress of a study: how many searches, iterations, matches or problems are done.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::line::{ProgressPart, line};
use super::screen::Screen;
use crate::document::number::{duration, plural};
use crate::document::table::text_width;
use crate::session::observer::Standings;

pub struct SearchProgress {
    screen: Screen,
    unit: &'static str,
    total: usize,
    /// When the first number came, and which.
    started: Mutex<Option<(Instant, usize)>>,
}

impl SearchProgress {
    pub fn of(unit: &'static str, total: usize) -> Self {
        SearchProgress {
            screen: Screen::new(None),
            unit,
            total,
            started: Mutex::new(None),
        }
    }

    #[must_use]
    pub(in crate::report) fn with_footer(mut self, footer: Option<String>) -> Self {
        self.screen.footer = footer;
        self
    }

    pub fn show(&self, done: usize) {
        self.show_with(done, &|_| Standings::default());
    }

    /// As [`show`](SearchProgress::show), with what `about` says of the number done in a second, the most important first.
    pub fn show_with(&self, done: usize, about: &dyn Fn(f64) -> Standings) {
        let (start, before) = self.started_at(done);
        let of_standings = || {
            let (elapsed, own) = (start.elapsed(), done.saturating_sub(before));
            let rate = own as f64 / elapsed.as_secs_f64().max(1e-3);
            let left = self.total.saturating_sub(done) as f64;
            // By what this process searched; unknown before its first.
            let left = (own > 0).then(|| elapsed.as_secs_f64() * left / own as f64);
            let Standings { parts: about, lines } = about(rate);
            (parts(done, self.total, self.unit, about, left), lines)
        };
        self.screen.show(
            || of_standings().0,
            || {
                let (parts, lines) = of_standings();
                let blank = if lines.is_empty() { "" } else { "\n" };
                format!("{}\n{blank}{lines}", line(text_width(), &parts))
            },
        );
    }

    pub fn end(&self) {
        self.screen.end();
    }

    fn started_at(&self, done: usize) -> (Instant, usize) {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        *started.get_or_insert((Instant::now(), done))
    }
}

fn parts(
    done: usize,
    total: usize,
    unit: &str,
    about: Vec<String>,
    left_s: Option<f64>,
) -> Vec<ProgressPart> {
    let share = 100.0 * done as f64 / total.max(1) as f64;
    let mut parts = vec![
        ProgressPart::new(1, format!("{done} of {}", plural(total as u64, unit)))
            .or(0, format!("{done}/{total}")),
        ProgressPart::new(9, format!("{share:.0} %")),
    ];
    parts.extend(
        (3..9)
            .zip(about)
            .map(|(rank, text)| ProgressPart::new(rank, text)),
    );
    parts.extend(left_s.map(|seconds| ProgressPart::new(2, format!("about {} left", duration(seconds)))));
    parts
}

#[cfg(test)]
mod tests {
    use super::super::line::line;
    use super::*;

    #[test]
    fn the_count_and_the_time_left_stay_longest() {
        let parts = parts(12, 400, "search", vec!["3.1 games/s".to_owned()], Some(75.0));
        assert_eq!(
            line(80, &parts),
            "12 of 400 searches  3 %  3.1 games/s  about 75 s left"
        );
        assert_eq!(line(36, &parts), "12 of 400 searches  about 75 s left");
        assert_eq!(line(10, &parts), "12/400");
    }
}
