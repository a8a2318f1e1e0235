//! The machines of a fleet as their coordinator knows them. No machine is believed about another one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Instant;

use nkeys::KeyPair;

use super::timeouts::GONE_AFTER;
use super::wire::{Heartbeat, SignedPair, digest_of, signed_bytes};
use crate::record::{Host, Origin};

/// Told to the user.
const REASONS_MAX: usize = 1_000;

pub(super) struct Hosts {
    keys: HashMap<String, KeyPair>,
    seen: BTreeMap<String, (Arc<Host>, Heartbeat, Instant)>,
    distrusted: BTreeSet<String>,
    /// What the built-in engine of those that count does.
    engine: String,
    /// Only machines that play timed games count.
    is_timed: bool,
    run: String,
    /// Names and reasons of those that have no part in the run.
    unready: BTreeSet<(String, String)>,
}

impl Hosts {
    /// `workers`: names and public keys.
    pub(super) fn new(
        workers: &BTreeMap<String, String>,
        distrusted: &[String],
        engine: &str,
        is_timed: bool,
        run: &str,
    ) -> Hosts {
        let key = |(name, key): (&String, &String)| Some((name.clone(), KeyPair::from_public_key(key).ok()?));
        Hosts {
            keys: workers.iter().filter_map(key).collect(),
            seen: BTreeMap::new(),
            distrusted: distrusted.iter().cloned().collect(),
            engine: engine.to_owned(),
            is_timed,
            run: run.to_owned(),
            unready: BTreeSet::new(),
        }
    }

    /// Why a machine has no part in the run, if it says so for the first time.
    pub(super) fn on_event(&mut self, heartbeat: &Heartbeat, now: Instant) -> Option<String> {
        let key = self.keys.get(&heartbeat.name)?;
        let host = Host {
            name: heartbeat.name.clone(),
            key: key.public_key(),
            cpu: heartbeat.cpu.clone(),
            version: heartbeat.version.clone(),
        };
        let known = self.seen.get(&host.name).map(|(host, ..)| Arc::clone(host));
        let host = known
            .filter(|known| **known == host)
            .unwrap_or_else(|| Arc::new(host));
        self.seen
            .insert(host.name.clone(), (host, heartbeat.clone(), now));
        let why = self.unready(heartbeat)?.to_owned();
        let is_new = self.unready.insert((heartbeat.name.clone(), why.clone()));
        (is_new && self.unready.len() < REASONS_MAX).then_some(why)
    }

    fn unready<'h>(&self, heartbeat: &'h Heartbeat) -> Option<&'h str> {
        let mut unready = heartbeat.unready.iter();
        let of_run = unready.find(|unready| unready.run == self.run)?;
        Some(&of_run.why)
    }

    /// Of all that are there and can play the run.
    pub(super) fn slots(&self, now: Instant) -> u64 {
        self.playing(now)
            .map(|heartbeat| u64::from(heartbeat.slots))
            .sum()
    }

    /// Does one of these play something, of whatever run?
    pub(super) fn are_busy(&self, now: Instant) -> bool {
        self.playing(now).any(|heartbeat| heartbeat.busy > 0)
    }

    /// Was no machine heard of?
    pub(super) fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    fn playing(&self, now: Instant) -> impl Iterator<Item = &Heartbeat> {
        let playing = self.seen.values().filter(move |(host, heartbeat, at)| {
            heartbeat.engine == self.engine
                && !heartbeat.is_leaving
                && self.unready(heartbeat).is_none()
                && (heartbeat.nps > 0 || !self.is_timed)
                && !self.distrusted.contains(&host.name)
                && now.duration_since(*at) < GONE_AFTER
        });
        playing.map(|(_, heartbeat, _)| heartbeat)
    }

    /// Who played this, if the signature proves it and the machine is believed.
    pub(super) fn origin(&self, run: &str, table: &str, result: &SignedPair) -> Result<Origin, &'static str> {
        if self.distrusted.contains(&result.worker) {
            return Err("its results are rejected");
        }
        let key = self.keys.get(&result.worker).ok_or("nobody knows its key")?;
        let table = digest_of(table);
        let signed = signed_bytes(run, &table, result.pace, &result.packet);
        key.verify(&signed, &result.signature)
            .map_err(|_| "the signature is not its own")?;
        let unheard = || {
            Arc::new(Host {
                name: result.worker.clone(),
                key: key.public_key(),
                ..Host::default()
            })
        };
        let seen = self.seen.get(&result.worker);
        Ok(Origin {
            host: seen.map_or_else(unheard, |(host, ..)| Arc::clone(host)),
            table,
            pace: result.pace,
            signature: result.signature.clone(),
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
