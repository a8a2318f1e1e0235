//! Who is in a fleet, and what is played.

use serde_json::json;

use crate::document::Document;

use crate::fleet::{FleetStatus, Heartbeat};
use crate::sanitize;

pub fn fleet_document(status: &FleetStatus) -> Document<'static> {
    let values = json!({ "workers": status.workers, "runs": status.runs });
    Document::of_text(text(status), values)
}

fn text(status: &FleetStatus) -> String {
    let mut text = String::new();
    for (name, here) in &status.workers {
        let about = here.as_ref().map_or_else(|| "is not there".to_owned(), in_words);
        let doubled = if status.doubled.contains(name) {
            "; two processes have its key"
        } else {
            ""
        };
        text += &format!("worker {name}: {about}{doubled}\n");
        for unready in here.iter().flat_map(|here| &here.unready) {
            text += &format!("  run {}: {}\n", unready.run, sanitize::line(&unready.why));
        }
    }
    for run in status.runs.values() {
        let distrusted = match &run.distrusted[..] {
            [] => String::new(),
            names => format!("; results rejected: {}", names.join(", ")),
        };
        text += &format!(
            "run {}: {} pairs are out, priority {}{distrusted}\n",
            run.run,
            run.in_flight,
            run.priority()
        );
    }
    if status.runs.is_empty() {
        text += "no run is being played\n";
    }
    text
}

fn in_words(here: &Heartbeat) -> String {
    let leaving = if here.is_leaving { ", is leaving" } else { "" };
    let speed = match here.nps {
        0 => "no games by time".to_owned(),
        nps => format!("{} thousand nodes/s a slot", nps / 1000),
    };
    format!(
        "{} of {} slots play, {} pairs since it began, {speed}, tanren {} (engine {}), {}{leaving}",
        here.busy, here.slots, here.pairs, here.version, here.engine, here.cpu
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_there_is_said_too() {
        let status = FleetStatus {
            workers: [("worker-1".to_owned(), None)].into(),
            ..FleetStatus::default()
        };
        assert_eq!(
            text(&status),
            "worker worker-1: is not there\nno run is being played\n"
        );
    }
}
