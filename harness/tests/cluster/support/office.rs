//! The server as the coordinator's key can see and change it.
//!
//! In: a fleet. Out: its streams and their limits; messages in the coordinator's name. Must not: stand for a coordinator's process.

use std::time::Duration;

use async_nats::header::HeaderMap;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use nkeys::KeyPair;
use serde::de::DeserializeOwned;
use tanren::internals::{Announcement, CoordinatorFile, Here, Job, connect};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::fleet::{BOUND, Fleet};

/// A connection with the coordinator's key.
pub(crate) struct Office {
    runtime: Runtime,
    client: Client,
    context: Context,
    key: KeyPair,
    said: Subscriber,
    runs: Subscriber,
}

impl Office {
    pub(crate) fn open(fleet: &Fleet) -> Office {
        let file = CoordinatorFile::open(&fleet.path().join("coordinator.toml")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let client = runtime.block_on(connect(&file.access(false))).unwrap();
        let said = runtime.block_on(client.subscribe("tanren.here.*")).unwrap();
        let runs = runtime.block_on(client.subscribe("tanren.run.*")).unwrap();
        // What a context does in the background is done there.
        let inside = runtime.enter();
        let context = jetstream::new(client.clone());
        drop(inside);
        Office {
            context,
            key: file.seed.key_pair().unwrap(),
            runtime,
            client,
            said,
            runs,
        }
    }

    /// From now on a stream has room for so many bytes.
    pub(crate) fn limit(&self, stream: &str, bytes: i64) {
        self.runtime.block_on(async {
            let mut config = self
                .context
                .get_stream(stream)
                .await
                .unwrap()
                .cached_info()
                .config
                .clone();
            config.max_bytes = bytes;
            self.context.update_stream(config).await.unwrap();
        });
    }

    /// So many messages are in a stream.
    pub(crate) fn messages(&self, stream: &str) -> u64 {
        self.runtime.block_on(async {
            let stream = self.context.get_stream(stream).await.unwrap();
            stream.cached_info().state.messages
        })
    }

    /// Makes a queue of jobs.
    pub(crate) fn open_class(&self, class: &str) {
        let config = pull::Config {
            durable_name: Some(class.to_owned()),
            filter_subject: format!("tanren.job.{class}.>"),
            ..pull::Config::default()
        };
        self.runtime.block_on(async {
            let jobs = self.context.get_stream("jobs").await.unwrap();
            jobs.create_consumer(config).await.unwrap();
        });
    }

    /// So many jobs of a class were given to somebody.
    pub(crate) fn given(&self, class: &str) -> u64 {
        self.runtime.block_on(async {
            let jobs = self.context.get_stream("jobs").await.unwrap();
            jobs.consumer_info(class)
                .await
                .unwrap()
                .delivered
                .consumer_sequence
        })
    }

    /// Publishes a job, signed as a coordinator does.
    pub(crate) fn publish(&self, class: &str, job: &Job) {
        let payload = serde_json::to_vec(job).unwrap();
        let signature = self.key.sign(&payload).unwrap();
        let digits: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut headers = HeaderMap::new();
        headers.insert("Tanren-Signature", digits);
        let subject = format!("tanren.job.{class}.{}.{}", job.run, job.pairs[0].pair);
        self.runtime.block_on(async {
            let sent = self
                .context
                .publish_with_headers(subject, headers, payload.into());
            sent.await.unwrap().await.unwrap();
        });
    }

    /// Tells workers of a run.
    pub(crate) fn announce(&self, run: &str, class: &str, is_over: bool) {
        let announcement = Announcement {
            run: run.to_owned(),
            class: class.to_owned(),
            is_over,
            engines: [].into(),
            in_flight: 1,
            distrusted: Vec::new(),
        };
        let payload = serde_json::to_vec(&announcement).unwrap();
        self.runtime.block_on(async {
            let subject = format!("tanren.run.{run}");
            self.client.publish(subject, payload.into()).await.unwrap();
            self.client.flush().await.unwrap();
        });
    }

    /// What a worker says next.
    pub(crate) fn next_here(&mut self) -> Here {
        next(&self.runtime, &mut self.said)
    }

    /// What a coordinator says next.
    pub(crate) fn next_run(&mut self) -> Announcement {
        next(&self.runtime, &mut self.runs)
    }

    /// All that was said so far is not to be heard any more.
    pub(crate) fn forget(&mut self) {
        self.runtime.block_on(async {
            let soon = Duration::from_millis(50);
            while timeout(soon, self.said.next()).await.is_ok() {}
            while timeout(soon, self.runs.next()).await.is_ok() {}
        });
    }
}

/// The next message that is one of those; orders are not.
fn next<T: DeserializeOwned>(runtime: &Runtime, said: &mut Subscriber) -> T {
    loop {
        let message = runtime.block_on(async { timeout(BOUND, said.next()).await });
        if let Ok(message) = serde_json::from_slice(&message.unwrap().unwrap().payload) {
            return message;
        }
    }
}
