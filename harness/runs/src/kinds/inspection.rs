//! What experiments take from outside, before the first game of the first one.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tanren_engine::game::{Game, Position};

use crate::config::{OpeningSource, PlayerSpec, ProcessSpec};
use crate::document::language::said;
use crate::interrupt::Interrupt;
use crate::openings::{self, Book, OpeningError, RandomOpenings};
use crate::platform::may_start_programs;
use crate::player::{file_sha256, loaded_files, program_path, unfit};
use crate::sanitize;
use crate::session::Needs;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::{all_at_once, check, open_tables, unreadable};
use crate::session::game::with_game;
use crate::session::kind::Experiment;
use crate::session::openings::SuiteSpec;
use crate::session::options::RunOptions;

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

#[derive(Debug, Clone, Serialize)]
struct NamedProgram {
    player: String,
    /// Its command with everything that decides what is started, as players are written.
    command: String,
    path: Option<String>,
    sha256: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct NamedFile {
    what: String,
    path: String,
    sha256: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Inspection {
    programs: Vec<NamedProgram>,
    files: Vec<NamedFile>,
    pub mistakes: Vec<(Role, String)>,
    /// How many openings there are for its games.
    pub(crate) openings: Option<usize>,
}

/// What was found in files, of which many experiments may name one.
#[derive(Default)]
struct Known {
    digests: HashMap<PathBuf, Result<String, Arc<io::Error>>>,
    suites: HashMap<(PathBuf, Option<u32>, Game), CheckedSuite>,
}

/// How many positions are in a file as openings of a game with so many plies, or what is wrong with it.
type CheckedSuite = Result<usize, Vec<String>>;

impl Known {
    fn digest(&mut self, path: &Path) -> Result<String, Arc<io::Error>> {
        let digest = self.digests.entry(path.to_owned());
        digest
            .or_insert_with(|| file_sha256(path).map_err(Arc::new))
            .clone()
    }

    fn positions<P: Position>(&mut self, path: &Path, plies: Option<u32>) -> Result<usize, Vec<String>> {
        let suite = self.suites.entry((path.to_owned(), plies, P::GAME));
        suite.or_insert_with(|| positions_in::<P>(path, plies)).clone()
    }
}

fn positions_in<P: Position>(path: &Path, plies: Option<u32>) -> Result<usize, Vec<String>> {
    let told = |error: OpeningError| vec![error.to_string()];
    let book = Book::read(path, plies).map_err(told)?;
    match book.suite::<P>() {
        Err(OpeningError::BadLine { .. }) => {}
        suite => return suite.map(|suite| suite.openings.len()).map_err(told),
    }
    let wrong = book.wrong::<P>();
    let mut told: Vec<String> = wrong
        .iter()
        .take(WRONG_LINES_MAX)
        .map(ToString::to_string)
        .collect();
    if wrong.len() > WRONG_LINES_MAX {
        let more = wrong.len() - WRONG_LINES_MAX;
        told.push(format!("{}: {more} more lines are wrong", book.origin()));
    }
    Err(told)
}

/// Two players of the same text have the same answer.
type Asked<'a> = BTreeMap<String, (&'a Needs<'a>, &'a PlayerSpec, &'a ProcessSpec)>;

/// Looks at everything that `experiments` name, one inspection for each. Only with `starts_programs` is a program started,
/// once however many experiments it is in, and asked whether it takes its options.
pub fn inspect(experiments: &[(&Experiment, &RunOptions)], starts_programs: bool) -> Result<Vec<Inspection>> {
    let needs = experiments.iter().map(|(experiment, _)| experiment.needs());
    let needs: Vec<Needs<'_>> = needs.collect();
    let answers = if starts_programs && may_start_programs() {
        let named = needs
            .iter()
            .flat_map(|needs| needs.named().map(move |(_, player)| (needs, player)));
        let programs = named.filter_map(|(needs, player)| {
            let process = player
                .process()
                .filter(|process| process.engine_name().is_none())?;
            Some((question(needs, process), (needs, player, process)))
        });
        ask(programs.collect())?
    } else {
        BTreeMap::new()
    };
    let mut known = Known::default();
    let named = experiments.iter().zip(&needs);
    let inspections = named.map(|((experiment, options), needs)| {
        let mut inspection = Inspection::default();
        let engines = options.engines()?;
        for (number, (_, player)) in needs.named().enumerate() {
            if let Some(process) = player.process() {
                let answer = answers.get(&question(needs, process));
                inspection.add_program(number, &player.label, process, answer, &mut known);
                // A page is not told which engines this machine has.
                let unknown = engines.resolve(process).err().filter(|_| may_start_programs());
                unknown
                    .into_iter()
                    .for_each(|unknown| inspection.refuse(Role::Player(number), unknown));
            }
        }
        inspection.add_files(experiment, needs, &mut known);
        Ok(inspection)
    });
    inspections.collect()
}

fn question(needs: &Needs<'_>, process: &ProcessSpec) -> String {
    format!("{:?} {} {}", needs.timeouts, needs.hash_mib, process.text())
}

fn ask(asked: Asked<'_>) -> Result<BTreeMap<String, Option<String>>> {
    if asked.is_empty() {
        return Ok(BTreeMap::new());
    }
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let (questions, asked): (Vec<_>, Vec<_>) = asked.into_iter().unzip();
    let answers = all_at_once(&asked, |(needs, player, process)| {
        check(needs.timeouts, needs.hash_mib, &player.label, process, &interrupt)
    });
    let answers = questions
        .into_iter()
        .zip(answers)
        .map(|(question, answer)| match answer {
            Ok(()) => Ok((question, None)),
            Err(error) if error.is_input() => Ok((question, Some(error.to_string()))),
            Err(error) => Err(error),
        });
    answers.collect()
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Inspection {
    fn add_program(
        &mut self,
        number: usize,
        label: &str,
        process: &ProcessSpec,
        answer: Option<&Option<String>>,
        known: &mut Known,
    ) {
        if !may_start_programs() {
            let message = "a file from a page starts a program of this machine only where the server has --control-programs";
            return self.refuse(Role::Player(number), format!("player '{label}': {message}"));
        }
        let path = program_path(process);
        // The file that a name stands for is known where it is played.
        let is_name = process.engine_name().is_some();
        let is_here = process.host.is_none() && !is_name;
        let digest = path
            .as_ref()
            .ok()
            .filter(|_| is_here)
            .map(|path| known.digest(path));
        let unread = match (&path, &digest) {
            _ if !is_here => None,
            (Err(error), _) => Some(unreadable(label, process, error).to_string()),
            (_, Some(Err(error))) => Some(unreadable(label, process, error).to_string()),
            _ => None,
        };
        let unasked = || unread.or_else(|| unfit(process).map(|why| format!("player '{label}': {why}")));
        let wrong = match answer {
            Some(answer) => answer.clone(),
            None if is_name => None,
            None => unasked(),
        };
        self.mistakes
            .extend(wrong.map(|message| (Role::Player(number), message)));
        self.programs.push(NamedProgram {
            player: label.to_owned(),
            command: process.text(),
            path: path.ok().as_deref().map(text_of),
            sha256: digest.and_then(Result::ok),
        });
        for path in process.argument_files() {
            self.add_file(&format!("argument of '{label}'"), &path, known);
        }
        for path in loaded_files(process) {
            self.add_file(&format!("loaded by '{label}'"), &path, known);
        }
    }

    fn add_file(&mut self, what: &str, path: &Path, known: &mut Known) {
        self.files.push(NamedFile {
            what: what.to_owned(),
            path: text_of(path),
            sha256: known.digest(path).ok(),
        });
    }

    fn refuse(&mut self, role: Role, error: impl ToString) {
        self.mistakes.push((role, error.to_string()));
    }

    fn add_files(&mut self, experiment: &Experiment, needs: &Needs<'_>, known: &mut Known) {
        with_game!(needs.game, suites_of(self, experiment, needs, known));
    }

    /// Lines for a terminal.
    pub fn text(&self) -> String {
        let unread = || said("cannot be read").into_owned();
        let digest = |sha256: &Option<String>| sha256.clone().unwrap_or_else(unread);
        let [program_word, file_word] = ["program", "file"].map(said);
        let [command_word, path_word] = ["command ", "path    "].map(said);
        let programs = self.programs.iter().map(|program| {
            let path = program.path.as_deref().map_or(said("not found"), sanitize::line);
            format!(
                "  {program_word} {}\n    {command_word} {}\n    {path_word} {path}\n    SHA-256  {}\n",
                sanitize::line(&program.player),
                sanitize::line(&program.command),
                digest(&program.sha256)
            )
        });
        let files = self.files.iter().map(|file| {
            format!(
                "  {file_word} {}\n    {path_word} {}\n    SHA-256  {}\n",
                sanitize::line(&said(&file.what)),
                sanitize::line(&file.path),
                digest(&file.sha256)
            )
        });
        let text: String = programs.chain(files).collect();
        if text.is_empty() {
            return format!("  {}\n", said("no program and no file"));
        }
        text
    }

    pub fn json(&self) -> Value {
        json!({ "programs": self.programs, "files": self.files })
    }
}

fn suites_of<P: Position>(
    inspection: &mut Inspection,
    experiment: &Experiment,
    needs: &Needs<'_>,
    known: &mut Known,
) {
    let mut suite_at = |inspection: &mut Inspection, role, path: &Path, plies| {
        let what = match role {
            Role::Openings => "openings",
            Role::Positions => "positions",
            _ => "suite",
        };
        inspection.add_file(what, path, known);
        let found = known.positions::<P>(path, plies);
        let wrong = found.as_ref().err().into_iter().flatten();
        wrong.for_each(|message| inspection.refuse(role, message));
        found.ok()
    };
    if let Some(conditions) = needs.conditions {
        if let Err(error) = open_tables(conditions) {
            inspection.refuse(Role::Tables, error);
        }
        inspection.openings = match &conditions.openings {
            OpeningSource::BuiltIn => Some(openings::built_in::<P>().openings.len()),
            OpeningSource::File(path) => suite_at(inspection, Role::Openings, path, conditions.book_plies),
            OpeningSource::Random(_) => Some(RandomOpenings::count(conditions.pairs) as usize),
        };
        let openings = inspection.openings;
        if let Some(Err(error)) = openings.map(|openings| experiment.check_openings(openings)) {
            inspection.refuse(Role::Pairs, error);
        }
    }
    if let Some(OpeningSource::File(path)) = needs.positions {
        suite_at(inspection, Role::Positions, path, None);
    }
    if let Some(SuiteSpec {
        source: OpeningSource::File(path),
        plies,
        ..
    }) = needs.suite
    {
        suite_at(inspection, Role::Suite, path, *plies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_cannot_act_on_the_terminal_that_shows_it() {
        let inspection = Inspection {
            programs: vec![NamedProgram {
                player: "x\u{1b}[2J".to_owned(),
                command: "usi:sh -c \"rm\r\" a\u{202e}cod.exe".to_owned(),
                path: None,
                sha256: None,
            }],
            ..Inspection::default()
        };
        let text = inspection.text();
        assert!(!text.contains(['\u{1b}', '\r', '\u{202e}']), "{text:?}");
        assert!(
            text.contains(r"x\u001b[2J") && text.contains(r"a\u202ecod.exe") && text.contains("not found"),
            "{text}"
        );
    }
}
