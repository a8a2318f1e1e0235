//! What two runs of the same command left behind.
//!
//! In: folders. Out: their games but for the times. Must not: look into other files than `games.csv`, `spsa.csv` and `hosts.csv`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use super::fleet::{BOUND, Fleet};
use super::machine::Machine;
use crate::common::{columns_but_times, run};

/// Plays `command` on this machine alone; the folder is `local`.
pub(crate) fn play_here(fleet: &Fleet, command: &[&str]) {
    let played = run(
        fleet.path(),
        &[command, &["--concurrency", "2", "--out", "local"]].concat(),
    );
    assert!(played.status.success(), "{}", crate::common::stderr(&played));
}

/// Begins to play `command` on the fleet; the folder is `fleet`.
pub(crate) fn begin(fleet: &Fleet, command: &[&str]) -> Machine {
    begin_in(fleet, command, "fleet")
}

/// As [`begin`], with a folder's name.
pub(crate) fn begin_in(fleet: &Fleet, command: &[&str], folder: &str) -> Machine {
    let cluster = ["--cluster", "coordinator.toml", "--out", folder];
    Machine::start(fleet.path(), &[command, &cluster].concat())
}

/// Every `games.csv` below `folder`, without times, and the way of every tuning; there is one at least.
pub(crate) fn games(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    assert!(
        !found.is_empty(),
        "there is neither games.csv nor spsa.csv below {}",
        folder.display()
    );
    found
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
            continue;
        }
        let text = match path.file_name().and_then(|name| name.to_str()) {
            Some("games.csv") => columns_but_times(&fs::read_to_string(&path).unwrap()),
            Some("spsa.csv") => fs::read_to_string(&path).unwrap(),
            _ => continue,
        };
        let name = path.strip_prefix(root).unwrap().display().to_string();
        found.insert(name, text);
    }
}

/// The values of a column of hosts.csv, by machine.
pub(crate) fn of_hosts(fleet: &Fleet, name: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(fleet.path().join("fleet/hosts.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let place = rows
        .headers()
        .unwrap()
        .iter()
        .position(|column| column == name)
        .unwrap();
    let rows = rows.records().map(|row| row.unwrap());
    rows.map(|row| (row[0].to_owned(), row[place].to_owned()))
        .collect()
}

/// Fails unless both machines have the same games.
pub(crate) fn assert_same(fleet: &Fleet) {
    let (local, remote) = (
        games(&fleet.path().join("local")),
        games(&fleet.path().join("fleet")),
    );
    assert!(local == remote, "{}", first_difference(&local, &remote));
}

/// In words.
pub(crate) fn first_difference(
    local: &BTreeMap<String, String>,
    remote: &BTreeMap<String, String>,
) -> String {
    for (name, games) in local {
        let Some(other) = remote.get(name) else {
            return format!("{name} is not there");
        };
        for (number, line) in games.lines().enumerate() {
            let played = other.lines().nth(number).unwrap_or("nothing");
            if line != played {
                return format!("{name}, game {}: local {line}\nfleet {played}", number + 1);
            }
        }
    }
    format!("{:?} and {:?} are not the same", local.keys(), remote.keys())
}

/// Pairs in the ledger of `folder`; none if there is no ledger yet.
pub(crate) fn stored_pairs(folder: &Path) -> u64 {
    let path = folder.join("ledger.sqlite");
    let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let count = |connection: Connection| {
        connection.query_row("SELECT count(*) FROM unit", [], |row| row.get::<_, i64>(0))
    };
    opened.and_then(count).map_or(0, |pairs| pairs as u64)
}

/// Waits until `run` has stored so many pairs of the folder `fleet`; fails if it ends before.
pub(crate) fn wait_for_pairs(fleet: &Fleet, run: &mut Machine, pairs: u64) {
    let until = Instant::now() + BOUND;
    while stored_pairs(&fleet.path().join("fleet")) < pairs {
        assert!(run.is_running(), "it ended too early: {}", run.said());
        assert!(
            Instant::now() < until,
            "{pairs} pairs did not come: {}",
            run.said()
        );
        sleep(Duration::from_millis(5));
    }
}
