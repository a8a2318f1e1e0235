//! A run as a page: one file that needs nothing else, and the parts of it that a server shows while the run goes on.
//!
//! In: an outcome, the ledger that it was counted from. Out: HTML, and the games as JSON for its board. Must not: count what the
//! findings have counted, or ask anything of a network.
//!
//! Every text stands there in English and in Japanese; the page shows one of them. Charts are images that `report::plot` draws, so that the page reads,
//! prints and is tested without a script; scripts are for the board and the lists alone.

pub(super) mod answer;
mod assets;
#[cfg(feature = "web")]
mod boards;
mod compare;
mod document;
mod draft;
mod games;
mod gathered;
#[cfg(feature = "web")]
mod index;
#[cfg(feature = "web")]
mod live;
mod matches;
mod others;
mod section;
pub(super) mod text;
mod tournament;

use std::io::Write;
use std::path::Path;

#[cfg(feature = "web")]
pub use self::boards::boards_json;
use self::document::Document;
pub use self::document::Language;
use self::draft::Page;
use self::games::Games;
#[cfg(feature = "web")]
pub use self::index::{RunRow, index_json, index_page, metrics};
#[cfg(feature = "web")]
pub use self::live::{Fragment, Gist, Served, games_json, live_page, notice_page};
use super::files::{ReportError, write_atomically};
use crate::experiment::{ExperimentError, Outcome, Run};

/// Games that stand in the file itself, at most.
pub const GAMES_MAX: u64 = 1_000;

/// Writes `report.html` of a run into its folder.
///
/// # Errors
/// The ledger cannot be read or the file not written.
pub fn write_page(
    outcome: &Outcome,
    run: &Run,
    language: Language,
    games_max: u64,
) -> Result<(), ExperimentError> {
    let page = Page::of(outcome, run)?;
    let games = Games::of(outcome, run, games_max)?;
    let html = Document {
        page: &page,
        games: games.as_ref(),
        language,
    }
    .html();
    Ok(write_html(&outcome.folder.join("report.html"), &html)?)
}

/// Writes `report.html` of a run that goes no further now, where it has a folder.
///
/// # Errors
/// The ledger cannot be read or the file not written.
pub fn write_last_page(outcome: &Outcome) -> Result<(), ExperimentError> {
    if outcome.kind().is_none() {
        return Ok(());
    }
    write_page(
        outcome,
        &Run::open(&outcome.folder)?,
        Language::default(),
        GAMES_MAX,
    )
}

/// Writes a page of several runs side by side to `path`.
///
/// # Errors
/// A ledger cannot be read or the file not written.
pub fn write_comparison(
    path: &Path,
    runs: &[(&Outcome, &Run)],
    language: Language,
) -> Result<(), ExperimentError> {
    let page = compare::page(runs)?;
    let html = Document {
        page: &page,
        games: None,
        language,
    }
    .html();
    Ok(write_html(path, &html)?)
}

fn write_html(path: &Path, html: &str) -> Result<(), ReportError> {
    write_atomically(path, |output| output.write_all(html.as_bytes()))
}
