//! What experiments take from outside, before the first game of the first one.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use tanren_engine::game::Position;

use crate::config::{Conditions, OpeningSource, ProcessSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::openings::{self, Book};
use crate::player::{file_sha256, loaded_files, program_path, unfit};
use crate::session::Needs;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::{check, open_tables, unreadable};
use crate::session::game::with_game;
use crate::session::kind::Experiment;

/// Wrong lines of a suite that are told; the check of a suite tells all.
const WRONG_LINES_MAX: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Player(usize),
    Tables,
    Openings,
    Positions,
    Suite,
    Pairs,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedProgram {
    pub label: String,
    /// Its command with everything that decides what is started, as players are written.
    pub command: String,
    pub path: Option<PathBuf>,
    pub sha256: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    pub what: String,
    pub path: PathBuf,
    pub sha256: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspection {
    pub programs: Vec<NamedProgram>,
    pub files: Vec<NamedFile>,
    pub mistakes: Vec<(Role, String)>,
}

/// Looks at everything that `experiments` name, one inspection for each. Only with `starts_programs` is a program started,
/// once however many experiments it is in, and asked whether it takes its options.
pub fn inspect(experiments: &[&Experiment], starts_programs: bool) -> Result<Vec<Inspection>> {
    let players: Vec<Vec<Player>> = experiments.iter().map(|experiment| players(experiment)).collect();
    let answers = if starts_programs {
        ask(players.iter().flatten())?
    } else {
        BTreeMap::new()
    };
    let inspections = experiments.iter().zip(&players).map(|(experiment, players)| {
        let mut inspection = Inspection::default();
        for player in players {
            inspection.add_program(player, answers.get(&player.question()));
        }
        inspection.add_files(experiment);
        inspection
    });
    Ok(inspections.collect())
}

struct Player {
    number: usize,
    label: String,
    process: ProcessSpec,
    timeouts: Timeouts,
    hash_mib: usize,
}

impl Player {
    /// Two players of the same question have the same answer.
    fn question(&self) -> String {
        format!("{:?} {} {}", self.timeouts, self.hash_mib, self.process.text())
    }
}

fn players(experiment: &Experiment) -> Vec<Player> {
    let needs = experiment.needs();
    let (timeouts, hash_mib) = needs.timeouts();
    let numbered = needs.players().into_iter().enumerate();
    let programs = numbered.filter_map(|(number, player)| {
        Some(Player {
            number,
            label: player.label.clone(),
            process: player.process()?.clone(),
            timeouts,
            hash_mib,
        })
    });
    programs.collect()
}

fn ask<'a>(players: impl Iterator<Item = &'a Player>) -> Result<BTreeMap<String, Option<String>>> {
    let asked: BTreeMap<String, &Player> = players.map(|player| (player.question(), player)).collect();
    if asked.is_empty() {
        return Ok(BTreeMap::new());
    }
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    // How many start at a time is bounded where they are started.
    let answers: Vec<(String, Result<()>)> = thread::scope(|scope| {
        let threads = asked.into_iter().map(|(question, player)| {
            let interrupt = &interrupt;
            let (timeouts, hash_mib) = (player.timeouts, player.hash_mib);
            let examined =
                scope.spawn(move || check(timeouts, hash_mib, &player.label, &player.process, interrupt));
            (question, examined)
        });
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter().map(|(question, thread)| {
            let answer = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            (question, answer)
        });
        joined.collect()
    });
    let answers = answers.into_iter().map(|(question, answer)| match answer {
        Ok(()) => Ok((question, None)),
        Err(error) if error.is_input() => Ok((question, Some(error.to_string()))),
        Err(error) => Err(error),
    });
    answers.collect()
}

impl Inspection {
    fn add_program(&mut self, player: &Player, answer: Option<&Option<String>>) {
        let Player {
            number,
            label,
            process,
            ..
        } = player;
        let path = program_path(process);
        let digest = path.as_ref().ok().map(|path| file_sha256(path));
        let unread = match (&path, &digest) {
            (Err(error), _) | (_, Some(Err(error))) => Some(unreadable(label, process, error).to_string()),
            _ => None,
        };
        let unasked = || unread.or_else(|| unfit(process).map(|why| format!("player '{label}': {why}")));
        let wrong = match answer {
            Some(answer) => answer.clone(),
            None => unasked(),
        };
        self.mistakes
            .extend(wrong.map(|message| (Role::Player(*number), message)));
        self.programs.push(NamedProgram {
            label: label.clone(),
            command: process.text(),
            path: path.ok(),
            sha256: digest.and_then(Result::ok),
        });
        for path in process.files().skip(1) {
            self.add_file(&format!("argument of '{label}'"), path);
        }
        for path in loaded_files(process) {
            self.add_file(&format!("loaded by '{label}'"), &path);
        }
    }

    fn add_file(&mut self, what: &str, path: &Path) {
        self.files.push(NamedFile {
            what: what.to_owned(),
            path: path.to_owned(),
            sha256: file_sha256(path).ok(),
        });
    }

    fn refuse(&mut self, role: Role, error: impl ToString) {
        self.mistakes.push((role, error.to_string()));
    }

    fn add_files(&mut self, experiment: &Experiment) {
        match experiment.needs() {
            Needs::Games {
                conditions,
                positions,
                ..
            } => {
                if let Some(openings) = self.openings(conditions)
                    && let Err(error) = experiment.check_openings(openings)
                {
                    self.refuse(Role::Pairs, error);
                }
                with_game!(conditions.game, positions_of(self, positions));
            }
            Needs::Searches { game, positions, .. } => with_game!(game, positions_of(self, positions)),
            Needs::Suite(spec) => {
                if let Some(path) = &spec.file {
                    with_game!(spec.game, suite_at(self, Role::Suite, path, spec.plies));
                }
            }
        }
    }

    fn openings(&mut self, conditions: &Conditions) -> Option<usize> {
        if let Err(error) = open_tables(conditions) {
            self.refuse(Role::Tables, error);
        }
        with_game!(conditions.game, openings_of(self, conditions))
    }
}

fn openings_of<P: Position>(inspection: &mut Inspection, conditions: &Conditions) -> Option<usize> {
    match &conditions.openings {
        OpeningSource::BuiltIn => Some(openings::built_in::<P>().openings.len()),
        OpeningSource::File(path) => suite_at::<P>(inspection, Role::Openings, path, conditions.book_plies),
    }
}

fn positions_of<P: Position>(inspection: &mut Inspection, file: Option<&Path>) {
    if let Some(path) = file {
        suite_at::<P>(inspection, Role::Positions, path, None);
    }
}

fn suite_at<P: Position>(
    inspection: &mut Inspection,
    role: Role,
    path: &Path,
    plies: Option<u32>,
) -> Option<usize> {
    let what = match role {
        Role::Openings => "openings",
        Role::Positions => "positions",
        _ => "suite",
    };
    inspection.add_file(what, path);
    // A device or a pipe may have no end.
    if path.exists() && !path.is_file() {
        inspection.refuse(role, format!("'{}' is no file", path.display()));
        return None;
    }
    let book = match Book::read(path, plies) {
        Ok(book) => book,
        Err(error) => {
            inspection.refuse(role, error);
            return None;
        }
    };
    let origin = book.origin();
    let wrong = book.wrong::<P>();
    if wrong.is_empty() {
        return match book.suite::<P>() {
            Ok(suite) => Some(suite.openings.len()),
            Err(error) => {
                inspection.refuse(role, error);
                None
            }
        };
    }
    let told = wrong.iter().take(WRONG_LINES_MAX);
    told.for_each(|error| inspection.refuse(role, error));
    if wrong.len() > WRONG_LINES_MAX {
        let more = wrong.len() - WRONG_LINES_MAX;
        inspection.refuse(role, format!("{origin}: {more} more lines are wrong"));
    }
    None
}
