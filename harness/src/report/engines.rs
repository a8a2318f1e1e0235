//! What players that are programs did beside their results.
//!
//! In: totals. Out: `engines.csv`, lines, JSON. Must not: judge.

use serde_json::Value;

use super::cell::Cell;
use super::number::plural;
use super::sheet::Sheet;
use super::table::wrapped;
use crate::experiment::EngineTotals;

const MS_DECIMALS: usize = 3;

/// The columns of `engines.csv`.
pub(super) fn sheet() -> Sheet<'static, EngineTotals> {
    Sheet::new()
        .column("player", "what it is called", |row: &EngineTotals| {
            row.label.as_str().into()
        })
        .column("games", "games counted", |row| row.games.into())
        .column("starts", "times that it was started for them", |row| {
            row.starts.into()
        })
        .column("faults", "games that it lost by a fault other than time", |row| {
            row.faults.into()
        })
        .column("time_losses", "games that it lost on time", |row| {
            row.time_losses.into()
        })
        .column(
            "illegal_variations",
            "turns whose last variation holds an illegal move",
            |row| row.illegal_variations.into(),
        )
        .column(
            "contradicted_mates",
            "mates that it announced and took back, or that did not come",
            |row| row.contradicted_mates.into(),
        )
        .column("late_stops", "late answers to `stop`", |row| {
            row.late_stops.into()
        })
        .column(
            "latency_mean_ms",
            "mean over turns of the time measured here beyond the last that it told itself",
            |row| Cell::rounded(row.latency_mean_ms(), MS_DECIMALS),
        )
        .column("latency_max_ms", "the most of it", |row| {
            Cell::rounded(row.latency_max_ms(), MS_DECIMALS)
        })
        .column(
            "time_left_mean_ms",
            "mean of what its game clock showed at the end of a game",
            |row| whole_ms(row.time_left_mean_ms().map(|ms| ms.round() as u64)),
        )
        .column("time_left_min_ms", "the least of it", |row| {
            whole_ms(row.time_left_least_ms())
        })
}

fn whole_ms(value: Option<u64>) -> Cell<'static> {
    value.map_or(Cell::Empty, Cell::from)
}

/// A line for each program.
pub(super) fn lines(engines: &[EngineTotals]) -> String {
    let lines = engines
        .iter()
        .map(|engine| format!("engine   {}\n", about(engine)));
    wrapped(&lines.collect::<String>())
}

fn about(engine: &EngineTotals) -> String {
    let remarks = [
        (engine.illegal_variations, "with an illegal variation", "turn"),
        (engine.contradicted_mates, "contradicted", "announced mate"),
        (engine.late_stops, "to stop", "late answer"),
    ];
    let counted = remarks.into_iter().filter(|(count, ..)| *count > 0);
    let counted: Vec<String> = counted
        .map(|(count, about, noun)| format!("{} {about}", plural(count, noun)))
        .collect();
    let remarks = if counted.is_empty() {
        "no remarks".to_owned()
    } else {
        counted.join(", ")
    };
    let mut text = format!("{}: {}, {remarks}", engine.label, plural(engine.starts, "start"));
    if let (Some(mean), Some(most)) = (engine.latency_mean_ms(), engine.latency_max_ms()) {
        text += &format!("; latency {mean:.2} ms, at most {most:.1}");
    }
    if let (Some(mean), Some(least)) = (engine.time_left_mean_ms(), engine.time_left_least_ms()) {
        text += &format!("; left at the end {mean:.0} ms, at least {least}");
    }
    text
}

/// `value`, with the rows of `engines` as its `engines` if there are any.
pub(super) fn within(value: Value, engines: &[EngineTotals]) -> Value {
    sheet().added_to(value, "engines", engines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_remarked_is_said_and_what_was_not_is_left_out() {
        let engine = EngineTotals {
            label: "b".to_owned(),
            games: 4,
            starts: 1,
            illegal_variations: 2,
            late_stops: 1,
            ..EngineTotals::default()
        };
        assert_eq!(
            lines(std::slice::from_ref(&engine)),
            "engine   b: 1 start, 2 turns with an illegal variation, 1 late answer to stop\n"
        );
        let value = within(serde_json::json!({}), &[engine]);
        assert_eq!(value["engines"][0]["illegal_variations"], 2);
        assert!(value["engines"][0]["latency_mean_ms"].is_null());
        assert_eq!(within(serde_json::json!({}), &[]), serde_json::json!({}));
    }
}
