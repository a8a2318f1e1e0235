//! `tanren report`.
//!
//! In: folders of runs. Out: their files, made again from their ledgers, and their results. Must not: play.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use tanren_engine::game::Position;

use super::error::CliError;
use super::game::with_game;
use crate::config::wire::MatchFile;
use crate::config::{Identity, MatchSpec};
use crate::ledger::{About, Ledger, LedgerError};
use crate::report::{Summary, compare, describe, print_data, rebuild};
use crate::runner::recount;
use crate::standing::Standing;
use crate::stop::StopRule;

/// Make every file of a run again from its ledger and show the result; several runs are shown side by side.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Folders of runs.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Print one JSON object, or an array of them for several folders.
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let results = self.folders.iter().map(|folder| report(folder));
        let results: Vec<(Summary, Standing)> = results.collect::<Result<_, CliError>>()?;
        let text = match (&results[..], self.json) {
            ([(summary, _)], true) => summary.json().to_string(),
            ([(summary, standing)], false) => describe(summary, standing),
            (_, true) => {
                Value::Array(results.iter().map(|(summary, _)| summary.json()).collect()).to_string()
            }
            (_, false) => {
                let names = self.folders.iter().map(|folder| folder.display().to_string());
                compare(names.zip(results.iter().map(|(summary, _)| summary)))
            }
        };
        print_data(&text).map_err(CliError::system("print the result"))
    }
}

fn report(folder: &Path) -> Result<(Summary, Standing), CliError> {
    let ledger = Ledger::open_existing(folder)?;
    let about = ledger.about()?;
    let damaged = |message: String| LedgerError::Damaged {
        path: folder.to_owned(),
        message,
    };
    let file: MatchFile = toml::from_str(&about.spec_toml).map_err(|error| damaged(error.to_string()))?;
    let spec = MatchSpec::from_file(&file)?;
    let pairs_max =
        stored_pairs(&about).ok_or_else(|| damaged("it does not say its number of pairs".to_owned()))?;
    let mut standing = Standing::new(StopRule {
        sprt: spec.sprt,
        pairs_max,
    });
    let game = spec.game;
    with_game!(game, rebuild_from(folder, &ledger, &mut standing)).map(|summary| (summary, standing))
}

fn stored_pairs(about: &About) -> Option<u64> {
    about.identity.get(Identity::PAIRS)?.parse().ok()
}

fn rebuild_from<P: Position>(
    folder: &Path,
    ledger: &Ledger,
    standing: &mut Standing,
) -> Result<Summary, CliError> {
    recount(ledger, standing)?;
    Ok(rebuild::<P>(folder, ledger, standing)?)
}
