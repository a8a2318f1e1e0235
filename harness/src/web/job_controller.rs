//! Runs that are queued, paused, resumed and stopped from a page, where the server was told that they may be.
//!
//! Runs are child processes of the server, one at a time: two would take each other's cores. What waits is kept in a file beside the runs.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::guard::new_token;
use super::run_index::{StoredRun, is_below};
use super::server::Control;
use crate::ledger::{LedgerStamp, ask_writer_to_end, is_being_written, is_writer_known};
use crate::platform::{OwnChild, lock};

/// Not scanned for runs.
const FOLDER: &str = ".tanren";
const QUEUE_FILE: &str = "queue.json";
const NAME_BYTES_MAX: usize = 64;
/// Of what a run said, where its last error is looked for.
const LAST_BYTES: usize = 4_096;

pub(super) struct JobController {
    root: PathBuf,
    control: Control,
    state: Mutex<ControlState>,
}

#[derive(Default)]
struct ControlState {
    waiting: VecDeque<QueuedRun>,
    running: Option<RunningJob>,
    /// Nothing is started until somebody resumes.
    is_held: bool,
    failures: HashMap<String, FailedRun>,
}

/// Until something else comes of it.
struct FailedRun {
    folder: PathBuf,
    /// Of its ledger when it ended.
    stamp: LedgerStamp,
    last_words: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct QueuedRun {
    name: String,
    folder: PathBuf,
    file: PathBuf,
}

struct RunningJob {
    run: QueuedRun,
    child: OwnChild,
    /// A run that was asked to end before it listens to signals is killed by one, which is no failure.
    is_asked: bool,
    stays: bool,
}

impl JobController {
    /// What waited when the last server ended waits until somebody resumes it.
    pub(super) fn new(root: PathBuf, control: Control) -> JobController {
        // Children have it as their working directory.
        let root = std::path::absolute(&root).unwrap_or(root);
        let waiting = stored_queue(&root);
        let state = ControlState {
            is_held: !waiting.is_empty(),
            waiting,
            ..ControlState::default()
        };
        JobController {
            root,
            control,
            state: Mutex::new(state),
        }
    }

    pub(super) fn json(&self) -> Value {
        let mut state = lock(&self.state);
        let failures: Value = state.failures().collect();
        json!({
            "playing": state.running.as_ref().map(|running| &running.run.name),
            "waiting": state.waiting.iter().map(|run| &run.name).collect::<Vec<_>>(),
            "is_held": state.is_held,
            "failures": failures,
        })
    }

    pub(super) fn is_held(&self) -> bool {
        let state = lock(&self.state);
        state.is_held && !state.waiting.is_empty()
    }

    pub(super) fn allows_programs(&self) -> bool {
        self.control.allows_programs
    }

    /// What waits, the next first, and the last words of what failed.
    pub(super) fn queue_state(&self) -> (Vec<String>, Vec<(String, String)>) {
        let mut state = lock(&self.state);
        let failures = state.failures().collect();
        let waiting = state.waiting.iter().map(|run| run.name.clone());
        (waiting.collect(), failures)
    }

    /// Queues a file that `tanren run --dry-run` accepts.
    pub(super) fn queue(&self, name: &str, text: &str) -> Result<(), String> {
        check_name(name)?;
        self.check_free(&lock(&self.state), name)?;
        let own = self.root.join(FOLDER);
        fs::create_dir_all(&own).map_err(of_system)?;
        // No other request can name this file, so what is examined is what is played.
        let unseen = new_token().map_err(|error| error.to_string())?;
        let examined = own.join(format!(".{unseen}.toml"));
        let taken = fs::write(&examined, text)
            .map_err(of_system)
            .and_then(|()| self.examine(&examined, name))
            .and_then(|()| self.take(name, &examined));
        if taken.is_err() {
            drop(fs::remove_file(&examined));
        }
        taken
    }

    fn check_free(&self, state: &ControlState, name: &str) -> Result<(), String> {
        if state.holds(name) || self.root.join(name).symlink_metadata().is_ok() {
            return Err(format!("'{name}' is there already: choose another name"));
        }
        Ok(())
    }

    fn take(&self, name: &str, examined: &Path) -> Result<(), String> {
        let mut state = lock(&self.state);
        // Another of this name may have been queued meanwhile, and even be over.
        self.check_free(&state, name)?;
        let file = self.own_file(name);
        fs::rename(examined, &file).map_err(of_system)?;
        state.waiting.push_back(QueuedRun {
            name: name.to_owned(),
            folder: self.root.join(name),
            file,
        });
        self.store(&state)
    }

    /// Refuses a file with mistakes, or that names what a page must not name.
    fn examine(&self, file: &Path, name: &str) -> Result<(), String> {
        let mut command = Command::new(&self.control.program);
        command.args(self.words(file, name)).args(["--dry-run", "--json"]);
        let output = command.current_dir(&self.root).stdin(Stdio::null()).output();
        let output = output.map_err(of_system)?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(said.replace(&*file.to_string_lossy(), "the file"))
    }

    /// The command for a file of a run of this name. One that came from a page names files of the served folder alone; what is in others
    /// is told to no page.
    fn words(&self, file: &Path, name: &str) -> Vec<OsString> {
        let first = name.split('/').next().unwrap_or(name);
        let is_posted = file.starts_with(self.root.join(FOLDER)) || self.own_file(first).is_file();
        let whole = self.root.ancestors().last().unwrap_or(&self.root);
        let folder = if is_posted { &self.root } else { whole };
        let mut words: Vec<OsString> = vec!["run".into(), "--for-page".into(), folder.into()];
        words.extend((!self.control.allows_programs).then(|| "--no-programs".into()));
        words.push(file.into());
        words
    }

    /// What may be done to a run now, or why nothing.
    pub(super) fn choices(&self, run: &StoredRun) -> (&'static [&'static str], Option<&'static str>) {
        let mut state = lock(&self.state);
        if state.running_of(&run.name).is_some() {
            return (&["pause", "stop"], None);
        }
        if state.waiting.iter().any(|waiting| waiting.name == run.name) {
            let may: &[&str] = if state.is_held {
                &["resume", "stop"]
            } else {
                &["stop"]
            };
            return (may, None);
        }
        match (is_being_written(&run.folder), self.specification(run)) {
            (true, _) if is_writer_known(&run.folder) => (&["pause"], None),
            (true, _) => (&[], Some("it is played by a process that this server cannot ask")),
            (false, Some(_)) => (&["resume"], None),
            (false, None) => (
                &[],
                Some("its file is not here: give its command again where it was begun"),
            ),
        }
    }

    /// Asks the run to save and end; the queue stands still until somebody resumes.
    pub(super) fn pause(&self, run: &StoredRun) -> Result<(), String> {
        let mut state = lock(&self.state);
        if let Some(running) = state.running_of(&run.name) {
            running.ask_to_end(true).map_err(of_system)?;
            state.is_held = true;
            return Ok(());
        }
        if !is_being_written(&run.folder) {
            return Err(format!("'{}' is not being played", run.name));
        }
        ask_writer_to_end(&run.folder)
            .map_err(|error| format!("the process that plays '{}' cannot be asked: {error}", run.name))
    }

    /// Asks the run to save and end, or takes it out of the queue; the next one starts. It may have no ledger yet. One that failed is
    /// forgotten.
    pub(super) fn stop(&self, name: &str) -> Result<(), String> {
        let mut state = lock(&self.state);
        if let Some(running) = state.running_of(name) {
            return running.ask_to_end(false).map_err(of_system);
        }
        let before = state.waiting.len();
        state.waiting.retain(|waiting| waiting.name != name);
        let has_failed = state.failures.remove(name).is_some();
        if state.waiting.len() == before && !has_failed {
            return Err(format!("'{name}' neither waits nor is played by this server"));
        }
        self.store(&state)
    }

    /// Queues this run again if it is not, and starts the queue.
    pub(super) fn resume(&self, run: &StoredRun) -> Result<(), String> {
        // Its folder may be somebody else's, and its file is run as one from a page is.
        if !self.control.allows_programs
            && !lock(&self.state).holds(&run.name)
            && let Some(file) = self.specification(run)
        {
            self.examine(&file, &run.name)?;
        }
        let mut state = lock(&self.state);
        if !state.holds(&run.name) {
            if is_being_written(&run.folder) {
                return Err(format!("'{}' is being played", run.name));
            }
            let name = &run.name;
            let missing = || format!("what '{name}' plays is not in its folder: give its command again");
            let file = self.specification(run).ok_or_else(missing)?;
            state.waiting.push_back(QueuedRun {
                name: name.clone(),
                folder: std::path::absolute(&run.folder).map_err(of_system)?,
                file,
            });
        }
        state.is_held = false;
        state.failures.remove(&run.name);
        self.store(&state)
    }

    pub(super) fn start_queue(&self) {
        lock(&self.state).is_held = false;
    }

    fn specification(&self, run: &StoredRun) -> Option<PathBuf> {
        let folder = std::path::absolute(&run.folder).ok()?;
        let files = [folder.join("run.toml"), self.own_file(&run.name)];
        files.into_iter().find(|file| file.is_file())
    }

    /// Notices the end of a run and starts the next; to be called again and again.
    pub(super) fn tick(&self) {
        let mut state = lock(&self.state);
        state.notice_end(&self.root);
        if state.running.is_some() || state.is_held {
            return;
        }
        let Some(run) = state.waiting.pop_front() else {
            return;
        };
        match self.start(&run) {
            Ok(child) => {
                state.failures.remove(&run.name);
                state.running = Some(RunningJob {
                    run,
                    child,
                    is_asked: false,
                    stays: false,
                });
            }
            Err(error) => {
                state.fail(run, error.to_string());
            }
        }
        drop(self.store(&state));
    }

    /// Asks what is played to save and end; it is the first in the queue of the next server.
    pub(super) fn end(&self) {
        let mut state = lock(&self.state);
        if let Some(running) = &mut state.running {
            drop(running.ask_to_end(true));
        }
        state.is_held = true;
    }

    pub(super) fn has_ended(&self) -> bool {
        let mut state = lock(&self.state);
        state.notice_end(&self.root);
        state.running.is_none()
    }

    fn start(&self, run: &QueuedRun) -> io::Result<OwnChild> {
        fs::create_dir_all(self.root.join(FOLDER))?;
        let log = File::create(log_of(&self.root, &run.name))?;
        let mut words = self.words(&run.file, &run.name);
        words.extend([
            "--out".into(),
            run.folder.as_os_str().to_owned(),
            "--quiet".into(),
        ]);
        OwnChild::start(&self.control.program, &words, &self.root, log)
    }

    fn store(&self, state: &ControlState) -> Result<(), String> {
        // What is played waits for the next server if this one is killed.
        let running = state.running.as_ref().map(|running| &running.run);
        store_queue(&self.root, running.into_iter().chain(&state.waiting)).map_err(of_system)
    }

    fn own_file(&self, name: &str) -> PathBuf {
        self.root.join(FOLDER).join(format!("{name}.toml"))
    }
}

impl ControlState {
    fn holds(&self, name: &str) -> bool {
        let running = self.running.as_ref().map(|running| &running.run);
        running
            .into_iter()
            .chain(&self.waiting)
            .any(|run| run.name == name)
    }

    fn fail(&mut self, run: QueuedRun, last_words: String) {
        let stamp = LedgerStamp::of(&run.folder);
        let failed = FailedRun {
            folder: run.folder,
            stamp,
            last_words,
        };
        self.failures.insert(run.name, failed);
    }

    /// Runs that failed, and their last words; not those whose ledgers were written since, as by who resumed them elsewhere.
    fn failures(&mut self) -> impl Iterator<Item = (String, String)> {
        self.failures
            .retain(|_, failed| LedgerStamp::of(&failed.folder) == failed.stamp);
        let failures = self.failures.iter();
        failures.map(|(name, failed)| (name.clone(), failed.last_words.clone()))
    }

    /// What plays the run of this name, or a run that it is a part of.
    fn running_of(&mut self, name: &str) -> Option<&mut RunningJob> {
        let is_of = |whole: &str| name == whole || is_below(name, whole);
        self.running.as_mut().filter(|running| is_of(&running.run.name))
    }

    fn notice_end(&mut self, root: &Path) {
        let ended = |running: &mut RunningJob| running.child.ended().ok().flatten();
        let Some(code) = self.running.as_mut().and_then(ended) else {
            return;
        };
        let Some(running) = self.running.take() else {
            return;
        };
        if running.stays {
            self.waiting.push_front(running.run);
        } else if code != 0 && !running.is_asked {
            let said = fs::read(log_of(root, &running.run.name)).unwrap_or_default();
            let last_words = last_words(&said);
            self.fail(running.run, format!("{last_words} (exit code {code})"));
        }
        drop(store_queue(root, self.waiting.iter()));
    }
}

impl RunningJob {
    fn ask_to_end(&mut self, stays: bool) -> io::Result<()> {
        self.stays = stays;
        // A second signal would end it before it has saved.
        if !self.is_asked {
            self.child.ask_to_end()?;
            self.is_asked = true;
        }
        Ok(())
    }
}

fn stored_queue(root: &Path) -> VecDeque<QueuedRun> {
    let text = fs::read_to_string(root.join(FOLDER).join(QUEUE_FILE)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn store_queue<'r>(root: &Path, runs: impl Iterator<Item = &'r QueuedRun>) -> io::Result<()> {
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let new = folder.join("queue.new");
    fs::write(&new, serde_json::to_string_pretty(&runs.collect::<Vec<_>>())?)?;
    fs::rename(new, folder.join(QUEUE_FILE))
}

fn log_of(root: &Path, name: &str) -> PathBuf {
    root.join(FOLDER).join(format!("{}.log", name.replace('/', "+")))
}

/// Of what a run said: its last error, which the place of a mistake may follow.
fn last_words(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(&said[said.len().saturating_sub(LAST_BYTES)..]);
    let is_error = |line: &&str| ["error", "エラー"].iter().any(|word| line.starts_with(word));
    let words = said.lines().rfind(is_error).or(said.lines().last());
    words.unwrap_or("it said nothing").to_owned()
}

/// A name is that of a folder of one level.
fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.is_empty() || name.len() > NAME_BYTES_MAX || name.starts_with('.') || !name.bytes().all(is_plain)
    {
        return Err(format!(
            "a name is 1 to {NAME_BYTES_MAX} letters, digits, '-', '_' and '.', and does not begin with '.'"
        ));
    }
    Ok(())
}

fn of_system(error: io::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::LEDGER_FILE;

    #[test]
    fn what_waited_when_a_server_ended_waits_until_somebody_resumes_it() {
        let root = tempfile::tempdir().unwrap();
        let waiting = QueuedRun {
            name: "a".to_owned(),
            folder: root.path().join("a"),
            file: root.path().join("a.toml"),
        };
        store_queue(root.path(), [&waiting].into_iter()).unwrap();
        let control = Control {
            program: PathBuf::new(),
            allows_programs: false,
        };
        let controller = JobController::new(root.path().to_owned(), control);
        controller.tick();
        assert_eq!(controller.json()["waiting"], json!(["a"]));
        assert_eq!(controller.json()["is_held"], true);
        controller.stop("a").unwrap();
        assert!(stored_queue(root.path()).is_empty());
        assert!(controller.stop("a").is_err());
    }

    #[test]
    fn a_failure_is_forgotten_when_its_ledger_changes_or_somebody_takes_it_out() {
        let root = tempfile::tempdir().unwrap();
        let control = Control {
            program: root.path().join("nowhere"),
            allows_programs: false,
        };
        let controller = JobController::new(root.path().to_owned(), control);
        for name in ["a", "b"] {
            let folder = root.path().join(name);
            fs::create_dir(&folder).unwrap();
            let run = QueuedRun {
                name: name.to_owned(),
                file: folder.join("run.toml"),
                folder,
            };
            lock(&controller.state).waiting.push_back(run);
            controller.tick();
        }
        let failures = || controller.json()["failures"].as_object().unwrap().len();
        assert_eq!(failures(), 2);
        fs::write(root.path().join("a").join(LEDGER_FILE), "resumed").unwrap();
        assert_eq!(failures(), 1);
        controller.stop("b").unwrap();
        assert_eq!(failures(), 0);
        assert!(controller.stop("b").is_err());
    }

    #[test]
    fn the_last_words_of_a_run_are_its_last_error_without_the_place() {
        let place = " --> run.toml:4:1\n  |\n4 | nodse = 5\n  | ^^^^^\n";
        for (said, expected) in [
            (
                format!("error: one\nerror: unknown key 'nodse'\n{place}"),
                "error: unknown key 'nodse'",
            ),
            (format!("エラー: キー\n{place}"), "エラー: キー"),
            ("killed\n".to_owned(), "killed"),
            (String::new(), "it said nothing"),
        ] {
            assert_eq!(last_words(said.as_bytes()), expected);
        }
    }

    #[test]
    fn names_are_folders_of_one_level() {
        assert!(["night", "a-1_b.c"].iter().all(|name| check_name(name).is_ok()));
        let long = "x".repeat(65);
        for bad in ["", ".", "..", ".tanren", "a/b", "a\\b", "a b", "対局", &long] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
