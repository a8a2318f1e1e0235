//! A run as a page: one file that needs nothing else, and the parts of it that a server shows while the run goes on.
//!
//! Every text is there in English and in Japanese; the page shows one of them. Charts are drawn by `document::plot`, so that the page reads,
//! prints and is tested without a script; scripts are for the board and the lists alone.

mod assets;
mod blocks;
#[cfg(feature = "web")]
mod boards;
mod compare;
mod games;
mod html;
#[cfg(feature = "web")]
mod index;
#[cfg(feature = "web")]
mod live;
#[cfg(feature = "web")]
mod metrics;
#[cfg(feature = "web")]
mod new_run;
#[cfg(feature = "web")]
mod run_box;

use std::path::Path;

use maud::Markup;

#[cfg(feature = "web")]
pub use self::boards::boards_json;
pub use self::games::{FirstGame, games_json};
#[cfg(feature = "web")]
pub use self::index::{List, ListFilter, RunRow, index_json, index_page};
#[cfg(feature = "web")]
pub use self::live::{Fragment, Gist, Served, live_page, notice_page};
#[cfg(feature = "web")]
pub use self::metrics::metrics;
#[cfg(feature = "web")]
pub use self::new_run::RunChoices;
use crate::document::answer::Answer;
use crate::document::file::write_text;
use crate::document::text::Text;
use crate::document::{Block, Document, Section};
use crate::report::found::pooled;
use crate::session::error::ExperimentError;
use crate::session::found::Found as _;
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

pub const GAMES_MAX: u64 = 1_000;

struct Page {
    title: String,
    kind: &'static str,
    /// The kind, the game.
    about: Vec<Text>,
    answer: Answer,
    sections: Vec<Markup>,
    /// What stands folded below the games.
    details: Vec<Markup>,
}

impl Page {
    fn of_document(document: Document<'_>, kind: &'static str, about: Vec<Text>) -> Page {
        let mut page = Page {
            title: document.title,
            kind,
            about,
            answer: document.answer,
            sections: Vec::new(),
            details: Vec::new(),
        };
        for section in &document.sections {
            let place = if section.is_folded {
                &mut page.details
            } else {
                &mut page.sections
            };
            place.extend(blocks::section(section));
        }
        page
    }

    fn of(outcome: &Outcome, run: &Run) -> Result<Page, ExperimentError> {
        let games = outcome.findings.gathered(&run.ledger)?;
        let mut document = outcome.findings.document(games.as_ref());
        let specification = vec![Block::Verbatim(run.manifest.spec_toml.clone())];
        document.sections.push(Section::folded(
            "specification",
            Text::new("Specification"),
            specification,
        ));
        let kind = outcome.findings.kind().unwrap_or_default();
        let game = outcome.findings.game().map(|game| game.name());
        let about = [Some(kind), game].into_iter().flatten().map(Text::plain);
        Ok(Page::of_document(document, kind, about.collect()))
    }
}

pub fn write_page(outcome: &Outcome, run: &Run, games_max: u64) -> Result<(), ExperimentError> {
    let games = games_json(outcome, run, FirstGame::At(0), games_max)?;
    let html = html::file(&Page::of(outcome, run)?, games.as_ref());
    Ok(write_text(&outcome.folder.join("report.html"), &html)?)
}

/// Writes `report.html` of a run that goes no further now, where it has a folder.
pub fn write_last_page(outcome: &Outcome) -> Result<(), ExperimentError> {
    if outcome.findings.kind().is_none() {
        return Ok(());
    }
    let run = Run::open(&outcome.folder)?;
    write_page(outcome, &run, GAMES_MAX)
}

pub fn write_comparison(path: &Path, runs: &[(&Outcome, &Run)]) -> Result<(), ExperimentError> {
    let pooled = pooled(runs.iter().map(|(outcome, _)| *outcome));
    let document = pooled.as_ref().map(|pooled| pooled.document(None));
    let document = document.unwrap_or_else(|| compare::document(runs));
    let page = Page::of_document(document, "comparison", Vec::new());
    Ok(write_text(path, &html::file(&page, None))?)
}
