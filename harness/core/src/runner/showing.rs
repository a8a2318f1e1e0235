//! The games in progress, put where others see them while a run plays.
//!
//! In: a gallery, a file. Out: the file, anew once a second. Must not: keep a worker waiting.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use crate::ledger::LiveFile;
use crate::play::Gallery;

/// Between two looks at the workers.
const PAUSE: Duration = Duration::from_secs(1);

/// Does `play`, and writes into `file` what is seen in `gallery` meanwhile.
pub(super) fn shown<R>(gallery: &Gallery, file: Option<LiveFile>, play: impl FnOnce() -> R) -> R {
    let Some(file) = file else { return play() };
    let (end, ended) = channel::<()>();
    scope(|scope| {
        let show = move || {
            let mut before = Vec::new();
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let games = gallery.seen();
                if games != before {
                    file.write(&games);
                    before = games;
                }
                gallery.ask();
            }
        };
        gallery.ask();
        // Where no thread is to be had, the games are played unseen.
        drop(Builder::new().name("live".to_owned()).spawn_scoped(scope, show));
        let played = play();
        drop(end);
        played
    })
}
