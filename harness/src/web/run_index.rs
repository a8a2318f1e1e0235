//! The runs below a folder: a row of each, read anew only where its ledger changed.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::session::observer::NoObserver;
use crate::session::stored::Run;

use crate::kinds::{match_, nodes};
use crate::ledger::{LEDGER_FILE, LedgerStamp, RunSummary, is_being_written, live_games};
use crate::report::{Gist, RunRow, boards_json};

const SCAN_INTERVAL: Duration = Duration::from_secs(1);
const SPEED_WINDOW: Duration = Duration::from_secs(60);
const DEPTH_MAX: usize = 6;
const RUNS_MAX: usize = 20_000;
/// Runs below a run that are parts of it: jobs, batches, matches.
const PARTS_MAX: usize = 1_000;
const BOARDS_MAX: usize = 24;
/// A run in progress is counted for the list once in this time, or in this many times what counting takes.
const COUNT_INTERVAL: Duration = Duration::from_secs(5);
const COUNT_SHARE: u32 = 20;
/// What the folder itself is called where it is a run.
const ITSELF: &str = "@";

pub(super) struct RunIndex {
    pub(super) root: PathBuf,
    scanning: Mutex<()>,
    state: Mutex<IndexState>,
}

#[derive(Default)]
struct IndexState {
    scanned: Option<Instant>,
    runs: Vec<Arc<StoredRun>>,
    paces: HashMap<String, VecDeque<(Instant, u64)>>,
    counts: HashMap<String, CountedRun>,
}

pub(super) struct StoredRun {
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) stamp: LedgerStamp,
    summary: Result<RunSummary, String>,
    is_written: bool,
}

struct CountedRun {
    stamp: LedgerStamp,
    gist: Result<Gist, String>,
    made: Instant,
    took: Duration,
}

impl RunIndex {
    pub(super) fn new(root: PathBuf) -> RunIndex {
        RunIndex {
            root,
            scanning: Mutex::default(),
            state: Mutex::default(),
        }
    }

    /// Scans the folder, if that was not done just now.
    fn scan(&self) -> Vec<Arc<StoredRun>> {
        let _scanning = lock(&self.scanning);
        let known = {
            let state = lock(&self.state);
            let is_recent = |scanned: Instant| scanned.elapsed() < SCAN_INTERVAL;
            if state.scanned.is_some_and(is_recent) {
                return state.runs.clone();
            }
            let known = state.runs.iter().map(|run| (run.name.clone(), Arc::clone(run)));
            known.collect::<HashMap<String, Arc<StoredRun>>>()
        };
        let mut found = Vec::new();
        walk(&self.root, "", 0, &mut found);
        let of = |(name, folder)| StoredRun::of(known.get(&name), name, folder);
        let runs: Vec<Arc<StoredRun>> = found.into_iter().map(of).collect();
        let mut state = lock(&self.state);
        state.keep_pace(&runs);
        state.scanned = Some(Instant::now());
        state.runs.clone_from(&runs);
        runs
    }

    /// Only what a scan found has a name, so a request never becomes a path.
    pub(super) fn find(&self, name: &str) -> Option<Arc<StoredRun>> {
        self.scan().into_iter().find(|run| run.name == name)
    }

    pub(super) fn stamps(&self, run: &StoredRun) -> Vec<LedgerStamp> {
        let own = LedgerStamp::of(&run.folder);
        let parts = self.parts(run);
        let parts = parts.iter().map(|part| LedgerStamp::of(&part.folder));
        std::iter::once(own).chain(parts).collect()
    }

    fn parts(&self, run: &StoredRun) -> Vec<Arc<StoredRun>> {
        let below = format!("{}/", run.name);
        let runs = self.scan().into_iter();
        let parts = runs.filter(|part| part.name.starts_with(&below));
        parts.take(PARTS_MAX).collect()
    }

    pub(super) fn boards(&self, run: &StoredRun) -> Value {
        let mut found = Vec::new();
        for run in self.find(&run.name).into_iter().chain(self.parts(run)) {
            for game in live_games(&run.folder) {
                found.push((run.name.clone(), run.labels_of(game.players), game));
            }
        }
        found.truncate(BOARDS_MAX);
        boards_json(&found)
    }

    /// A row of every run, the newest change first.
    pub(super) fn rows(&self) -> Vec<RunRow> {
        let runs = self.scan();
        let state = lock(&self.state);
        let mut rows: Vec<RunRow> = runs.iter().map(|run| state.row(run)).collect();
        rows.sort_by(|one, two| {
            let age = |row: &RunRow| row.age_s.unwrap_or(u64::MAX);
            age(one).cmp(&age(two)).then_with(|| one.run.cmp(&two.run))
        });
        rows
    }

    /// Counts one run that the list lacks; `false` if there is none.
    pub(super) fn count_one(&self) -> bool {
        let wanted = {
            let state = lock(&self.state);
            state.runs.iter().find(|run| state.is_due(run)).cloned()
        };
        let Some(run) = wanted else { return false };
        let began = Instant::now();
        let counted = Run::open(&run.folder).and_then(|stored| stored.outcome(&mut NoObserver));
        let count = CountedRun {
            stamp: run.stamp,
            gist: counted
                .map(|outcome| Gist::of(&outcome))
                .map_err(|error| error.to_string()),
            made: Instant::now(),
            took: began.elapsed(),
        };
        lock(&self.state).counts.insert(run.name.clone(), count);
        true
    }
}

impl StoredRun {
    pub(super) fn finished(&self) -> u64 {
        self.summary.as_ref().map_or(0, |summary| summary.finished)
    }

    pub(super) fn labels_of(&self, players: [u16; 2]) -> [String; 2] {
        match &self.summary {
            Ok(summary) => summary.manifest.labels_of(players),
            Err(_) => players.map(|player| format!("player {player}")),
        }
    }

    fn of(before: Option<&Arc<StoredRun>>, name: String, folder: PathBuf) -> Arc<StoredRun> {
        let stamp = LedgerStamp::of(&folder);
        let is_written = is_being_written(&folder);
        if let Some(before) = before
            && before.stamp == stamp
            && before.is_written == is_written
        {
            return Arc::clone(before);
        }
        Arc::new(StoredRun {
            summary: RunSummary::of(&folder).map_err(|error| error.to_string()),
            name,
            folder,
            stamp,
            is_written,
        })
    }
}

impl IndexState {
    fn keep_pace(&mut self, runs: &[Arc<StoredRun>]) {
        let now = Instant::now();
        self.paces
            .retain(|name, _| runs.iter().any(|run| run.is_written && run.name == *name));
        for run in runs.iter().filter(|run| run.is_written) {
            let Ok(summary) = &run.summary else { continue };
            let pace = self.paces.entry(run.name.clone()).or_default();
            pace.push_back((now, summary.finished));
            while pace.len() > 2 && pace.front().is_some_and(|(at, _)| now - *at > SPEED_WINDOW) {
                pace.pop_front();
            }
        }
        self.counts
            .retain(|name, _| runs.iter().any(|run| run.name == *name));
    }

    fn speed(&self, name: &str) -> Option<f64> {
        let pace = self.paces.get(name)?;
        let ((began, before), (ended, after)) = (pace.front()?, pace.back()?);
        let seconds = (*ended - *began).as_secs_f64();
        (seconds > 0.5).then(|| after.saturating_sub(*before) as f64 / seconds)
    }

    fn is_due(&self, run: &StoredRun) -> bool {
        run.summary.is_ok()
            && self.counts.get(&run.name).is_none_or(|count| {
                let pause = COUNT_INTERVAL.max(count.took * COUNT_SHARE);
                count.stamp != run.stamp && (!run.is_written || count.made.elapsed() >= pause)
            })
    }

    fn row(&self, run: &StoredRun) -> RunRow {
        let summary = run.summary.as_ref();
        let count = self.counts.get(&run.name);
        let gist = count.and_then(|count| count.gist.as_ref().ok());
        let error = summary
            .err()
            .or_else(|| count.and_then(|count| count.gist.as_ref().err()));
        let manifest = summary.ok().map(|summary| &summary.manifest);
        let is_match = manifest.is_some_and(|manifest| manifest.kind == match_::KIND.name);
        let is_nodes = manifest.is_some_and(|manifest| manifest.kind == nodes::KIND.name);
        let is_known = count.is_some_and(|count| count.stamp == run.stamp);
        let state = match (error, run.is_written, gist) {
            (Some(_), _, _) => Some("unreadable"),
            (None, true, _) => Some("running"),
            (None, false, Some(gist)) if is_known => Some(if gist.is_over { "over" } else { "paused" }),
            _ => None,
        };
        let done = summary.map_or(0, |summary| summary.finished);
        let planned = manifest
            .filter(|_| is_match)
            .and_then(|manifest| manifest.identity.pairs());
        let speed = self.speed(&run.name);
        let left = planned.and_then(|planned| planned.checked_sub(done));
        let left = left.zip(speed.filter(|&speed| speed > 0.0 && state == Some("running")));
        RunRow {
            run: run.name.clone(),
            kind: manifest.map(|manifest| manifest.kind.clone()),
            players: manifest.map_or(Vec::new(), |manifest| manifest.labels.clone()),
            state,
            verdict: gist.and_then(|gist| gist.verdict),
            answer: gist.map(|gist| gist.answer.clone()),
            done,
            planned,
            unit: if is_nodes { "searches" } else { "pairs" },
            games_per_second: speed.filter(|_| !is_nodes).map(|speed| 2.0 * speed),
            time_left_s: left.map(|(left, speed)| (left as f64 / speed).ceil() as u64),
            llr: gist.and_then(|gist| gist.llr),
            age_s: run.stamp.age_s(),
            error: error.cloned(),
        }
    }
}

/// Finds the folders with ledgers; links are left where they are.
fn walk(folder: &Path, name: &str, depth: usize, found: &mut Vec<(String, PathBuf)>) {
    if found.len() >= RUNS_MAX {
        return;
    }
    if folder
        .join(LEDGER_FILE)
        .symlink_metadata()
        .is_ok_and(|file| file.is_file())
    {
        let name = if name.is_empty() { ITSELF } else { name };
        found.push((name.to_owned(), folder.to_owned()));
    }
    if depth == DEPTH_MAX {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut below: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
        .filter(|(below, _)| !below.starts_with('.'))
        .collect();
    below.sort();
    for (below, path) in below {
        let name = if name.is_empty() {
            below
        } else {
            format!("{name}/{below}")
        };
        walk(&path, &name, depth + 1, found);
    }
}

/// Every field is valid by itself, also after a panic.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(windows, ignore = "links need a privilege there")]
    #[test]
    fn folders_are_walked_and_links_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join(LEDGER_FILE), "").unwrap();
        let inside = folder.path().join("night/job");
        fs::create_dir_all(&inside).unwrap();
        fs::write(inside.join(LEDGER_FILE), "").unwrap();
        let (from, to) = (outside.path(), folder.path().join("link"));
        let linked = std::process::Command::new("ln")
            .arg("-s")
            .args([from, &to])
            .status();
        assert!(linked.unwrap().success());
        let mut found = Vec::new();
        walk(Path::new("/nowhere/at/all"), "", 0, &mut found);
        walk(folder.path(), "", 0, &mut found);
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["night/job"]);
    }
}
