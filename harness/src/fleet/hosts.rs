//! The machines of a fleet as a coordinator knows them.
//!
//! In: what workers say of themselves, what they did. Out: who may be believed, how many slots there are. Must not: believe a
//! machine about another one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nkeys::KeyPair;

use super::digest::digest_of;
use super::wire::{Here, PairResult, signed_bytes};
use crate::record::{Host, Origin};

/// Who says nothing for so long has gone.
const GONE_AFTER: Duration = Duration::from_secs(15);

/// All machines that have a key.
pub(super) struct Hosts {
    keys: HashMap<String, KeyPair>,
    seen: BTreeMap<String, Seen>,
    distrusted: BTreeSet<String>,
    /// Are only those counted that play games by time?
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
    /// Those of these public keys, by name; for games by time, if `is_timed`.
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

    /// A worker tells of itself.
    pub(super) fn hear(&mut self, here: &Here, now: Instant) {
        let Some(key) = self.keys.get(&here.name) else {
            return;
        };
        let host = Host {
            name: here.name.clone(),
            key: key.public_key(),
            cpu: here.cpu.clone(),
            version: here.version.clone(),
        };
        let known = self.seen.get(&here.name).filter(|seen| *seen.host == host);
        let host = known.map_or_else(|| Arc::new(host), |seen| Arc::clone(&seen.host));
        let seen = Seen {
            host,
            engine: here.engine.clone(),
            slots: here.slots,
            nps: here.nps,
            is_leaving: here.is_leaving,
            at: now,
        };
        self.seen.insert(here.name.clone(), seen);
    }

    /// Slots of all that are there and play with this engine.
    pub(super) fn slots(&self, engine: &str, now: Instant) -> u64 {
        self.playing(engine, now).map(|seen| u64::from(seen.slots)).sum()
    }

    /// Is there anybody but this machine who could play?
    pub(super) fn has_other(&self, name: &str, engine: &str, now: Instant) -> bool {
        self.playing(engine, now).any(|seen| seen.host.name != name)
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
        key.verify(
            &signed_bytes(run, table, result.pace, &result.packet),
            &result.signature,
        )
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
            table: digest_of(table),
            pace: result.pace,
            signature: result.signature.to_vec(),
        })
    }

    /// Does it have a key, and is it believed?
    pub(super) fn may_play(&self, name: &str) -> bool {
        self.keys.contains_key(name) && !self.distrusted.contains(name)
    }

    /// Nothing that this machine says is believed from now on.
    pub(super) fn distrust(&mut self, name: &str) {
        self.distrusted.insert(name.to_owned());
    }

    /// Who is not believed.
    pub(super) fn distrusted(&self) -> Vec<String> {
        self.distrusted.iter().cloned().collect()
    }
}
