//! What the machines of a fleet did for a run: `hosts.csv`, lines.

use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::table::named_lines;
use crate::document::text::text;
use crate::document::{Block, Table};
use crate::record::Pace;
use crate::session::hosts::HostTotals;

const P_DECIMALS: usize = 4;
const RATE_DECIMALS: usize = 3;
const P_NOTABLE: f64 = 0.01;

pub(crate) fn columns() -> Columns<'static, HostTotals> {
    columns! { row: HostTotals;
        "host", "the machine, as its file names it" => &row.host.name;
        "cpu", "its processor" => &row.host.cpu;
        "version", "of the program there" => &row.host.version;
        "pairs", "pairs counted that it played" => row.pairs;
        "games_per_s", "games in a second of thinking of one slot" => Cell::rounded(row.games_per_s(), RATE_DECIMALS);
        "nodes_per_s", "nodes in a second of thinking" => Cell::rounded(row.nodes_per_s(), 0);
        "slot_nps",
            "nodes in a second of its built-in engine on one slot with all slots at work, measured where games are by time"
            => row.pace.map(|pace| pace.nps);
        "time_scale", "limits by time were multiplied by this there"
            => Cell::rounded(row.pace.map(Pace::scale), RATE_DECIMALS);
        "time_losses", "games lost on time" => row.time_losses;
        "faults", "games lost by another fault" => row.faults;
        "p_differs",
            "the probability that its results differ so much from those of the other machines by chance, corrected for their number (χ², Holm)"
            => Cell::rounded(row.p_differs, P_DECIMALS);
        "distrusted", "why nothing of it is believed, if so" => row.distrusted.as_deref().unwrap_or_default();
        "key", "its public key" => &row.host.key;
        "searches", "searches that it made, of a count of nodes" => row.searches;
    }
}

pub(crate) fn table(hosts: &[HostTotals]) -> Option<Table> {
    (!hosts.is_empty()).then(|| Table::of(&columns(), hosts).file("hosts.csv"))
}

pub(crate) fn block<'a>(hosts: &[HostTotals]) -> Option<Block<'a>> {
    table(hosts).map(|table| Block::Table(table.key("hosts").caption(text!("Machines"))))
}

pub(crate) fn lines(hosts: &[HostTotals]) -> String {
    named_lines(hosts.iter().map(|host| ("host", about(host))))
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

#[cfg(test)]
mod tests {
    use crate::kinds::host_table::*;
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
        let expected = "host     worker-2: 0 pairs; not believed: pair 3 goes otherwise\n";
        assert_eq!(lines(&[host]), expected);
        assert!(table(&[]).is_none());
    }
}
