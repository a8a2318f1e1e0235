//! A stored run again: its result, its files, its games in other formats.

use std::path::Path;

use super::console::{Console, Manner};
use super::output::note;
use super::page::write_page;
use super::records::{RecordFormat, write_records};
use crate::document::file::FileError;
use crate::ledger::{FolderLock, LedgerError};
use crate::session::error::ExperimentError;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

/// What the run in `folder` comes to. Its files are made again, its page too, and its games are written in `formats`.
pub fn report_again(
    folder: &Path,
    formats: &[RecordFormat],
    games_max: u64,
) -> Result<Outcome, ExperimentError> {
    let run = Run::open(folder)?;
    if !formats.is_empty() {
        let game = run.seats()?.conditions.game;
        if let Some(wrong) = formats.iter().find(|format| format.game() != game) {
            let (name, of, game) = (wrong.name(), wrong.game().name(), game.name());
            let folder = folder.display();
            let message = format!("--records {name} is for {of}, but '{folder}' holds games of {game}");
            return Err(ExperimentError::Input(message));
        }
    }
    let lock = lock_or_say(folder)?;
    let manner = if lock.is_some() {
        Manner::FilesAlone
    } else {
        Manner::Nothing
    };
    let mut console = Console::new(manner);
    let outcome = run.outcome(&mut console)?;
    let mut write = || {
        console.on_event(RunEvent::Found {
            folder,
            ledger: Some(&run.ledger),
            found: &*outcome.findings,
        })?;
        if lock.is_some() {
            if let (Some(counted), Some(_)) = (outcome.findings.pairs(), outcome.findings.game()) {
                for &format in formats {
                    write_records(folder, &run, counted, format)?;
                    note(&format!(
                        "games written to {}",
                        folder.join(format.files()).display()
                    ));
                }
            }
            write_page(&outcome, &run, games_max)?;
        }
        Ok(())
    };
    match write() {
        // Who has no room may still look.
        Err(ExperimentError::File(FileError::Write { path, source })) => note(&format!(
            "warning: cannot write '{}': {source}; the result is shown, and this file and those after it are not made again",
            path.display()
        )),
        written => written?,
    }
    Ok(outcome)
}

/// Keeps others from writing in `folder`; `None`, and a word about it, if it is being played.
fn lock_or_say(folder: &Path) -> Result<Option<FolderLock>, ExperimentError> {
    let why = match FolderLock::acquire(folder) {
        Ok(lock) => return Ok(Some(lock)),
        Err(LedgerError::InUse(_)) => {
            let folder = folder.display();
            format!("'{folder}' is being played: shown as it is now, no file is written")
        }
        Err(LedgerError::Folder { path, source }) => {
            let path = path.display();
            format!("'{path}' cannot be written ({source}): no file is made again")
        }
        Err(error) => return Err(error.into()),
    };
    note(&why);
    Ok(None)
}
