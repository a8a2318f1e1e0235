//! The answer of a run: its state in one word, and a sentence.

use maud::{Markup, Render, html};

use crate::document::text::Text;

/// The same words in terminal, page, CSV and JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    Queued,
    Running,
    /// The test accepted H1, or an interval of a fixed length excludes 0.
    Passed,
    /// The test accepted H0.
    Failed,
    /// A test without a decision: interrupted, or all pairs are played.
    Undecided,
    /// A fixed length whose interval holds 0, or players that never differ.
    NoDifference,
    Invalid,
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

    pub fn icon(self) -> &'static str {
        match self {
            State::Passed => "✓",
            State::Failed => "✕",
            State::Undecided => "◐",
            State::NoDifference => "=",
            State::Invalid => "⚠",
            State::Running => "▶",
            State::Ranked | State::Counted => "•",
            State::Queued | State::Skipped => "–",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub state: State,
    pub sentence: Text,
}

impl Answer {
    pub(crate) fn new(state: State, sentence: Text) -> Answer {
        Answer { state, sentence }
    }
}

/// Icon, word and sentence.
impl Render for Answer {
    fn render(&self) -> Markup {
        html! { span class={ "state " (self.state.name()) } { (self.state.icon()) " " (self.state.word()) } " " (self.sentence) }
    }
}
