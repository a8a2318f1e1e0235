//! A coordinator at work on one run.
//!
//! In: work, messages of workers. Out: jobs; pairs that were checked, to whoever collects. Must not: believe a result that is not
//! signed, not asked for, or against the rules; take an acknowledgement for a result.
//!
//! What is out is known here alone. A server that has lost jobs or results loses nothing but time: every pair that is out too
//! long is looked for, and told again if it is not there.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::Context;
use async_nats::jetstream::{self, Message as Delivered};
use async_nats::{Event, Subscriber};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Interval, MissedTickBehavior, interval, sleep, timeout};

use super::audit::Audits;
use super::class::{audits_of, class_of, has_audits};
use super::coordinator::FleetExecutor;
use super::flights::Flights;
use super::hosts::Hosts;
use super::lease::{Lease, RENEWAL};
use super::orders::stop_subject;
use super::streams::{self, Streams};
use super::wire::{Announcement, Here, JOB_PAIRS_MAX, Job, Message, PairResult, ShownGame};
use super::{FleetError, link};
use crate::interrupt::Interrupt;
use crate::play::Unplayed;
use crate::record::{Finished, Host, Origin};
use crate::runner::{Played, PlayedElsewhere, Stop, Work};
use crate::schedule::PairPlan;

/// How often it looks whether the run is over, and whether there is more to give.
const LOOK: Duration = Duration::from_millis(20);
/// How often everybody is told how the run stands.
const ANNOUNCEMENT: Duration = Duration::from_secs(1);
/// How often lost pairs are looked for, and the streams.
const SEARCH: Duration = Duration::from_secs(2);
/// A server that is gone longer than this while nothing else is left to do is not waited for.
const FAREWELL: Duration = Duration::from_secs(3);
/// How long the server may take to answer.
pub(super) const ANSWER_TIME: Duration = Duration::from_secs(5);
/// Results that come before their pair is handed out: of a coordinator that was killed. They are not acknowledged, and must leave
/// room for others that are not ([`streams::RESULTS_OUT_MAX`]).
pub(super) const EARLY_MAX: usize = 1_024;
/// Before what failed is tried again.
pub(super) const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(500);

/// One run on a fleet.
pub(super) struct Drive<'a> {
    pub(super) fleet: &'a FleetExecutor,
    pub(super) work: &'a dyn Work,
    pub(super) sender: &'a Sender<Played>,
    pub(super) client: async_nats::Client,
    pub(super) context: Context,
    /// Another each time that the server is started.
    pub(super) server: String,
    pub(super) streams: Streams,
    pub(super) lease: Lease,
    pub(super) key: nkeys::KeyPair,
    /// Whom jobs are for.
    pub(super) class: String,
    /// That class, and the one of second plays.
    pub(super) classes: Vec<String>,
    /// What they need to have.
    pub(super) engines: BTreeMap<String, String>,
    /// Of games by time: the speed that limits are meant for, 0 for every speed.
    pub(super) reference_nps: Option<u64>,
    pub(super) flights: Flights,
    pub(super) hosts: Hosts,
    pub(super) audits: Audits,
    /// Pairs of earlier commands that are to be played a second time.
    pub(super) doubted: Vec<PlayedElsewhere>,
    pub(super) began: Instant,
    pub(super) early: BTreeMap<u64, (PairResult, Delivered)>,
    /// Handed out and not sent yet.
    pub(super) unsent: BTreeMap<u64, PairPlan>,
    /// When the first of them was handed out, or when those that the server did not take are tried again.
    pub(super) unsent_since: Option<Instant>,
    pub(super) retry_at: Option<Instant>,
    /// The user knows that the server takes no jobs.
    pub(super) is_refused: bool,
    pub(super) stored: (UnboundedSender<Delivered>, UnboundedReceiver<Delivered>),
    pub(super) played_here: (UnboundedSender<Third>, UnboundedReceiver<Third>),
    /// Jobs of audits that are not sent yet.
    pub(super) audit_jobs: Vec<Job>,
    /// Second results that are not like the first.
    pub(super) disputed: BTreeMap<u64, (Origin, Vec<u8>)>,
    pub(super) is_playing_here: bool,
    pub(super) is_exhausted: bool,
    pub(super) distrust: Vec<(Host, String)>,
    /// Nothing comes any more: what results are asked of is gone.
    pub(super) is_deaf: bool,
}

/// What a coordinator hears.
struct Ears {
    here: Subscriber,
    stop: Subscriber,
    results: pull::Stream,
}

/// What a coordinator does again and again.
struct Clocks {
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

/// Connects, and has the user told when the server goes and comes.
async fn connect(fleet: &FleetExecutor) -> Result<async_nats::Client, FleetError> {
    let options = fleet.options.clone();
    let is_gone = AtomicBool::new(false);
    let hear = move |event: Event| match event {
        Event::Disconnected if !is_gone.swap(true, Ordering::Relaxed) => {
            options.tell("the NATS server is gone; the run goes on when it is back");
        }
        Event::Connected if is_gone.swap(false, Ordering::Relaxed) => options.tell("the NATS server is back"),
        _ => (),
    };
    let access = fleet.file.access(fleet.options.is_insecure);
    link::connect_and_hear(&access, hear).await
}

/// What the coordinator's own play of a pair gives.
pub(super) type Third = (u64, Result<Finished, Unplayed>);

impl<'a> Drive<'a> {
    /// Connects, and takes the run; waits if an earlier coordinator of it died a moment ago.
    pub(super) async fn begin(
        fleet: &'a FleetExecutor,
        work: &'a dyn Work,
        sender: &'a Sender<Played>,
    ) -> Result<Drive<'a>, FleetError> {
        let client = connect(fleet).await?;
        fleet.was_there.store(true, Ordering::Relaxed);
        let mut context = jetstream::new(client.clone());
        context.set_timeout(ANSWER_TIME);
        let streams = streams::open(&context).await?;
        let said = std::cell::Cell::new(false);
        let tell = |left: Duration| {
            if !said.replace(true) {
                let seconds = left.as_secs();
                fleet.tell(&format!(
                    "this run has a coordinator; if that was killed, this one takes over in {seconds} s"
                ));
            }
        };
        let lease = Lease::take(&context, &streams, work.run_id(), tell).await?;
        let engines = work.engines();
        let class = class_of(fleet.options.priority, &fleet.engine, &engines, work.is_timed());
        let has_audits = has_audits(&class, &engines);
        let audits = has_audits.then(|| audits_of(&class));
        let classes: Vec<String> = audits.into_iter().chain([class.clone()]).collect();
        streams::open_classes(&streams, &classes).await?;
        streams::purge_jobs(&streams, work.run_id()).await?;
        let key = fleet
            .file
            .seed
            .key_pair()
            .map_err(|error| FleetError::server("sign", error))?;
        let (audits, doubted) = if has_audits {
            (fleet.audits(work.run_id())?, work.doubted().to_vec())
        } else {
            (Audits::new(0, Vec::new()), Vec::new())
        };
        let mut hosts = Hosts::new(&fleet.file.workers, work.is_timed());
        work.distrusted().iter().for_each(|name| hosts.distrust(name));
        Ok(Drive {
            hosts,
            class,
            classes,
            engines,
            reference_nps: work.is_timed().then(|| fleet.reference_nps()),
            audits,
            doubted,
            began: Instant::now(),
            fleet,
            work,
            sender,
            server: client.server_info().server_id,
            client,
            context,
            streams,
            lease,
            key,
            flights: Flights::default(),
            early: BTreeMap::new(),
            unsent: BTreeMap::new(),
            unsent_since: None,
            retry_at: None,
            is_refused: false,
            stored: unbounded_channel(),
            played_here: unbounded_channel(),
            audit_jobs: Vec::new(),
            disputed: BTreeMap::new(),
            is_playing_here: false,
            is_exhausted: false,
            distrust: Vec::new(),
            is_deaf: false,
        })
    }

    /// Gives and takes pairs until there are no more.
    pub(super) async fn run(&mut self) -> Result<(), FleetError> {
        let here = self.client.subscribe("tanren.here.*").await;
        let here = here.map_err(|error| FleetError::server("listen to workers", error))?;
        let stop = self.client.subscribe(stop_subject(self.work.run_id())).await;
        let stop = stop.map_err(|error| FleetError::server("listen to orders", error))?;
        // Every worker answers with what it is, and plays jobs of a run that it thinks is over.
        self.announce(false).await;
        let results = self.listen().await?;
        let mut ears = Ears { here, stop, results };
        let every = |time| {
            let mut clock = interval(time);
            clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
            clock
        };
        let mut clocks = Clocks {
            look: every(LOOK),
            search: every(SEARCH),
            announcement: every(ANNOUNCEMENT),
            renewal: every(RENEWAL),
        };
        loop {
            let (process, of_run) = (self.fleet.process.clone(), self.work.interrupt().clone());
            // Audits go on after the last pair, but after no signal.
            let wish = if of_run.is_requested() { process } else { of_run };
            // A server that is gone would be waited for.
            tokio::select! {
                biased;
                done = self.step(&mut ears, &mut clocks) => done?,
                () = raised(&wish) => {}
            }
            if !self.distrust.is_empty() {
                let stop = Stop::Distrust(std::mem::take(&mut self.distrust));
                // Who collects may have gone.
                let _ = self.sender.send(Err(stop));
                return Ok(());
            }
            if self.is_over() {
                return Ok(());
            }
        }
    }

    /// Does what is next; may be dropped before it is done.
    async fn step(&mut self, ears: &mut Ears, clocks: &mut Clocks) -> Result<(), FleetError> {
        tokio::select! {
            message = ears.results.next(), if !self.is_deaf => match message {
                Some(Ok(message)) => self.take(message).await,
                Some(Err(_)) | None => self.is_deaf = true,
            },
            Some(message) = ears.here.next() => self.hear(&message.payload),
            Some(_) = ears.stop.next() => return Err(FleetError::ToldToStop),
            Some(message) = self.stored.1.recv() => {
                // It is in the ledger; if the server does not hear of it, it comes again and is known.
                let _ = message.ack().await;
            }
            Some((pair, record)) = self.played_here.1.recv() => self.judge(pair, record),
            _ = clocks.look.tick() => {}
            _ = clocks.announcement.tick() => self.announce(false).await,
            _ = clocks.renewal.tick() => self.renew().await?,
            _ = clocks.search.tick() => {
                self.doubt();
                self.search().await;
                if self.is_deaf && let Ok(again) = self.listen().await {
                    (ears.results, self.is_deaf) = (again, false);
                }
            }
        }
        self.give().await;
        self.audit_here();
        Ok(())
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
        (is_stopped || is_done) && self.audits.is_empty() && self.doubted.is_empty()
    }

    async fn listen(&mut self) -> Result<pull::Stream, FleetError> {
        let consumer = streams::open_results(&self.streams, self.work.run_id()).await?;
        let messages = consumer
            .stream()
            .max_messages_per_batch(500)
            .expires(Duration::from_secs(5));
        let messages = messages.messages().await;
        messages.map_err(|error| FleetError::server("fetch results", error))
    }

    fn hear(&mut self, payload: &[u8]) {
        let Some(here) = Here::of_bytes(payload) else {
            return;
        };
        let now = Instant::now();
        self.hosts.hear(&here, now);
        self.show(here);
        let slots = self.hosts.slots(&self.fleet.engine, now);
        self.fleet.set_slots(slots);
        let job_pairs = self.flights.job_pairs(JOB_PAIRS_MAX) as u64;
        let weight = u64::from(self.fleet.options.weight);
        // Two jobs a slot are out, times the weight, and results wait for their turn.
        self.work
            .set_concurrency((slots.max(1) * weight * job_pairs.div_ceil(4)) as usize);
    }

    /// Shows what a machine that is believed plays of this run.
    fn show(&self, here: Here) {
        if self.hosts.may_play(&here.name) {
            let of_run = |shown: &ShownGame| shown.run == self.work.run_id();
            let games = here.games.into_iter().filter(of_run);
            self.work
                .show(&here.name, games.map(|shown| shown.game).collect());
        }
    }

    async fn announce(&mut self, is_over: bool) {
        let announcement = Announcement {
            run: self.work.run_id().to_owned(),
            class: self.class.clone(),
            is_over,
            engines: self.engines.clone(),
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
