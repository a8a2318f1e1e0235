//! The folders of stored runs, examined: is all that is stored as it was stored, and does it follow from the rules?
//!
//! In: folders. Out: what is whole, what is damaged or contradicts itself, and whether games played again are the same. Must
//! not: write, or judge what the rules do not decide: resignations, adjudications, faults and losses on time stand as they are
//! recorded.

mod again;
mod games;
mod rules;

use std::fs;
use std::path::{Path, PathBuf};

use super::ExperimentError;
use super::game::with_game;
use super::run::Run;
use crate::interrupt::Interrupt;
use crate::ledger::{ItemDamage, Ledger, RunKind};
pub use again::Replayed;
use games::{Games, check_games};
pub use rules::Breach;

/// What is to be examined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifySpec {
    /// The folder of a run; the ledgers in folders below it are examined too.
    pub folder: PathBuf,
    /// So many pairs of each run of games are played again, spread over all of it.
    pub replay: u64,
}

/// What was found in the folder of a run.
#[derive(Debug, Clone)]
pub struct Verification {
    /// The folder.
    pub folder: PathBuf,
    /// Its ledger, and those below it.
    pub ledgers: Vec<LedgerVerification>,
}

/// What was found in one ledger.
#[derive(Debug, Clone)]
pub struct LedgerVerification {
    /// Its folder.
    pub folder: PathBuf,
    /// What it holds, if it says so.
    pub kind: Option<RunKind>,
    /// Has it checksums?
    pub is_checked: bool,
    /// Pairs or searches that are as they were stored.
    pub whole: u64,
    /// Everything that is wrong.
    pub problems: Vec<Problem>,
    /// What came of playing pairs again, if that was asked for and can be done.
    pub replayed: Option<Replayed>,
    /// What could not be looked at, and why.
    pub notes: Vec<Unchecked>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file, or what it says about its run.
    #[error("the ledger is damaged: {0}")]
    Ledger(String),
    /// A pair or a search is not as it was stored.
    #[error("{0}")]
    Item(ItemDamage),
    /// A pair that was counted is not there.
    #[error("pair {pair} of the {counted} that were counted is missing")]
    Missing {
        /// Its number from 1.
        pair: u64,
        /// How many were counted.
        counted: u64,
    },
    /// A pair contradicts the run.
    #[error("pair {pair}: {what}")]
    Pair {
        /// Its number from 1.
        pair: u64,
        /// How.
        what: Breach,
    },
    /// A game contradicts the rules or itself.
    #[error("game {game} (pair {pair}): {what}")]
    Game {
        /// Its number from 1.
        game: u64,
        /// That of its pair.
        pair: u64,
        /// How.
        what: Breach,
    },
    /// A game that was played again went another way.
    #[error("game {game} (pair {pair}): played again, it is another game from ply {ply} on")]
    Different {
        /// Its number from 1.
        game: u64,
        /// That of its pair.
        pair: u64,
        /// The first ply that differs, from 1.
        ply: usize,
    },
}

/// Something that was not looked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// It is older than checksums.
    #[error(
        "it has no checksums: it was made by a version before 0.2, and changes of numbers and moves cannot all be seen"
    )]
    NoChecksums,
    /// What it says about its run cannot be understood.
    #[error("the rules of its games are not known, so they are not checked: {0}")]
    NoRules(String),
    /// The openings of the run are not at hand.
    #[error("its openings are not compared with their file: {0}")]
    NoOpenings(String),
    /// Another game would come of it.
    #[error("not played again: {0}")]
    Unrepeatable(String),
}

impl Verification {
    /// Is nothing wrong?
    pub fn is_good(&self) -> bool {
        self.ledgers.iter().all(|ledger| ledger.problems.is_empty())
    }
}

/// Examines a folder.
///
/// # Errors
/// There is no ledger, one of another version, or one that may not be read; a signal.
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

/// The folders with a ledger below `folder`, in their order.
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
        is_checked: true,
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
            found.is_checked = condition.is_checked;
            found.whole = condition.whole;
            found.problems.extend(condition.file.map(Problem::Ledger));
            found
                .problems
                .extend(condition.damaged.into_iter().map(Problem::Item));
        }
        Err(error) if error.is_damage() => found.problems.push(Problem::Ledger(error.damage().to_owned())),
        Err(error) => return Err(error.into()),
    }
    if !found.is_checked {
        found.notes.push(Unchecked::NoChecksums);
    }
    match ledger.about() {
        Ok(about) => {
            found.kind = Some(about.kind);
            let run = Run::of_ledger(folder, ledger, about);
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
    let games = match Games::of(run) {
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
