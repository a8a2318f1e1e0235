//! One run at a time, and those that wait.
//!
//! In: wishes, the ends of children. Out: children that are started and asked to end. Must not: play two runs at a time, which would
//! take each other's cores.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::{Value, json};

use super::line::{self, Waiting};
use super::order::{check_name, names_programs};
use super::playing::{Playing, log_of};
use crate::ledger::{ask_writer_to_end, is_being_written, is_writer_known};
use crate::platform::{OwnChild, own_output};
use crate::web::guard::new_token;
use crate::web::shelf::{Stored, lock};

/// Files that say what a folder's run is.
const SPECIFICATIONS: [&str; 2] = ["run.toml", "study.toml"];

/// Starts, pauses and stops the runs of a folder.
pub(in crate::web) struct Conductor {
    root: PathBuf,
    /// What plays: this program.
    program: PathBuf,
    /// May files from a page name programs?
    allows_programs: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    playing: Option<Playing>,
    /// Nothing is started until somebody wants it.
    is_held: bool,
    /// What a run said when it failed.
    failures: HashMap<String, String>,
}

/// What may be done to a run now, or why nothing.
pub(in crate::web) struct Choices {
    pub(in crate::web) may: Vec<&'static str>,
    pub(in crate::web) why: Option<&'static str>,
}

impl Conductor {
    /// Of the runs below `root`; what waited before waits until somebody resumes it.
    pub(in crate::web) fn new(root: PathBuf, program: PathBuf, allows_programs: bool) -> Conductor {
        let waiting = line::stored(&root);
        let state = State {
            is_held: !waiting.is_empty(),
            waiting,
            ..State::default()
        };
        Conductor {
            root,
            program,
            allows_programs,
            state: Mutex::new(state),
        }
    }

    /// Everything about the line.
    pub(in crate::web) fn json(&self) -> Value {
        let state = lock(&self.state);
        json!({
            "playing": state.playing.as_ref().map(|playing| &playing.run.name),
            "waiting": state.waiting.iter().map(|run| &run.name).collect::<Vec<_>>(),
            "is_held": state.is_held,
            "failures": state.failures,
        })
    }

    /// Takes a file into the line, checked as `tanren run --dry-run` checks it.
    pub(in crate::web) fn queue(&self, name: &str, text: &str) -> Result<(), String> {
        check_name(name)?;
        let folder = self.root.join(name);
        let is_known = lock(&self.state).holds(name);
        if is_known || folder.symlink_metadata().is_ok() {
            return Err(format!("'{name}' is there already: choose another name"));
        }
        let own = line::folder(&self.root);
        fs::create_dir_all(&own).map_err(of_system)?;
        // No other request can name this file, so what is examined is what is played.
        let unseen = new_token().map_err(|error| error.to_string())?;
        let examined = own.join(format!(".{unseen}.toml"));
        let taken = fs::write(&examined, text)
            .map_err(of_system)
            .and_then(|()| self.examine(&examined))
            .and_then(|()| self.take(name, folder, &examined));
        if taken.is_err() {
            drop(fs::remove_file(&examined));
        }
        taken
    }

    /// Takes a file that was examined into the line, unless another of its name came first.
    fn take(&self, name: &str, folder: PathBuf, examined: &Path) -> Result<(), String> {
        let mut state = lock(&self.state);
        // The first may be over by now.
        if state.holds(name) || folder.symlink_metadata().is_ok() {
            return Err(format!("'{name}' is there already: choose another name"));
        }
        let file = line::folder(&self.root).join(format!("{name}.toml"));
        fs::rename(examined, &file).map_err(of_system)?;
        state.waiting.push_back(Waiting {
            name: name.to_owned(),
            folder,
            file,
        });
        self.store(&state)
    }

    /// What is wrong with a file, in the words of the command; programs it must not name.
    fn examine(&self, file: &Path) -> Result<(), String> {
        let words = ["run", "--dry-run", "--json"].map(OsStr::new);
        let output = own_output(&self.program, &[words[0], file.as_os_str(), words[1], words[2]])
            .map_err(of_system)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(said.replace(&*file.to_string_lossy(), "the file"));
        }
        let plan: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        if !self.allows_programs && names_programs(&plan) {
            return Err(
                "this file starts programs of this machine: only a server with --control-programs takes it"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// What may be done to `run`.
    pub(in crate::web) fn choices(&self, run: &Stored) -> Choices {
        let state = lock(&self.state);
        let choices = |may: &[&'static str]| Choices {
            may: may.to_vec(),
            why: None,
        };
        if state
            .playing
            .as_ref()
            .is_some_and(|playing| is_part(&run.name, &playing.run.name))
        {
            return choices(&["pause", "stop"]);
        }
        if state.waiting.iter().any(|waiting| waiting.name == run.name) {
            return choices(if state.is_held {
                &["resume", "stop"]
            } else {
                &["stop"]
            });
        }
        if is_being_written(&run.folder) {
            return if is_writer_known(&run.folder) {
                choices(&["pause"])
            } else {
                Choices {
                    may: Vec::new(),
                    why: Some("it is played by a process that this server cannot ask"),
                }
            };
        }
        match self.specification(run) {
            Some(_) => choices(&["resume"]),
            None => Choices {
                may: Vec::new(),
                why: Some("its file is not here: give its command again where it was begun"),
            },
        }
    }

    /// Asks the run to save and end; the line stands still until somebody resumes.
    pub(in crate::web) fn pause(&self, run: &Stored) -> Result<(), String> {
        let mut state = lock(&self.state);
        if let Some(playing) = state
            .playing
            .as_mut()
            .filter(|playing| is_part(&run.name, &playing.run.name))
        {
            playing.ask_to_end(true).map_err(of_system)?;
            state.is_held = true;
            return Ok(());
        }
        if !is_being_written(&run.folder) {
            return Err(format!("'{}' is not being played", run.name));
        }
        ask_writer_to_end(&run.folder)
            .map_err(|error| format!("the process that plays '{}' cannot be asked: {error}", run.name))
    }

    /// Asks the run to save and end, or takes it out of the line; the next begins. It may have no ledger yet.
    pub(in crate::web) fn stop(&self, name: &str) -> Result<(), String> {
        let mut state = lock(&self.state);
        if let Some(playing) = state
            .playing
            .as_mut()
            .filter(|playing| is_part(name, &playing.run.name))
        {
            return playing.ask_to_end(false).map_err(of_system);
        }
        let before = state.waiting.len();
        state.waiting.retain(|waiting| waiting.name != name);
        if state.waiting.len() == before {
            return Err(format!("'{name}' neither waits nor is played by this server"));
        }
        self.store(&state)
    }

    /// Lets the line go on, with this run in it.
    pub(in crate::web) fn resume(&self, run: &Stored) -> Result<(), String> {
        // Its folder may be somebody else's, and its file is run as one from a page is.
        if !self.allows_programs
            && !lock(&self.state).holds(&run.name)
            && let Some(file) = self.specification(run)
        {
            self.examine(&file)?;
        }
        let mut state = lock(&self.state);
        if !state.holds(&run.name) {
            if is_being_written(&run.folder) {
                return Err(format!("'{}' is being played", run.name));
            }
            let file = self.specification(run);
            let file = file.ok_or_else(|| {
                format!(
                    "what '{}' plays is not in its folder: give its command again",
                    run.name
                )
            })?;
            state.waiting.push_back(Waiting {
                name: run.name.clone(),
                folder: run.folder.clone(),
                file,
            });
        }
        state.is_held = false;
        state.failures.remove(&run.name);
        self.store(&state)
    }

    /// Lets the line go on.
    pub(in crate::web) fn go_on(&self) {
        lock(&self.state).is_held = false;
    }

    /// What says what a run plays.
    fn specification(&self, run: &Stored) -> Option<PathBuf> {
        let own = line::folder(&self.root).join(format!("{}.toml", run.name));
        let inside = SPECIFICATIONS.map(|name| run.folder.join(name));
        inside.into_iter().chain([own]).find(|file| file.is_file())
    }

    /// Takes note of an end and starts the next; to be called again and again.
    pub(in crate::web) fn tick(&self) {
        let mut state = lock(&self.state);
        state.take_end(&self.root);
        if state.playing.is_some() || state.is_held {
            return;
        }
        let Some(run) = state.waiting.pop_front() else {
            return;
        };
        match self.start(&run) {
            Ok(child) => {
                state.failures.remove(&run.name);
                state.playing = Some(Playing {
                    run,
                    child,
                    is_asked: false,
                    stays: false,
                });
            }
            Err(error) => {
                state.failures.insert(run.name, error.to_string());
            }
        }
        drop(self.store(&state));
    }

    /// Asks what is played to save and end; it is the first in the line of the next server.
    pub(in crate::web) fn end(&self) {
        let mut state = lock(&self.state);
        if let Some(playing) = &mut state.playing {
            drop(playing.ask_to_end(true));
        }
        state.is_held = true;
    }

    /// Is nothing played any more?
    pub(in crate::web) fn has_ended(&self) -> bool {
        let mut state = lock(&self.state);
        state.take_end(&self.root);
        state.playing.is_none()
    }

    fn start(&self, run: &Waiting) -> io::Result<OwnChild> {
        fs::create_dir_all(line::folder(&self.root))?;
        let log = File::create(log_of(&self.root, &run.name))?;
        let words = ["run", "--out", "--quiet"].map(OsStr::new);
        let arguments = [
            words[0],
            run.file.as_os_str(),
            words[1],
            run.folder.as_os_str(),
            words[2],
        ];
        OwnChild::start(&self.program, &arguments, log)
    }

    fn store(&self, state: &State) -> Result<(), String> {
        // What is played waits for the next server if this one is killed.
        let playing = state.playing.as_ref().map(|playing| &playing.run);
        line::store(&self.root, playing.into_iter().chain(&state.waiting)).map_err(of_system)
    }
}

impl State {
    fn holds(&self, name: &str) -> bool {
        let is_played = self
            .playing
            .as_ref()
            .is_some_and(|playing| playing.run.name == name);
        is_played || self.waiting.iter().any(|waiting| waiting.name == name)
    }

    fn take_end(&mut self, root: &Path) {
        let Some(playing) = &mut self.playing else { return };
        let Ok(Some(code)) = playing.child.ended() else {
            return;
        };
        let Some(playing) = self.playing.take() else {
            return;
        };
        if let Some(failure) = playing.failure(root, code).filter(|_| !playing.stays) {
            self.failures.insert(playing.run.name.clone(), failure);
        }
        if playing.stays {
            self.waiting.push_front(playing.run);
        }
        drop(line::store(root, self.waiting.iter()));
    }
}

fn is_part(name: &str, of: &str) -> bool {
    name == of || name.strip_prefix(of).is_some_and(|rest| rest.starts_with('/'))
}

fn of_system(error: io::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waited_when_a_server_ended_waits_until_somebody_resumes_it() {
        let root = tempfile::tempdir().unwrap();
        let waiting = Waiting {
            name: "a".to_owned(),
            folder: root.path().join("a"),
            file: root.path().join("a.toml"),
        };
        line::store(root.path(), [&waiting].into_iter()).unwrap();
        let conductor = Conductor::new(root.path().to_owned(), PathBuf::new(), false);
        conductor.tick();
        assert_eq!(conductor.json()["waiting"], json!(["a"]));
        assert_eq!(conductor.json()["is_held"], true);
        conductor.stop("a").unwrap();
        assert!(line::stored(root.path()).is_empty());
        assert!(conductor.stop("a").is_err());
    }
}
