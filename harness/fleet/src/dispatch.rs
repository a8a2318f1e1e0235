//! A coordinator sends pairs as jobs, and looks for those that were lost. What the server acknowledges is no result.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::header::HeaderMap;
use async_nats::jetstream::context::{PublishAckFuture, PublishError};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use tokio::time::timeout_at;

use super::drive::{Drive, RETRY_PAUSE, SERVER_TIMEOUT};
use super::in_flight::Overdue;
use super::streams::{self, job_subject, result_subject};
use super::wire::{JOB_PAIRS_MAX, Job, JobPair, Message, SIGNATURE_HEADER, hex};
use crate::runner::Next;
use crate::schedule::PairPlan;

/// How long a pair waits for others to fill its job.
const LINGER: Duration = Duration::from_millis(50);

impl Drive<'_> {
    /// Sends as many pairs as the fleet needs.
    pub(super) async fn dispatch(&mut self) {
        let now = Instant::now();
        if self.retry_at.is_some_and(|at| now < at) {
            return;
        }
        self.retry_at = None;
        if self.work.interrupt().is_requested() {
            return;
        }
        let slots = self.hosts.slots(&self.fleet.engine, now);
        if slots == 0 && self.fleet.local.is_some() {
            return self.take_back();
        }
        let weight = u64::from(self.fleet.options.weight);
        let wanted = self.in_flight.wanted(slots, weight, JOB_PAIRS_MAX);
        while self.in_flight.count() < wanted {
            match self.work.poll() {
                // Only tables of this machine excuse faults, and they give such pairs back themselves.
                Next::Pair(plan, _) => {
                    self.in_flight.start(plan, now);
                    match self.early.remove(&plan.pair) {
                        Some((result, message)) => self.receive(&result, message).await,
                        None => drop(self.unsent.insert(plan.pair, plan)),
                    }
                }
                Next::Later => break,
                Next::Never => {
                    self.is_exhausted = !self.work.interrupt().is_requested();
                    break;
                }
            }
        }
        if self.is_time_to_send(now) {
            self.unsent_since = None;
            let plans = std::mem::take(&mut self.unsent);
            self.send(plans.into_values().collect()).await;
        }
    }

    /// Nobody else is there: this machine plays what is out.
    fn take_back(&mut self) {
        self.unsent.clear();
        let plans: Vec<PairPlan> = self.in_flight.plans().collect();
        for plan in plans {
            self.in_flight.forget(plan.pair);
            self.work.give_back(plan, Vec::new());
        }
        match self.work.poll() {
            Next::Pair(plan, excused) => self.work.give_back(plan, excused),
            Next::Later => (),
            Next::Never => self.is_exhausted = !self.work.interrupt().is_requested(),
        }
    }

    /// Pairs come one by one, and are to be sent in whole jobs.
    fn is_time_to_send(&mut self, now: Instant) -> bool {
        if self.unsent.is_empty() {
            return false;
        }
        let since = *self.unsent_since.get_or_insert(now);
        self.unsent.len() >= self.in_flight.job_pairs(JOB_PAIRS_MAX) || now.duration_since(since) >= LINGER
    }

    /// Sends jobs of these pairs; those that the server does not take are tried again.
    async fn send(&mut self, plans: Vec<PairPlan>) {
        let mut tables: BTreeMap<String, Vec<JobPair>> = BTreeMap::new();
        // A pair that has come meanwhile needs no job.
        for plan in plans {
            if self.in_flight.plan(plan.pair).is_none() {
                continue;
            }
            match self.work.task(&plan) {
                Some(task) => tables
                    .entry(task.table.clone())
                    .or_default()
                    .push(JobPair::of(&task)),
                None => self.in_flight.forget(plan.pair),
            }
        }
        let most = self.in_flight.job_pairs(JOB_PAIRS_MAX);
        let mut waiting = Vec::new();
        for (table, pairs) in &tables {
            for pairs in pairs.chunks(most) {
                let job = Job {
                    run: self.work.run_id().to_owned(),
                    table: table.clone(),
                    pairs: pairs.to_vec(),
                    reference_nps: self.reference_nps,
                };
                waiting.push((self.publish(&job).await, pairs));
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
                let again = pairs.iter().filter_map(|pair| self.in_flight.plan(pair.pair));
                self.unsent.extend(again.map(|plan| (plan.pair, plan)));
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
                        "the server takes no jobs ({why}); the run goes on when it does"
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
        let payload = job.to_bytes();
        let signature = self.key.sign(&payload).unwrap_or_default();
        let mut headers = HeaderMap::new();
        headers.insert(SIGNATURE_HEADER, hex(&signature));
        let message = PublishMessage::build().payload(payload.into()).headers(headers);
        self.context.send_publish(subject, message).await
    }

    /// Looks for what a server may have lost.
    pub(super) async fn search(&mut self) {
        let run = self.work.run_id();
        // Before the streams: a consumer may move on in between.
        let delivered = streams::delivered(&self.streams, &self.class, run).await;
        let Ok(streams) = streams::open(&self.context).await else {
            return;
        };
        let is_lost = !streams.are(&self.streams);
        let [are_jobs_skipped, are_results_skipped] = streams.are_behind(delivered);
        if are_jobs_skipped {
            // It is made anew below, and has all jobs then.
            let _ = streams.jobs.delete_consumer(&self.class).await;
        }
        let server = self.client.server_info().server_id;
        let is_restarted = self.server != server;
        self.server = server;
        // A server that was restarted may not deliver what it stored since, and asking anew costs little.
        self.is_deaf |= are_results_skipped || is_restarted;
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
            self.unsent
                .extend(self.in_flight.plans().map(|plan| (plan.pair, plan)));
            return;
        }
        for overdue in self.in_flight.overdue(Instant::now()) {
            let is_lost = self.is_lost(&overdue).await;
            tracing::info!(
                pair = overdue.plan.pair,
                is_given_up = overdue.is_given_up,
                is_lost,
                "a pair is late"
            );
            if is_lost {
                self.unsent.insert(overdue.plan.pair, overdue.plan);
            }
        }
    }

    /// Has the server no job with this pair any more, or one that it delivers to nobody?
    async fn is_lost(&mut self, overdue: &Overdue) -> bool {
        let run = self.work.run_id();
        let subject = job_subject(&self.class, run, overdue.job);
        let job = self.streams.jobs.get_last_raw_message_by_subject(&subject).await;
        if job.is_ok() && !overdue.is_given_up {
            return false;
        }
        let result = result_subject(run, overdue.plan.pair);
        let result = self
            .streams
            .results
            .get_last_raw_message_by_subject(&result)
            .await;
        if result.is_ok() {
            // It is there, and does not come by itself.
            self.is_deaf |= overdue.is_given_up;
            return false;
        }
        if job.is_ok() {
            // If somebody plays it after all, one of two results is taken. Not by its own subject: consumers of a wider one lose their place
            // to that before nats-server 2.9.13 (its #3838).
            let of_any_class = job_subject("*", run, overdue.job);
            let _ = self.streams.jobs.purge().filter(of_any_class).await;
        }
        true
    }
}
