//! What external engines did besides their results: `engines.csv`, lines.

use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::number::plural;
use crate::document::table::named_lines;
use crate::document::text::text;
use crate::document::{Block, Table};
use crate::session::engines::EngineTotals;

const MS_DECIMALS: usize = 3;

pub(crate) fn columns() -> Columns<'static, EngineTotals> {
    let ms = |value| Cell::rounded(value, MS_DECIMALS);
    columns! { row: EngineTotals;
        "player", "what it is called" => &row.label;
        "games", "games counted" => row.games;
        "starts", "times that it was started for them" => row.starts;
        "faults", "games that it lost by a fault other than time" => row.faults;
        "time_losses", "games that it lost on time" => row.time_losses;
        "illegal_variations", "turns whose last variation holds an illegal move" => row.illegal_variations;
        "contradicted_mates", "mates that it announced and took back, or that did not come" => row.contradicted_mates;
        "late_stops", "late answers to `stop`" => row.late_stops;
        "latency_mean_ms", "mean over turns of the time measured here beyond the last that it told itself"
            => ms(row.latency_mean_ms());
        "latency_max_ms", "the most of it" => ms(row.latency_max_ms());
        "time_left_mean_ms", "mean of what its game clock showed at the end of a game"
            => row.time_left_mean_ms().map(|ms| ms.round() as u64);
        "time_left_min_ms", "the least of it" => row.time_left_least_ms();
    }
}

pub(crate) fn block<'a>(engines: &[EngineTotals]) -> Option<Block<'a>> {
    let table = || {
        Table::of(&columns(), engines)
            .key("engines")
            .caption(text!("Programs"))
    };
    (!engines.is_empty()).then(|| Block::Table(table().file("engines.csv")))
}

pub(crate) fn lines(engines: &[EngineTotals]) -> String {
    named_lines(engines.iter().map(|engine| ("engine", about(engine))))
}

fn about(engine: &EngineTotals) -> String {
    let warnings = [
        (engine.illegal_variations, "with an illegal variation", "turn"),
        (engine.contradicted_mates, "contradicted", "announced mate"),
        (engine.late_stops, "to stop", "late answer"),
    ];
    let counted = warnings.into_iter().filter(|(count, ..)| *count > 0);
    let counted: Vec<String> = counted
        .map(|(count, about, noun)| format!("{} {about}", plural(count, noun)))
        .collect();
    let warnings = if counted.is_empty() {
        "no remarks".to_owned()
    } else {
        counted.join(", ")
    };
    let mut text = format!("{}: {}, {warnings}", engine.label, plural(engine.starts, "start"));
    if let (Some(mean), Some(most)) = (engine.latency_mean_ms(), engine.latency_max_ms()) {
        text += &format!("; latency {mean:.2} ms, at most {most:.1}");
    }
    if let (Some(mean), Some(least)) = (engine.time_left_mean_ms(), engine.time_left_least_ms()) {
        text += &format!("; left at the end {mean:.0} ms, at least {least}");
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::kinds::engine_table::*;

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
            lines(&[engine]),
            "engine   b: 1 start, 2 turns with an illegal variation, 1 late answer to stop\n"
        );
        assert!(block(&[]).is_none());
    }
}
