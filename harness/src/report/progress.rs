//! The progress of a run on stderr: a bar on a terminal, a line now and then elsewhere.
//!
//! In: events. Out: stderr. Must not: slow the run down, or print data.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::number::{clock, percent, signed};
use super::output::{label, note};
use crate::event::Event;
use crate::standing::Standing;
use crate::stats::Estimates;

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// Between two updates of the numbers on a terminal.
const REDRAW_EVERY: Duration = Duration::from_millis(100);
const LLR_CELLS: usize = 21;

/// Shows how a run goes.
pub struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    shown: Option<Instant>,
    pairs_before: u64,
}

impl Progress {
    /// For a run of at most `pairs_max` pairs.
    pub fn new(pairs_max: u64) -> Self {
        let style = ProgressStyle::with_template("{prefix}{bar:24} {pos}/{len} pairs  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = std::io::stderr().is_terminal().then(|| {
            ProgressBar::with_draw_target(Some(pairs_max), ProgressDrawTarget::stderr())
                .with_style(style)
                .with_prefix(label())
        });
        Progress {
            bar,
            started: Instant::now(),
            shown: None,
            pairs_before: 0,
        }
    }

    /// Takes in an event.
    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { standing } => {
                self.started = Instant::now();
                self.shown = Some(self.started);
                self.pairs_before = standing.tally().pairs();
            }
            Event::Counted { standing } => {
                let every = if self.bar.is_some() {
                    REDRAW_EVERY
                } else {
                    LINE_EVERY
                };
                if self.shown.is_none_or(|shown| shown.elapsed() >= every) {
                    self.shown = Some(Instant::now());
                    self.show(standing);
                }
            }
            Event::Ended { .. } => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
        }
    }

    fn show(&self, standing: &Standing) {
        let pairs = standing.tally().pairs();
        let pairs_max = standing.progress().rule().pairs_max;
        let message = self.message(standing);
        match &self.bar {
            Some(bar) => {
                bar.set_position(pairs);
                bar.set_message(message);
            }
            None => note(&format!("{pairs}/{pairs_max} pairs  {message}")),
        }
    }

    fn message(&self, standing: &Standing) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let played = standing.tally().pairs() - self.pairs_before;
        let games_per_second = 2.0 * played as f64 / seconds.max(1e-3);
        let left = standing.progress().rule().pairs_max - standing.tally().pairs();
        let left_s = 2.0 * left as f64 / games_per_second.max(1e-9);
        let estimates = standing.estimates();
        let test = llr_bar(&estimates).map_or(String::new(), |bar| format!("  {bar}"));
        format!(
            "{games_per_second:.1} games/s  {}  {}{test}  {} left",
            percent(estimates.score),
            elo_text(&estimates),
            clock(left_s.min(1e9) as u64),
        )
    }
}

fn elo_text(estimates: &Estimates) -> String {
    if !estimates.is_enough {
        return "Elo: too few pairs".to_owned();
    }
    let elo = estimates.elo;
    let half_width = elo.low.zip(elo.high).map(|(low, high)| (high - low) / 2.0);
    let half_width = half_width.map_or("-".to_owned(), |width| format!("{width:.1}"));
    format!("Elo {} ± {half_width}", signed(elo.value, 1))
}

/// `LLR -2.94 [.....|....#.....] 2.94  1.10`: where the test stands between its bounds.
fn llr_bar(estimates: &Estimates) -> Option<String> {
    let (llr, bounds) = (estimates.llr()?, estimates.bounds()?);
    let share = ((llr - bounds.lower) / (bounds.upper - bounds.lower)).clamp(0.0, 1.0);
    let place = (share * (LLR_CELLS - 1) as f64).round() as usize;
    let zero = (-bounds.lower / (bounds.upper - bounds.lower) * (LLR_CELLS - 1) as f64).round() as usize;
    let cell = |index| match index {
        _ if index == place => '#',
        _ if index == zero => '|',
        _ => '.',
    };
    let cells: String = (0..LLR_CELLS).map(cell).collect();
    Some(format!(
        "LLR {llr:+.2} {:.2} [{cells}] {:+.2}",
        bounds.lower, bounds.upper
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::tests::pair;
    use crate::stop::StopRule;

    fn standing(sprt: Option<&str>, results: impl IntoIterator<Item = [usize; 2]>) -> Standing {
        let mut standing = Standing::new(StopRule {
            sprt: sprt.and_then(|text| crate::config::parse_sprt(text).ok()),
            pairs_max: 100,
        });
        for (number, halves) in results.into_iter().enumerate() {
            standing.count(&pair(number as u64, halves, 0));
        }
        standing
    }

    #[test]
    fn the_bar_of_a_test_starts_in_the_middle_and_moves_with_the_llr() {
        let test = Some("elo0=0,elo1=100");
        let cells = |results: &[[usize; 2]]| {
            let bar = llr_bar(&standing(test, results.iter().copied()).estimates()).unwrap();
            bar[bar.find('[').unwrap() + 1..].find('#').unwrap()
        };
        let even = [[2, 0], [0, 2], [2, 2], [0, 0]];
        let won = [[2, 2], [2, 1], [2, 2], [0, 2], [2, 2], [2, 1], [2, 2], [2, 2]];
        assert!(cells(&even) <= 10);
        assert!(cells(&won) > 10);
        assert!(llr_bar(&standing(None, even).estimates()).is_none());
    }

    #[test]
    fn few_pairs_show_no_elo() {
        assert_eq!(
            elo_text(&standing(None, [[2, 2]]).estimates()),
            "Elo: too few pairs"
        );
        let text = elo_text(&standing(None, (0..40).map(|n| [2, n % 3])).estimates());
        assert!(text.starts_with("Elo +") && text.contains(" ± "), "{text}");
    }
}
