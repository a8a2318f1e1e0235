//! What changed, told to all who watch.
//!
//! In: the ledgers of runs that are watched. Out: numbered changes. Must not: keep anything for who does not listen: there is one last
//! change, and whoever was slow gets that.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::json;
use tokio::sync::watch::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::shelf::lock;

/// A sign of life to who watches what does not change.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The last change of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// Grows with each, also over a restart of the server.
    version: i64,
    time_ms: i64,
    /// What goes on, written once for all who watch.
    boards: Arc<str>,
}

/// What is seen of something that is watched: whenever it is another one, there was a change.
pub(super) struct Sight {
    pub(super) of: Vec<u8>,
    /// The games in progress: another text is told by itself and is no change.
    pub(super) boards: String,
    /// When its last change was, in seconds before now.
    pub(super) age_s: Option<u64>,
    /// How long to wait before the next look.
    pub(super) pause: Duration,
}

/// Everything that is watched.
#[derive(Default)]
pub(super) struct Follow {
    watched: Arc<Mutex<HashMap<String, Sender<Change>>>>,
}

impl Follow {
    /// The changes of what has this name; `look` is called for all who watch it, in a thread of its own, while anybody does.
    pub(super) fn watch(
        &self,
        name: &str,
        look: impl Fn() -> Sight + Send + Sync + 'static,
    ) -> Receiver<Change> {
        let mut watched = lock(&self.watched);
        if let Some(sender) = watched.get(name) {
            return sender.subscribe();
        }
        let now = now_ms();
        let (sender, receiver) = channel(Change {
            version: now,
            time_ms: now,
            boards: Arc::from(""),
        });
        watched.insert(name.to_owned(), sender.clone());
        let (all, name) = (Arc::clone(&self.watched), name.to_owned());
        tokio::spawn(observe(all, name, sender, Arc::new(look)));
        receiver
    }
}

async fn observe(
    all: Arc<Mutex<HashMap<String, Sender<Change>>>>,
    name: String,
    sender: Sender<Change>,
    look: Arc<impl Fn() -> Sight + Send + Sync + 'static>,
) {
    let mut before: Option<Vec<u8>> = None;
    loop {
        let look = Arc::clone(&look);
        let Ok(sight) = spawn_blocking(move || look()).await else {
            break;
        };
        if before.as_ref() != Some(&sight.of) {
            let now = now_ms();
            let age_ms = sight
                .age_s
                .map_or(0, |age| i64::try_from(age).unwrap_or(0).saturating_mul(1_000));
            let version = now.max(sender.borrow().version + 1);
            sender.send_replace(Change {
                version,
                time_ms: now - age_ms,
                boards: sight.boards.into(),
            });
            before = Some(sight.of);
        } else if *sender.borrow().boards != *sight.boards {
            sender.send_modify(|change| change.boards = sight.boards.into());
        }
        sleep(sight.pause).await;
        let mut watched = lock(&all);
        if sender.receiver_count() == 0 {
            watched.remove(&name);
            return;
        }
    }
    lock(&all).remove(&name);
}

/// Changes as server-sent events.
pub(super) fn events(changes: Receiver<Change>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let told = Change {
        version: 0,
        time_ms: 0,
        boards: Arc::from(""),
    };
    let stream = unfold((changes, told), |(mut changes, mut told)| async move {
        let change = loop {
            let change = changes.borrow_and_update().clone();
            if change.version != told.version || change.boards != told.boards {
                break change;
            }
            changes.changed().await.ok()?;
        };
        let event = if change.version != told.version {
            let data = json!({ "version": change.version, "time_ms": change.time_ms });
            told.version = change.version;
            Event::default()
                .event("change")
                .id(change.version.to_string())
                .data(data.to_string())
        } else {
            told.boards = Arc::clone(&change.boards);
            Event::default().event("boards").data(&*change.boards)
        };
        Some((Ok(event), (changes, told)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
