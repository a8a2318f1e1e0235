//! The games that are being played, in a file beside the ledger that nothing counts.

use std::fs;
use std::path::PathBuf;

use super::Ledger;
use crate::play::LiveGame;

const LIVE_FILE: &str = "live.json";
/// Larger files are not read.
const BYTES_MAX: u64 = 1 << 20;
/// Of more games only the first are written, and read.
const GAMES_MAX: usize = 256;

/// The file of a run that is played; it is removed with this.
#[derive(Debug)]
pub struct LiveFile {
    path: PathBuf,
}

impl Ledger {
    /// The file for the games in progress; `None` where this ledger is only read.
    pub fn live_file(&self) -> Option<LiveFile> {
        self.lock.as_ref()?;
        let path = self.path.parent()?.join(LIVE_FILE);
        // What a process that was killed left behind.
        drop(fs::remove_file(&path));
        Some(LiveFile { path })
    }
}

impl LiveFile {
    /// Replaces what stands there; a disk that is full keeps no run from playing.
    pub fn write(&self, games: &[LiveGame]) {
        let games = &games[..games.len().min(GAMES_MAX)];
        let Ok(text) = serde_json::to_vec(games) else {
            return;
        };
        let fresh = self.fresh();
        if fs::write(&fresh, text)
            .and_then(|()| fs::rename(&fresh, &self.path))
            .is_err()
        {
            drop(fs::remove_file(&fresh));
        }
    }

    fn fresh(&self) -> PathBuf {
        self.path.with_extension("json.new")
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.path));
    }
}

/// The games that are being played in `folder` by a process that writes there now; none where nobody does.
pub fn live_games(folder: &std::path::Path) -> Vec<LiveGame> {
    if !super::is_being_written(folder) {
        return Vec::new();
    }
    read(&folder.join(LIVE_FILE)).unwrap_or_default()
}

fn read(path: &std::path::Path) -> Option<Vec<LiveGame>> {
    use std::io::Read;

    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut text = Vec::new();
    let read = fs::File::open(path)
        .ok()?
        .take(BYTES_MAX + 1)
        .read_to_end(&mut text);
    let is_whole = read.ok()? as u64 <= BYTES_MAX;
    let mut games: Vec<LiveGame> = is_whole.then(|| serde_json::from_slice(&text).ok())??;
    games.truncate(GAMES_MAX);
    Some(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::FolderLock;

    /// The folder of a run that is being written: a ledger that is open, and the lock.
    fn held(folder: &std::path::Path) -> FolderLock {
        fs::write(folder.join("ledger.sqlite-wal"), "a log").unwrap();
        FolderLock::acquire(folder).unwrap()
    }

    fn game() -> LiveGame {
        LiveGame {
            game: "shogi".to_owned(),
            pair: 3,
            index: 1,
            players: [1, 0],
            opening_line: 7,
            opening: "startpos".to_owned(),
            moves: "7g7f 3c3d".to_owned(),
            clocks_ms: [Some(100), None],
        }
    }

    #[test]
    fn games_are_read_while_their_run_holds_its_folder_and_go_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LIVE_FILE);
        let lock = held(folder.path());
        let file = LiveFile { path: path.clone() };
        file.write(&[game()]);
        assert_eq!(live_games(folder.path()), [game()]);
        drop(lock);
        assert!(live_games(folder.path()).is_empty(), "whoever wrote it is gone");
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_list_of_games_or_is_too_large_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let _lock = held(folder.path());
        let path = folder.path().join(LIVE_FILE);
        let large = serde_json::to_string(&vec![game(); 20_000]).unwrap();
        for text in ["", "[", "{}", "[{\"pair\":-1}]", &large] {
            fs::write(&path, text).unwrap();
            assert!(live_games(folder.path()).is_empty(), "{text:.20}");
        }
        fs::write(&path, serde_json::to_string(&vec![game(); 300]).unwrap()).unwrap();
        assert_eq!(live_games(folder.path()).len(), GAMES_MAX);
    }
}
