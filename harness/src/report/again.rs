//! A stored run again: its result, its files, its games in other formats.

use std::path::Path;

use super::console::{Console, Manner};
use super::output::note;
use super::page::{GAMES_MAX, Language, write_page};
use super::records::{RecordFormat, RecordHeader, Times, time_control, write_records};
use crate::experiment::{Audience, ExperimentError, Findings, News, Outcome, Run};
use crate::ledger::{FolderLock, LedgerError};

/// How the page of a run is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageStyle {
    /// The language that it begins in.
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
    console.hear(News::Found {
        folder,
        ledger: Some(run.ledger()),
        found: outcome.findings.found(),
    })?;
    if lock.is_some() {
        write_all_records(folder, &run, &outcome.findings, formats)?;
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
        Err(LedgerError::Folder { path, source }) => {
            let text = format!(
                "'{}' cannot be written ({source}): no file is made again",
                path.display()
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
) -> Result<(), ExperimentError> {
    if formats.is_empty() {
        return Ok(());
    }
    let seats = run.seats()?;
    let counted = match findings {
        Findings::Match(found) => found.standing.tally().pairs(),
        Findings::Tournament(found) => found.counted,
        _ => return Ok(()),
    };
    let players = 0..u16::try_from(seats.players()).unwrap_or(u16::MAX);
    let limits = players.filter_map(|player| seats.limit(player));
    let time_controls: Vec<String> = limits.map(time_control).collect();
    let header = RecordHeader {
        event: seats.conditions.name.as_deref().unwrap_or("tanren"),
        times: if seats.is_timed() {
            Times::Shown
        } else {
            Times::Hidden
        },
        time_controls: &time_controls,
    };
    for &format in formats {
        write_records(folder, run.ledger(), counted, format, header)?;
    }
    Ok(())
}
