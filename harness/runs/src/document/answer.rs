//! The answer of a run: its state in one word, and a sentence.

use console::{Color, Style};
use maud::{Markup, Render, html};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::document::table::hanging;
use crate::document::text::Text;

/// The same words in terminal, page, CSV and JSON.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum State {
    Running,
    Queued,
    /// The test accepted H1, or an interval of a fixed length excludes 0.
    Passed,
    /// The test accepted H0.
    Failed,
    /// A test without a decision: interrupted, or all pairs are played.
    Undecided,
    /// A fixed length whose interval holds 0, or players that never differ.
    NoDifference,
    Invalid,
    /// A job that could not be run, or ended with an error.
    Error,
    Skipped,
    /// What has no test: a tournament, an ablation.
    Ranked,
    /// What counts: nodes, a ratio, a tuning that nothing confirmed.
    Counted,
}

impl State {
    /// As a CSV and JSON have it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// As a reader sees it: `NO DIFFERENCE`.
    pub fn word(self) -> String {
        self.name().replace('_', " ").to_uppercase()
    }

    /// As a list to choose from has it.
    pub(crate) fn text(self) -> Text {
        match self {
            State::Running => Text::new("Running"),
            State::Queued => Text::new("Queued"),
            State::Passed => Text::new("Passed"),
            State::Failed => Text::new("Failed"),
            State::Undecided => Text::new("Undecided"),
            State::NoDifference => Text::new("No difference"),
            State::Invalid => Text::new("Invalid"),
            State::Error => Text::new("Error"),
            State::Skipped => Text::new("Skipped"),
            State::Ranked => Text::new("Ranked"),
            State::Counted => Text::new("Counted"),
        }
    }

    /// As the first word of a line on a terminal.
    pub(crate) fn said(self) -> String {
        self.text().said().to_uppercase()
    }

    fn style(self) -> Style {
        let style = Style::new().bold();
        match self {
            State::Passed => style.green(),
            State::Failed | State::Error => style.red(),
            State::Undecided | State::Invalid => style.yellow(),
            State::Running => style.blue(),
            State::NoDifference | State::Queued | State::Skipped | State::Ranked | State::Counted => style,
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            State::Passed => "✓",
            State::Failed => "✕",
            State::Undecided => "◐",
            State::NoDifference => "=",
            State::Invalid | State::Error => "⚠",
            State::Running => "▶",
            State::Ranked | State::Counted => "•",
            State::Queued | State::Skipped => "–",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub state: State,
    #[serde(with = "crate::document::text::both")]
    pub sentence: Text,
}

impl Answer {
    pub(crate) fn new(state: State, sentence: Text) -> Answer {
        Answer { state, sentence }
    }

    /// The first lines on a terminal: `PASSED  a is stronger than b: +30.6 Elo`.
    pub(crate) fn text(&self) -> String {
        // The interval stays on one line.
        let (mut depth, mut text) = (0, String::new());
        for letter in self.sentence.said().chars() {
            depth += i32::from("(（".contains(letter)) - i32::from(")）".contains(letter));
            text.push(if letter == ' ' && depth > 0 {
                '\u{a0}'
            } else {
                letter
            });
        }
        hanging(&format!("{}  ", self.state.said()), &text).replace('\u{a0}', " ")
    }
}

/// `text` with each state that a line begins with, after an icon or not, in its colour.
pub(crate) fn coloured(text: &str) -> String {
    text.split_inclusive('\n').map(coloured_line).collect()
}

/// What marks a line of a list of checks.
const MARKS: [(&str, Color); 3] = [("✓", Color::Green), ("!", Color::Yellow), ("✗", Color::Red)];

fn coloured_line(line: &str) -> String {
    for (mark, color) in MARKS {
        if let Some(rest) = line.strip_prefix(&format!("  {mark} ")) {
            let mark = Style::new().bold().fg(color).force_styling(true).apply_to(mark);
            return format!("  {mark} {rest}");
        }
    }
    let icons = |c: char| c == ' ' || State::VARIANTS.iter().any(|state| state.icon().contains(c));
    let start = line.len() - line.trim_start_matches(icons).len();
    let (head, rest) = line.split_at(start);
    let is_first = |state: &&State| rest.starts_with(&(state.said() + " "));
    let Some(state) = State::VARIANTS.iter().find(is_first) else {
        return line.to_owned();
    };
    let (word, rest) = rest.split_at(state.said().len());
    let icon = head.trim_start();
    let margin = &head[..head.len() - icon.len()];
    let marked = state
        .style()
        .force_styling(true)
        .apply_to(format!("{icon}{word}"));
    format!("{margin}{marked}{rest}")
}

/// One part of a run in a list of answers.
#[derive(Debug, Clone)]
pub(crate) struct AnswerRow {
    pub(crate) answer: Answer,
    pub(crate) name: String,
    pub(crate) link: Option<String>,
    pub(crate) kind: &'static str,
    pub(crate) more: Option<Text>,
    pub(crate) elo: Option<String>,
    pub(crate) interval: Option<String>,
    pub(crate) games: Option<u64>,
    pub(crate) searches: Option<u64>,
    pub(crate) node_ratio: Option<f64>,
    pub(crate) time: Option<String>,
}

impl Answer {
    /// Icon and word, of a page.
    pub(crate) fn badge(&self) -> Markup {
        html! { span class={ "state " (self.state.name()) } { (self.state.icon()) " " (self.state.word()) } }
    }
}

/// Icon, word and sentence.
impl Render for Answer {
    fn render(&self) -> Markup {
        html! { (self.badge()) " " (self.sentence) }
    }
}

#[cfg(test)]
mod tests {
    use crate::document::answer::*;

    #[test]
    fn a_state_at_the_start_of_a_line_is_coloured_and_nothing_else() {
        for (line, expected) in [
            (
                "PASSED  a is PASSED\n",
                "\u{1b}[32m\u{1b}[1mPASSED\u{1b}[0m  a is PASSED\n",
            ),
            ("  ✕ FAILED  a\n", "  \u{1b}[31m\u{1b}[1m✕ FAILED\u{1b}[0m  a\n"),
            ("NO DIFFERENCE  a", "\u{1b}[1mNO DIFFERENCE\u{1b}[0m  a"),
            ("PASSEDLY a", "PASSEDLY a"),
            ("  ! disk  a\n", "  \u{1b}[33m\u{1b}[1m!\u{1b}[0m disk  a\n"),
            ("  Games   PASSED ", "  Games   PASSED "),
        ] {
            assert_eq!(coloured(line), expected);
        }
    }
}
