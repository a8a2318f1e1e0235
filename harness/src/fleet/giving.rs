//! A coordinator gives pairs out, and looks for those that were lost.
//!
//! In: plans of the work. Out: signed jobs on the server. Must not: take an answer of the server for a result.

use std::collections::BTreeMap;
use std::time::Instant;

use async_nats::header::HeaderMap;
use async_nats::jetstream::context::{PublishAckFuture, PublishError};
use async_nats::jetstream::message::PublishMessage;

use super::drive::{Drive, PAUSE_AFTER_FAILURE};
use super::streams::{self, job_subject};
use super::wire::{JOB_PAIRS_MAX, Job, JobPair, Message, SIGNATURE_HEADER, hex};
use crate::runner::Next;
use crate::schedule::PairPlan;

impl Drive<'_> {
    /// Hands out as many pairs as the fleet needs.
    pub(super) async fn give(&mut self) {
        if self.work.interrupt().is_requested() {
            return;
        }
        let slots = self.hosts.slots(&self.fleet.engine, Instant::now());
        let weight = u64::from(self.fleet.options.weight);
        let wanted = self.flights.wanted(slots, weight, JOB_PAIRS_MAX);
        while self.flights.count() < wanted {
            match self.work.poll() {
                // Only tables of this machine excuse faults, and give pairs back for themselves.
                Next::Pair(plan, _) => {
                    self.flights.start(plan, Instant::now());
                    match self.early.remove(&plan.pair) {
                        Some((result, message)) => self.land(result, message),
                        None => self.unsent.push_back(plan),
                    }
                }
                Next::Later => break,
                Next::Never => {
                    self.is_exhausted = !self.work.interrupt().is_requested();
                    break;
                }
            }
        }
        let plans: Vec<PairPlan> = self.unsent.drain(..).collect();
        self.send(&plans).await;
    }

    /// Sends jobs of these pairs; those that the server does not take are tried again.
    pub(super) async fn send(&mut self, plans: &[PairPlan]) {
        let mut tables: BTreeMap<String, Vec<JobPair>> = BTreeMap::new();
        for plan in plans {
            match self.work.task(plan) {
                Some(task) => tables
                    .entry(task.table.clone())
                    .or_default()
                    .push(JobPair::of(&task)),
                // Nobody waits for it any more.
                None => drop(self.flights.land(plan.pair, 0)),
            }
        }
        let most = self.flights.job_pairs(JOB_PAIRS_MAX);
        let mut waiting = Vec::new();
        for (table, pairs) in &tables {
            for pairs in pairs.chunks(most) {
                let job = Job {
                    run: self.work.run_id().to_owned(),
                    table: table.clone(),
                    pairs: pairs.to_vec(),
                    audit_of: None,
                };
                waiting.push((self.publish(&job).await, pairs));
            }
        }
        for (sent, pairs) in waiting {
            let is_stored = match sent {
                Ok(stored) => stored.await.is_ok(),
                Err(_) => false,
            };
            if is_stored {
                let job = pairs.first().map_or(0, |pair| pair.pair);
                pairs.iter().for_each(|pair| self.flights.sent(pair.pair, job));
            } else {
                let again = pairs.iter().filter_map(|pair| self.flights.plan(pair.pair));
                self.unsent.extend(again);
            }
        }
        if !self.unsent.is_empty() {
            tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
        }
    }

    pub(super) async fn publish(&self, job: &Job) -> Result<PublishAckFuture, PublishError> {
        let first = job.pairs.first().map_or(0, |pair| pair.pair);
        let subject = job_subject(&self.class, &job.run, first, job.audit_of.is_some());
        let payload = job.to_bytes();
        let signature = self.key.sign(&payload).unwrap_or_default();
        let mut headers = HeaderMap::new();
        headers.insert(SIGNATURE_HEADER, hex(&signature));
        let message = PublishMessage::build().payload(payload.into()).headers(headers);
        self.context.send_publish(subject, message).await
    }

    /// Looks for what a server may have lost.
    pub(super) async fn search(&mut self) {
        let jobs: Vec<Job> = self.audit_jobs.drain(..).collect();
        for job in jobs {
            if let Ok(sent) = self.publish(&job).await {
                let _ = sent.await;
            }
        }
        let Ok((streams, was_lost)) = streams::open(&self.context).await else {
            return;
        };
        self.streams = streams;
        if was_lost {
            self.lease.forget();
            let _ = streams::open_class(&self.streams, &self.class).await;
            self.unsent.extend(self.flights.plans());
            return;
        }
        for (plan, job) in self.flights.overdue(Instant::now()) {
            let subject = job_subject(&self.class, self.work.run_id(), job, false);
            let job = self.streams.jobs.get_last_raw_message_by_subject(&subject).await;
            if job.is_err() && self.flights.plan(plan.pair).is_some() {
                self.unsent.push_back(plan);
            }
        }
    }
}
