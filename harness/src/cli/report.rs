//! `tanren report`.
//!
//! In: folders of runs. Out: their files, made again from their ledgers, and their results. Must not: play.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use tanren_engine::game::Position;

use super::claim;
use super::error::CliError;
use super::game::with_game;
use super::nodes;
use super::queue;
use super::stored::StoredRun;
use super::tournament;
use super::tune::rebuild as rebuild_tuning;
use crate::config::Identity;
use crate::ledger::{About, FolderLock, JOURNAL_FILE, Ledger, LedgerError, RunKind};
use crate::report::{
    Confirmation, RecordFormat, RecordHeader, Summary, Times, compare, describe, note, print_data, rebuild,
    write_records,
};
use crate::runner::recount;
use crate::standing::Standing;
use crate::stop::StopRule;

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

/// What other commands leave in their folders, and what to look at there.
const OTHER_FOLDERS: [(&str, &str); 3] = [
    (
        claim::FILE,
        "a study made of several matches: give its command again to see its result, or report the folders of its matches",
    ),
    (
        JOURNAL_FILE,
        "a count of nodes, without games: give its command again to see its result",
    ),
    (
        queue::STATE_FILE,
        "a queue: night.csv in it has the results, and the folders of its jobs can be reported",
    ),
];

/// Opens the ledger of a run; of a folder that is something else, says what.
fn open(folder: &Path) -> Result<Ledger, CliError> {
    Ledger::open_existing(folder).map_err(|error| {
        let other = OTHER_FOLDERS.iter().find(|(file, _)| folder.join(file).is_file());
        match (&error, other) {
            (LedgerError::Missing(_), Some((_, what))) => {
                CliError::Input(format!("'{}' is the folder of {what}", folder.display()))
            }
            _ => error.into(),
        }
    })
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
        if let [folder] = &self.folders[..] {
            let ledger = open(folder)?;
            let about = ledger.about()?;
            if about.kind == RunKind::Tune {
                let lock = lock_or_say(folder, &ledger)?;
                let confirmed = |folder: &Path| {
                    let (summary, _) = self.report(folder)?;
                    Ok(Confirmation { summary })
                };
                let text = rebuild_tuning(folder, &ledger, lock.as_ref(), self.json, confirmed)?;
                return print_data(&text).map_err(CliError::system("print the result"));
            }
            if about.kind == RunKind::Nodes {
                let lock = lock_or_say(folder, &ledger)?;
                let text = nodes::rebuild(folder, &ledger, self.json, lock.is_some())?;
                return print_data(&text).map_err(CliError::system("print the result"));
            }
            if about.kind == RunKind::Tournament {
                let run = StoredRun::read(folder, &ledger)?;
                let formats = self.formats(folder, &run)?;
                let lock = lock_or_say(folder, &ledger)?;
                let (text, counted) =
                    tournament::rebuild(folder, &ledger, &about, self.json, lock.is_some())?;
                if lock.is_some() {
                    write_all_records(folder, &ledger, &run, counted, &formats)?;
                }
                return print_data(&text).map_err(CliError::system("print the result"));
            }
        }
        let results = self.folders.iter().map(|folder| self.report(folder));
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

    /// The formats wanted, if they fit the game.
    fn formats(&self, folder: &Path, run: &StoredRun) -> Result<Vec<RecordFormat>, CliError> {
        let formats: Vec<RecordFormat> = self.records.iter().map(|format| format.format()).collect();
        match formats.iter().find(|format| format.game() != run.game) {
            None => Ok(formats),
            Some(wrong) => Err(CliError::Input(format!(
                "--records {} is for {}, but '{}' holds games of {}",
                wrong.name(),
                wrong.game().name(),
                folder.display(),
                run.game.name()
            ))),
        }
    }

    fn report(&self, folder: &Path) -> Result<(Summary, Standing), CliError> {
        let ledger = open(folder)?;
        let about = ledger.about()?;
        let run = StoredRun::read(folder, &ledger)?;
        let formats = self.formats(folder, &run)?;
        let pairs_max = stored_pairs(&about).ok_or_else(|| LedgerError::Damaged {
            path: folder.to_owned(),
            message: "it does not say its number of pairs".to_owned(),
        })?;
        let mut standing = Standing::new(StopRule {
            sprt: run.sprt(),
            pairs_max,
        });
        recount(&ledger, &mut standing)?;
        let Some(_lock) = lock_or_say(folder, &ledger)? else {
            let summary = Summary::new(&standing, &about.labels_of([0, 1]));
            return Ok((summary, standing));
        };
        let summary = with_game!(run.game, rebuild_from(folder, &ledger, &standing))?;
        write_all_records(folder, &ledger, &run, standing.tally().pairs(), &formats)?;
        Ok((summary, standing))
    }
}

/// Keeps others from writing in `folder`; `None`, and a word about it, if it is being played.
fn lock_or_say(folder: &Path, ledger: &Ledger) -> Result<Option<FolderLock>, CliError> {
    match ledger.lock(folder) {
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
    ledger: &Ledger,
    run: &StoredRun,
    counted: u64,
    formats: &[RecordFormat],
) -> Result<(), CliError> {
    let header = RecordHeader {
        event: run.name.as_deref().unwrap_or("tanren"),
        times: if run.is_timed() {
            Times::Shown
        } else {
            Times::Hidden
        },
    };
    for &format in formats {
        write_records(folder, ledger, counted, format, header)?;
    }
    Ok(())
}

fn stored_pairs(about: &About) -> Option<u64> {
    about.identity.get(Identity::PAIRS)?.parse().ok()
}

fn rebuild_from<P: Position>(
    folder: &Path,
    ledger: &Ledger,
    standing: &Standing,
) -> Result<Summary, CliError> {
    Ok(rebuild::<P>(folder, ledger, standing)?)
}
