//! What a page says, for a run of any kind.
//!
//! In: an outcome, its ledger. Out: a [`Page`]. Must not: write it down.

use super::section::Section;
use super::text::Text;
use super::{answer, matches, others, tournament};
use crate::experiment::{ExperimentError, Findings, Outcome, Run};

/// What a page says, before it is written down.
pub(super) struct Page {
    /// What was compared.
    pub(super) title: String,
    pub(super) kind: &'static str,
    /// The verdict in a word, as files name it.
    pub(super) verdict: Option<&'static str>,
    /// The answer in a sentence.
    pub(super) answer: Text,
    pub(super) sections: Vec<Section>,
}

impl Page {
    /// Of an outcome; `run` is where its games are.
    pub(super) fn of(outcome: &Outcome, run: &Run) -> Result<Page, ExperimentError> {
        let mut sections = match &outcome.findings {
            Findings::Match(found) => matches::sections(found, run)?,
            Findings::Tournament(found) => tournament::sections(found, run)?,
            Findings::Tuning(found) => others::tuning(found)?,
            Findings::Odds(found) => others::odds(found)?,
            Findings::Ablation(found) => others::ablation(found)?,
            Findings::Nodes(found) => others::nodes(found)?,
            Findings::Night(found) => others::night(found),
            Findings::Suite(_) => Vec::new(),
        };
        sections.push(others::specification(run));
        Ok(Page {
            title: answer::title(&outcome.findings),
            kind: run.kind().name(),
            verdict: outcome.verdict_name(),
            answer: answer::sentence(outcome),
            sections,
        })
    }
}
