//! The folders of stored runs, examined: is all that is stored as it was stored, and does it follow from the rules?

mod again;
mod findings;
mod games;

use std::fs;
use std::path::{Path, PathBuf};

use findings::Unchecked;
use games::{check_games, check_searches};

use crate::interrupt::Interrupt;
use crate::ledger::Ledger;
use crate::session::error::ExperimentError;
use crate::session::game::with_game;
use crate::session::stored::Run;

pub use findings::{LedgerVerification, Problem, Verification};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifySpec {
    /// The folder of a run; the ledgers in folders below it are examined too.
    pub folder: PathBuf,
    /// So many pairs of each run of games are played again, spread over all of it.
    pub replay: u64,
}

pub fn verify(spec: &VerifySpec) -> Result<Verification, ExperimentError> {
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let mut folders = vec![spec.folder.clone()];
    below(&spec.folder, &mut folders);
    let mut ledgers = Vec::new();
    for folder in folders {
        if let Some(signal) = process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        ledgers.push(verify_ledger(&folder, spec.replay, &process)?);
    }
    Ok(Verification {
        folder: spec.folder.clone(),
        ledgers,
    })
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut folders: Vec<PathBuf> = entries.filter(is_folder).map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        if Ledger::exists(&folder) {
            found.push(folder.clone());
        }
        below(&folder, found);
    }
}

fn verify_ledger(
    folder: &Path,
    replay: u64,
    process: &Interrupt,
) -> Result<LedgerVerification, ExperimentError> {
    let mut found = LedgerVerification {
        folder: folder.to_owned(),
        kind: None,
        whole: 0,
        problems: Vec::new(),
        replayed: None,
        notes: Vec::new(),
    };
    let (ledger, damage) = match Ledger::open_to_examine(folder) {
        Ok(opened) => opened,
        Err(error) if error.is_damage() => {
            found.problems.push(Problem::Ledger(error.damage().to_owned()));
            return Ok(found);
        }
        Err(error) => return Err(error.into()),
    };
    found.problems.extend(damage.map(Problem::Ledger));
    match ledger.examine() {
        Ok(condition) => {
            found.whole = condition.whole;
            found.problems.extend(condition.file.map(Problem::Ledger));
            found
                .problems
                .extend(condition.damaged.into_iter().map(Problem::Item));
        }
        Err(error) if error.is_damage() => found.problems.push(Problem::Ledger(error.damage().to_owned())),
        Err(error) => return Err(error.into()),
    }
    match ledger.manifest() {
        Ok(manifest) => {
            found.kind = Some(manifest.kind);
            let run = Run::of_ledger(folder, ledger, manifest);
            check_searches(&run, &mut found)?;
            verify_games(&run, replay, process, &mut found)?;
        }
        Err(error) if found.problems.is_empty() => return Err(error.into()),
        Err(_) => {}
    }
    found.problems.dedup();
    Ok(found)
}

fn verify_games(
    run: &Run,
    replay: u64,
    process: &Interrupt,
    found: &mut LedgerVerification,
) -> Result<(), ExperimentError> {
    let games = match run.games() {
        Ok(Some(games)) => games,
        Ok(None) => return Ok(()),
        Err(error) => {
            found.notes.push(Unchecked::NoRules(error.to_string()));
            return Ok(());
        }
    };
    let pairs = with_game!(games.game(), check_games(run, &games, found))?;
    if replay > 0 {
        again::replay(run, &pairs, replay, process, found)?;
    }
    Ok(())
}
