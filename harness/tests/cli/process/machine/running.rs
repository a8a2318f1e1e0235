//! A match that goes on while a test does something to it.

use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::common::tanren;
use crate::folder::{InFolder, words};

/// A running `tanren match --out m` in a folder.
pub(crate) struct Running {
    folder: PathBuf,
    child: Child,
    /// Games that the folder held before.
    games_before: i64,
}

/// Games in the ledger of a folder; none while there is no ledger yet.
fn games_in(folder: &Path) -> i64 {
    let ledger =
        Connection::open_with_flags(folder.join("m/ledger.sqlite"), OpenFlags::SQLITE_OPEN_READ_ONLY);
    let count = ledger.and_then(|ledger| {
        ledger.busy_timeout(Duration::from_secs(5))?;
        ledger.query_row("SELECT 2 * count(*) FROM unit", [], |row| row.get(0))
    });
    count.unwrap_or(0)
}

impl Running {
    pub(crate) fn start(folder: &Path, arguments: &str) -> Running {
        let mut command = tanren();
        command
            .args(words("match --quiet --out m"))
            .args(words(arguments))
            .current_dir(folder);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running {
            folder: folder.to_owned(),
            games_before: games_in(folder),
            child: command.spawn().unwrap(),
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until this run has played a game that the folder did not hold.
    pub(crate) fn wait_for_a_new_game(&self) {
        for _ in 0..6_000 {
            if games_in(&self.folder) > self.games_before {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("no new game after a minute");
    }

    /// Waits until games are played.
    pub(crate) fn wait_for_games(&self) {
        for _ in 0..4_000 {
            if self.folder.join("m/ledger.sqlite").exists() {
                sleep(Duration::from_millis(400));
                return;
            }
            sleep(Duration::from_millis(5));
        }
        panic!("no ledger after twenty seconds");
    }

    pub(crate) fn end(self) -> Output {
        self.child.wait_with_output().unwrap()
    }
}

/// How often a word stands in a row of `games.csv`, and how many games there are.
pub(crate) fn games_with(folder: &Path, reason: &str) -> (usize, usize) {
    let rows = folder.rows("m/games.csv");
    let with = rows.iter().filter(|row| row.iter().any(|cell| cell == reason));
    (with.count(), rows.len())
}
