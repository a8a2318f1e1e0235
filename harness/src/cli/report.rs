//! `tanren report`.
//!
//! In: folders of runs. Out: their files, made again from their ledgers, and their results. Must not: play.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::shared::CliError;
use crate::experiment::Audience;
use crate::experiment::{Findings, News, Outcome, Run};
use crate::ledger::{FolderLock, LedgerError};
use crate::report::{
    Console, Manner, RecordFormat, RecordHeader, Times, describe, describe_all, json, note, print_data,
    write_records,
};

const EXAMPLES: &str = "\
Examples:
  tanren report results/new-vs-old
      every file again, and the result
  tanren report results/monday results/tuesday
      two runs side by side
  tanren report results/new-vs-old --records csa,kif
      the games for other programs";

/// Make every file of a run again from its ledger and show the result; several runs are shown side by side.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReportArgs {
    /// Folders of runs.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write the games in these formats too: csa or kif for shogi, pgn for chess; several separated by commas.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    records: Vec<RecordArg>,
    /// Print one JSON object, or an array of them for several folders.
    #[arg(long)]
    json: bool,
}

/// The formats of records as a command-line option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RecordArg {
    /// CSA V2.2, all games in games.csa.
    Csa,
    /// KIF in UTF-8, one file a game in kif/.
    Kif,
    /// PGN, all games in games.pgn.
    Pgn,
}

impl RecordArg {
    fn format(self) -> RecordFormat {
        match self {
            RecordArg::Csa => RecordFormat::Csa,
            RecordArg::Kif => RecordFormat::Kif,
            RecordArg::Pgn => RecordFormat::Pgn,
        }
    }
}

impl ReportArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let outcomes = self.folders.iter().map(|folder| self.report(folder));
        let outcomes: Vec<Outcome> = outcomes.collect::<Result<_, CliError>>()?;
        let text = match (&outcomes[..], self.json) {
            ([outcome], true) => json(&outcome.findings).to_string(),
            ([outcome], false) => describe(&outcome.findings),
            (_, true) => {
                let values = outcomes.iter().map(|outcome| json(&outcome.findings));
                Value::Array(values.collect()).to_string()
            }
            (_, false) => describe_all(&outcomes),
        };
        print_data(&text).map_err(CliError::system("print the result"))
    }

    /// What the run in `folder` comes to; its files are made again unless it is being played.
    fn report(&self, folder: &Path) -> Result<Outcome, CliError> {
        let run = Run::open(folder)?;
        let formats = self.formats(folder, &run)?;
        let lock = lock_or_say(folder, &run)?;
        let manner = if lock.is_some() {
            Manner::FilesAlone
        } else {
            Manner::Nothing
        };
        let mut console = Console::new(manner);
        let outcome = run.outcome(&mut console)?;
        console.hear(News::Found {
            folder,
            ledger: Some(run.ledger()),
            found: outcome.findings.found(),
        })?;
        if lock.is_some() {
            write_all_records(folder, &run, &outcome.findings, &formats)?;
        }
        Ok(outcome)
    }

    /// The formats wanted, if they fit the game.
    fn formats(&self, folder: &Path, run: &Run) -> Result<Vec<RecordFormat>, CliError> {
        let formats: Vec<RecordFormat> = self.records.iter().map(|format| format.format()).collect();
        if formats.is_empty() {
            return Ok(formats);
        }
        let game = run.seats()?.game();
        match formats.iter().find(|format| format.game() != game) {
            None => Ok(formats),
            Some(wrong) => Err(CliError::input(format!(
                "--records {} is for {}, but '{}' holds games of {}",
                wrong.name(),
                wrong.game().name(),
                folder.display(),
                game.name()
            ))),
        }
    }
}

/// Keeps others from writing in `folder`; `None`, and a word about it, if it is being played.
fn lock_or_say(folder: &Path, run: &Run) -> Result<Option<FolderLock>, CliError> {
    match run.ledger().lock(folder) {
        Ok(lock) => Ok(Some(lock)),
        Err(LedgerError::InUse(_)) => {
            let text = format!(
                "'{}' is being played: shown as it is now, no file is written",
                folder.display()
            );
            note(&text);
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn write_all_records(
    folder: &Path,
    run: &Run,
    findings: &Findings,
    formats: &[RecordFormat],
) -> Result<(), CliError> {
    if formats.is_empty() {
        return Ok(());
    }
    let seats = run.seats()?;
    let counted = match findings {
        Findings::Match(found) => found.standing.tally().pairs(),
        Findings::Tournament(found) => found.counted,
        _ => return Ok(()),
    };
    let header = RecordHeader {
        event: seats.conditions.name.as_deref().unwrap_or("tanren"),
        times: if seats.is_timed() {
            Times::Shown
        } else {
            Times::Hidden
        },
    };
    for &format in formats {
        write_records(folder, run.ledger(), counted, format, header)?;
    }
    Ok(())
}
