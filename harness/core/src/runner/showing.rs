//! The games in progress, put where others see them while a run plays.
//!
//! In: live games, a file. Out: the file, anew once a second. Must not: keep a worker waiting.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use crate::ledger::LiveFile;
use crate::play::LiveGames;

/// Between two looks at the workers.
const PAUSE: Duration = Duration::from_secs(1);

/// Does `play`, and writes into `file` what is seen in `live_games` meanwhile.
pub(super) fn shown<R>(live_games: &LiveGames, file: Option<LiveFile>, play: impl FnOnce() -> R) -> R {
    let Some(file) = file else { return play() };
    let (end, ended) = channel::<()>();
    scope(|scope| {
        let show = move || {
            let mut before = Vec::new();
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let games = live_games.games();
                if games != before {
                    file.write(&games);
                    before = games;
                }
                live_games.ask();
            }
        };
        live_games.ask();
        // Where no thread is to be had, the games are played unseen.
        drop(Builder::new().name("live".to_owned()).spawn_scoped(scope, show));
        let played = play();
        drop(end);
        played
    })
}
