//! Who coordinates a run, one at a time: a message in the stream `control`, which the server deletes when it is not renewed.

use async_nats::jetstream::context::Context;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use tokio::time::sleep;

use super::FleetError;
use super::streams::{Streams, is_taken};
use super::timeouts::{LEASE_TIMEOUT, RETRY_PAUSE};

pub(super) struct Lease {
    context: Context,
    run: String,
    holder: String,
    /// Of the message; 0 if there is none.
    sequence: u64,
}

/// Who holds a lease.
enum Holder {
    Nobody,
    This,
    /// As the message of this number says.
    Other(u64),
}

impl Lease {
    /// Waits for the lease of a coordinator that has died, and `tell`s that it does.
    pub(super) async fn take(
        context: &Context,
        streams: &Streams,
        run: &str,
        tell: impl Fn(&str),
    ) -> Result<Lease, FleetError> {
        let mut lease = Lease {
            context: context.clone(),
            run: run.to_owned(),
            holder: context.client().new_inbox(),
            sequence: 0,
        };
        let mut first_seen = None;
        loop {
            match lease.holder(streams).await? {
                Holder::This => return Ok(lease),
                Holder::Nobody => match lease.write().await {
                    Ok(()) => return Ok(lease),
                    // Somebody was faster, or the answer was lost.
                    Err(None) => {}
                    Err(Some(error)) => return Err(error),
                },
                Holder::Other(sequence) => {
                    if first_seen.is_none() {
                        let seconds = LEASE_TIMEOUT.as_secs();
                        tell(&format!(
                            "this run has a coordinator; if that was killed, this one takes over in {seconds} s"
                        ));
                    }
                    if *first_seen.get_or_insert(sequence) != sequence {
                        return Err(FleetError::Coordinated(run.to_owned()));
                    }
                    sleep(RETRY_PAUSE).await;
                }
            }
        }
    }

    /// An error means that somebody else has it. A server that cannot be asked takes nothing away.
    pub(super) async fn renew(&mut self, streams: &Streams) -> Result<(), FleetError> {
        match self.write().await {
            Ok(()) => return Ok(()),
            Err(Some(error)) => tracing::info!("the lease is not renewed: {error}"),
            // Ours may be what stands there, from an attempt whose answer was lost; or the server has lost it.
            Err(None) => {
                self.sequence = 0;
                if let Ok(Holder::Other(_)) = self.holder(streams).await {
                    return Err(FleetError::Coordinated(self.run.clone()));
                }
            }
        }
        Ok(())
    }

    /// The server has lost everything: the lease is as it was before anybody took it.
    pub(super) fn forget(&mut self) {
        self.sequence = 0;
    }

    pub(super) async fn release(self, streams: &Streams) {
        // If that fails, it ends by itself.
        let _ = streams.control.delete_message(self.sequence).await;
    }

    fn subject(&self) -> String {
        format!("tanren.control.{}", self.run)
    }

    async fn holder(&mut self, streams: &Streams) -> Result<Holder, FleetError> {
        let subject = self.subject();
        let stored = streams.control.get_last_raw_message_by_subject(&subject).await;
        let message = match stored {
            Ok(message) => message,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                return Ok(Holder::Nobody);
            }
            Err(error) => return Err(FleetError::server("look at a lease", error)),
        };
        if message.payload == self.holder {
            self.sequence = message.sequence;
            return Ok(Holder::This);
        }
        Ok(Holder::Other(message.sequence))
    }

    /// The error is `None` if the lease is not as it was left.
    async fn write(&mut self) -> Result<(), Option<FleetError>> {
        let message = PublishMessage::build()
            .payload(self.holder.clone().into())
            .expected_last_subject_sequence(self.sequence);
        let stored = match self.context.send_publish(self.subject(), message).await {
            Ok(stored) => stored.await,
            Err(error) => Err(error),
        };
        match stored {
            Ok(stored) => self.sequence = stored.sequence,
            Err(error) if is_taken(&error) => return Err(None),
            Err(error) => return Err(Some(FleetError::server("keep a lease", error))),
        }
        Ok(())
    }
}
