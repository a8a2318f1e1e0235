//! A coordinator sends pairs as jobs, and looks for those that were lost. What the server acknowledges is no result.

use std::collections::BTreeMap;
use std::time::Instant;

use async_nats::jetstream::context::{PublishAckFuture, PublishError};
use async_nats::jetstream::publish::PublishAck;
use tokio::time::timeout_at;

use super::drive::Drive;
use super::in_flight::SentPair;
use super::streams::{self, job_subject, result_subject};
use super::timeouts::{LINGER, RETRY_PAUSE, SERVER_TIMEOUT};
use super::wire::{Job, JobPair, Message, signed};
use crate::runner::Next;

impl Drive<'_> {
    /// Sends as many pairs as the fleet needs.
    pub(super) async fn dispatch(&mut self) {
        let now = Instant::now();
        if self.retry_at.is_some_and(|at| now < at) {
            return;
        }
        self.retry_at = None;
        if self.work.queue().interrupt.is_requested() {
            return;
        }
        let slots = self.hosts.slots(now);
        if slots == 0 && self.fleet.local.is_some() {
            return self.take_back();
        }
        let wanted = self.in_flight.wanted(slots, u64::from(self.fleet.options.weight));
        while self.in_flight.count() < wanted {
            match self.work.queue().poll() {
                // Only tables of this machine excuse faults, and they give such pairs back themselves.
                Next::Pair(plan, _) => {
                    self.in_flight.start(plan, now);
                    if let Some((result, message)) = self.early.remove(&plan.pair) {
                        self.receive(&result, message).await;
                    }
                }
                Next::Later => break,
                Next::Never => {
                    self.is_exhausted = !self.work.queue().interrupt.is_requested();
                    break;
                }
            }
        }
        // They come one by one, and are to be sent in whole jobs.
        let unsent = self.in_flight.unsent().len();
        if unsent == 0 {
            return;
        }
        let since = *self.unsent_since.get_or_insert(now);
        if unsent >= self.in_flight.job_pairs() || now.duration_since(since) >= LINGER {
            self.unsent_since = None;
            self.send().await;
        }
    }

    /// Nobody else is there: this machine plays what is out.
    fn take_back(&mut self) {
        for plan in self.in_flight.take_all() {
            self.work.queue().give_back(plan, Vec::new());
        }
        match self.work.queue().poll() {
            Next::Pair(plan, replayed) => self.work.queue().give_back(plan, replayed),
            Next::Later => (),
            Next::Never => self.is_exhausted = !self.work.queue().interrupt.is_requested(),
        }
    }

    /// Sends jobs of all pairs that are not sent; those that the server does not take are tried again.
    async fn send(&mut self) {
        let mut tables: BTreeMap<String, Vec<JobPair>> = BTreeMap::new();
        for plan in self.in_flight.unsent().collect::<Vec<_>>() {
            match self.work.task(&plan) {
                Some(task) => {
                    let pair = JobPair::of(&task);
                    tables.entry(task.table).or_default().push(pair);
                }
                None => drop(self.in_flight.forget(plan.pair)),
            }
        }
        let mut waiting = Vec::new();
        for (table, pairs) in tables {
            for pairs in pairs.chunks(self.in_flight.job_pairs()) {
                let job = Job {
                    run: self.work.queue().run_id.clone(),
                    table: table.clone(),
                    pairs: pairs.to_vec(),
                    reference_nps: self.reference_nps,
                };
                waiting.push((self.publish(&job).await, job.pairs));
            }
        }
        let until = tokio::time::Instant::now() + SERVER_TIMEOUT;
        for (sent, pairs) in waiting {
            let answer = match sent {
                Ok(stored) => timeout_at(until, stored.into_future()).await.ok(),
                Err(_) => None,
            };
            self.tell_of_refusal(answer.as_ref());
            if let Some(Ok(_)) = answer {
                let job = pairs.first().map_or(0, |pair| pair.pair);
                pairs.iter().for_each(|pair| self.in_flight.sent(pair.pair, job));
            } else {
                self.retry_at = Some(Instant::now() + RETRY_PAUSE);
            }
        }
    }

    /// Tells the user once that the server takes no jobs, until it takes one again.
    fn tell_of_refusal(&mut self, answer: Option<&Result<PublishAck, PublishError>>) {
        match answer {
            Some(Ok(_)) => self.is_refused = false,
            Some(Err(error)) if !self.is_refused => {
                if let Some(why) = streams::refusal(error) {
                    self.is_refused = true;
                    self.fleet.options.tell(&format!(
                        "the server takes no jobs ({why}); the run continues when it does"
                    ));
                }
            }
            _ => (),
        }
    }

    async fn publish(&self, job: &Job) -> Result<PublishAckFuture, PublishError> {
        let first = job.pairs.first().map_or(0, |pair| pair.pair);
        tracing::info!(first, pairs = job.pairs.len(), "sends a job");
        let subject = job_subject(&self.class, &job.run, first);
        let payload = signed(&self.key, &job.to_bytes()).unwrap_or_default();
        self.context.publish(subject, payload.into()).await
    }

    /// Looks for what a server may have lost.
    pub(super) async fn search(&mut self) {
        // Before the streams: a consumer may move on in between.
        let consumer = self.streams.jobs.consumer_info(&self.class).await;
        let delivered = consumer.map_or(0, |info| info.delivered.stream_sequence);
        let Ok(streams) = streams::open(&self.context).await else {
            return;
        };
        let is_lost = !streams.are(&self.streams);
        // A server that was killed may number an empty stream anew, and its consumer then waits for ever: new messages have numbers that it
        // has seen.
        if delivered > streams.jobs.cached_info().state.last_sequence {
            // It is made anew below, and has all jobs then.
            let _ = streams.jobs.delete_consumer(&self.class).await;
        }
        let server = self.client.server_info().server_id;
        // A server that was restarted may not deliver what it stored since, and asking anew costs little.
        self.is_deaf |= self.server != server;
        self.server = server;
        if streams::open_class(&streams, &self.class).await.is_err() {
            return;
        }
        self.streams = streams;
        if is_lost {
            tracing::info!(
                in_flight = self.in_flight.count(),
                "the streams were lost: all pairs are sent again"
            );
            self.lease.forget();
            self.is_deaf = true;
            self.in_flight.resend_all();
            return;
        }
        let now = Instant::now();
        for sent in self.in_flight.overdue(now, self.hosts.are_busy(now)) {
            let is_lost = self.is_lost(&sent).await;
            let (pair, is_given_up) = (sent.plan.pair, sent.is_given_up());
            tracing::info!(pair, is_given_up, is_lost, "a pair is late");
            if is_lost {
                self.in_flight.resend(pair);
            }
        }
    }

    /// Has the server no job with this pair any more, or one that it delivers to nobody?
    async fn is_lost(&mut self, sent: &SentPair) -> bool {
        let run = &self.work.queue().run_id;
        let subject = job_subject(&self.class, run, sent.job);
        let job = self.streams.jobs.get_last_raw_message_by_subject(&subject).await;
        if job.is_ok() && !sent.is_given_up() {
            return false;
        }
        let result = result_subject(run, sent.plan.pair);
        let results = &self.streams.results;
        if results.get_last_raw_message_by_subject(&result).await.is_ok() {
            // It is there, and does not come by itself.
            self.is_deaf |= sent.is_given_up();
            return false;
        }
        if job.is_ok() {
            // If somebody plays it after all, one of two results is taken. Not by its own subject: consumers of a wider one lose their place
            // to that before nats-server 2.9.13 (its #3838).
            let of_any_class = job_subject("*", run, sent.job);
            let _ = self.streams.jobs.purge().filter(of_any_class).await;
        }
        true
    }
}
