use std::collections::HashMap;

use crate::ledger::{HostUnits, Ledger, LedgerError};
use crate::record::{Host, Pace, PairOutcome, PlayerId, Reason, Search};
use crate::stats::{holm, same_distribution};

pub const COORDINATOR: &str = "(coordinator)";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostTotals {
    pub host: Host,
    pub pairs: u64,
    pub searches: u64,
    pub time_losses: u64,
    pub faults: u64,
    pub nodes: u64,
    pub time_us: u64,
    pub half_points: [u64; 5],
    /// The probability that results differ so much from those of the other machines by chance, corrected for their number (Holm); nothing
    /// where there are too few pairs.
    pub p_differs: Option<f64>,
    /// What time was worth there, of games by time; of the last of its pairs.
    pub pace: Option<Pace>,
    pub distrusted: Option<String>,
}

impl HostTotals {
    fn of(host: HostUnits) -> HostTotals {
        HostTotals {
            host: host.host,
            distrusted: host.distrusted,
            ..HostTotals::default()
        }
    }

    fn add(&mut self, pair: &PairOutcome) {
        self.pairs += 1;
        let mut half_points = 0_usize;
        for game in &pair.games {
            half_points += match game.winner {
                Some(PlayerId::A) => 2,
                None => 1,
                Some(PlayerId::B) => 0,
            };
            self.nodes += game.nodes.iter().sum::<u64>();
            self.time_us += game.time_us.iter().sum::<u64>();
            match game.reason {
                Reason::TimeLoss => self.time_losses += 1,
                reason if reason.is_fault() => self.faults += 1,
                _ => {}
            }
        }
        if let Some(cell) = self.half_points.get_mut(half_points) {
            *cell += 1;
        }
    }

    fn add_search(&mut self, search: &Search) {
        self.searches += 1;
        if let Some(last) = search.iterations.last() {
            self.nodes += last.nodes;
            self.time_us += last.time_us.unwrap_or(0);
        }
    }

    pub fn nodes_per_s(&self) -> Option<f64> {
        (self.time_us > 0).then(|| self.nodes as f64 / self.time_us as f64 * 1e6)
    }

    pub fn games_per_s(&self) -> Option<f64> {
        (self.time_us > 0 && self.pairs > 0).then(|| 2.0 * self.pairs as f64 / self.time_us as f64 * 1e6)
    }
}

pub(crate) fn count(ledger: &Ledger, counted: u64) -> Result<Vec<HostTotals>, LedgerError> {
    let Some(mut machines) = Machines::of(ledger)? else {
        return Ok(Vec::new());
    };
    ledger.for_each_outcome(|outcome| {
        if outcome.pair < counted {
            machines.of_number(outcome.pair).add(&outcome);
        }
    })?;
    let mut totals = machines.totals();
    compare(&mut totals);
    Ok(totals)
}

pub(crate) fn count_searches(
    ledger: &Ledger,
    searches: &[Search],
    positions: usize,
) -> Result<Vec<HostTotals>, LedgerError> {
    let Some(mut machines) = Machines::of(ledger)? else {
        return Ok(Vec::new());
    };
    for search in searches {
        machines.of_number(search.number(positions)).add_search(search);
    }
    Ok(machines.totals())
}

struct Machines {
    totals: Vec<HostTotals>,
    here: HostTotals,
    places: HashMap<u64, usize>,
}

impl Machines {
    fn of(ledger: &Ledger) -> Result<Option<Machines>, LedgerError> {
        let mut totals: Vec<HostTotals> = ledger.hosts()?.into_iter().map(HostTotals::of).collect();
        if totals.is_empty() {
            return Ok(None);
        }
        let mut places = HashMap::new();
        ledger.for_each_origin(|number, origin| {
            if let Some(place) = totals.iter().position(|total| total.host == *origin.host) {
                places.insert(number, place);
                totals[place].pace = origin.pace.or(totals[place].pace);
            }
        })?;
        let mut here = HostTotals::default();
        here.host.name = COORDINATOR.to_owned();
        Ok(Some(Machines { totals, here, places }))
    }

    fn of_number(&mut self, number: u64) -> &mut HostTotals {
        let place = self.places.get(&number);
        let total = place.and_then(|&place| self.totals.get_mut(place));
        total.unwrap_or(&mut self.here)
    }

    fn totals(mut self) -> Vec<HostTotals> {
        if self.here.pairs + self.here.searches > 0 {
            self.totals.push(self.here);
        }
        joined(self.totals)
    }
}

/// A machine whose first pairs came before it had told of itself is one machine.
fn joined(totals: Vec<HostTotals>) -> Vec<HostTotals> {
    let mut joined: Vec<HostTotals> = Vec::with_capacity(totals.len());
    for total in totals {
        let is_same = |other: &&mut HostTotals| {
            let is_untold = other.host.version.is_empty() || total.host.version.is_empty();
            other.host.key == total.host.key && is_untold
        };
        let Some(known) = joined.iter_mut().find(is_same) else {
            joined.push(total);
            continue;
        };
        if known.host.version.is_empty() {
            known.host = total.host;
        }
        known.distrusted = known.distrusted.take().or(total.distrusted);
        known.pace = total.pace.or(known.pace);
        known.pairs += total.pairs;
        known.searches += total.searches;
        known.time_losses += total.time_losses;
        known.faults += total.faults;
        known.nodes += total.nodes;
        known.time_us += total.time_us;
        known
            .half_points
            .iter_mut()
            .zip(total.half_points)
            .for_each(|(known, more)| *known += more);
    }
    joined
}

fn compare(totals: &mut [HostTotals]) {
    let mut all = [0; 5];
    for total in totals.iter() {
        all.iter_mut()
            .zip(total.half_points)
            .for_each(|(all, own)| *all += own);
    }
    let differing = totals.iter().enumerate().filter_map(|(index, total)| {
        let rest = std::array::from_fn(|cell| all[cell] - total.half_points[cell]);
        Some((index, same_distribution(&total.half_points, &rest)?))
    });
    let (indices, values): (Vec<usize>, Vec<f64>) = differing.unzip();
    for (index, p) in indices.into_iter().zip(holm(&values)) {
        totals[index].p_differs = Some(p);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_plays_otherwise_stands_out_and_the_others_do_not() {
        let of = |half_points| HostTotals {
            half_points,
            ..HostTotals::default()
        };
        let usual = [10, 20, 40, 20, 10];
        let mut totals = vec![of(usual), of(usual), of([40, 30, 20, 8, 2]), of([0, 0, 1, 0, 0])];
        compare(&mut totals);
        let p: Vec<Option<f64>> = totals.iter().map(|total| total.p_differs).collect();
        assert!(p[2].unwrap() < 1e-6, "{p:?}");
        assert!(p[0].unwrap() > 1e-4 && p[3].is_none(), "{p:?}");
    }
}
