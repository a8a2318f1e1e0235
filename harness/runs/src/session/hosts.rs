//! What the machines of a fleet did for a run: counts, `hosts.csv`, lines.

use std::collections::HashMap;

use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::number::plural;
use crate::document::table::named_lines;
use crate::document::text::Text;
use crate::document::{Block, Table};
use crate::ledger::{HostUnits, Ledger, LedgerError};
use crate::match_state::result_of;
use crate::record::{Host, PairOutcome, Reason, Search, TimeScale};
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
    pub pace: Option<TimeScale>,
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
        for game in &pair.games {
            self.nodes += game.nodes.iter().sum::<u64>();
            self.time_us += game.time_us.iter().sum::<u64>();
            match game.reason {
                Reason::TimeLoss => self.time_losses += 1,
                reason if reason.is_fault() => self.faults += 1,
                _ => {}
            }
        }
        if let Some(cell) = self.half_points.get_mut(result_of(pair).category()) {
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
    ledger.for_each_counted(counted, |outcome| machines.of_number(outcome.pair).add(&outcome))?;
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
        for (known, more) in [
            (&mut known.pairs, total.pairs),
            (&mut known.searches, total.searches),
            (&mut known.time_losses, total.time_losses),
            (&mut known.faults, total.faults),
            (&mut known.nodes, total.nodes),
            (&mut known.time_us, total.time_us),
        ] {
            *known += more;
        }
        add(&mut known.half_points, total.half_points);
    }
    joined
}

fn add(counts: &mut [u64; 5], more: [u64; 5]) {
    counts
        .iter_mut()
        .zip(more)
        .for_each(|(count, more)| *count += more);
}

fn compare(totals: &mut [HostTotals]) {
    let mut all = [0; 5];
    for total in totals.iter() {
        add(&mut all, total.half_points);
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

const P_DECIMALS: usize = 4;
const RATE_DECIMALS: usize = 3;
const P_NOTABLE: f64 = 0.01;

pub(crate) fn columns() -> Columns<'static, HostTotals> {
    columns! { row: HostTotals;
        "host", "the machine, as its file names it" => &row.host.name;
        "cpu", "its processor" => &row.host.cpu;
        "version", "of the program there" => &row.host.version;
        "pairs", "pairs counted that it played" => row.pairs;
        "games_per_s", "games per second of thinking time of one slot" => Cell::rounded(row.games_per_s(), RATE_DECIMALS);
        "nodes_per_s", "nodes in a second of thinking" => Cell::rounded(row.nodes_per_s(), 0);
        "slot_nps",
            "nodes per second of the built-in engine on one slot with all slots busy; only for timed games"
            => row.pace.map(|pace| pace.nps);
        "time_scale", "limits by time were multiplied by this there"
            => Cell::rounded(row.pace.map(TimeScale::scale), RATE_DECIMALS);
        "time_losses", "games lost on time" => row.time_losses;
        "faults", "games lost by another fault" => row.faults;
        "p_differs",
            "the probability that its results differ so much from those of the other machines by chance, corrected for their number (χ², Holm)"
            => Cell::rounded(row.p_differs, P_DECIMALS);
        "distrusted", "why its results are rejected; empty if they count" => row.distrusted.as_deref().unwrap_or_default();
        "key", "its public key" => &row.host.key;
        "searches", "searches that it made, of a count of nodes" => row.searches;
    }
}

pub(crate) fn table(hosts: &[HostTotals]) -> Option<Table> {
    (!hosts.is_empty()).then(|| Table::of(&columns(), hosts).file("hosts.csv"))
}

pub(crate) fn block<'a>(hosts: &[HostTotals]) -> Option<Block<'a>> {
    table(hosts).map(|table| Block::Table(table.key("hosts").caption(Text::new("Machines"))))
}

pub(crate) fn lines(hosts: &[HostTotals]) -> String {
    named_lines(hosts.iter().map(|host| ("Host", about(host))))
}

fn about(host: &HostTotals) -> String {
    let (count, unit) = match host.searches {
        0 => (host.pairs, "pair"),
        searches => (searches, "search"),
    };
    let mut text = format!("{}: {}", host.host.name, plural(count, unit));
    if let Some(rate) = host.nodes_per_s() {
        text += &format!(", {:.0} thousand nodes/s", rate / 1e3);
    }
    for (count, noun, rest) in [(host.time_losses, "loss", " on time"), (host.faults, "fault", "")] {
        if count > 0 {
            text += &format!(", {}{rest}", plural(count, noun));
        }
    }
    if let Some(p) = host.p_differs.filter(|&p| p < P_NOTABLE) {
        text += &format!("; its results differ from those of the others (p = {p:.4})");
    }
    if let Some(why) = &host.distrusted {
        text += &format!("; results rejected: {why}");
    }
    text
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

    #[test]
    fn a_machine_that_is_not_believed_is_told_with_the_reason() {
        let host = HostTotals {
            host: Host {
                name: "worker-2".to_owned(),
                ..Host::default()
            },
            p_differs: Some(0.5),
            distrusted: Some("pair 3 gave a different result".to_owned()),
            ..HostTotals::default()
        };
        let expected = "  Host    worker-2: 0 pairs; results rejected: pair 3 gave a different result\n";
        assert_eq!(lines(&[host]), expected);
        assert!(table(&[]).is_none());
    }
}
