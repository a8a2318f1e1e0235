//! A coordinator takes results.
//!
//! In: messages of anybody. Out: pairs that a worker with a key has signed, that were asked for and follow from the rules, to whoever
//! collects. Must not: hand on anything else.

use std::time::Instant;

use async_nats::jetstream::{AckKind, Message as Delivered};

use super::drive::{Drive, EARLY_MAX};
use super::streams::pair_of;
use super::wire::PairResult;
use crate::ledger::decode;
use crate::record::{Finished, Origin};
use crate::runner::{Delivery, Stop};
use crate::schedule::PairPlan;

impl Drive<'_> {
    /// A result has come.
    pub(super) async fn take(&mut self, message: Delivered) {
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
            return self.land(&result, message).await;
        }
        let is_wanted = !self.flights.has_landed(pair) && self.early.len() < EARLY_MAX;
        if !is_wanted || !self.hosts.may_play(&result.worker) {
            return refuse(&message).await;
        }
        // It may be one that an earlier coordinator was told and did not store.
        self.early.insert(pair, (result, message));
    }

    /// The result of a pair that is out.
    pub(super) async fn land(&mut self, result: &PairResult, message: Delivered) {
        let Some((pair, _)) = pair_of(&message.subject) else {
            return;
        };
        let now = Instant::now();
        let Some(plan) = self.flights.land(pair, result.elapsed_ms, now) else {
            return;
        };
        if let Ok((record, origin)) = self.check(&plan, result) {
            return self.deliver(plan, record, origin, message);
        }
        // Whoever sent it, it was not played: somebody has to, and the server takes no second result beside this one.
        refuse(&message).await;
        self.flights.land_in_vain(plan, now);
        self.unsent.insert(plan.pair, plan);
    }

    /// A result that is signed by a worker that is believed, of this pair and by the rules.
    pub(super) fn check(
        &mut self,
        plan: &PairPlan,
        result: &PairResult,
    ) -> Result<(Finished, Origin), &'static str> {
        let table = self.work.task(plan).map(|task| task.table).unwrap_or_default();
        let origin = self.hosts.origin(self.work.run_id(), &table, result)?;
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
            None => Err("it signed what is no pair and no search".to_owned()),
            // It signed that pair, and anybody may have sent it in the place of this one.
            Some(record) if record.number() != plan.pair => return Err("it is another pair"),
            Some(record) => match self.work.check(plan, &record) {
                Ok(()) => Ok(record),
                Err(rule_violation) => Err(format!("of {record} it says: {rule_violation}")),
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

    /// Nothing of this machine is believed from now on, and what it played is taken out.
    pub(super) fn distrust_host(&mut self, origin: &Origin, why: String) {
        self.hosts.distrust(&origin.host.name);
        self.distrust.push(((*origin.host).clone(), why));
    }

    pub(super) fn deliver(&mut self, plan: PairPlan, record: Finished, origin: Origin, message: Delivered) {
        if let Finished::Stopped(fault) = record {
            // The same command plays this pair when it goes on: nothing of it may be left with the server.
            let _ = self.stored.0.send(message);
            // Who collects may have gone.
            let _ = self.sender.send(Err(Stop::Fault(fault)));
            return;
        }
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
}

/// Nobody needs it.
async fn refuse(message: &Delivered) {
    // If the server does not hear of it, it comes again and is refused again.
    let _ = message.ack_with(AckKind::Ack).await;
}
