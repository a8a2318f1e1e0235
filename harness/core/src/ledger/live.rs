//! The games that are being played, in a file beside the ledger that nothing counts.

use std::fs;
use std::path::PathBuf;

use super::Ledger;
use crate::platform::read_regular;
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
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut games: Vec<LiveGame> = serde_json::from_slice(&read_regular(path, BYTES_MAX).ok()?).ok()?;
    games.truncate(GAMES_MAX);
    Some(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Manifest;

    #[test]
    fn games_are_read_while_their_run_is_written_and_go_with_it_and_no_more_than_can_be_shown() {
        let game = LiveGame {
            game: "shogi".to_owned(),
            pair: 3,
            index: 1,
            players: [1, 0],
            opening_line: 7,
            opening: "startpos".to_owned(),
            moves: "7g7f 3c3d".to_owned(),
            clocks_ms: [Some(100), None],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LIVE_FILE);
        let ledger = Ledger::open_or_create(folder.path(), &Manifest::default()).unwrap();
        let file = ledger.live_file().unwrap();
        let many = |count: usize| vec![game.clone(); count];
        file.write(&many(300));
        assert_eq!(live_games(folder.path()), many(GAMES_MAX));
        for text in [
            "",
            "[",
            "{}",
            "[{\"pair\":-1}]",
            &serde_json::to_string(&many(20_000)).unwrap(),
        ] {
            fs::write(&path, text).unwrap();
            assert!(live_games(folder.path()).is_empty(), "{text:.20}");
        }
        file.write(&many(1));
        drop(ledger);
        assert!(live_games(folder.path()).is_empty(), "whoever wrote it is gone");
        drop(file);
        assert!(!path.exists());
    }
}
