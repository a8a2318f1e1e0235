//! What the machines of a fleet did for a run.
//!
//! In: totals. Out: `hosts.csv`, lines, JSON. Must not: judge.

use serde_json::Value;

use super::cell::Cell;
use super::sheet::Sheet;
use super::table::wrapped;
use crate::experiment::HostTotals;
use crate::record::Pace;

const P_DECIMALS: usize = 4;
const RATE_DECIMALS: usize = 3;
/// Below this a machine's results are said to differ.
const P_NOTABLE: f64 = 0.01;

/// The columns of `hosts.csv`.
pub(super) fn sheet() -> Sheet<'static, HostTotals> {
    Sheet::new()
        .column("host", "the machine, as its file names it", |row: &HostTotals| {
            row.host.name.as_str().into()
        })
        .column("cpu", "its processor", |row| row.host.cpu.as_str().into())
        .column("version", "of the program there", |row| {
            row.host.version.as_str().into()
        })
        .column("pairs", "pairs counted that it played", |row| row.pairs.into())
        .column("games_per_s", "games in a second of thinking of one slot", |row| {
            Cell::rounded(row.games_per_s(), RATE_DECIMALS)
        })
        .column("nodes_per_s", "nodes in a second of thinking", |row| {
            Cell::rounded(row.nodes_per_s(), 0)
        })
        .column(
            "slot_nps",
            "nodes in a second of its built-in engine on one slot with all slots at work, measured where games are by time",
            |row| row.pace.map(|pace| pace.nps).into(),
        )
        .column("time_scale", "limits by time were multiplied by this there", |row| {
            Cell::rounded(row.pace.map(Pace::scale), RATE_DECIMALS)
        })
        .column("time_losses", "games lost on time", |row| row.time_losses.into())
        .column("faults", "games lost by another fault", |row| row.faults.into())
        .column(
            "p_differs",
            "the probability that its results differ so much from those of the other machines by chance, corrected for their number (χ², Holm)",
            |row| Cell::rounded(row.p_differs, P_DECIMALS),
        )
        .column("distrusted", "why nothing of it is believed, if so", |row| {
            row.distrusted.as_deref().unwrap_or_default().into()
        })
        .column("key", "its public key", |row| row.host.key.as_str().into())
        .column("searches", "searches that it made, of a count of nodes", |row| row.searches.into())
}

/// A line for each machine.
pub(super) fn lines(hosts: &[HostTotals]) -> String {
    let lines = hosts.iter().map(|host| format!("host     {}\n", about(host)));
    wrapped(&lines.collect::<String>())
}

fn about(host: &HostTotals) -> String {
    let (count, unit) = match host.searches {
        0 => (host.pairs, "pairs"),
        searches => (searches, "searches"),
    };
    let mut text = format!("{}: {count} {unit}", host.host.name);
    if let Some(rate) = host.nodes_per_s() {
        text += &format!(", {:.0} thousand nodes/s", rate / 1e3);
    }
    for (count, noun) in [(host.time_losses, "losses on time"), (host.faults, "faults")] {
        if count > 0 {
            text += &format!(", {count} {noun}");
        }
    }
    if let Some(p) = host.p_differs.filter(|&p| p < P_NOTABLE) {
        text += &format!("; its results differ from those of the others (p = {p:.4})");
    }
    if let Some(why) = &host.distrusted {
        text += &format!("; not believed: {why}");
    }
    text
}

/// `value`, with the rows of `hosts` as its `hosts` if there are any.
pub(super) fn within(value: Value, hosts: &[HostTotals]) -> Value {
    sheet().added_to(value, "hosts", hosts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Host;

    #[test]
    fn a_machine_that_is_not_believed_is_told_with_the_reason() {
        let host = HostTotals {
            host: Host {
                name: "worker-2".to_owned(),
                ..Host::default()
            },
            p_differs: Some(0.5),
            distrusted: Some("pair 3 goes otherwise".to_owned()),
            ..HostTotals::default()
        };
        assert_eq!(
            lines(std::slice::from_ref(&host)),
            "host     worker-2: 0 pairs; not believed: pair 3 goes otherwise\n"
        );
        let value = within(serde_json::json!({}), &[host]);
        assert_eq!(value["hosts"][0]["host"], "worker-2");
        assert_eq!(within(serde_json::json!({}), &[]), serde_json::json!({}));
    }
}
