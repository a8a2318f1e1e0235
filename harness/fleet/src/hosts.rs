//! The machines of a fleet as their coordinator knows them. No machine is believed about another one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nkeys::KeyPair;

use super::wire::{Heartbeat, PairResult, digest_of, signed_bytes};
use crate::record::{Host, Origin};

/// A machine without a heartbeat for so long has gone.
const GONE_AFTER: Duration = Duration::from_secs(15);

pub(super) struct Hosts {
    keys: HashMap<String, KeyPair>,
    seen: BTreeMap<String, Seen>,
    distrusted: BTreeSet<String>,
    /// Only machines that play timed games count.
    is_timed: bool,
}

struct Seen {
    host: Arc<Host>,
    engine: String,
    slots: u32,
    nps: u64,
    is_leaving: bool,
    at: Instant,
}

impl Hosts {
    /// `workers`: names and public keys.
    pub(super) fn new(workers: &BTreeMap<String, String>, is_timed: bool) -> Hosts {
        let keys = workers.iter().filter_map(|(name, key)| {
            let key = KeyPair::from_public_key(key).ok()?;
            Some((name.clone(), key))
        });
        Hosts {
            keys: keys.collect(),
            seen: BTreeMap::new(),
            distrusted: BTreeSet::new(),
            is_timed,
        }
    }

    pub(super) fn on_event(&mut self, heartbeat: &Heartbeat, now: Instant) {
        let Some(key) = self.keys.get(&heartbeat.name) else {
            return;
        };
        let host = Host {
            name: heartbeat.name.clone(),
            key: key.public_key(),
            cpu: heartbeat.cpu.clone(),
            version: heartbeat.version.clone(),
        };
        let known = self.seen.get(&heartbeat.name).filter(|seen| *seen.host == host);
        let host = known.map_or_else(|| Arc::new(host), |seen| Arc::clone(&seen.host));
        let seen = Seen {
            host,
            engine: heartbeat.engine.clone(),
            slots: heartbeat.slots,
            nps: heartbeat.nps,
            is_leaving: heartbeat.is_leaving,
            at: now,
        };
        self.seen.insert(heartbeat.name.clone(), seen);
    }

    /// Of all that are there and play with this engine.
    pub(super) fn slots(&self, engine: &str, now: Instant) -> u64 {
        self.playing(engine, now).map(|seen| u64::from(seen.slots)).sum()
    }

    fn playing(&self, engine: &str, now: Instant) -> impl Iterator<Item = &Seen> {
        self.seen.values().filter(move |seen| {
            seen.engine == engine
                && !seen.is_leaving
                && (seen.nps > 0 || !self.is_timed)
                && !self.distrusted.contains(&seen.host.name)
                && now.duration_since(seen.at) < GONE_AFTER
        })
    }

    /// Who played this, if the signature proves it and the machine is believed.
    pub(super) fn origin(&self, run: &str, table: &str, result: &PairResult) -> Result<Origin, &'static str> {
        if self.distrusted.contains(&result.worker) {
            return Err("it is not believed any more");
        }
        let key = self.keys.get(&result.worker).ok_or("nobody knows its key")?;
        let table = digest_of(table);
        let signed = signed_bytes(run, &table, result.pace, &result.packet);
        key.verify(&signed, &result.signature)
            .map_err(|_| "the signature is not its own")?;
        let seen = self.seen.get(&result.worker);
        let unheard = || {
            Arc::new(Host {
                name: result.worker.clone(),
                key: key.public_key(),
                ..Host::default()
            })
        };
        Ok(Origin {
            host: seen.map_or_else(unheard, |seen| Arc::clone(&seen.host)),
            table,
            pace: result.pace,
            signature: result.signature.to_vec(),
        })
    }

    pub(super) fn may_play(&self, name: &str) -> bool {
        self.keys.contains_key(name) && !self.distrusted.contains(name)
    }

    pub(super) fn distrust(&mut self, name: &str) {
        self.distrusted.insert(name.to_owned());
    }

    pub(super) fn distrusted(&self) -> Vec<String> {
        self.distrusted.iter().cloned().collect()
    }
}
