//! The server as the coordinator's key can see and change it.

use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{self, Context, stream};
use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use tanren::internals::{Announcement, CoordinatorFile, Heartbeat, connect};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::support::{BOUND, Fleet};

pub(crate) struct Monitor {
    runtime: Runtime,
    client: Client,
    context: Context,
    heartbeats: Subscriber,
    runs: Subscriber,
}

impl Monitor {
    pub(crate) fn open(fleet: &Fleet) -> Monitor {
        let file = CoordinatorFile::open(&fleet.join("coordinator.toml")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.unwrap();
        let (client, heartbeats, runs) = runtime.block_on(async {
            let client = connect(&file.access(false)).await.unwrap();
            let heartbeats = client.subscribe("tanren.here.*").await.unwrap();
            let runs = client.subscribe("tanren.run.*").await.unwrap();
            (client, heartbeats, runs)
        });
        // A context has tasks of its own.
        let inside = runtime.enter();
        let context = jetstream::new(client.clone());
        drop(inside);
        Monitor {
            context,
            runtime,
            client,
            heartbeats,
            runs,
        }
    }

    fn stream(&self, name: &str) -> stream::Stream {
        self.runtime.block_on(self.context.get_stream(name)).unwrap()
    }

    /// From now on a stream has room for so many bytes.
    pub(crate) fn limit(&self, stream: &str, bytes: i64) {
        let mut config = self.stream(stream).cached_info().config.clone();
        config.max_bytes = bytes;
        self.runtime.block_on(self.context.update_stream(config)).unwrap();
    }

    pub(crate) fn messages(&self, stream: &str) -> u64 {
        self.stream(stream).cached_info().state.messages
    }

    /// Makes a queue of jobs.
    pub(crate) fn open_class(&self, class: &str) {
        let config = pull::Config {
            durable_name: Some(class.to_owned()),
            filter_subject: format!("tanren.job.{class}.>"),
            ..pull::Config::default()
        };
        self.runtime
            .block_on(self.stream("jobs").create_consumer(config))
            .unwrap();
    }

    /// So many jobs of a class were delivered.
    pub(crate) fn delivered(&self, class: &str) -> u64 {
        let info = self.runtime.block_on(self.stream("jobs").consumer_info(class));
        info.unwrap().delivered.consumer_sequence
    }

    /// As the coordinator of a run may.
    pub(crate) fn publish(&self, subject: String, payload: Vec<u8>) {
        self.runtime.block_on(async {
            self.client.publish(subject, payload.into()).await.unwrap();
            self.client.flush().await.unwrap();
        });
    }

    pub(crate) fn next_heartbeat(&mut self) -> Heartbeat {
        next(&self.runtime, &mut self.heartbeats)
    }

    pub(crate) fn next_announcement(&mut self) -> Announcement {
        next(&self.runtime, &mut self.runs)
    }

    /// Forgets what was said so far.
    pub(crate) fn forget(&mut self) {
        self.runtime.block_on(async {
            let soon = Duration::from_millis(50);
            while timeout(soon, self.heartbeats.next()).await.is_ok() {}
            while timeout(soon, self.runs.next()).await.is_ok() {}
        });
    }
}

/// The next message of this kind; orders to stop are none.
fn next<T: DeserializeOwned>(runtime: &Runtime, said: &mut Subscriber) -> T {
    loop {
        let message = runtime.block_on(async { timeout(BOUND, said.next()).await });
        if let Ok(message) = serde_json::from_slice(&message.unwrap().unwrap().payload) {
            return message;
        }
    }
}
