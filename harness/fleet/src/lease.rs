//! Who coordinates a run, one at a time: a lease in the stream `control`, renewed while it is held. No clock of another machine counts.

use std::time::{Duration, Instant};

use async_nats::jetstream::context::Context;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::LastRawMessageErrorKind;

use super::FleetError;
use super::streams::{Streams, is_taken};

pub(super) const RENEWAL: Duration = Duration::from_secs(3);
/// A lease that is not renewed for so long is free.
const LEASE_TIMEOUT: Duration = Duration::from_secs(12);
const LOOK: Duration = Duration::from_millis(500);

/// The payload when nobody holds the lease.
const FREE: &[u8] = b"free";

pub(super) struct Lease {
    subject: String,
    holder: String,
    sequence: u64,
}

impl Lease {
    /// Waits for the lease of a coordinator that has died, and `tell`s that it does.
    pub(super) async fn take(
        context: &Context,
        streams: &Streams,
        run: &str,
        tell: impl Fn(Duration),
    ) -> Result<Lease, FleetError> {
        let mut lease = Lease {
            subject: format!("tanren.control.{run}"),
            holder: context.client().new_inbox(),
            sequence: 0,
        };
        let mut seen: Option<(u64, Instant)> = None;
        loop {
            let stored = streams
                .control
                .get_last_raw_message_by_subject(&lease.subject)
                .await;
            let found = match stored {
                Ok(message) => Some((message.sequence, message.payload)),
                Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => None,
                Err(error) => return Err(FleetError::server("look at a lease", error)),
            };
            let (sequence, is_free) = match found {
                None => (0, true),
                Some((sequence, holder)) => (sequence, holder.as_ref() == FREE),
            };
            let (first_seen, since) = *seen.get_or_insert_with(|| (sequence, Instant::now()));
            if first_seen != sequence && !is_free {
                return Err(FleetError::Coordinated(run.to_owned()));
            }
            if is_free || since.elapsed() > LEASE_TIMEOUT {
                lease.sequence = sequence;
                let holder = lease.holder.clone();
                lease.write(context, streams, holder.into_bytes()).await?;
                return Ok(lease);
            }
            tell(LEASE_TIMEOUT.saturating_sub(since.elapsed()));
            tokio::time::sleep(LOOK).await;
        }
    }

    pub(super) async fn renew(&mut self, context: &Context, streams: &Streams) -> Result<(), FleetError> {
        let holder = self.holder.clone();
        self.write(context, streams, holder.into_bytes()).await
    }

    /// The server has lost everything: the lease is as it was before anybody took it.
    pub(super) fn forget(&mut self) {
        self.sequence = 0;
    }

    pub(super) async fn release(mut self, context: &Context, streams: &Streams) {
        // If that fails, it ends by itself.
        let _ = self.write(context, streams, FREE.to_vec()).await;
    }

    /// Ours may be what stands there, from an attempt whose answer was lost.
    async fn recover(&mut self, streams: &Streams) -> Result<(), FleetError> {
        let stored = streams
            .control
            .get_last_raw_message_by_subject(&self.subject)
            .await;
        match stored {
            Ok(message) if message.payload.as_ref() == self.holder.as_bytes() => {
                self.sequence = message.sequence;
                Ok(())
            }
            // The server has lost it; the next renewal takes it again.
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                self.forget();
                Ok(())
            }
            Ok(_) => Err(FleetError::Coordinated(
                self.subject.rsplit('.').next().unwrap_or_default().to_owned(),
            )),
            Err(error) => Err(FleetError::server("look at a lease", error)),
        }
    }

    async fn write(
        &mut self,
        context: &Context,
        streams: &Streams,
        payload: Vec<u8>,
    ) -> Result<(), FleetError> {
        let message = PublishMessage::build()
            .payload(payload.into())
            .expected_last_subject_sequence(self.sequence);
        let sent = context.send_publish(self.subject.clone(), message).await;
        let stored = match sent {
            Ok(stored) => stored.await,
            Err(error) => Err(error),
        };
        match stored {
            Ok(stored) => {
                self.sequence = stored.sequence;
                Ok(())
            }
            Err(error) if is_taken(&error) => self.recover(streams).await,
            Err(error) => Err(FleetError::server("keep a lease", error)),
        }
    }
}
