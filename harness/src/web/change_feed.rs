//! Changes as server-sent events. There is one last change of whatever is watched; a slow viewer gets that and nothing in between.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::sync::watch::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::platform::lock;

/// Between two comments to a viewer of something that does not change.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FeedChange {
    /// Grows with each, also over a restart of the server.
    version: i64,
    time_ms: i64,
    boards: Arc<str>,
}

pub(super) struct Snapshot {
    pub(super) state: Vec<u8>,
    /// The games in progress: another text is sent by itself and is no change.
    pub(super) boards: String,
    /// When its last change was, in seconds before now.
    pub(super) age_s: Option<u64>,
    /// How long to wait before the next snapshot.
    pub(super) pause: Duration,
}

pub(super) struct ChangeFeed {
    watched: Arc<Mutex<HashMap<String, Sender<FeedChange>>>>,
    readers: Arc<Semaphore>,
}

impl ChangeFeed {
    /// Runs are read by so many threads at a time as `readers` has permits.
    pub(super) fn new(readers: Arc<Semaphore>) -> ChangeFeed {
        ChangeFeed {
            watched: Arc::default(),
            readers,
        }
    }

    /// The changes of `name`; `take` is called in a blocking thread for all who watch it, while anybody does.
    pub(super) fn watch(
        &self,
        name: &str,
        take: impl Fn() -> Snapshot + Send + Sync + 'static,
    ) -> Receiver<FeedChange> {
        let mut watched = lock(&self.watched);
        if let Some(sender) = watched.get(name) {
            return sender.subscribe();
        }
        let now = now_ms();
        let (sender, receiver) = channel(FeedChange {
            version: now,
            time_ms: now,
            boards: Arc::from(""),
        });
        watched.insert(name.to_owned(), sender.clone());
        let (all, name) = (Arc::clone(&self.watched), name.to_owned());
        let readers = Arc::clone(&self.readers);
        tokio::spawn(observe(all, name, sender, readers, Arc::new(take)));
        receiver
    }
}

async fn observe(
    all: Arc<Mutex<HashMap<String, Sender<FeedChange>>>>,
    name: String,
    sender: Sender<FeedChange>,
    readers: Arc<Semaphore>,
    take: Arc<impl Fn() -> Snapshot + Send + Sync + 'static>,
) {
    let mut before: Option<Vec<u8>> = None;
    loop {
        let take = Arc::clone(&take);
        let permit = readers.acquire().await;
        let Ok(snapshot) = spawn_blocking(move || take()).await else {
            break;
        };
        drop(permit);
        if before.as_ref() != Some(&snapshot.state) {
            let now = now_ms();
            let age_ms = snapshot
                .age_s
                .map_or(0, |age| i64::try_from(age).unwrap_or(0).saturating_mul(1_000));
            let version = now.max(sender.borrow().version + 1);
            sender.send_replace(FeedChange {
                version,
                time_ms: now - age_ms,
                boards: snapshot.boards.into(),
            });
            before = Some(snapshot.state);
        } else if *sender.borrow().boards != *snapshot.boards {
            sender.send_modify(|change| change.boards = snapshot.boards.into());
        }
        sleep(snapshot.pause).await;
        let mut watched = lock(&all);
        if sender.receiver_count() == 0 {
            watched.remove(&name);
            return;
        }
    }
    lock(&all).remove(&name);
}

pub(super) fn events(changes: Receiver<FeedChange>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let sent = FeedChange {
        version: 0,
        time_ms: 0,
        boards: Arc::from(""),
    };
    let stream = unfold((changes, sent), |(mut changes, mut sent)| async move {
        let change = loop {
            let change = changes.borrow_and_update().clone();
            if change.version != sent.version || change.boards != sent.boards {
                break change;
            }
            changes.changed().await.ok()?;
        };
        let event = if change.version != sent.version {
            let data = json!({ "version": change.version, "time_ms": change.time_ms });
            sent.version = change.version;
            Event::default()
                .event("change")
                .id(change.version.to_string())
                .data(data.to_string())
        } else {
            sent.boards = Arc::clone(&change.boards);
            Event::default().event("boards").data(&*change.boards)
        };
        Some((Ok(event), (changes, sent)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX / 2)
    })
}
