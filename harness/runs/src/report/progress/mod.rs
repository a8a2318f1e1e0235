//! The progress of a run on stderr, in one line of the width of its window.

mod count;
mod line;
mod screen;

pub use count::SearchProgress;

use std::time::Instant;

use self::line::ProgressPart;
use self::screen::Screen;
use crate::document::number::{clock, percent, plural, signed};
use crate::document::summary::pairs_left;
use crate::kinds::match_::report::interval;
use crate::match_state::MatchState;
use crate::player::unused_us;
use crate::stats::{Estimates, MIN_PAIRS};

const LLR_CELLS: usize = 21;

pub(super) struct MatchProgress {
    screen: Screen,
    /// What it is part of, such as `batch 3 of 10`.
    about: Option<String>,
    pairs_max: u64,
    started: Instant,
    games_before: u64,
    thought_before_us: u64,
    unused_before_us: u64,
}

impl MatchProgress {
    pub(super) fn new(about: Option<String>, pairs_max: u64, match_state: &MatchState) -> MatchProgress {
        MatchProgress {
            screen: Screen::new(),
            about,
            pairs_max,
            started: Instant::now(),
            games_before: match_state.tally().games(),
            thought_before_us: thought_us(match_state),
            unused_before_us: unused_us(),
        }
    }

    pub(super) fn show(&self, match_state: &MatchState) {
        self.screen.show(|| {
            let games = (match_state.tally().games() - self.games_before) as f64;
            let rate = games / self.started.elapsed().as_secs_f64().max(1e-3);
            let about = self.about.iter().map(|about| ProgressPart::new(9, about));
            about.chain(parts_of(match_state, self.pairs_max, rate)).collect()
        });
    }

    /// Takes the line away; how much of the time was thinking, if something was played.
    pub(super) fn end(self, match_state: &MatchState, workers: usize) -> Option<String> {
        self.screen.end();
        let games = match_state.tally().games() - self.games_before;
        let waited_us = thought_us(match_state) - self.thought_before_us;
        let thought_us = waited_us.saturating_sub(unused_us() - self.unused_before_us);
        pace_text(games, self.started.elapsed().as_secs_f64(), workers, thought_us)
    }
}

fn thought_us(match_state: &MatchState) -> u64 {
    match_state.totals.time_us.iter().sum()
}

/// `200 games in 1042 s; 97.9 % of the time of 2 workers was thinking`
fn pace_text(games: u64, seconds: f64, workers: usize, thought_us: u64) -> Option<String> {
    let share = percent(Some(thought_us as f64 / 1e6 / (seconds * workers as f64)));
    let workers = plural(workers as u64, "worker");
    let text = format!("{games} games in {seconds:.1} s; {share} of the time of {workers} was thinking");
    (games > 0 && seconds > 0.0).then_some(text)
}

/// Games, results, Elo, the test and the time to its decision; the games, Elo, the LLR and the time stay longest.
fn parts_of(match_state: &MatchState, pairs_max: u64, games_per_second: f64) -> Vec<ProgressPart> {
    let (tally, estimates) = (match_state.tally(), match_state.estimates());
    let games = match match_state.progress.rule.sprt {
        Some(_) => ProgressPart::new(0, format!("{} games", tally.games())),
        None => ProgressPart::new(4, format!("{}/{} games", tally.games(), 2 * pairs_max))
            .or(0, format!("{} games", tally.games())),
    };
    let results = format!("+{} -{} ={}", tally.wins(), tally.losses(), tally.draws);
    let pentanomial = tally.pentanomial.map(|count| count.to_string()).join("-");
    let mut parts = vec![
        games,
        ProgressPart::new(5, results),
        ProgressPart::new(7, pentanomial),
        elo_part(&estimates, tally.pairs()),
    ];
    parts.extend(llr_part(&estimates));
    parts.push(ProgressPart::new(6, format!("{games_per_second:.1} games/s")));
    let left = pairs_left(match_state).filter(|_| games_per_second > 0.0);
    let most = pairs_max.saturating_sub(tally.pairs()) as f64;
    parts.extend(left.map(|pairs| {
        let seconds = 2.0 * pairs.min(most) / games_per_second;
        let sign = if match_state.progress.rule.sprt.is_some() {
            "~"
        } else {
            ""
        };
        ProgressPart::new(3, format!("{sign}{} left", clock(seconds.min(1e9) as u64)))
    }));
    parts
}

/// Of few pairs nothing is said; a running match is looked at all the time, so its interval is the anytime-valid one.
fn elo_part(estimates: &Estimates, pairs: u64) -> ProgressPart {
    if pairs < MIN_PAIRS {
        return ProgressPart::new(1, "Elo: too few pairs");
    }
    let value = signed(estimates.elo.value, 1);
    ProgressPart::new(3, format!("Elo {}", interval(&estimates.elo))).or(1, format!("Elo {value}"))
}

/// `LLR +1.10 [-2.94 ..........|...#...... +2.94]`: where the test stands between its bounds; without the picture or the
/// bounds in narrower windows.
fn llr_part(estimates: &Estimates) -> Option<ProgressPart> {
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
    let (lower, upper) = (bounds.lower, bounds.upper);
    let pictured = ProgressPart::new(8, format!("LLR {llr:+.2} [{lower:+.2} {cells} {upper:+.2}]"));
    Some(
        pictured
            .or(4, format!("LLR {llr:+.2} [{lower:+.2} {upper:+.2}]"))
            .or(2, format!("LLR {llr:+.2}")),
    )
}

#[cfg(test)]
mod tests {
    use super::line::line;
    use super::*;
    use crate::document::summary::tests::match_state;

    fn text(sprt: Option<&str>, pairs: u64, result: [usize; 2], pairs_max: u64, width: usize) -> String {
        let halves = |number: u64| [result[0], result[1].min(number as usize % 3)];
        line(
            width,
            &parts_of(&match_state(sprt, pairs, halves), pairs_max, 12.0),
        )
    }

    #[test]
    fn the_share_of_thinking_is_of_all_workers_together() {
        let text = "200 games in 50.0 s; 98.0 % of the time of 2 workers was thinking";
        assert_eq!(pace_text(200, 50.0, 2, 98_000_000).as_deref(), Some(text));
        assert_eq!(pace_text(0, 1.0, 1, 0), None);
    }

    /// A wide window has everything about a match and a narrow one the main things; the picture of a test moves with its LLR; a match of
    /// fixed length says how long it is, or how long to its pause; few pairs show no Elo and a test no time.
    #[test]
    fn lines_of_matches_by_the_width_of_their_window() {
        let test = Some("elo0=0,elo1=10");
        let mut lines = vec![text(test, 1, [2, 2], 20_000, 200)];
        lines.extend([200, 120, 80, 40].map(|width| text(test, 60, [2, 2], 20_000, width)));
        lines.push(text(test, 60, [1, 1], 20_000, 200));
        lines.extend([20_000, 100].map(|pairs_max| text(None, 40, [2, 2], pairs_max, 200)));
        insta::assert_snapshot!(lines.join("\n"));
    }
}
