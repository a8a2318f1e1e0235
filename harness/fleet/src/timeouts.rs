//! How long machines wait for one another, and how often they look.

use std::time::Duration;

/// How often is looked whether a run is over or a process is to end, and whether there is more to send.
pub(super) const LOOK: Duration = Duration::from_millis(50);
/// Before what the server did not take, or was not there for, is tried again.
pub(super) const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// How long a pair waits for others to fill its job.
pub(super) const LINGER: Duration = Duration::from_millis(50);

/// For one address of the server.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// For the first connection in all, with the look-up of the name and every address.
pub(super) const FIRST_CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// A server that is gone without a word is noticed after two of these.
pub(super) const PING_INTERVAL: Duration = Duration::from_secs(10);
pub(super) const SERVER_TIMEOUT: Duration = Duration::from_secs(5);
/// At the end, a server that is gone is not waited for longer.
pub(super) const FAREWELL: Duration = Duration::from_secs(3);
/// At the end of a worker, jobs that are handed back are waited for so long.
pub(super) const HAND_BACK_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// A machine without a heartbeat for so long has gone.
pub(super) const GONE_AFTER: Duration = Duration::from_secs(15);
/// A run without a machine for so long says so: every machine has said something since.
pub(super) const ALONE_AFTER: Duration = Duration::from_secs(5);
pub(super) const ANNOUNCEMENT_INTERVAL: Duration = Duration::from_secs(1);
/// Every worker and every run says something in this time.
pub(super) const STATUS_TIME: Duration = Duration::from_millis(2_500);

/// Of the lease of a run.
pub(super) const RENEWAL_INTERVAL: Duration = Duration::from_secs(3);
/// A lease that is not renewed for so long is deleted by the server.
pub(super) const LEASE_TIMEOUT: Duration = Duration::from_secs(12);

/// How often lost pairs are looked for, and the streams.
pub(super) const SEARCH_INTERVAL: Duration = Duration::from_secs(2);
/// No pair is looked for before.
pub(super) const LOST_AFTER: Duration = Duration::from_secs(20);
/// A job without progress, or a result that is not stored, for so long is given to somebody else.
pub(super) const ACK_TIMEOUT: Duration = Duration::from_secs(30);
pub(super) const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// How long the server keeps a request for jobs or results.
pub(super) const REQUEST_EXPIRY: Duration = Duration::from_secs(5);
/// Before a job that cannot be played here is delivered again, perhaps to this machine.
pub(super) const REFUSAL_PAUSE: Duration = Duration::from_secs(5);
/// A job of a run that was over a moment ago comes again after so long.
pub(super) const OVER_PAUSE: Duration = Duration::from_secs(1);
/// A run that is over for so long is not resumed.
pub(super) const OVER_FOR_GOOD: Duration = Duration::from_secs(60);

/// Of what nobody fetches: of runs that never ended.
pub(super) const MESSAGE_AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
pub(super) const CONSUMER_AGE_MAX: Duration = Duration::from_secs(24 * 3600);
