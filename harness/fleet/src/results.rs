//! A coordinator takes results. Only pairs that a believed worker has signed, that were asked for and follow from the rules reach the
//! collector.

use std::time::Instant;

use async_nats::jetstream::Message as Delivered;

use super::drive::{Drive, EARLY_MAX};
use super::streams::pair_of;
use super::wire::PairResult;
use crate::ledger::decode;
use crate::record::{Finished, Origin};
use crate::runner::{Delivery, Stop};
use crate::schedule::PairPlan;

impl Drive<'_> {
    pub(super) async fn take(&mut self, message: Delivered) {
        let result = PairResult::of_bytes(&message.payload);
        let (Some(pair), Some(result)) = (pair_of(&message.subject), result) else {
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
    pub(super) async fn receive(&mut self, result: &PairResult, message: Delivered) {
        let Some(pair) = pair_of(&message.subject) else {
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

    fn check(&mut self, plan: &PairPlan, result: &PairResult) -> Result<(Finished, Origin), &'static str> {
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
