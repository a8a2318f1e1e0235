//! From an outcome to what the user sees of it, and the exit code.

use std::env;
use std::ffi::OsStr;
use std::path::{MAIN_SEPARATOR, Path};
use std::thread;
use std::time::Duration;

use super::error::CliError;
use super::notify::{NotifyArgs, without_secrets};
use crate::document::Document;
use crate::interrupt::Interrupt;
use crate::report::{
    Console, Manner, command_line, describe_with_files, json, note, plural, print_data, unit_name,
    write_last_page,
};
use crate::session::error::ExperimentError;
use crate::session::kind::Experiment;
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, RunEnding};

/// How a result is printed, and who is told of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::cli) struct Printing {
    pub(in crate::cli) is_quiet: bool,
    pub(in crate::cli) is_json: bool,
    pub(in crate::cli) is_verbose: bool,
    /// Is stdout for the lines of fastchess?
    pub(in crate::cli) is_on_stderr: bool,
    /// A command to tell once its engines have started.
    pub(in crate::cli) command: Option<String>,
    pub(in crate::cli) notify: NotifyArgs,
}

impl Printing {
    pub(in crate::cli) fn run(&self, experiment: &Experiment, options: &RunOptions) -> Result<(), CliError> {
        self.run_told(experiment, options, &mut Console::new(self.manner()), |_| Ok(()))
    }

    /// As [`run`](Printing::run), for a console of its own; `judge` may find an error in what it came to.
    pub(in crate::cli) fn run_told(
        &self,
        experiment: &Experiment,
        options: &RunOptions,
        console: &mut Console,
        judge: impl FnOnce(&Outcome) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let ran = experiment.run(options, console);
        self.finish(ran, console.pace(), judge)
    }

    /// Prints what a run came to, or takes its error; then `judge` may find an error in it, and those who want it are told.
    pub(in crate::cli) fn finish(
        &self,
        ran: Result<Outcome, ExperimentError>,
        pace: Option<String>,
        judge: impl FnOnce(&Outcome) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let (outcome, shown) = match ran {
            Ok(outcome) => {
                let shown = show(&outcome, pace, self).and_then(|()| judge(&outcome));
                (Some(outcome), shown)
            }
            Err(error) => (None, Err(error.into())),
        };
        self.notify.tell(outcome.as_ref(), &shown);
        shown
    }

    pub(in crate::cli) fn manner(&self) -> Manner {
        if self.is_quiet {
            Manner::Quiet
        } else {
            Manner::Full
        }
    }
}

/// How long a run may take to stop before its user is told why it is still there.
const STOP_PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(500);

/// A disk that does not answer keeps a run from stopping, and nobody who waits for it could say so.
pub(in crate::cli) fn tell_if_late() {
    let Ok(interrupt) = Interrupt::install() else {
        return;
    };
    // Without this thread nothing is missing but the message.
    let _ = thread::Builder::new().name("late".to_owned()).spawn(move || {
        while !interrupt.is_requested() {
            thread::sleep(LOOK);
        }
        thread::sleep(STOP_PATIENCE);
        note(&format!(
            "still stopping after {} s: results are being saved, or the disk does not respond; repeat the \
             signal (such as Ctrl-C) to quit at once, saved results are kept",
            STOP_PATIENCE.as_secs()
        ));
    });
}

/// Prints a result, or anything that is asked for, on stdout.
pub(in crate::cli) fn print(text: &str) -> Result<(), CliError> {
    print_data(text).map_err(CliError::system("print the result"))
}

pub(in crate::cli) fn print_document(is_json: bool, found: &Document<'_>) -> Result<(), CliError> {
    print(&if is_json {
        found.json().to_string()
    } else {
        found.text()
    })
}

/// Prints `outcome`; an error if faults or a signal ended it.
fn show(outcome: &Outcome, pace: Option<String>, printing: &Printing) -> Result<(), CliError> {
    if let RunEnding::Fault(stopped) = &outcome.ending {
        return Err(CliError::Fault {
            stopped: stopped.clone(),
            command: resume_command(&outcome.folder),
        });
    }
    write_last_page(outcome)?;
    if printing.is_json {
        print(&json(&*outcome.findings).to_string())?;
    } else if !printing.is_quiet {
        if printing.is_on_stderr {
            let found = outcome.findings.document(None);
            note(found.text_with(printing.is_verbose).trim_end());
        } else {
            print(&describe_with_files(outcome, printing.is_verbose))?;
        }
    }
    if let Some(pace) = pace {
        note(&pace);
    }
    match &outcome.ending {
        RunEnding::Stopped { signal, progress } => {
            let (done, of) = (progress.done, plural(progress.of, unit_name(progress.unit)));
            let command = resume_command(&outcome.folder);
            note(&format!(
                "stopped after {done} of {of}; everything finished is saved. Resume with:\n\n{command}\n"
            ));
            Err(CliError::Stopped(*signal))
        }
        RunEnding::Invalid(run) => Err(CliError::Invalid { run: run.clone() }),
        _ => Ok(()),
    }
}

/// The command line of this process as it may be shown, with the folder added if it was not given.
fn resume_command(folder: &Path) -> String {
    let mut words: Vec<String> = env::args().collect();
    let is_out = |word: &String| word == "--out" || word.starts_with("--out=");
    // A list of files finds its folders by itself.
    let is_list = words.iter().filter(|word| word.ends_with(".toml")).count() > 1;
    if !is_list && !words.iter().any(is_out) {
        words.push("--out".to_owned());
        words.push(folder.to_string_lossy().into_owned());
    }
    let mut words = without_secrets(words);
    if cfg!(windows)
        && let (Ok(program), Ok(here)) = (env::current_exe(), env::current_dir())
        && let Some(name) = short_name(&program, &here, &env::var_os("PATH").unwrap_or_default())
    {
        words[0] = name;
    }
    command_line(&words)
}

/// What a program is called from this folder. PowerShell gives it its whole path, and takes a path in quotation marks for a text.
fn short_name(program: &Path, here: &Path, search_path: &OsStr) -> Option<String> {
    let (folder, name) = (program.parent()?, program.file_stem()?.to_str()?);
    if folder == here {
        return Some(format!(".{MAIN_SEPARATOR}{name}"));
    }
    env::split_paths(search_path)
        .any(|path| path == folder)
        .then(|| name.to_owned())
}
