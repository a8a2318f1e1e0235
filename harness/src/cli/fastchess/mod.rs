//! `tanren fastchess`: scripts of fastchess and cutechess-cli as commands of ours. Nothing that would change a result is left out in silence.

mod conf;
mod engine;
mod finish;
mod plan;
mod translation;

use std::ffi::OsString;
use std::fs;

use clap::Args;

use self::translation::{RefusedOption, Translation};
use super::Command;
use super::shared::{CliError, OutputArgs, Printing, print};
use crate::config::LIMITS;
use crate::report::{FastchessLines, command_line, note};
use crate::session::error::ExperimentError;

/// Their options, and `KEY=` of their engines: names, what these become, and the two columns of the manual's table.
const OPTIONS: &str = include_str!("options.tsv");

enum Becomes {
    /// A key of ours with the same value.
    Key(&'static str),
    Switch(&'static str),
    /// A limit of an engine.
    Limit(&'static str),
    /// It only shows or keeps something, or is so here anyway.
    Nothing,
    /// It would change results; what to do instead.
    Refused(&'static str),
    /// Something that has rules of its own; the keys of ours that it sets stand there for [`theirs`].
    Own,
}

fn options() -> impl Iterator<Item = &'static str> {
    OPTIONS
        .lines()
        .filter_map(|line| line.split('\t').next())
        .flat_map(|names| names.split(' '))
}

fn becomes(name: &str) -> Option<Becomes> {
    let mut rows = OPTIONS.lines().map(|line| line.split('\t'));
    let row = rows.find_map(|mut row| {
        let mut names = row.next()?.split(' ');
        names.any(|own| own == name).then_some(row)
    });
    let what = row?.next()?;
    let (what, argument) = what.split_once(' ').unwrap_or((what, ""));
    Some(match what {
        "key" => Becomes::Key(argument),
        "switch" => Becomes::Switch(argument),
        "limit" => Becomes::Limit(argument),
        "nothing" => Becomes::Nothing,
        "refused" => Becomes::Refused(argument),
        _ => Becomes::Own,
    })
}

/// What `key` of ours is called there.
fn theirs(key: &str) -> Option<String> {
    OPTIONS.lines().find_map(|line| {
        let mut cells = line.split('\t');
        let name = cells.next()?.split(' ').next()?.trim_end_matches('=');
        let (_, keys) = cells.next()?.split_once(' ')?;
        keys.split(' ').find_map(|own| {
            let (own, inside) = own.split_once(':').unwrap_or((own, ""));
            (own == key).then(|| match inside {
                "" => name.to_owned(),
                option if option.starts_with('-') => option.to_owned(),
                inside => format!("{name} {}", inside.replace('_', " ")),
            })
        })
    })
}

/// `text` with the names of their options in place of ours, but for those that the user gave.
fn in_their_words(text: &str, given: &[String]) -> String {
    let (mut said, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c));
        let length = length.unwrap_or(rest.len());
        if length == 0 {
            said.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, mut after) = rest.split_at(length);
        let is_at_start = said.is_empty() || said.ends_with('\n');
        let key = word.strip_prefix("--").unwrap_or(word).replace('-', "_");
        let is_ours = word.starts_with("--") || word.contains('_') || is_at_start;
        let is_given = given
            .iter()
            .filter_map(|given| given.strip_prefix("--")?.split('=').next())
            .any(|given| given.replace('-', "_") == key);
        match theirs(&key).filter(|_| is_ours && !is_given) {
            Some(name) => {
                said += &name;
                if let Some((_, behind)) = after.strip_prefix(" <").and_then(|value| value.split_once('>')) {
                    after = behind;
                }
            }
            None => said += word,
        }
        rest = after;
    }
    said
}

/// The limits and the adjudication that these options ask for, as keys of a match.
pub(super) fn keys_of(script: &[String]) -> Result<Vec<(&'static str, String)>, String> {
    let engines = ["-engine", "cmd=a", "name=a", "-engine", "cmd=b", "name=b"].map(str::to_owned);
    let mut keys = plan::translate(&[&engines, script].concat(), &[], false)?.keys;
    keys.retain(|(key, _)| LIMITS.contains(key) || ["resign", "draw"].contains(key));
    Ok(keys)
}

const TRANSLATE_ONLY: &str = "--translate-only";
const VERSION: [&str; 4] = ["-version", "--version", "-v", "--v"];
/// The version of fastchess whose options and lines these are.
const LIKE: &str = "1.8.2";

/// Run a script that was written for fastchess or cutechess-cli.
///
/// Its options are translated into a command of tanren, which is printed and run. Options that mean nothing here are named; those
/// that would change results and have no counterpart are refused. Options of tanren itself, such as --out DIR or --json, may stand
/// among the others.
#[derive(Debug, Args)]
pub(super) struct FastchessArgs {
    /// Print the command, check its programs and files, and run nothing.
    #[arg(long)]
    translate_only: bool,
    /// Read the options, and print, as cutechess-cli does.
    #[arg(long, hide = true)]
    as_cutechess: bool,
    /// Options of fastchess or cutechess-cli: -engine, -each, -rounds, …
    #[arg(
        value_name = "OPTION",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true
    )]
    words: Vec<String>,
}

/// `tanren cutechess` understands and answers like cutechess-cli.
pub(super) fn as_cutechess(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word == "cutechess") {
        words.insert(2, "--as-cutechess".into());
    }
    words
}

impl FastchessArgs {
    /// Translates the script and runs it, or prints the command that plays the same and checks it alone.
    pub(super) fn run(&self) -> Result<(), CliError> {
        // Among the options of the script nobody else takes it.
        let is_script = |word: &&String| word.as_str() != TRANSLATE_ONLY;
        let words: Vec<String> = self.words.iter().filter(is_script).cloned().collect();
        let translate_only = self.translate_only || words.len() < self.words.len();
        if words.iter().any(|word| VERSION.contains(&word.as_str())) {
            return print(&format!(
                "fastchess-compatible {LIKE} (tanren {})",
                env!("CARGO_PKG_VERSION")
            ));
        }
        if words.iter().any(|word| word == "-help") {
            return Err(CliError::input(
                "-help: tanren fastchess --help shows how it is used",
            ));
        }
        let mut refused: Vec<RefusedOption> = Vec::new();
        loop {
            let mut translated =
                plan::translate(&words, &refused, self.as_cutechess).map_err(ExperimentError::Input)?;
            let tell = |text: &str, is_silent: bool| {
                if !is_silent {
                    note(text);
                }
            };
            for text in translated.notes.iter().filter(|_| refused.is_empty()) {
                tell(text, translated.style.is_silent);
            }
            let ended = attempt(&mut translated, translate_only);
            let Err(CliError::Experiment(ExperimentError::Engine { label, message })) = &ended else {
                return ended.map_err(|error| named(error, &words));
            };
            if translate_only {
                return ended;
            }
            // Theirs plays on without it.
            let Some(option) = translated.refused_option(label, message) else {
                tell(&line(&translated), translated.style.is_silent);
                FastchessLines::failed(label, message);
                return ended;
            };
            FastchessLines::left_out(label, &option.name, option.value.as_deref());
            refused.push(option);
        }
    }
}

/// Checks the command, and runs it unless it is only translated.
fn attempt(translated: &mut Translation, translate_only: bool) -> Result<(), CliError> {
    let command = Command::filled(translated.command, &translated.keys, &translated.own)?;
    command.check()?;
    if translate_only {
        print(&line(translated))?;
        return command.check_files();
    }
    let made = translated.begin_anew()?;
    let command = Command::filled(translated.command, &translated.keys, &translated.own)?;
    let ended = run_told(&command, translated);
    let is_silent = translated.style.is_silent;
    let is_json = output(&command).is_some_and(|output| output.printing().is_json);
    match (&ended, made) {
        // A folder without a run is none; another is not removed by this.
        (Err(CliError::Experiment(error)), Some(made)) => {
            let _ = fs::remove_dir(&made);
            let _ = made.parent().map(fs::remove_dir);
            // Theirs may leave an option out and play on.
            let is_engine = matches!(error, ExperimentError::Engine { .. });
            if error.is_input() && !is_engine && !is_silent {
                note(&line(translated));
            }
        }
        (Ok(()), Some(made)) if fs::remove_dir_all(&made).is_ok() => {
            // Only if nothing else is in it.
            let _ = made.parent().map(fs::remove_dir);
            if !is_silent {
                let made = made.display();
                note(&format!(
                    "{made} is removed, since nothing is left to play; --out DIR keeps a run with its report"
                ));
            }
        }
        _ => {}
    }
    // Who reads the lines sees the faults in them and judges.
    match ended {
        Err(invalid @ CliError::Invalid { .. }) if !is_json => {
            if !is_silent {
                note(&invalid.to_string());
            }
            Ok(())
        }
        ended => ended,
    }
}

/// An error of input with the names of the options that the script has.
fn named(error: CliError, words: &[String]) -> CliError {
    let CliError::Experiment(inner) = &error else {
        return error;
    };
    let text = inner.to_string();
    let said = in_their_words(&text, words);
    match inner.is_input() && said != text {
        true => CliError::input(said),
        false => error,
    }
}

/// The command as somebody would type it.
fn line(translated: &Translation) -> String {
    format!("tanren {}", command_line(&translated.words()))
}

fn output(command: &Command) -> Option<&OutputArgs> {
    match command {
        Command::Match(args) => Some(&args.output),
        Command::Tournament(args) => Some(&args.output),
        _ => None,
    }
}

/// Runs `command` with the lines of fastchess on stdout, unless that is for JSON.
fn run_told(command: &Command, translated: &Translation) -> Result<(), CliError> {
    let Some(output) = output(command) else {
        return command.run();
    };
    let own = output.printing();
    let lines = (!own.is_json).then(|| FastchessLines::new(translated.style.clone()));
    let printing = Printing {
        is_on_stderr: !own.is_json,
        is_quiet: own.is_quiet || translated.style.is_silent,
        command: (!translated.style.is_silent).then(|| line(translated)),
        ..own
    };
    let ended = match command {
        Command::Match(args) => args.run_told(&printing, lines.clone()),
        Command::Tournament(args) => args.run_told(&printing, lines.clone()),
        _ => Ok(()),
    };
    match (&ended, lines) {
        (Err(CliError::Fault { .. }), Some(lines)) => lines.stopped(),
        (Err(CliError::Experiment(_)), _) | (_, None) => {}
        (_, Some(lines)) => lines.finish(),
    }
    ended
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names alone are options; a key of one is tried with a value, which may be a wrong one.
    #[test]
    fn every_option_of_fastchess_is_followed_ignored_or_refused_with_a_reason() {
        let known = include_str!("options-1.8.2.txt")
            .lines()
            .filter(|line| !line.starts_with('#'));
        for line in known {
            let (option, key) = line.split_once(' ').unwrap_or((line, ""));
            assert!(becomes(option).is_some(), "{option} is not in options.tsv");
            if key.is_empty() {
                continue;
            }
            let words = [
                "-engine",
                "cmd=/a",
                "-engine",
                "cmd=/b",
                "-each",
                "nodes=5",
                option,
                &format!("{key}1"),
            ];
            let words = words.map(str::to_owned);
            let refused = plan::translate(&words, &[], false).err().unwrap_or_default();
            for unknown in ["not known", "no counterpart", "no key of"] {
                assert!(!refused.contains(unknown), "{line}: {refused}");
            }
        }
    }
}
