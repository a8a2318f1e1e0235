//! All runs below a folder, as Prometheus reads them.

use std::fmt::Write;

use super::index::RunRow;
use crate::session::outcome::Unit;

pub fn metrics(rows: &[RunRow]) -> String {
    let mut text = String::new();
    let mut family = |name: &str, about: &str, value: &dyn Fn(&RunRow) -> Option<(String, f64)>| {
        writeln!(text, "# HELP {name} {about}\n# TYPE {name} gauge").ok();
        for row in rows {
            if let Some((labels, value)) = value(row) {
                let run = escaped(&row.run);
                let kind = row.kind.as_deref().unwrap_or("unknown");
                writeln!(text, "{name}{{run=\"{run}\",kind=\"{kind}\"{labels}}} {value}").ok();
            }
        }
    };
    let plain = |value: Option<f64>| value.map(|value| (String::new(), value));
    let is_pairs = |row: &RunRow| row.unit == Unit::Pairs && row.kind.is_some();
    family("tanren_run_games", "Finished games.", &|row| {
        plain(is_pairs(row).then_some((row.games_per_pair * row.done) as f64))
    });
    family("tanren_run_pairs", "Finished pairs of games.", &|row| {
        plain(is_pairs(row).then_some(row.done as f64))
    });
    family(
        "tanren_run_pairs_expected",
        "Pairs at which the run is expected to end.",
        &|row| {
            plain(
                row.expected
                    .filter(|_| is_pairs(row))
                    .map(|[expected, ..]| expected as f64),
            )
        },
    );
    family(
        "tanren_run_games_per_second",
        "Games finished in a second, as the server saw it.",
        &|row| plain(row.games_per_second),
    );
    family("tanren_run_llr", "Log likelihood ratio of the test.", &|row| {
        plain(row.test().map(|test| test.llr))
    });
    family("tanren_run_verdict", "1 for the verdict of the run.", &|row| {
        Some((
            format!(",verdict=\"{}\"", row.overview.as_ref()?.verdict.as_ref()?),
            1.0,
        ))
    });
    family("tanren_run_state", "1 for the state of the run.", &|row| {
        Some((format!(",state=\"{}\"", row.state?.name()), 1.0))
    });
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
