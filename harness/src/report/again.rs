//! A stored run again: its result, its files, its games in other formats.

use std::path::Path;

use super::console::{Console, Manner};
use super::output::note;
use super::page::{GAMES_MAX, Language, write_page};
use super::records::{RecordFormat, write_records};
use crate::ledger::{FolderLock, LedgerError};
use crate::session::error::ExperimentError;
use crate::session::found::Found;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageStyle {
    pub language: Language,
    /// Games that stand in it, at most.
    pub games_max: u64,
}

impl Default for PageStyle {
    fn default() -> Self {
        PageStyle {
            language: Language::default(),
            games_max: GAMES_MAX,
        }
    }
}

/// What the run in `folder` comes to. Its files are made again, its page too, and its games are written in `formats`.
pub fn report_again(
    folder: &Path,
    formats: &[RecordFormat],
    style: PageStyle,
) -> Result<Outcome, ExperimentError> {
    let run = Run::open(folder)?;
    check_formats(folder, &run, formats)?;
    let lock = lock_or_say(folder, &run)?;
    let manner = if lock.is_some() {
        Manner::FilesAlone
    } else {
        Manner::Nothing
    };
    let mut console = Console::new(manner);
    let outcome = run.outcome(&mut console)?;
    console.on_event(RunEvent::Found {
        folder,
        ledger: Some(&run.ledger),
        found: &*outcome.findings,
    })?;
    if lock.is_some() {
        write_all_records(folder, &run, &*outcome.findings, formats)?;
        write_page(&outcome, &run, style.language, style.games_max)?;
    }
    Ok(outcome)
}

fn check_formats(folder: &Path, run: &Run, formats: &[RecordFormat]) -> Result<(), ExperimentError> {
    if formats.is_empty() {
        return Ok(());
    }
    let game = run.seats()?.game();
    match formats.iter().find(|format| format.game() != game) {
        None => Ok(()),
        Some(wrong) => Err(ExperimentError::Input(format!(
            "--records {} is for {}, but '{}' holds games of {}",
            wrong.name(),
            wrong.game().name(),
            folder.display(),
            game.name()
        ))),
    }
}

/// Keeps others from writing in `folder`; `None`, and a word about it, if it is being played.
fn lock_or_say(folder: &Path, run: &Run) -> Result<Option<FolderLock>, ExperimentError> {
    match run.ledger.lock(folder) {
        Ok(lock) => Ok(Some(lock)),
        Err(LedgerError::InUse(_)) => {
            let folder = folder.display();
            note(&format!(
                "'{folder}' is being played: shown as it is now, no file is written"
            ));
            Ok(None)
        }
        Err(LedgerError::Folder { path, source }) => {
            let path = path.display();
            note(&format!(
                "'{path}' cannot be written ({source}): no file is made again"
            ));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn write_all_records(
    folder: &Path,
    run: &Run,
    found: &dyn Found,
    formats: &[RecordFormat],
) -> Result<(), ExperimentError> {
    let Some(counted) = found.pairs().filter(|_| found.game().is_some()) else {
        return Ok(());
    };
    formats
        .iter()
        .try_for_each(|&format| write_records(folder, run, counted, format))
}
