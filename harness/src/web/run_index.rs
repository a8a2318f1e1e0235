//! The runs below a folder: a row of each, read anew only where its ledger changed.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tanren_engine::config::PRESETS;

use crate::config::Identity;
use crate::document::answer::State;
use crate::kinds::{match_, nodes, queue, tournament, tune};
use crate::ledger::{LEDGER_FILE, LedgerStamp, RunSummary, is_being_written, live_games};
use crate::platform::lock;
use crate::report::{Gist, RunChoices, RunRow, boards_json};
use crate::session::observer::NoObserver;
use crate::session::outcome::Unit;
use crate::session::stored::Run;

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
/// Players and files that a form offers.
const CHOICES_MAX: usize = 100;
/// What a tuning writes.
const TUNED_FILE: &str = "tuned.toml";
const SUITES: [&str; 4] = ["epd", "fen", "sfen", "pgn"];
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
        let runs = self.scan();
        let named = |name: &str| runs.iter().find(|run| run.name == name).cloned();
        // Pages name parts by their place below the whole.
        let of_itself = || named(ITSELF).and(named(name.strip_prefix(ITSELF)?.strip_prefix('/')?));
        named(name).or_else(of_itself)
    }

    pub(super) fn stamps(&self, run: &StoredRun) -> Vec<LedgerStamp> {
        let own = LedgerStamp::of(&run.folder);
        let parts = self.parts(run);
        let parts = parts.iter().map(|part| LedgerStamp::of(&part.folder));
        std::iter::once(own).chain(parts).collect()
    }

    fn parts(&self, run: &StoredRun) -> Vec<Arc<StoredRun>> {
        let runs = self.scan().into_iter();
        let parts = runs.filter(|part| is_below(&part.name, &run.name));
        parts.take(PARTS_MAX).collect()
    }

    /// What a form can offer: players of the runs that are here, and files of the folder.
    pub(super) fn choices(&self, allows_programs: bool) -> RunChoices {
        let mut choices = RunChoices::default();
        let runs = self.scan();
        let manifests = runs
            .iter()
            .filter_map(|run| Some((run, &run.summary.as_ref().ok()?.manifest)));
        let mut players = BTreeSet::new();
        for (run, manifest) in manifests {
            if manifest.kind == tune::KIND.name && run.folder.join(TUNED_FILE).is_file() {
                players.insert(format!("@{}/{TUNED_FILE}", run.name));
            }
            let table = manifest.spec_toml.parse::<toml::Table>().unwrap_or_default();
            let texts = ["a", "b", "config", "player"]
                .into_iter()
                .filter_map(|key| table.get(key));
            let texts = texts.flat_map(|value| {
                value
                    .as_array()
                    .map_or_else(|| vec![value], |all| all.iter().collect())
            });
            let texts = texts.filter_map(toml::Value::as_str);
            let is_program = |text: &str| ["usi:", "uci:"].iter().any(|protocol| text.contains(protocol));
            let is_plain =
                |text: &&str| !text.starts_with(['@', '{']) && (allows_programs || !is_program(text));
            players.extend(texts.filter(is_plain).map(str::to_owned));
        }
        let is_preset = |player: &String| PRESETS.iter().any(|(name, _)| name == player);
        choices.players.extend(
            players
                .into_iter()
                .filter(|player| !is_preset(player))
                .take(CHOICES_MAX),
        );
        suites(&self.root, "", &mut choices.openings);
        choices
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
        let kinds = rows.iter().map(|row| (row.run.clone(), row.kind.clone()));
        let kinds: HashMap<String, Option<String>> = kinds.collect();
        for row in &mut rows {
            let above = |name: &str| Some(name.rsplit_once('/')?.0.to_owned());
            let mut folders = std::iter::successors(above(&row.run), |name| above(name));
            let of = folders
                .find_map(|folder| kinds.get(&folder))
                .or_else(|| kinds.get(ITSELF).filter(|_| row.run != ITSELF));
            row.is_part = of.is_some_and(|kind| kind.as_deref() != Some(queue::STORED));
        }
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

/// Is the run `name` in the folder of the run `whole`?
pub(super) fn is_below(name: &str, whole: &str) -> bool {
    match whole {
        ITSELF => name != ITSELF,
        _ => name.strip_prefix(whole).is_some_and(|rest| rest.starts_with('/')),
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
        let kind = manifest.map_or("", |manifest| &manifest.kind);
        let overview = gist.map(|gist| gist.overview.clone());
        let answer = overview.as_ref().and_then(|overview| overview.answer.as_ref());
        let state = match (error, run.is_written) {
            (Some(_), _) => Some(State::Invalid),
            (None, true) => Some(State::Running),
            (None, false) => answer.map(|answer| answer.state),
        };
        let progress = overview.as_ref().and_then(|overview| overview.progress);
        // Of the others the ledger holds something else than what is counted.
        let is_direct = [match_::KIND.name, tournament::KIND.name, nodes::KIND.name].contains(&kind);
        let finished = summary.map_or(0, |summary| summary.finished);
        // Of parts the ledger of the whole holds nothing.
        let games_per_pair = manifest.map_or(2, |manifest| manifest.identity.games_per_pair());
        let pairs = overview.as_ref().and_then(|overview| overview.games).unwrap_or(0) / games_per_pair;
        // What was played beyond a decision is in the ledger, and not counted.
        let is_live = is_direct && state == Some(State::Running);
        let done = progress
            .filter(|_| !is_live)
            .map_or(finished.max(pairs), |progress| progress.done);
        let unit = progress.map_or(Unit::Pairs, |progress| progress.unit);
        let speed = self
            .speed(&run.name)
            .filter(|&speed| speed > 0.0 && state == Some(State::Running));
        let end =
            match manifest.filter(|manifest| manifest.kind == tune::KIND.name && unit == Unit::Iterations) {
                Some(manifest) => manifest.identity.pairs().map(|pairs| [pairs; 3]),
                None => progress.filter(|_| is_direct).map(|progress| progress.of),
            };
        let seconds = |end: u64, speed: f64| (end.saturating_sub(finished) as f64 / speed).ceil() as u64;
        RunRow {
            run: run.name.clone(),
            has_ledger: true,
            kind: manifest.map(|manifest| manifest.kind.clone()),
            players: manifest.map_or(Vec::new(), |manifest| manifest.labels.clone()),
            conditions: manifest.map_or(Vec::new(), |manifest| conditions(&manifest.identity)),
            state,
            is_stopped: state.is_some() && !run.is_written && gist.is_some_and(|gist| !gist.is_over),
            is_part: false,
            overview,
            done,
            expected: progress.map(|progress| progress.of.map(|of| of.max(done))),
            unit,
            games_per_pair,
            games_per_second: speed
                .filter(|_| unit != Unit::Searches)
                .map(|speed| games_per_pair as f64 * speed),
            time_left_s: end
                .zip(speed)
                .map(|(end, speed)| end.map(|end| seconds(end, speed))),
            age_s: run.stamp.age_s(),
            error: error.cloned(),
        }
    }
}

/// The game and what bounds a move, as far as an identity says it.
fn conditions(identity: &Identity) -> Vec<String> {
    let limits = ["limit a", "limit b", "limit 0", "limit", "limit of b", "nodes"].map(|name| match identity
        .get(name)
    {
        Some(nodes) if name == "nodes" => Some(format!("{nodes} nodes per move")),
        limit => limit.map(|limit| match limit.strip_prefix("nodes ") {
            Some(nodes) => format!("{nodes} nodes per move"),
            None => limit.to_owned(),
        }),
    });
    let [a, b, others @ ..] = limits;
    let limit = match (a, b) {
        (Some(a), Some(b)) if a != b => Some(format!("{a} against {b}")),
        (a, _) => a.or_else(|| others.into_iter().flatten().next()),
    };
    let depth = identity.get("depth").map(|depth| format!("depth {depth}"));
    let parts = [identity.get("game").map(str::to_owned), limit, depth];
    parts.into_iter().flatten().collect()
}

/// Finds files of openings, two folders deep.
fn suites(folder: &Path, name: &str, found: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (Ok(kind), Ok(own)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        let path = if name.is_empty() {
            own.clone()
        } else {
            format!("{name}/{own}")
        };
        let is_suite = || {
            Path::new(&own)
                .extension()
                .is_some_and(|end| SUITES.iter().any(|suite| end.eq_ignore_ascii_case(suite)))
        };
        if kind.is_file() && is_suite() && found.len() < CHOICES_MAX {
            found.push(path);
        } else if kind.is_dir()
            && !own.starts_with('.')
            && name.matches('/').count() < 1
            && !entry.path().join(LEDGER_FILE).is_file()
        {
            suites(&entry.path(), &path, found);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_folder_itself_are_all_other_runs_and_are_found_below_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("one/confirm")).unwrap();
        for run in ["", "one", "one/confirm"] {
            fs::write(folder.path().join(run).join(LEDGER_FILE), "").unwrap();
        }
        let index = RunIndex::new(folder.path().to_owned());
        let parts = |name: &str| {
            let parts = index.parts(&index.find(name).unwrap());
            parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(parts("@"), ["one", "one/confirm"]);
        assert_eq!(parts("@/one"), ["one/confirm"]);
        assert!(
            ["@/two", "@one", "/one"]
                .iter()
                .all(|name| index.find(name).is_none())
        );
    }

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
