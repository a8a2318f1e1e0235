//! A coordinator at work on one run.
//!
//! In: work, messages of workers. Out: jobs; pairs that were checked, to whoever collects. Must not: believe a result that is not
//! signed, not asked for, or against the rules; take an acknowledgement for a result.
//!
//! What is out is known here alone. A server that has lost jobs or results loses nothing but time: every pair that is out too
//! long is looked for, and told again if it is not there.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::header::HeaderMap;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::Context;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, AckKind, Message as Delivered};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{interval, timeout};

use super::audit::{Audit, Audits, is_same_play};
use super::coordinator::FleetExecutor;
use super::flights::Flights;
use super::hosts::Hosts;
use super::lease::{Lease, RENEWAL};
use super::streams::{self, Streams, job_subject, pair_of};
use super::wire::{Announcement, Here, JOB_PAIRS_MAX, Job, JobPair, Message, PairResult, SIGNATURE_HEADER};
use super::{FleetError, connect};
use crate::ledger::unpack;
use crate::play::Unplayed;
use crate::record::{Host, Origin, PairRecord};
use crate::runner::{Delivery, Next, Played, Stop, Task, Work};
use crate::schedule::PairPlan;

/// How often it looks whether the run is over, and whether there is more to give.
const LOOK: Duration = Duration::from_millis(20);
/// How often everybody is told how the run stands.
const ANNOUNCEMENT: Duration = Duration::from_secs(1);
/// How often lost pairs are looked for, and the streams.
const SEARCH: Duration = Duration::from_secs(2);
/// A server that is gone longer than this while nothing else is left to do is not waited for.
const FAREWELL: Duration = Duration::from_secs(3);
/// Results that come before their pair is handed out: of a coordinator that was killed.
const EARLY_MAX: usize = 4_096;
/// No job may take more of the window than a slot has.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(500);

/// One run on a fleet.
pub(super) struct Drive<'a> {
    fleet: &'a FleetExecutor,
    work: &'a dyn Work,
    sender: &'a Sender<Played>,
    client: async_nats::Client,
    context: Context,
    streams: Streams,
    lease: Lease,
    key: nkeys::KeyPair,
    flights: Flights,
    hosts: Hosts,
    audits: Audits,
    early: BTreeMap<u64, (PairResult, Delivered)>,
    /// Handed out and not sent yet.
    unsent: VecDeque<PairPlan>,
    stored: (UnboundedSender<Delivered>, UnboundedReceiver<Delivered>),
    played_here: (UnboundedSender<Third>, UnboundedReceiver<Third>),
    /// Jobs of audits that are not sent yet.
    audit_jobs: Vec<Job>,
    /// Second results that are not like the first.
    disputed: BTreeMap<u64, (Origin, Vec<u8>)>,
    is_playing_here: bool,
    is_exhausted: bool,
    distrust: Option<(Host, String)>,
}

/// What the coordinator's own play of a pair gives.
type Third = (u64, Result<PairRecord, Unplayed>);

impl<'a> Drive<'a> {
    /// Connects, and takes the run; waits if an earlier coordinator of it died a moment ago.
    pub(super) async fn begin(
        fleet: &'a FleetExecutor,
        work: &'a dyn Work,
        sender: &'a Sender<Played>,
    ) -> Result<Drive<'a>, FleetError> {
        let client = connect(&fleet.file.access(fleet.options.is_insecure)).await?;
        let context = jetstream::new(client.clone());
        let (streams, _) = streams::open(&context).await?;
        let said = std::cell::Cell::new(false);
        let tell = |left: Duration| {
            if !said.replace(true) {
                let seconds = left.as_secs();
                (fleet.options.tell)(&format!(
                    "this run has a coordinator; if that was killed, this one takes over in {seconds} s"
                ));
            }
        };
        let lease = Lease::take(&context, &streams, work.run_id(), tell).await?;
        streams::open_class(&streams, &fleet.class).await?;
        streams::purge_jobs(&streams, work.run_id()).await?;
        let key = fleet.file.seed.key_pair().map_err(|error| FleetError::server("sign", error))?;
        let secret = key.sign(work.run_id().as_bytes());
        let mut hosts = Hosts::new(&fleet.file.workers);
        work.distrusted().iter().for_each(|name| hosts.distrust(name));
        Ok(Drive {
            hosts,
            audits: Audits::new(
                fleet.audit_share(),
                secret.map_err(|error| FleetError::server("sign", error))?,
            ),
            fleet,
            work,
            sender,
            client,
            context,
            streams,
            lease,
            key,
            flights: Flights::default(),
            early: BTreeMap::new(),
            unsent: VecDeque::new(),
            stored: unbounded_channel(),
            played_here: unbounded_channel(),
            audit_jobs: Vec::new(),
            disputed: BTreeMap::new(),
            is_playing_here: false,
            is_exhausted: false,
            distrust: None,
        })
    }

    /// Gives and takes pairs until there are no more.
    pub(super) async fn run(&mut self) -> Result<(), FleetError> {
        let here = self.client.subscribe("tanren.here.*").await;
        let mut here: Subscriber = here.map_err(|error| FleetError::server("listen to workers", error))?;
        let mut results = self.listen().await?;
        let (mut look, mut search) = (interval(LOOK), interval(SEARCH));
        let (mut announcement, mut renewal) = (interval(ANNOUNCEMENT), interval(RENEWAL));
        loop {
            tokio::select! {
                message = results.next() => match message {
                    Some(Ok(message)) => self.take(message).await,
                    Some(Err(_)) | None => {
                        tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
                        if let Ok(again) = self.listen().await {
                            results = again;
                        }
                    }
                },
                Some(message) = here.next() => self.hear(&message.payload),
                Some(message) = self.stored.1.recv() => {
                    // It is in the ledger; if the server does not hear of it, it comes again and is known.
                    let _ = message.ack().await;
                }
                Some((pair, record)) = self.played_here.1.recv() => self.judge(pair, record),
                _ = look.tick() => {}
                _ = search.tick() => self.search().await,
                _ = announcement.tick() => self.announce(false).await,
                _ = renewal.tick() => self.renew().await?,
            }
            if let Some((host, why)) = self.distrust.take() {
                // Who collects may have gone.
                let _ = self.sender.send(Err(Stop::Distrust(host, why)));
                return Ok(());
            }
            if self.is_over() {
                return Ok(());
            }
            self.give().await;
            self.audit_here();
        }
    }

    /// Takes back what is left, and says that the run is over.
    pub(super) async fn end(mut self, is_well: bool) {
        let farewell = async {
            self.announce(true).await;
            while let Ok(message) = self.stored.1.try_recv() {
                let _ = message.ack().await;
            }
            if self.is_exhausted {
                let _ = streams::forget(&self.streams, self.work.run_id()).await;
            } else {
                let _ = streams::purge_jobs(&self.streams, self.work.run_id()).await;
            }
            if is_well {
                self.lease.release(&self.context, &self.streams).await;
            }
            let _ = self.client.flush().await;
        };
        // A server that is gone has nothing that would be missed.
        let _ = timeout(FAREWELL, farewell).await;
    }

    /// Is nothing left to be played, or a wish to stop?
    fn is_over(&self) -> bool {
        if self.fleet.process.is_requested() {
            return true;
        }
        let is_stopped = self.work.interrupt().is_requested();
        let is_done = self.is_exhausted && self.flights.count() == 0 && self.unsent.is_empty();
        (is_stopped || is_done) && self.audits.is_empty()
    }

    async fn listen(&mut self) -> Result<pull::Stream, FleetError> {
        let consumer = streams::open_results(&self.streams, self.work.run_id()).await?;
        let messages = consumer.stream().max_messages_per_batch(500).expires(Duration::from_secs(5));
        let messages = messages.messages().await;
        messages.map_err(|error| FleetError::server("fetch results", error))
    }

    fn hear(&mut self, payload: &[u8]) {
        let Some(here) = Here::of_bytes(payload) else {
            return;
        };
        let now = Instant::now();
        self.hosts.hear(&here, now);
        let slots = self.hosts.slots(&self.fleet.engine, now);
        self.fleet.set_slots(slots);
        let job_pairs = self.flights.job_pairs(JOB_PAIRS_MAX) as u64;
        // Two jobs a slot are out, and results wait for their turn.
        self.work.set_concurrency((slots.max(1) * job_pairs.div_ceil(4)) as usize);
    }

    /// Hands out as many pairs as the fleet needs.
    async fn give(&mut self) {
        if self.work.interrupt().is_requested() {
            return;
        }
        let slots = self.hosts.slots(&self.fleet.engine, Instant::now());
        let weight = u64::from(self.fleet.options.weight);
        let wanted = self.flights.wanted(slots, weight, JOB_PAIRS_MAX);
        while self.flights.count() < wanted {
            match self.work.poll() {
                Next::Pair(plan) => {
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
    async fn send(&mut self, plans: &[PairPlan]) {
        let mut tables: BTreeMap<String, Vec<JobPair>> = BTreeMap::new();
        for plan in plans {
            match self.work.task(plan) {
                Some(task) => tables.entry(task.table.clone()).or_default().push(JobPair::of(&task)),
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

    async fn publish(
        &self,
        job: &Job,
    ) -> Result<jetstream::context::PublishAckFuture, jetstream::context::PublishError> {
        let first = job.pairs.first().map_or(0, |pair| pair.pair);
        let subject = job_subject(&self.fleet.class, &job.run, first, job.audit_of.is_some());
        let payload = job.to_bytes();
        let signature = self.key.sign(&payload).unwrap_or_default();
        let mut headers = HeaderMap::new();
        headers.insert(SIGNATURE_HEADER, super::wire::hex(&signature));
        let message = PublishMessage::build().payload(payload.into()).headers(headers);
        self.context.send_publish(subject, message).await
    }

    /// A result has come.
    async fn take(&mut self, message: Delivered) {
        let subject = pair_of(&message.subject);
        let result = PairResult::of_bytes(&message.payload);
        let (Some((pair, is_audit)), Some(result)) = (subject, result) else {
            return refuse(&message).await;
        };
        if is_audit {
            self.take_audit(pair, &result);
            return refuse(&message).await;
        }
        if self.flights.plan(pair).is_some() {
            return self.land(result, message);
        }
        if self.flights.has_landed(pair) || self.early.len() >= EARLY_MAX {
            return refuse(&message).await;
        }
        // It may be one that an earlier coordinator was told and did not store.
        self.early.insert(pair, (result, message));
    }

    /// The result of a pair that is out.
    fn land(&mut self, result: PairResult, message: Delivered) {
        let Some((pair, _)) = pair_of(&message.subject) else {
            return;
        };
        let Some(plan) = self.flights.land(pair, result.elapsed_ms) else {
            return;
        };
        match self.check(&plan, &result) {
            Ok((record, origin)) => self.deliver(plan, record, origin, message),
            Err(_) => {
                // Whoever sent it, it was not played: somebody has to.
                self.flights.land_in_vain(plan, Instant::now());
                self.unsent.push_back(plan);
                let _ = self.stored.0.send(message);
            }
        }
    }

    /// A result that is signed by a worker that is believed, of this pair and by the rules.
    fn check(&mut self, plan: &PairPlan, result: &PairResult) -> Result<(PairRecord, Origin), &'static str> {
        let origin = self.hosts.origin(self.work.run_id(), result)?;
        let checked = match unpack(&result.packet) {
            None => Err("it signed what is no pair".to_owned()),
            Some(record) => match self.work.check(plan, &record) {
                Ok(()) => Ok(record),
                Err(breach) => Err(format!("of pair {} it says: {breach}", plan.pair + 1)),
            },
        };
        match checked {
            Ok(record) => Ok((record, origin)),
            Err(why) => {
                self.hosts.distrust(&origin.host.name);
                self.distrust = Some(((*origin.host).clone(), why));
                Err("it is wrong")
            }
        }
    }

    fn deliver(&mut self, plan: PairPlan, record: PairRecord, origin: Origin, message: Delivered) {
        if self.audits.chooses(plan.pair)
            && let Some(task) = self.work.task(&plan)
        {
            self.ask_again(task, record.clone(), origin.clone());
        }
        let stored = self.stored.0.clone();
        let delivery = Delivery {
            record,
            origin: Some(origin),
            stored: Some(Box::new(move || {
                // If nobody acknowledges it any more, it comes again and is known.
                let _ = stored.send(message);
            })),
        };
        // Who collects may have gone.
        let _ = self.sender.send(Ok(delivery));
    }

    /// Has a pair played a second time.
    fn ask_again(&mut self, task: Task, record: PairRecord, origin: Origin) {
        let engine = &self.fleet.engine;
        if self.hosts.has_other(&origin.host.name, engine, Instant::now()) {
            let job = Job {
                run: self.work.run_id().to_owned(),
                table: task.table.clone(),
                pairs: vec![JobPair::of(&task)],
                audit_of: Some(origin.host.name.clone()),
            };
            self.audit_jobs.push(job);
        }
        self.audits.open(task, record, origin, Instant::now());
    }

    /// The second result of a pair.
    fn take_audit(&mut self, pair: u64, result: &PairResult) {
        let Ok(other) = self.hosts.origin(self.work.run_id(), result) else {
            return;
        };
        let Some(audit) = self.audits.close(pair) else {
            return;
        };
        let second = unpack(&result.packet);
        if second.is_some_and(|second| is_same_play(&audit.record, &second)) {
            self.fleet.audited.fetch_add(1, Ordering::Relaxed);
            return;
        }
        // One of the two is wrong; the coordinator knows which when it has played the pair itself.
        self.disputed.insert(pair, (other, result.packet.clone()));
        self.audits.reopen(audit);
    }

    /// Plays a pair here that nobody else plays a second time, or that two played differently.
    fn audit_here(&mut self) {
        if self.is_playing_here {
            return;
        }
        let (now, engine) = (Instant::now(), &self.fleet.engine);
        let (hosts, disputed) = (&self.hosts, &self.disputed);
        let alone = |name: &str| !hosts.has_other(name, engine, now);
        let Some(audit) = self.audits.to_be_played_here(alone, |pair| disputed.contains_key(&pair), now) else {
            return;
        };
        let (task, tables) = (audit.task.clone(), std::sync::Arc::clone(&self.fleet.tables));
        let (answer, process) = (self.played_here.0.clone(), self.fleet.process.for_run());
        let play = move || {
            let played = match tables.table(&task.table, &process) {
                Ok(mut table) => table.play(&JobPair::of(&task)),
                Err(_) => Err(Unplayed::Interrupted),
            };
            let _ = answer.send((task.plan.pair, played));
        };
        let started = thread::Builder::new()
            .name("audit".to_owned())
            .stack_size(super::slots::STACK_BYTES)
            .spawn(play);
        self.is_playing_here = started.is_ok();
    }

    /// The coordinator has played a pair itself: who played otherwise is not believed any more.
    fn judge(&mut self, pair: u64, record: Result<PairRecord, Unplayed>) {
        self.is_playing_here = false;
        let (Some(audit), Ok(own)) = (self.audits.close(pair), record) else {
            return;
        };
        self.fleet.audited.fetch_add(1, Ordering::Relaxed);
        let Audit { record, origin, .. } = audit;
        let why = format!("pair {} goes otherwise when it is played again", pair + 1);
        if let Some((other, packet)) = self.disputed.remove(&pair)
            && !unpack(&packet).is_some_and(|second| is_same_play(&own, &second))
        {
            self.hosts.distrust(&other.host.name);
            self.distrust = Some(((*other.host).clone(), why.clone()));
        }
        if !is_same_play(&own, &record) {
            self.hosts.distrust(&origin.host.name);
            self.distrust = Some(((*origin.host).clone(), why));
        }
    }

    /// Looks for what a server may have lost.
    async fn search(&mut self) {
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
            let _ = streams::open_class(&self.streams, &self.fleet.class).await;
            self.unsent.extend(self.flights.plans());
            return;
        }
        for (plan, job) in self.flights.overdue(Instant::now()) {
            let subject = job_subject(&self.fleet.class, self.work.run_id(), job, false);
            let job = self.streams.jobs.get_last_raw_message_by_subject(&subject).await;
            if job.is_err() && self.flights.plan(plan.pair).is_some() {
                self.unsent.push_back(plan);
            }
        }
    }

    async fn announce(&mut self, is_over: bool) {
        let announcement = Announcement {
            run: self.work.run_id().to_owned(),
            class: self.fleet.class.clone(),
            is_over,
            in_flight: self.flights.count(),
            distrusted: self.hosts.distrusted(),
        };
        let subject = format!("tanren.run.{}", self.work.run_id());
        // It is said again soon.
        let _ = self.client.publish(subject, announcement.to_bytes().into()).await;
        if is_over {
            let _ = self.client.flush().await;
        }
    }

    /// Keeps the right to coordinate; a server that is gone for a while takes nothing away.
    async fn renew(&mut self) -> Result<(), FleetError> {
        match timeout(RENEWAL, self.lease.renew(&self.context, &self.streams)).await {
            Ok(Err(error @ FleetError::Coordinated(_))) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Nobody needs it.
async fn refuse(message: &Delivered) {
    // If the server does not hear of it, it comes again and is refused again.
    let _ = message.ack_with(AckKind::Ack).await;
}
