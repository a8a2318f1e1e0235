//! The files and the text of a study of nodes.
//!
//! In: searches and their summary. Out: CSV, JSON and text. Must not: compute a number of its own.

use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;
use tanren_engine::search::Counters;

use super::cell::Cell;
use super::distances;
use super::files::{ReportError, write_atomically};
use super::number::{FINE_DECIMALS, compact, or_dash, percent};
use super::plot;
use super::sheet::Sheet;
use super::table::{Align, table, wrapped};
use crate::record::{Search, SearchIteration};
use crate::study::nodes::{CounterRow, NodesSummary, SummaryRow};

/// Decimals of mean node counts in files.
const NODES_DECIMALS: usize = 1;
/// Depths that a text shows side by side.
const DEPTHS_SHOWN: usize = 10;

/// A finished (or stopped) study, and what its indices mean.
#[derive(Debug, Clone, Copy)]
pub struct NodesReport<'a> {
    /// What each configuration is called.
    pub labels: &'a [String],
    /// The line of each position in its file.
    pub lines: &'a [u32],
    /// The searches, by configuration and position.
    pub searches: &'a [Search],
    /// What they say together.
    pub summary: &'a NodesSummary,
}

impl NodesReport<'_> {
    /// Writes `nodes.csv`, `nodes_summary.csv`, `counters.csv`, `distances.csv` and `nodes.svg` into `folder`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let files = [
            ("nodes.csv", self.nodes_csv()),
            (
                "nodes_summary.csv",
                summary_sheet().csv_of_some(self.summary_rows()),
            ),
            ("counters.csv", self.counters_csv()),
            (
                "distances.csv",
                distances::csv(self.labels, self.lines, self.searches),
            ),
        ];
        for (name, bytes) in files {
            write_atomically(&folder.join(name), |output| output.write_all(&bytes?))?;
        }
        let svg = self.image();
        write_atomically(&folder.join("nodes.svg"), |output| {
            output.write_all(svg?.as_bytes())
        })
    }

    /// The rows of `nodes_summary.csv` as an array of objects, keys as the columns, `null` where there is no value.
    pub fn json(&self) -> Value {
        summary_sheet().array(self.summary_rows())
    }

    /// Two tables: the greatest depth that can be compared, and the growth towards it.
    pub fn describe(&self) -> String {
        let Some(depth) = self.summary.depth_compared() else {
            return "no position was searched by every configuration\n".to_owned();
        };
        let rows: Vec<&SummaryRow> = self
            .summary
            .rows
            .iter()
            .filter(|row| row.depth == depth)
            .collect();
        let positions = rows.first().map_or(0, |row| row.positions);
        let about = format!(
            "depth {depth}, {positions} positions; ratio of nodes to the first, geometric mean [95 % interval]\n"
        );
        format!(
            "{}\n{}\nnodes to each depth, geometric mean\n\n{}",
            wrapped(&about),
            table(&self.deepest(&rows), Align::FirstLeft),
            table(&self.growth(depth), Align::FirstLeft)
        )
    }

    fn deepest(&self, rows: &[&SummaryRow]) -> Vec<Vec<String>> {
        let header = [
            "configuration",
            "nodes",
            "mean",
            "ratio",
            "",
            "EBF",
            "same move",
            "time",
            "nodes/s",
        ];
        let cells = rows.iter().map(|row| {
            let ratio = &row.ratio;
            let seconds = row.time_us.map(|time_us| time_us as f64 / 1e6);
            let nodes = row.nodes_total.map(|nodes| nodes as f64);
            let text_or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            vec![
                self.labels[row.config].clone(),
                text_or_dash(nodes.map(compact)),
                text_or_dash(row.nodes_geomean.map(compact)),
                or_dash(ratio.value, 3),
                format!("[{}, {}]", or_dash(ratio.low, 3), or_dash(ratio.high, 3)),
                or_dash(row.ebf, 2),
                percent(row.agreement),
                text_or_dash(seconds.map(|seconds| format!("{seconds:.2} s"))),
                text_or_dash(
                    nodes
                        .zip(seconds)
                        .map(|(nodes, seconds)| compact(nodes / seconds.max(1e-6))),
                ),
            ]
        });
        std::iter::once(header.map(str::to_owned).to_vec())
            .chain(cells)
            .collect()
    }

    fn growth(&self, depth: u32) -> Vec<Vec<String>> {
        let from = depth.saturating_sub(DEPTHS_SHOWN as u32 - 1).max(1);
        let depths = (from..=depth).map(|depth| depth.to_string());
        let header = std::iter::once("depth".to_owned()).chain(depths).collect();
        let of_config = |(config, label): (usize, &String)| {
            let rows = self
                .summary
                .rows_of(config)
                .filter(|row| (from..=depth).contains(&row.depth));
            let means = rows.map(|row| row.nodes_geomean.map_or("-".to_owned(), compact));
            std::iter::once(label.clone()).chain(means).collect()
        };
        std::iter::once(header)
            .chain(self.labels.iter().enumerate().map(of_config))
            .collect()
    }

    fn nodes_csv(&self) -> csv::Result<Vec<u8>> {
        let rows = self.searches.iter().flat_map(|search| {
            search.iterations.iter().map(|iteration| IterationRow {
                config: &self.labels[search.config],
                line: self.lines[search.position],
                iteration,
            })
        });
        iterations_sheet().csv(rows)
    }

    pub(super) fn summary_rows(&self) -> impl Iterator<Item = DepthRow<'_>> {
        self.summary.rows.iter().map(|row| DepthRow {
            config: &self.labels[row.config],
            row,
        })
    }

    fn counters_csv(&self) -> csv::Result<Vec<u8>> {
        counters_sheet().csv(self.counter_rows())
    }

    pub(super) fn counter_rows(&self) -> impl Iterator<Item = TriedRow<'_>> {
        let names = Counters::names();
        self.summary.counters.iter().map(move |row| TriedRow {
            config: &self.labels[row.config],
            name: names[row.counter].to_string(),
            row,
        })
    }

    /// The image of `nodes.svg`.
    pub(super) fn image(&self) -> io::Result<String> {
        plot::nodes::svg(self.summary, self.labels)
    }
}

/// One depth of one search.
pub(super) struct IterationRow<'a> {
    config: &'a str,
    line: u32,
    iteration: &'a SearchIteration,
}

/// The columns of `nodes.csv`.
pub(super) fn iterations_sheet<'a>() -> Sheet<'a, IterationRow<'a>> {
    Sheet::new()
        .column(
            "config",
            "what the configuration is called",
            |of: &IterationRow<'_>| of.config.into(),
        )
        .column("position", "line of the position in its file", |of| {
            of.line.into()
        })
        .column("depth", "depth in plies", |of| of.iteration.depth.into())
        .column("nodes", "nodes since the search began", |of| {
            of.iteration.nodes.into()
        })
        .column("time_us", "microseconds since the search began", |of| {
            of.iteration.time_us.into()
        })
        .column(
            "score",
            "score in centipawns, from the side to move's view",
            |of| of.iteration.score.into(),
        )
        .column("bestmove", "the best move", |of| of.iteration.bestmove().into())
        .column("pv", "principal variation", |of| of.iteration.pv.join(" ").into())
}

/// One configuration at one depth.
pub(super) struct DepthRow<'a> {
    config: &'a str,
    row: &'a SummaryRow,
}

/// The columns of `nodes_summary.csv`.
pub(super) fn summary_sheet<'a>() -> Sheet<'a, DepthRow<'a>> {
    Sheet::new()
        .column(
            "config",
            "what the configuration is called",
            |of: &DepthRow<'_>| of.config.into(),
        )
        .column("depth", "depth in plies", |of| of.row.depth.into())
        .column(
            "positions",
            "positions that every configuration finished at this depth",
            |of| of.row.positions.into(),
        )
        .column("nodes_total", "their nodes from depth 1 on", |of| {
            of.row.nodes_total.into()
        })
        .column("nodes_geomean", "geometric mean of their nodes", |of| {
            Cell::rounded(of.row.nodes_geomean, NODES_DECIMALS)
        })
        .estimate(
            ["ratio", "ratio_low", "ratio_high"],
            "geometric mean of nodes over nodes of the first configuration",
            FINE_DECIMALS,
            |of| of.row.ratio,
        )
        .column(
            "ebf",
            "effective branching factor: geometric mean of nodes over nodes of the depth before",
            |of| Cell::rounded(of.row.ebf, FINE_DECIMALS),
        )
        .column(
            "agreement",
            "share of positions with the best move of the first configuration",
            |of| Cell::rounded(of.row.agreement, FINE_DECIMALS),
        )
}

/// One counter of one configuration at one depth.
pub(super) struct TriedRow<'a> {
    config: &'a str,
    name: String,
    row: &'a CounterRow,
}

/// The columns of `counters.csv`.
pub(super) fn counters_sheet<'a>() -> Sheet<'a, TriedRow<'a>> {
    Sheet::new()
        .column(
            "config",
            "what the configuration is called",
            |of: &TriedRow<'_>| of.config.into(),
        )
        .column(
            "depth",
            "depth in plies; the iteration of this depth alone",
            |of| of.row.depth.into(),
        )
        .column("technique", "what was counted", |of| (&of.name).into())
        .column("tries", "how often it was tried", |of| {
            of.row.tried.map(|tried| tried.tries).into()
        })
        .column("successes", "how often that did what it is for", |of| {
            of.row.tried.map(|tried| tried.successes).into()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SearchIteration;

    fn search(config: usize, position: usize, nodes: &[u64]) -> Search {
        let iteration = |(depth, &nodes): (usize, &u64)| SearchIteration {
            depth: depth as u32 + 1,
            nodes,
            time_us: Some(nodes),
            score: Some(-12),
            pv: vec!["7g7f".to_owned(), "3c3d".to_owned()],
            tried: Vec::new(),
        };
        Search {
            config,
            position,
            iterations: nodes.iter().enumerate().map(iteration).collect(),
            fault: None,
        }
    }

    #[test]
    fn labels_with_commas_are_quoted_and_absent_numbers_are_empty() {
        let labels = ["base".to_owned(), "base,lmr=off".to_owned()];
        let searches = [search(0, 0, &[10, 40]), search(1, 0, &[20, 90])];
        let summary = NodesSummary::new(&searches, &[false; 2], 2);
        let report = NodesReport {
            labels: &labels,
            lines: &[7],
            searches: &searches,
            summary: &summary,
        };
        let text = |bytes: csv::Result<Vec<u8>>| String::from_utf8(bytes.unwrap()).unwrap();
        let nodes = text(report.nodes_csv());
        assert_eq!(
            nodes.lines().nth(3),
            Some("\"base,lmr=off\",7,1,20,20,-12,7g7f,7g7f 3c3d")
        );
        let rows = text(summary_sheet().csv(report.summary_rows()));
        let expected = "\"base,lmr=off\",1,1,20,20.0,2.0,,,,1.0";
        assert_eq!(rows.lines().nth(3), Some(expected));
        assert_eq!(report.json()[3]["ratio"], 2.25);
        assert_eq!(report.json()[3]["ratio_low"], Value::Null);
        assert!(report.describe().contains("[-, -]"), "{}", report.describe());
    }

    #[test]
    fn a_study_without_a_finished_position_says_so() {
        let summary = NodesSummary::new(&[], &[false], 3);
        let report = NodesReport {
            labels: &["base".to_owned()],
            lines: &[],
            searches: &[],
            summary: &summary,
        };
        assert!(report.describe().contains("no position"), "{}", report.describe());
        assert_eq!(report.json().as_array().unwrap().len(), 3);
    }

    #[test]
    fn what_a_program_does_not_tell_is_an_empty_cell() {
        let labels = ["base", "usi:engine"].map(str::to_owned);
        let mut foreign = search(1, 0, &[20, 90]);
        foreign.iterations.remove(0);
        foreign.iterations[0].time_us = None;
        foreign.iterations[0].score = None;
        foreign.iterations[0].pv.clear();
        let searches = [search(0, 0, &[10, 40]), foreign];
        let summary = NodesSummary::new(&searches, &[false, true], 2);
        let report = NodesReport {
            labels: &labels,
            lines: &[7],
            searches: &searches,
            summary: &summary,
        };
        let text = |bytes: csv::Result<Vec<u8>>| String::from_utf8(bytes.unwrap()).unwrap();
        assert_eq!(
            text(report.nodes_csv()).lines().nth(3),
            Some("usi:engine,7,2,90,,,,")
        );
        let rows = text(summary_sheet().csv(report.summary_rows()));
        assert_eq!(rows.lines().nth(3), Some("usi:engine,1,0,,,,,,,"));
        assert!(
            text(report.counters_csv()).contains("usi:engine,2,legality,,\n"),
            "{}",
            text(report.counters_csv())
        );
        assert!(report.describe().contains("-"));
    }
}
