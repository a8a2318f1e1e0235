//! `tanren report`.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::shared::{CliError, print};
use crate::document::file::write_text;
use crate::report::{
    GAMES_MAX, RecordFormat, badge, describe_again, describe_all, json, markdown_block, note, report_again,
    text_block, write_comparison,
};
use crate::session::folder::check_out;
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

/// Show a run again and make its files from the ledger; several runs side by side.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Folders of runs.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write the games as csa, kif, kifu (shogi) or pgn (chess), separated by commas.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    records: Vec<RecordFormat>,
    /// Games in report.html, with boards.
    #[arg(long, value_name = "N", default_value_t = GAMES_MAX)]
    games: u64,
    /// One page of several runs, side by side.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace the file of --html.
    #[arg(long, requires = "html")]
    force: bool,
    /// Print lines to paste, in the form of fishtest and OpenBench.
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    text: bool,
    /// The same in Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Write the result as a small image, badge.svg.
    #[arg(long)]
    badge: bool,
    /// Print the other estimates too: uncorrected, anytime-valid, normalized.
    #[arg(long)]
    verbose: bool,
    /// Print one JSON object, or an array of them for several folders.
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if let Some(path) = &self.html {
            if path.is_file() && !self.force {
                let path = path.display();
                return Err(CliError::input(format!(
                    "'{path}' exists; name another file with --html, or add --force to replace it"
                )));
            }
            check_out(path, true)?;
        }
        let outcomes = self
            .folders
            .iter()
            .map(|folder| report_again(folder, &self.records, self.games));
        let outcomes: Vec<Outcome> = outcomes.collect::<Result<_, _>>()?;
        if let Some(path) = &self.html {
            let runs: Vec<Run> = self
                .folders
                .iter()
                .map(|folder| Run::open(folder))
                .collect::<Result<_, _>>()?;
            let sides: Vec<(&Outcome, &Run)> = outcomes.iter().zip(&runs).collect();
            write_comparison(path, &sides)?;
            note(&format!("written to {}", path.display()));
        }
        if self.badge {
            for outcome in &outcomes {
                let path = outcome.folder.join("badge.svg");
                write_text(&path, &badge(outcome))?;
                note(&format!("written to {}", path.display()));
            }
        }
        if self.text || self.markdown {
            let block = if self.text { text_block } else { markdown_block };
            let blocks: Vec<String> = outcomes.iter().map(block).collect();
            return print(&blocks.join("\n"));
        }
        let text = match (&outcomes[..], self.json) {
            ([outcome], true) => json(&*outcome.findings).to_string(),
            ([outcome], false) => describe_again(outcome, self.verbose),
            (_, true) => {
                let values = outcomes.iter().map(|outcome| json(&*outcome.findings));
                Value::Array(values.collect()).to_string()
            }
            (_, false) => describe_all(&outcomes),
        };
        print(&text)
    }
}
