//! The progress of a run on stderr, in one line of the width of its window.

mod count;
mod line;
mod screen;

pub use count::SearchProgress;

use std::time::Instant;

use self::line::ProgressPart;
use self::screen::Screen;
use crate::document::answer::{Answer, State};
use crate::document::language::said;
use crate::document::number::{ci_text, duration, percent, plural, signed};
use crate::document::summary::{Summary, interval_words, pairs_left};
use crate::document::table::named_lines;
use crate::kinds::match_::report::{counts, llr_text};
use crate::match_state::MatchState;
use crate::player::unused_us;
use crate::stats::{Estimates, MIN_PAIRS};

pub(super) struct MatchProgress {
    screen: Screen,
    /// What it is part of, such as `batch 3 of 10`.
    about: Option<String>,
    labels: [String; 2],
    pairs_max: u64,
    started: Instant,
    games_before: u64,
    thought_before_us: u64,
    unused_before_us: u64,
}

impl MatchProgress {
    pub(super) fn new(
        about: Option<String>,
        labels: &[String; 2],
        footer: Option<String>,
        pairs_max: u64,
        match_state: &MatchState,
    ) -> MatchProgress {
        MatchProgress {
            screen: Screen::new(footer),
            about,
            labels: labels.clone(),
            pairs_max,
            started: Instant::now(),
            games_before: match_state.tally().games(),
            thought_before_us: thought_us(match_state),
            unused_before_us: unused_us(),
        }
    }

    pub(super) fn show(&self, match_state: &MatchState) {
        let rate = || {
            let games = (match_state.tally().games() - self.games_before) as f64;
            games / self.started.elapsed().as_secs_f64().max(1e-3)
        };
        let parts = || {
            let about = self.about.iter().map(|about| ProgressPart::new(9, about));
            about
                .chain(parts_of(match_state, self.pairs_max, rate()))
                .collect()
        };
        let lines = || {
            let about = self
                .about
                .as_ref()
                .map_or_else(String::new, |about| format!("{}\n", said(about)));
            about + &lines_of(match_state, &self.labels, self.pairs_max, rate())
        };
        self.screen.show(parts, lines);
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

/// `Speed   54.2 games/s for 9.4 s, 98.0 % of it spent thinking by 2 workers`
fn pace_text(games: u64, seconds: f64, workers: usize, thought_us: u64) -> Option<String> {
    let share = percent(Some(thought_us as f64 / 1e6 / (seconds * workers as f64)));
    let workers = plural(workers as u64, "worker");
    let rate = games as f64 / seconds;
    let text =
        format!("  Speed   {rate:.1} games/s for {seconds:.1} s, {share} of it spent thinking by {workers}");
    (games > 0 && seconds > 0.0).then_some(text)
}

/// How many games there will be, and how long that takes.
fn outlook_of(match_state: &MatchState, pairs_max: u64, games_per_second: f64) -> (String, Option<String>) {
    let tally = match_state.tally();
    let about = match match_state.progress.rule.sprt {
        Some(_) => "about ",
        None => "",
    };
    let left = pairs_left(match_state);
    let most = pairs_max.saturating_sub(tally.pairs()) as f64;
    let games_per_pair = match_state.progress.rule.games_per_pair() as f64;
    let left = left.map(|pairs| games_per_pair * pairs.min(most));
    let games = match left {
        Some(left) => format!("{} of {about}{:.0}", tally.games(), tally.games() as f64 + left),
        None => tally.games().to_string(),
    };
    let left = left.filter(|_| games_per_second > 0.0);
    let left = left.map(|left| format!("{about}{} left", duration(left / games_per_second)));
    (games, left)
}

/// The answer so far, the counts, the test and the time to its decision.
fn lines_of(match_state: &MatchState, labels: &[String; 2], pairs_max: u64, games_per_second: f64) -> String {
    let summary = Summary::new(match_state, labels);
    let answer = Answer {
        state: State::Running,
        ..summary.answer()
    };
    let (games, left) = outlook_of(match_state, pairs_max, games_per_second);
    let mut lines = counts(&summary, &games);
    lines.extend(llr_text(&summary).map(|text| ("LLR", text)));
    let left = left.map_or_else(String::new, |left| format!(", {left}"));
    lines.push(("Speed", format!("{games_per_second:.1} games/s{left}")));
    format!("{}\n{}", answer.text(), named_lines(lines))
}

/// Games, results, Elo, the test and the time to its decision; the games, Elo, the LLR and the time stay longest.
fn parts_of(match_state: &MatchState, pairs_max: u64, games_per_second: f64) -> Vec<ProgressPart> {
    let (tally, estimates) = (match_state.tally(), match_state.estimates());
    let (games, left) = outlook_of(match_state, pairs_max, games_per_second);
    let results = format!("W-L-D {}-{}-{}", tally.wins(), tally.losses(), tally.draws);
    let mut parts = vec![
        ProgressPart::new(4, format!("{games} games")).or(0, format!("{} games", tally.games())),
        ProgressPart::new(5, results),
        elo_part(&estimates, tally.pairs()),
    ];
    parts.extend(llr_part(&estimates));
    parts.push(ProgressPart::new(6, format!("{games_per_second:.1} games/s")));
    parts.extend(left.map(|left| ProgressPart::new(3, left)));
    parts
}

/// Of few pairs nothing is said; a running match is looked at all the time, so its interval is the anytime-valid one.
fn elo_part(estimates: &Estimates, pairs: u64) -> ProgressPart {
    if pairs < MIN_PAIRS {
        return ProgressPart::new(1, "Elo: too few pairs");
    }
    let value = signed(estimates.elo.value, 1);
    ProgressPart::new(
        3,
        format!(
            "Elo {value} ({} {})",
            interval_words(estimates),
            ci_text(&estimates.elo)
        ),
    )
    .or(1, format!("Elo {value}"))
}

fn llr_part(estimates: &Estimates) -> Option<ProgressPart> {
    let (llr, bounds) = (estimates.llr()?, estimates.bounds()?);
    let labelled = format!("LLR {llr:+.2} (H0 {:+.2}, H1 {:+.2})", bounds.lower, bounds.upper);
    Some(ProgressPart::new(4, labelled).or(2, format!("LLR {llr:+.2}")))
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
        let text = "  Speed   4.0 games/s for 50.0 s, 98.0 % of it spent thinking by 2 workers";
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
