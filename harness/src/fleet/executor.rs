//! A fleet as an executor of runs.
//!
//! In: work. Out: finished pairs, as they come. Must not: store or count.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use super::FleetError;
use super::audit::Audits;
use super::drive::{Drive, raised};
use super::turn::Turn;
use crate::runner::{Auditor, Executor, Played, Stop, Work};

use super::coordinator::FleetExecutor;
/// Before a server that was there is looked for again.
const PAUSE: Duration = Duration::from_secs(2);

impl Executor for FleetExecutor {
    fn concurrency(&self) -> usize {
        self.slots.load(Ordering::Relaxed)
    }

    fn run(&self, work: &dyn Work, collect: &mut dyn FnMut(Receiver<Played>)) {
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            if let Some(local) = &self.local {
                let sender = sender.clone();
                scope.spawn(move || {
                    local.run(work, &mut |results| {
                        // Who collects may have gone; then the work is over, too.
                        let _ = results.into_iter().all(|played| sender.send(played).is_ok());
                    });
                });
            }
            scope.spawn(move || {
                if let Err(error) = talk(self, work, &sender) {
                    // As above.
                    let _ = sender.send(Err(Stop::Executor(Box::new(error))));
                }
            });
            collect(receiver);
        });
    }

    fn suspended_pairs(&self) -> u64 {
        self.local.as_ref().map_or(0, Executor::suspended_pairs)
    }

    fn audited_pairs(&self) -> u64 {
        self.audited.load(Ordering::Relaxed)
    }

    fn auditor(&self, run: &str) -> Option<Auditor> {
        let audits = self.audits(run).ok().filter(Audits::chooses_any)?;
        Some(Box::new(move |pair| audits.chooses(pair)))
    }
}

/// Takes the run. A server that was there is waited for: it may be started anew while a lease is waited for, or between two runs
/// of a study.
async fn begin<'a>(
    fleet: &'a FleetExecutor,
    work: &'a dyn Work,
    sender: &'a Sender<Played>,
) -> Result<Drive<'a>, FleetError> {
    loop {
        match Drive::begin(fleet, work, sender).await {
            Ok(drive) => return Ok(drive),
            Err(error) if error.may_pass() && fleet.was_there.load(Ordering::Relaxed) => {
                fleet.tell(&format!("{error}; waiting for it"));
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Err(error),
        }
    }
}

fn talk(fleet: &FleetExecutor, work: &dyn Work, sender: &Sender<Played>) -> Result<(), FleetError> {
    if work.is_timed() {
        // It takes a while, in which nobody is to wait for an answer.
        fleet.reference_nps();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(FleetError::System)?;
    let say_waiting =
        || fleet.tell("another job of this process plays the same run; this one begins when that is over");
    let Some(_turn) = Turn::take(work.run_id(), work.interrupt(), say_waiting) else {
        return Ok(());
    };
    runtime.block_on(async {
        let begun = tokio::select! {
            begun = begin(fleet, work, sender) => begun?,
            () = raised(work.interrupt()) => return Ok(()),
        };
        let mut drive = begun;
        let driven = drive.run().await;
        drive
            .end(!matches!(driven, Err(FleetError::Coordinated(_))))
            .await;
        driven
    })
}
