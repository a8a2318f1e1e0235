//! Does an engine start, and do its options fit the games here? Asked before the first game.

use std::path::Path;

use super::engine::{Engine, Introduction, Launch, NoAnswer};
use super::fault::Fault;
use super::option::EngineOption;
use super::program::{is_written, program_path, settings};
use crate::config::ProcessSpec;
use crate::record::Reason;

pub(super) const CHESS960: &str = "UCI_Chess960";
/// What is part of the name of an option whose file is read; one for writing may name a file that is not there.
const READ: [&str; 5] = ["eval", "nnue", "net", "weight", "book"];

fn chess960_option(announced: &[EngineOption]) -> Option<&EngineOption> {
    let mut announced = announced.iter();
    announced.find(|option| option.name.eq_ignore_ascii_case(CHESS960))
}

pub fn offers_chess960(announced: &[EngineOption]) -> bool {
    chess960_option(announced).is_some()
}

pub(super) fn missing_folder(spec: &ProcessSpec) -> Option<String> {
    let here = spec.directory.as_ref().filter(|_| spec.host.is_none());
    let folder = here.filter(|folder| !folder.is_dir())?;
    Some(format!("directory={} is no folder", folder.display()))
}

/// Why the options of a program cannot be meant, as far as that can be told without it.
pub fn unfit(spec: &ProcessSpec) -> Option<String> {
    missing_folder(spec).or_else(|| unfit_among(spec, &[]))
}

/// Starts the engine, sets its options, waits until it is ready and ends it.
pub fn probe(launch: &Launch) -> Result<Introduction, NoAnswer> {
    let fits = |announced: &[EngineOption]| match unfit_among(&launch.spec, announced) {
        None => Ok(()),
        Some(why) => Err(Fault::new(Reason::RefusedOption, why)),
    };
    fits(&[])?;
    let engine = Engine::start(launch)?;
    fits(&engine.introduction.options)?;
    Ok(engine.introduction.clone())
}

fn unfit_among(spec: &ProcessSpec, announced: &[EngineOption]) -> Option<String> {
    let is_on = |value: &str| value.trim().eq_ignore_ascii_case("true");
    let told = settings(spec)
        .filter(|(name, _)| name.eq_ignore_ascii_case(CHESS960))
        .last();
    if told.is_some_and(|(_, value)| is_on(value)) {
        return Some(format!(
            "option {CHESS960} is on, but in games of ordinary chess its castling (e8h8 for e8g8) is no legal move; leave \
             the option out, it is set where the openings are of Chess960"
        ));
    }
    let default = chess960_option(announced).and_then(|option| option.default.as_deref());
    if told.is_none() && default.is_some_and(is_on) {
        return Some(format!(
            "it plays Chess960 unless it is told otherwise, but the games here are ordinary chess: add \
             option.{CHESS960}=false"
        ));
    }
    let mut options = spec.options.iter();
    let (name, value) =
        options.find(|(name, value)| is_read(name) && is_path(value) && !is_there(spec, value))?;
    Some(format!(
        "option {name} names the file '{value}', but there is none"
    ))
}

fn is_read(name: &str) -> bool {
    let lower = name.to_lowercase();
    !is_written(name) && READ.iter().any(|word| lower.contains(word))
}

/// A mere name may be part of the engine, or be looked for beside it.
fn is_path(value: &str) -> bool {
    value.contains(['/', '\\']) && !value.contains("://")
}

/// Is there what `value` names as the program would see it, or as it would if it looked beside itself?
fn is_there(spec: &ProcessSpec, value: &str) -> bool {
    if spec.host.is_some() {
        return true;
    }
    let program = program_path(spec).ok();
    let beside = program.as_deref().and_then(Path::parent);
    let folders = [spec.directory.as_deref(), Some(Path::new("")), beside];
    folders
        .into_iter()
        .flatten()
        .any(|folder| folder.join(value).exists())
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::program::loaded_files;
    use super::*;

    pub fn spec(text: &str) -> ProcessSpec {
        ProcessSpec::parse(text).unwrap().unwrap().1
    }

    #[test]
    fn chess960_is_refused_however_it_is_switched_on() {
        let on = EngineOption::parse("name UCI_Chess960 type check default true").unwrap();
        let init = "init=setoption name UCI_Chess960 value true";
        let (is_on, expected) = ("UCI_Chess960 is on", "option.UCI_Chess960=false");
        for (keys, expected) in [
            ("option.UCI_Chess960=true", is_on),
            ("option.uci_chess960=True", is_on),
            (init, is_on),
            (&format!("option.UCI_Chess960=false,{init}"), is_on),
            ("ponder=on", expected),
        ] {
            let why = unfit_among(&spec(&format!("uci:x,{keys}")), std::slice::from_ref(&on));
            assert!(why.is_some_and(|why| why.contains(expected)), "{keys}");
        }
        let off = spec("uci:x,option.UCI_Chess960=false");
        assert_eq!((unfit(&off), unfit_among(&off, &[on])), (None, None));
        assert_eq!(unfit(&spec("uci:x")), None);
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
        assert_eq!(loaded_files(&given), [network]);
        // Beside the program, part of it, or written.
        for option in [
            "EvalFile=./n.nnue",
            "EvalFile=nn-0000.nnue",
            "Debug Log File=/no/such/folder/log.txt",
            "Threads=1",
        ] {
            assert_eq!(unfit(&player(option)), None);
        }
    }
}
