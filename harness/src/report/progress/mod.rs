//! The progress of a run on stderr, in one line of the width of its window.

mod count;
mod line;
mod screen;

pub use count::SearchProgress;

use std::time::Instant;

use self::line::Part;
use self::screen::Screen;
use crate::document::number::{clock, percent, plural, signed};
use crate::document::summary::pairs_left;
use crate::match_state::MatchState;
use crate::stats::Estimates;

const LLR_CELLS: usize = 21;

pub(super) struct Progress {
    screen: Screen,
    /// What it is part of, such as `batch 3 of 10`.
    about: Option<String>,
    pairs_max: u64,
    started: Instant,
    games_before: u64,
    thought_before_us: u64,
}

impl Progress {
    pub(super) fn new(about: Option<String>, pairs_max: u64, standing: &MatchState) -> Progress {
        Progress {
            screen: Screen::new(),
            about,
            pairs_max,
            started: Instant::now(),
            games_before: standing.tally().games(),
            thought_before_us: thought_us(standing),
        }
    }

    pub(super) fn show(&self, standing: &MatchState) {
        self.screen.show(|| {
            let games = (standing.tally().games() - self.games_before) as f64;
            let rate = games / self.started.elapsed().as_secs_f64().max(1e-3);
            let about = self.about.iter().map(|about| Part::new(9, about));
            about.chain(parts_of(standing, self.pairs_max, rate)).collect()
        });
    }

    /// Takes the line away; how much of the time was thinking, if something was played.
    pub(super) fn end(self, standing: &MatchState, workers: usize) -> Option<String> {
        self.screen.end();
        let games = standing.tally().games() - self.games_before;
        let thought_us = thought_us(standing) - self.thought_before_us;
        pace_text(games, self.started.elapsed().as_secs_f64(), workers, thought_us)
    }
}

fn thought_us(standing: &MatchState) -> u64 {
    standing.totals.time_us.iter().sum()
}

/// `200 games in 1042 s; 97.9 % of the time of 2 workers was thinking`
fn pace_text(games: u64, seconds: f64, workers: usize, thought_us: u64) -> Option<String> {
    let share = percent(Some(thought_us as f64 / 1e6 / (seconds * workers as f64)));
    let workers = plural(workers as u64, "worker");
    let text = format!("{games} games in {seconds:.1} s; {share} of the time of {workers} was thinking");
    (games > 0 && seconds > 0.0).then_some(text)
}

/// Games, results, Elo, the test and the time to its decision; the games, Elo, the LLR and the time stay longest.
fn parts_of(standing: &MatchState, pairs_max: u64, games_per_second: f64) -> Vec<Part> {
    let (tally, estimates) = (standing.tally(), standing.estimates());
    let games = match standing.progress.rule.sprt {
        Some(_) => Part::new(0, format!("{} games", tally.games())),
        None => Part::new(4, format!("{}/{} games", tally.games(), 2 * pairs_max))
            .or(0, format!("{} games", tally.games())),
    };
    let results = format!("+{} -{} ={}", tally.wins(), tally.losses(), tally.draws);
    let pentanomial = tally.pentanomial.map(|count| count.to_string()).join("-");
    let mut parts = vec![
        games,
        Part::new(5, results),
        Part::new(7, pentanomial),
        Part::new(1, elo_text(&estimates)),
    ];
    parts.extend(llr_part(&estimates));
    parts.push(Part::new(6, format!("{games_per_second:.1} games/s")));
    let left = pairs_left(standing).filter(|_| games_per_second > 0.0);
    let most = pairs_max.saturating_sub(tally.pairs()) as f64;
    parts.extend(left.map(|pairs| {
        let seconds = 2.0 * pairs.min(most) / games_per_second;
        let sign = if standing.progress.rule.sprt.is_some() {
            "~"
        } else {
            ""
        };
        Part::new(3, format!("{sign}{} left", clock(seconds.min(1e9) as u64)))
    }));
    parts
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

/// `LLR +1.10 [-2.94 ..........|...#...... +2.94]`: where the test stands between its bounds; without the picture or the
/// bounds in narrower windows.
fn llr_part(estimates: &Estimates) -> Option<Part> {
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
    let pictured = Part::new(8, format!("LLR {llr:+.2} [{lower:+.2} {cells} {upper:+.2}]"));
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
    use crate::stop::{FaultLimits, StopRule};
    use tanren_core::fixtures::pair;

    fn standing(sprt: Option<&str>, results: impl IntoIterator<Item = [usize; 2]>) -> MatchState {
        let mut standing = MatchState::new(StopRule {
            sprt: sprt.and_then(|text| crate::config::parse_sprt(text).ok()),
            pairs_max: 20_000,
            faults: FaultLimits::default(),
        });
        for (number, halves) in results.into_iter().enumerate() {
            standing.count(&pair(number as u64, halves, 0));
        }
        standing
    }

    fn text(sprt: Option<&str>, results: impl IntoIterator<Item = [usize; 2]>, width: usize) -> String {
        line(width, &parts_of(&standing(sprt, results), 20_000, 12.0))
    }

    #[test]
    fn the_share_of_thinking_is_of_all_workers_together() {
        let text = "200 games in 50.0 s; 98.0 % of the time of 2 workers was thinking";
        assert_eq!(pace_text(200, 50.0, 2, 98_000_000).as_deref(), Some(text));
        assert_eq!(pace_text(0, 1.0, 1, 0), None);
    }

    #[test]
    fn the_picture_of_a_test_starts_in_the_middle_and_moves_with_the_llr() {
        let cells = |results: &[[usize; 2]]| {
            let text = text(Some("elo0=0,elo1=100"), results.iter().copied(), 300);
            let picture = &text[text.find('[').unwrap()..];
            picture.find('#').unwrap() - picture.find(' ').unwrap() - 1
        };
        let even = [[2, 0], [0, 2], [2, 2], [0, 0]];
        let won = [[2, 2], [2, 1], [2, 2], [0, 2], [2, 2], [2, 1], [2, 2], [2, 2]];
        assert!(cells(&even) <= 10, "{}", cells(&even));
        assert!(cells(&won) > 10, "{}", cells(&won));
    }

    #[test]
    fn a_wide_window_has_everything_about_a_match_and_a_narrow_one_the_main_things() {
        let results = || (0..60).map(|number| [2, number % 3]);
        let at = |width| text(Some("elo0=0,elo1=10"), results(), width);
        let parts = [
            "120 games",
            "+80 -20 =20",
            "0-0-20-20-20",
            "Elo +1",
            "LLR +",
            "#",
            "12.0 games/s",
            " left",
        ];
        assert!(parts.iter().all(|part| at(200).contains(part)), "{}", at(200));
        assert!(
            at(120).contains("0-0-20-20-20") && !at(120).contains('#'),
            "{}",
            at(120)
        );
        assert!(at(80).contains(" left") && at(80).contains("] "), "{}", at(80));
        assert!(at(40).starts_with("120 games  Elo +"), "{}", at(40));
    }

    #[test]
    fn a_match_of_fixed_length_says_how_long_it_is_and_has_no_test() {
        let wide = text(None, (0..40).map(|number| [2, number % 3]), 200);
        assert!(
            wide.starts_with("80/40000 games") && !wide.contains("LLR"),
            "{wide}"
        );
        assert!(wide.ends_with("  55:26 left"), "{wide}");
    }

    #[test]
    fn a_match_that_will_pause_tells_the_time_to_the_pause() {
        let standing = standing(None, (0..40).map(|number| [2, number % 3]));
        let paused = line(200, &parts_of(&standing, 100, 12.0));
        assert!(paused.starts_with("80/200 games"), "{paused}");
        assert!(paused.ends_with("  00:10 left"), "{paused}");
    }

    #[test]
    fn few_pairs_show_no_elo_and_a_test_no_time() {
        let few = text(Some("elo0=0,elo1=10"), [[2, 2]], 200);
        assert!(
            few.contains("Elo: too few pairs") && !few.contains("left"),
            "{few}"
        );
    }
}
