//! Does an engine start, and do its options fit the games here? Asked before the first game.

use std::io;
use std::path::{Path, PathBuf};

use super::engine::{Engine, NoAnswer};
use super::fault::Fault;
use super::option::EngineOption;
use super::program::locate;
use super::referenced_files::is_written;
use super::{examined, program};
use crate::config::{ProcessSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::record::Reason;

pub(super) const CHESS960: &str = "UCI_Chess960";
/// What is part of the name of an option whose file is read; one for writing may name a file that is not there.
const READ: [&str; 5] = ["eval", "nnue", "net", "weight", "book"];

pub fn program_path(spec: &ProcessSpec) -> io::Result<PathBuf> {
    locate(&spec.command)
}

pub fn file_sha256(path: &Path) -> io::Result<String> {
    // A device or a pipe may have no end.
    if path.exists() && !path.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"));
    }
    program::file_sha256(path, None)
}

pub fn loaded_files(spec: &ProcessSpec) -> Vec<PathBuf> {
    let program = program_path(spec);
    program.map_or_else(|_| Vec::new(), |program| examined::loaded_files(spec, &program))
}

pub fn offers_chess960(announced: &[EngineOption]) -> bool {
    announced
        .iter()
        .any(|option| option.name.eq_ignore_ascii_case(CHESS960))
}

pub(super) fn missing_folder(spec: &ProcessSpec) -> Option<String> {
    let folder = spec.directory.as_ref().filter(|folder| !folder.is_dir())?;
    Some(format!("directory={} is no folder", folder.display()))
}

/// Why the options of a program cannot be meant, as far as that can be told without it.
pub fn unfit(spec: &ProcessSpec) -> Option<String> {
    missing_folder(spec).or_else(|| unfit_among(spec, &[]))
}

/// What an engine says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Empty if it did not say.
    pub name: String,
    pub options: Vec<EngineOption>,
}

/// Starts the engine, sets its options, waits until it is ready and ends it.
pub fn probe(
    spec: &ProcessSpec,
    timeouts: Timeouts,
    hash_mib: usize,
    interrupt: &Interrupt,
) -> Result<Probe, NoAnswer> {
    let fits = |announced: &[EngineOption]| match unfit_among(spec, announced) {
        None => Ok(()),
        Some(why) => Err(Fault::new(Reason::RefusedOption, why)),
    };
    fits(&[])?;
    let engine = Engine::start(spec, timeouts, hash_mib, None, interrupt)?;
    fits(&engine.options)?;
    Ok(Probe {
        name: engine.name.clone(),
        options: engine.options.clone(),
    })
}

fn unfit_among(spec: &ProcessSpec, announced: &[EngineOption]) -> Option<String> {
    let is_on = |value: &str| value.trim().eq_ignore_ascii_case("true");
    match told(spec, CHESS960) {
        Some(value) if is_on(&value) => {
            return Some(format!(
                "option {CHESS960} is on, but in games of ordinary chess its castling (e8h8 for e8g8) is no legal move: leave \
                 the option out, it is set where the openings are of Chess960"
            ));
        }
        Some(_) => {}
        None => {
            let option = announced
                .iter()
                .find(|option| option.name.eq_ignore_ascii_case(CHESS960));
            if option
                .and_then(|option| option.default.as_deref())
                .is_some_and(is_on)
            {
                return Some(format!(
                    "it plays Chess960 unless it is told otherwise, but the games here are ordinary chess: add \
                     option.{CHESS960}=false"
                ));
            }
        }
    }
    let options = spec.options.iter();
    let missing = options.filter(|(name, value)| is_read(name) && is_path(value));
    let mut missing = missing.filter(|(_, value)| found(spec, value).is_none());
    missing
        .next()
        .map(|(name, value)| format!("option {name} names the file '{value}', but there is none"))
}

fn told(spec: &ProcessSpec, name: &str) -> Option<String> {
    let by_option = spec
        .options
        .iter()
        .filter(|(own, _)| own.eq_ignore_ascii_case(name));
    let by_option = by_option.map(|(_, value)| value.clone());
    let by_line = spec.initial_commands.iter().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["setoption", "name", own, "value", value] if own.eq_ignore_ascii_case(name) => {
                Some(value.to_owned())
            }
            _ => None,
        }
    });
    by_option.chain(by_line).last()
}

fn is_read(name: &str) -> bool {
    let lower = name.to_lowercase();
    !is_written(name) && READ.iter().any(|word| lower.contains(word))
}

/// A mere name may be part of the engine, or be looked for beside it.
fn is_path(value: &str) -> bool {
    value.contains(['/', '\\']) && !value.contains("://")
}

/// What `value` names as the program would see it, or as it would if it looked beside itself.
fn found(spec: &ProcessSpec, value: &str) -> Option<PathBuf> {
    let beside = program_path(spec).ok();
    let beside = beside.as_deref().and_then(Path::parent);
    let folders = [spec.directory.as_deref(), Some(Path::new("")), beside];
    let paths = folders.into_iter().flatten().map(|folder| folder.join(value));
    (!value.is_empty()).then_some(())?;
    paths.into_iter().find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> ProcessSpec {
        ProcessSpec::parse(text).unwrap().unwrap().1
    }

    #[test]
    fn chess960_is_refused_however_it_is_switched_on() {
        for text in [
            "uci:x,option.UCI_Chess960=true",
            "uci:x,option.uci_chess960=True",
            "uci:x,init=setoption name UCI_Chess960 value true",
            "uci:x,option.UCI_Chess960=false,init=setoption name UCI_Chess960 value true",
        ] {
            assert!(
                unfit(&spec(text)).is_some_and(|why| why.contains("UCI_Chess960")),
                "{text}"
            );
        }
        assert_eq!(unfit(&spec("uci:x,option.UCI_Chess960=false")), None);
        let on = EngineOption::parse("name UCI_Chess960 type check default true").unwrap();
        let announced = std::slice::from_ref(&on);
        let why = unfit_among(&spec("uci:x"), announced);
        assert!(why.is_some_and(|why| why.contains("option.UCI_Chess960=false")));
        assert_eq!(
            unfit_among(&spec("uci:x,option.UCI_Chess960=false"), announced),
            None
        );
    }

    #[test]
    fn a_file_that_an_engine_is_to_read_must_be_there_and_one_that_it_writes_need_not() {
        let folder = tempfile::tempdir().unwrap();
        let (program, network) = (folder.path().join("x"), folder.path().join("n.nnue"));
        std::fs::write(&program, "").unwrap();
        let player = |option: &str| spec(&format!("usi:{},option.{option}", program.display()));
        let given = player(&format!("EvalFile={}", network.display()));
        let why = unfit(&given).unwrap();
        assert!(why.contains("EvalFile") && why.contains("n.nnue"), "{why}");
        assert!(loaded_files(&given).is_empty());
        std::fs::write(&network, "net").unwrap();
        assert_eq!(unfit(&given), None);
        assert_eq!(loaded_files(&given), std::slice::from_ref(&network));
        // Beside the program, or part of it.
        assert_eq!(unfit(&player("EvalFile=./n.nnue")), None);
        assert_eq!(unfit(&player("EvalFile=nn-0000.nnue")), None);
        assert_eq!(unfit(&player("Debug Log File=/no/such/folder/log.txt")), None);
        assert_eq!(unfit(&player("Threads=1")), None);
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_every_other_tool() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(file_sha256(&path).unwrap(), expected);
        for path in [folder.path(), Path::new("/dev/zero"), &folder.path().join("none")] {
            assert!(file_sha256(path).is_err(), "{}", path.display());
        }
    }
}
