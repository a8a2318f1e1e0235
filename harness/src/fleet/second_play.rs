//! A coordinator has some pairs played a second time.
//!
//! In: pairs as they come. Out: jobs for other machines; whoever played otherwise is not believed any more. Must not: decide between
//! two machines without playing itself.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use super::audit::{Audit, is_same_play};
use super::drive::Drive;
use super::slots::STACK_BYTES;
use super::wire::{Job, JobPair, PairResult};
use crate::ledger::decode;
use crate::play::Unplayed;
use crate::record::{Finished, Origin};
use crate::runner::Task;

/// Every machine says at least so often that it is there.
const HEARING: Duration = Duration::from_secs(5);

impl Drive<'_> {
    /// Has a pair played a second time.
    pub(super) fn ask_again(&mut self, task: Task, record: Finished, origin: Origin) {
        let engine = &self.fleet.engine;
        if self.hosts.has_other(&origin.host.name, engine, Instant::now()) {
            let job = Job {
                run: self.work.run_id().to_owned(),
                table: task.table.clone(),
                pairs: vec![JobPair::of(&task)],
                audit_of: Some(origin.host.name.clone()),
                reference_nps: None,
            };
            self.audit_jobs.push(job);
        }
        self.audits.open(task, record, origin, Instant::now());
    }

    /// Has pairs of earlier commands played a second time, once machines have had the time to say that they are there.
    pub(super) fn doubt(&mut self) {
        if self.began.elapsed() < HEARING {
            return;
        }
        for played in std::mem::take(&mut self.doubted) {
            if let Some(task) = self.work.task(&played.plan) {
                self.ask_again(task, played.record, played.origin);
            }
        }
    }

    /// The second result of a pair.
    pub(super) fn take_audit(&mut self, pair: u64, result: &PairResult) {
        let Some(audit) = self.audits.close(pair) else {
            return;
        };
        let Ok(other) = self.hosts.origin(self.work.run_id(), &audit.task.table, result) else {
            return self.audits.reopen(audit);
        };
        let second = decode(&result.packet);
        // Nobody is believed about itself.
        let is_other = other.host.key != audit.origin.host.key;
        if is_other && second.is_some_and(|second| is_same_play(&audit.record, &second)) {
            self.fleet.audited.fetch_add(1, Ordering::Relaxed);
            return;
        }
        // One of the two is wrong; the coordinator knows which when it has played the pair itself.
        self.disputed.insert(pair, (other, result.packet.clone()));
        self.audits.reopen(audit);
    }

    /// Plays a pair here that nobody else plays a second time, or that two played differently.
    pub(super) fn audit_here(&mut self) {
        if self.is_playing_here {
            return;
        }
        let (now, engine) = (Instant::now(), &self.fleet.engine);
        let (hosts, disputed) = (&self.hosts, &self.disputed);
        let alone = |name: &str| !hosts.has_other(name, engine, now);
        let Some(audit) = self
            .audits
            .to_be_played_here(alone, |pair| disputed.contains_key(&pair), now)
        else {
            return;
        };
        let (task, tables) = (audit.task.clone(), Arc::clone(&self.fleet.tables));
        let (answer, process) = (self.played_here.0.clone(), self.fleet.process.for_run());
        let play = move || {
            let played = match tables.table(&task.table, None, &process) {
                Ok(mut table) => table.play(&JobPair::of(&task)),
                Err(_) => Err(Unplayed::Interrupted),
            };
            let _ = answer.send((task.plan.pair, played));
        };
        let started = thread::Builder::new()
            .name("audit".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(play);
        self.is_playing_here = started.is_ok();
    }

    /// The coordinator has played a pair itself: who played otherwise is not believed any more.
    pub(super) fn judge(&mut self, pair: u64, record: Result<Finished, Unplayed>) {
        self.is_playing_here = false;
        let (Some(audit), Ok(own)) = (self.audits.close(pair), record) else {
            return;
        };
        self.fleet.audited.fetch_add(1, Ordering::Relaxed);
        let Audit { record, origin, .. } = audit;
        let why = format!("{record} goes otherwise when it is {} again", record.verb());
        if let Some((other, packet)) = self.disputed.remove(&pair)
            && !decode(&packet).is_some_and(|second| is_same_play(&own, &second))
        {
            self.distrust_host(&other, why.clone());
        }
        if !is_same_play(&own, &record) {
            self.distrust_host(&origin, why);
        }
    }
}
