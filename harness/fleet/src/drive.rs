//! A coordinator at work on one run. Only pairs that a believed worker has signed, that were asked for and follow from the rules reach the
//! collector. What is in flight is known here alone, so a server that loses everything costs nothing but time: every
//! pair that is in flight too long is looked for, and sent again if it is not there.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::Context;
use async_nats::jetstream::{self, Message as Delivered};
use async_nats::{Event, Subscriber};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Interval, MissedTickBehavior, interval, sleep, timeout};

use super::audit::{AuditShare, Audits};
use super::coordinator::FleetExecutor;
use super::hosts::Hosts;
use super::in_flight::InFlight;
use super::lease::Lease;
use super::orders::stop_subject;
use super::streams::{self, Streams};
use super::timeouts::{
    ALONE_AFTER, ANNOUNCEMENT_INTERVAL, FAREWELL, LOOK, RENEWAL_INTERVAL, REQUEST_EXPIRY, SEARCH_INTERVAL,
    SERVER_TIMEOUT,
};
use super::wire::{Announcement, Heartbeat, Message, SignedPair, class_of};
use super::{FleetError, connection};
use crate::interrupt::Interrupt;
use crate::ledger::decode;
use crate::record::{Finished, Host, Origin};
use crate::runner::{Delivery, Played, Stop, Work};
use crate::sanitize;
use crate::schedule::PairPlan;

/// Results that come before their pair is dispatched: of a coordinator that was killed. They are not acknowledged, and must leave room
/// for others that are not ([`streams::RESULTS_OUT_MAX`]).
const EARLY_MAX: usize = 1_024;

pub(super) struct Drive<'a> {
    pub(super) fleet: &'a FleetExecutor,
    pub(super) work: &'a dyn Work,
    pub(super) sender: &'a Sender<Played>,
    pub(super) client: async_nats::Client,
    pub(super) context: Context,
    /// Another id each time that the server is started.
    pub(super) server: String,
    pub(super) streams: Streams,
    pub(super) lease: Lease,
    pub(super) key: nkeys::KeyPair,
    pub(super) class: String,
    engines: BTreeMap<String, String>,
    /// Of timed games: the speed that limits are meant for, 0 for every speed.
    pub(super) reference_nps: Option<u64>,
    pub(super) in_flight: InFlight,
    pub(super) hosts: Hosts,
    pub(super) audits: Audits,
    pub(super) early: BTreeMap<u64, (SignedPair, Delivered)>,
    pub(super) unsent_since: Option<Instant>,
    /// When those that the server did not take are tried again.
    pub(super) retry_at: Option<Instant>,
    /// The user was told that the server takes no jobs.
    pub(super) is_refused: bool,
    /// Results that are in the ledger, to be acknowledged.
    pub(super) stored: (UnboundedSender<Delivered>, UnboundedReceiver<Delivered>),
    pub(super) is_exhausted: bool,
    distrust: Vec<(Host, String)>,
    /// The consumer of results is gone.
    pub(super) is_deaf: bool,
    began: Instant,
    /// The user was told that no machine is there.
    is_told_alone: bool,
}

struct Inputs {
    heartbeats: Subscriber,
    stop: Subscriber,
    results: pull::Stream,
    look: Interval,
    search: Interval,
    announcement: Interval,
    renewal: Interval,
}

/// Ends when this flag is raised.
pub(super) async fn raised(interrupt: &Interrupt) {
    while !interrupt.is_requested() {
        sleep(LOOK).await;
    }
}

async fn connect(fleet: &FleetExecutor) -> Result<async_nats::Client, FleetError> {
    let options = fleet.options.clone();
    let is_gone = AtomicBool::new(false);
    let on_event = move |event: Event| match event {
        Event::Disconnected if !is_gone.swap(true, Ordering::Relaxed) => {
            options.tell("the NATS server is gone; the run continues when it is back");
        }
        Event::Connected if is_gone.swap(false, Ordering::Relaxed) => options.tell("the NATS server is back"),
        _ => (),
    };
    connection::connect_and_hear(&fleet.file.access(fleet.options.is_insecure), on_event).await
}

impl<'a> Drive<'a> {
    /// Connects and takes the run; waits if an earlier coordinator of it died a moment ago.
    pub(super) async fn begin(
        fleet: &'a FleetExecutor,
        work: &'a dyn Work,
        sender: &'a Sender<Played>,
    ) -> Result<Drive<'a>, FleetError> {
        let client = connect(fleet).await?;
        fleet.was_there.store(true, Ordering::Relaxed);
        let mut context = jetstream::new(client.clone());
        context.set_timeout(SERVER_TIMEOUT);
        let streams = streams::open(&context).await?;
        let tell = |text: &str| fleet.options.tell(text);
        let lease = Lease::take(&context, &streams, &work.queue().run_id, tell).await?;
        tracing::info!(run = &work.queue().run_id, "coordinates the run");
        let engines = work.engines();
        let engine = fleet.tables.engine();
        let class = class_of(fleet.options.priority, &engine, &engines, work.is_timed());
        streams::open_class(&streams, &class).await?;
        streams::purge_jobs(&streams, &work.queue().run_id).await?;
        // Another program may play the same pair in two ways, and so may anybody by time.
        let share = if engines.is_empty() && !work.is_timed() {
            fleet.audit_share(&work.queue().run_id)?
        } else {
            AuditShare::default()
        };
        Ok(Drive {
            hosts: Hosts::new(
                &fleet.file.workers,
                &work.queue().distrusted,
                &engine,
                work.is_timed(),
                &work.queue().run_id,
            ),
            class,
            engines,
            reference_nps: work.is_timed().then(|| fleet.reference_nps()).transpose()?,
            audits: Audits::new(share, fleet),
            fleet,
            work,
            sender,
            server: client.server_info().server_id,
            client,
            context,
            streams,
            lease,
            key: fleet.file.seed.key_pair()?,
            in_flight: InFlight::default(),
            early: BTreeMap::new(),
            unsent_since: None,
            retry_at: None,
            is_refused: false,
            stored: unbounded_channel(),
            is_exhausted: false,
            distrust: Vec::new(),
            is_deaf: false,
            began: Instant::now(),
            is_told_alone: false,
        })
    }

    /// Sends and takes pairs until there are no more.
    pub(super) async fn run(&mut self) -> Result<(), FleetError> {
        let listen = |error| FleetError::server("listen to the fleet", error);
        let heartbeats = self.client.subscribe("tanren.here.*").await.map_err(listen)?;
        let stop = self
            .client
            .subscribe(stop_subject(&self.work.queue().run_id))
            .await
            .map_err(listen)?;
        // Every worker answers with its heartbeat, and takes jobs of a run that it thinks is over.
        self.announce(false).await;
        let results = self.listen().await?;
        let every = |time| {
            let mut timer = interval(time);
            timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
            timer
        };
        let mut inputs = Inputs {
            heartbeats,
            stop,
            results,
            look: every(LOOK),
            search: every(SEARCH_INTERVAL),
            announcement: every(ANNOUNCEMENT_INTERVAL),
            renewal: every(RENEWAL_INTERVAL),
        };
        // Pairs that earlier commands stored and whose audit is still due.
        for played in &self.work.queue().doubted {
            if self.audits.share.parts > 0 {
                self.audit(&played.plan, played.record.clone(), played.origin.clone());
            }
        }
        loop {
            let (process, of_run) = (self.fleet.process.clone(), self.work.queue().interrupt.clone());
            // Audits continue after the last pair, but after no signal.
            let end = if of_run.is_requested() { process } else { of_run };
            // A server that is gone would be waited for.
            tokio::select! {
                biased;
                done = self.step(&mut inputs) => done?,
                () = raised(&end) => {}
            }
            if !self.distrust.is_empty() {
                // The collector may have gone.
                let _ = self
                    .sender
                    .send(Err(Stop::Distrust(std::mem::take(&mut self.distrust))));
                return Ok(());
            }
            if self.is_over() {
                return Ok(());
            }
        }
    }

    /// May be dropped before it is done.
    async fn step(&mut self, inputs: &mut Inputs) -> Result<(), FleetError> {
        tokio::select! {
            message = inputs.results.next(), if !self.is_deaf => match message {
                Some(Ok(message)) => self.take(message).await,
                Some(Err(_)) | None => self.is_deaf = true,
            },
            Some(message) = inputs.heartbeats.next() => self.on_event(&message.subject, &message.payload),
            Some(_) = inputs.stop.next() => return Err(FleetError::ToldToStop),
            Some(message) = self.stored.1.recv() => {
                // If the server does not hear of it, the result comes again and is known.
                let _ = message.ack().await;
            }
            Some(audit) = self.audits.open.next() => self.judge(audit),
            _ = inputs.look.tick() => {}
            _ = inputs.announcement.tick() => {
                self.tell_if_alone();
                self.announce(false).await;
            }
            _ = inputs.renewal.tick() => self.renew().await?,
            _ = inputs.search.tick() => {
                self.search().await;
                if self.is_deaf && let Ok(again) = self.listen().await {
                    (inputs.results, self.is_deaf) = (again, false);
                }
            }
        }
        self.dispatch().await;
        Ok(())
    }

    /// Takes back what is left, and says that the run is over.
    pub(super) async fn end(mut self, is_ours: bool) {
        let farewell = async {
            self.announce(true).await;
            while let Ok(message) = self.stored.1.try_recv() {
                let _ = message.ack().await;
            }
            if self.is_exhausted {
                streams::forget(&self.streams, &self.work.queue().run_id).await;
            } else {
                let _ = streams::purge_jobs(&self.streams, &self.work.queue().run_id).await;
            }
            if is_ours {
                self.lease.release(&self.streams).await;
            }
            let _ = self.client.flush().await;
        };
        let _ = timeout(FAREWELL, farewell).await;
    }

    fn is_over(&self) -> bool {
        if self.fleet.process.is_requested() {
            return true;
        }
        let is_stopped = self.work.queue().interrupt.is_requested();
        let is_done = self.is_exhausted && self.in_flight.count() == 0;
        (is_stopped || is_done) && self.audits.open.is_empty()
    }

    async fn listen(&mut self) -> Result<pull::Stream, FleetError> {
        tracing::info!(run = &self.work.queue().run_id, "fetches results");
        let consumer = streams::open_results(&self.streams, &self.work.queue().run_id).await?;
        let messages = consumer
            .stream()
            .max_messages_per_batch(500)
            .expires(REQUEST_EXPIRY);
        let messages = messages.messages().await;
        messages.map_err(|error| FleetError::server("fetch results", error))
    }

    fn on_event(&mut self, subject: &str, payload: &[u8]) {
        let Some(heartbeat) = Heartbeat::of_message(subject, payload) else {
            return;
        };
        let now = Instant::now();
        tracing::info!(
            worker = heartbeat.name,
            busy = heartbeat.busy,
            pairs = heartbeat.pairs,
            "heartbeat"
        );
        if let Some(why) = self.hosts.on_event(&heartbeat, now) {
            let (name, why) = (&heartbeat.name, sanitize::line(&why));
            self.fleet.options.tell(&format!("{name}: {why}"));
        }
        if self.hosts.may_play(&heartbeat.name) {
            let games = heartbeat.games.into_iter();
            let games = games.filter(|game| game.run == self.work.queue().run_id);
            self.work
                .show(&heartbeat.name, games.map(|game| game.game).collect());
        }
        let slots = self.hosts.slots(now);
        self.fleet.set_slots(slots);
        let job_pairs = self.in_flight.job_pairs() as u64;
        let weight = u64::from(self.fleet.options.weight);
        // Two jobs a slot are in flight, times the weight, and results wait for their turn.
        self.work
            .queue()
            .set_concurrency((slots.max(1) * weight * job_pairs.div_ceil(4)) as usize);
    }

    fn tell_if_alone(&mut self) {
        let is_alone = self.fleet.local.is_none() && self.hosts.is_empty();
        if is_alone && !self.is_told_alone && self.began.elapsed() > ALONE_AFTER {
            self.is_told_alone = true;
            self.fleet.options.tell(&format!(
                "no worker is connected: start one with `tanren worker FILE.toml`; `tanren cluster status {}` shows them",
                self.fleet.options.file.display()
            ));
        }
    }

    async fn announce(&mut self, is_over: bool) {
        let announcement = Announcement {
            run: self.work.queue().run_id.clone(),
            class: self.class.clone(),
            is_over,
            engines: self.engines.clone(),
            in_flight: self.in_flight.count(),
            distrusted: self.hosts.distrusted(),
        };
        tracing::info!(
            run = announcement.run,
            in_flight = announcement.in_flight,
            is_over,
            "announces"
        );
        let subject = format!("tanren.run.{}", &self.work.queue().run_id);
        // A lost one is repeated soon.
        let _ = self.client.publish(subject, announcement.to_bytes().into()).await;
        if is_over {
            let _ = self.client.flush().await;
        }
    }

    async fn renew(&mut self) -> Result<(), FleetError> {
        let renewed = timeout(RENEWAL_INTERVAL, self.lease.renew(&self.streams)).await;
        renewed.unwrap_or(Ok(()))
    }

    /// Nothing of this machine is believed from now on, and what it played is taken out.
    pub(super) fn distrust_host(&mut self, origin: &Origin, why: String) {
        tracing::info!(worker = origin.host.name, "is not believed: {why}");
        self.hosts.distrust(&origin.host.name);
        self.distrust.push(((*origin.host).clone(), why));
    }

    async fn take(&mut self, message: Delivered) {
        let result = SignedPair::of_bytes(&message.payload);
        let (Some(pair), Some(result)) = (streams::pair_of(&message.subject), result) else {
            return drop_result(&message).await;
        };
        if self.in_flight.has(pair) {
            return self.receive(&result, message).await;
        }
        let is_wanted = !self.in_flight.has_received(pair) && self.early.len() < EARLY_MAX;
        if !is_wanted || !self.hosts.may_play(&result.worker) {
            return drop_result(&message).await;
        }
        // An earlier coordinator may not have stored it.
        self.early.insert(pair, (result, message));
    }

    /// The result of a pair in flight.
    pub(super) async fn receive(&mut self, result: &SignedPair, message: Delivered) {
        let Some(pair) = streams::pair_of(&message.subject) else {
            return;
        };
        let now = Instant::now();
        let Some(plan) = self.in_flight.receive(pair, result.elapsed_ms, now) else {
            return;
        };
        tracing::info!(pair, worker = result.worker, "receives a result");
        match self.check(&plan, result) {
            Ok((record, origin)) => return self.deliver(plan, record, origin, message),
            Err(why) => tracing::info!(pair, worker = result.worker, "refuses the result: {why}"),
        }
        // The server takes no second result of the pair while it has this one.
        drop_result(&message).await;
        self.in_flight.start(plan, now);
    }

    fn check(&mut self, plan: &PairPlan, result: &SignedPair) -> Result<(Finished, Origin), &'static str> {
        let table = self.work.task(plan).map(|task| task.table).unwrap_or_default();
        let origin = self.hosts.origin(&self.work.queue().run_id, &table, result)?;
        let is_asked_for = match (self.reference_nps, result.pace) {
            (None, None) => true,
            (Some(0), Some(pace)) => pace.reference_nps == pace.nps,
            (Some(reference_nps), Some(pace)) => pace.reference_nps == reference_nps,
            _ => false,
        };
        if !is_asked_for {
            return Err("it was played at another pace");
        }
        let checked = match decode(&result.packet) {
            None => Err("it signed data that is neither a pair nor a search".to_owned()),
            // It signed another pair, and anybody may have sent that in the place of this one.
            Some(record) if record.number() != plan.pair => return Err("it is another pair"),
            Some(record) => match self.work.check(plan, &record) {
                Ok(()) => Ok(record),
                Err(violation) => Err(format!("of {record} it says: {violation}")),
            },
        };
        match checked {
            Ok(record) => Ok((record, origin)),
            Err(why) => {
                self.distrust_host(&origin, why);
                Err("it is wrong")
            }
        }
    }

    fn deliver(&mut self, plan: PairPlan, record: Finished, origin: Origin, message: Delivered) {
        if let Finished::Stopped(fault) = record {
            // The same command plays this pair when it is resumed: nothing of it may be left with the server.
            let _ = self.stored.0.send(message);
            // The collector may have gone.
            let _ = self.sender.send(Err(Stop::Fault(fault)));
            return;
        }
        if self.audits.share.chooses(plan.pair) {
            self.audit(&plan, record.clone(), origin.clone());
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
        // The collector may have gone.
        let _ = self.sender.send(Ok(delivery));
    }
}

async fn drop_result(message: &Delivered) {
    tracing::info!(subject = message.subject.as_str(), "drops a result");
    // If the server does not hear of it, it comes again and is dropped again.
    let _ = message.ack().await;
}
