//! Programs that go on while a test does something to them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::common::tanren;
use crate::folder::{InFolder, words};

pub(crate) fn signal(pid: u32, name: &str) {
    let status = Command::new("kill").args(["-s", name, &pid.to_string()]).status();
    assert!(status.unwrap().success());
}

#[track_caller]
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A running `tanren` whose ledger is in a folder of this one.
pub(crate) struct Running {
    run: PathBuf,
    child: Child,
    /// Games that the ledger held before.
    games_before: i64,
}

/// Games in the ledger of a run; none while there is no ledger yet.
fn games_in(run: &Path) -> i64 {
    let ledger = Connection::open_with_flags(run.join("ledger.sqlite"), OpenFlags::SQLITE_OPEN_READ_ONLY);
    let count = ledger.and_then(|ledger| {
        ledger.busy_timeout(Duration::from_secs(5))?;
        ledger.query_row("SELECT 2 * count(*) FROM unit", [], |row| row.get(0))
    });
    count.unwrap_or(0)
}

impl Running {
    /// Starts a command with `--out OUT`.
    pub(crate) fn start(folder: &Path, line: &str, out: &str) -> Running {
        let mut command = tanren();
        command
            .args(words(&format!("{line} --out {out}")))
            .current_dir(folder);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let run = folder.join(out);
        Running {
            games_before: games_in(&run),
            run,
            child: command.spawn().unwrap(),
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until this run has played a game that the folder did not hold.
    pub(crate) fn wait_for_a_new_game(&self) {
        wait_until("no new game", || games_in(&self.run) > self.games_before);
    }

    /// Waits until games are played and signals are heard.
    pub(crate) fn wait_for_games(&self) {
        wait_until("no ledger", || self.run.join("ledger.sqlite").exists());
        std::thread::sleep(Duration::from_millis(300));
    }

    pub(crate) fn end(self) -> Output {
        self.child.wait_with_output().unwrap()
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// How many games of the run `m` ended for this reason, and how many there are.
pub(crate) fn games_with(folder: &Path, reason: &str) -> (usize, usize) {
    let reasons = folder.column("m/games.csv", "reason");
    (reasons.iter().filter(|one| *one == reason).count(), reasons.len())
}
