//! Connections that are open, and which of them goes when another one comes.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::task::AbortHandle;

use crate::platform::lock;

/// Who came a moment ago may not have been answered for want of time.
const FRESH_MS: u64 = 2_000;
/// Of one address that is not this machine: behind those of this machine may be a proxy with many viewers.
const ADDRESS_MAX: usize = 128;

#[derive(Debug)]
pub(super) struct Places {
    max: usize,
    began: Instant,
    taken: Mutex<Vec<Taken>>,
    next: AtomicU64,
}

#[derive(Debug)]
struct Taken {
    id: u64,
    address: IpAddr,
    /// Was anything but a refusal answered on it?
    is_served: bool,
    /// When it was asked for something last, in milliseconds.
    asked_ms: u64,
    task: Option<AbortHandle>,
}

/// Of one connection; it is free when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    id: u64,
}

impl Places {
    pub(super) fn new(max: usize) -> Arc<Places> {
        Arc::new(Places {
            max,
            began: Instant::now(),
            taken: Mutex::default(),
            next: AtomicU64::new(0),
        })
    }

    /// A place for a connection from `address`; the one that can best be spared is closed if there are too many.
    pub(super) fn take(self: &Arc<Places>, address: IpAddr) -> Place {
        let (address, now_ms) = (network(address), self.now_ms());
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        {
            let mut taken = lock(&self.taken);
            let own = taken.iter().filter(|place| place.address == address).count();
            if own >= ADDRESS_MAX && !address.is_loopback() {
                spare(&mut taken, now_ms, |place| place.address == address);
            }
            if taken.len() >= self.max {
                spare(&mut taken, now_ms, |_| true);
            }
            taken.push(Taken {
                id,
                address,
                is_served: false,
                asked_ms: now_ms,
                task: None,
            });
        }
        let places = Arc::clone(self);
        Place { places, id }
    }

    /// Closes the connection that can best be spared, for want of descriptors.
    pub(super) fn spare_one(&self) {
        spare(&mut lock(&self.taken), self.now_ms(), |_| true);
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Closes one of those that `may` go: one that was never answered, of the address with most of them, the longest idle.
fn spare(taken: &mut Vec<Taken>, now_ms: u64, may: impl Fn(&Taken) -> bool) {
    let old_ms = now_ms.saturating_sub(FRESH_MS);
    let of_address = |place: &Taken| {
        taken
            .iter()
            .filter(|other| other.address == place.address)
            .count()
    };
    let goes = (0..taken.len())
        .filter(|&index| may(&taken[index]))
        .min_by_key(|&index| {
            let place = &taken[index];
            let is_wanted = place.is_served || place.asked_ms > old_ms;
            (
                is_wanted,
                usize::MAX - of_address(place),
                place.asked_ms,
                place.id,
            )
        });
    if let Some(task) = goes.and_then(|index| taken.remove(index).task) {
        task.abort();
    }
}

/// Who has one address of version 6 has a network of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
        }
        address => address,
    }
}

impl Place {
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn asked(&self) {
        let now_ms = self.places.now_ms();
        self.change(|place| place.asked_ms = now_ms);
    }

    pub(super) fn served(&self) {
        self.change(|place| place.is_served = true);
    }

    fn change(&self, change: impl FnOnce(&mut Taken)) {
        let mut taken = lock(&self.places.taken);
        if let Some(place) = taken.iter_mut().find(|place| place.id == self.id) {
            change(place);
        }
    }
}

impl Places {
    /// The task that is ended when the place is taken away.
    pub(super) fn ends(&self, id: u64, task: AbortHandle) {
        if let Some(place) = lock(&self.taken).iter_mut().find(|place| place.id == id) {
            place.task = Some(task);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.places.taken).retain(|place| place.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(places: &Places) -> Vec<u64> {
        lock(&places.taken).iter().map(|place| place.id).collect()
    }

    #[test]
    fn who_was_never_answered_goes_first_then_who_has_most_then_who_was_idle_longest() {
        let places = Places::new(4);
        let [one, two] = ["10.0.0.1", "10.0.0.2"].map(|address| address.parse().unwrap());
        let kept: Vec<Place> = [one, two, two, one].map(|address| places.take(address)).into();
        for place in [0, 1, 3] {
            kept[place].served();
        }
        let mut more = vec![places.take(one)];
        assert_eq!(left(&places), [0, 1, 3, 4], "the one that was refused");
        more[0].served();
        kept[0].change(|place| place.asked_ms = 7);
        more.push(places.take(two));
        assert_eq!(
            left(&places),
            [0, 1, 4, 5],
            "of those of 10.0.0.1 that were idle the third"
        );
        drop((kept, more));
        assert_eq!(left(&places), [0; 0]);
    }

    #[test]
    fn one_address_has_not_all_places_but_this_machine_has() {
        for (address, expected) in [("2001:db8::", ADDRESS_MAX), ("127.0.0.1", 500)] {
            let places = Places::new(1_000);
            let address: IpAddr = address.parse().unwrap();
            let held: Vec<Place> = (0..500_u128)
                .map(|number| match address {
                    IpAddr::V6(first) => places.take(Ipv6Addr::from_bits(first.to_bits() + number).into()),
                    address => places.take(address),
                })
                .collect();
            assert_eq!(left(&places).len(), expected, "{address}");
            drop(held);
        }
    }
}
