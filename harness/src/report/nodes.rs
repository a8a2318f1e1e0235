//! The files and the text of a study of nodes.
//!
//! In: searches and their summary. Out: CSV, JSON and text. Must not: compute a number of its own.

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value};
use tanren_engine::search::Counters;

use super::files::{ReportError, write_atomically};
use super::nodes_plot;
use super::number::{FINE_DECIMALS, cell, compact, field, number, percent};
use crate::record::Search;
use crate::study::nodes::{NodesSummary, SummaryRow};

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
    /// Writes `nodes.csv`, `nodes_summary.csv`, `counters.csv` and `nodes.svg` into `folder`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let files = [
            ("nodes.csv", self.nodes_csv()),
            ("nodes_summary.csv", self.summary_csv()),
            ("counters.csv", self.counters_csv()),
        ];
        for (name, bytes) in files {
            write_atomically(&folder.join(name), |output| output.write_all(&bytes?))?;
        }
        let svg = nodes_plot::svg(self.summary, self.labels);
        write_atomically(&folder.join("nodes.svg"), |output| {
            output.write_all(svg?.as_bytes())
        })
    }

    /// The rows of `nodes_summary.csv` as an array of objects, keys as the columns, `null` where there is no value.
    pub fn json(&self) -> Value {
        let object = |row| {
            let columns = self.columns(row).into_iter();
            let entries = columns.map(|(name, value)| (name.to_owned(), value));
            Value::Object(entries.collect::<Map<_, _>>())
        };
        Value::Array(self.summary.rows.iter().map(object).collect())
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
        format!(
            "depth {depth}, {positions} positions; ratio of nodes to the first, geometric mean [95 % interval]\n\n{}\n\
             nodes to each depth, geometric mean\n\n{}",
            table(&self.deepest(&rows)),
            table(&self.growth(depth))
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
            let dash = |value: Option<f64>, decimals| {
                let text = field(value, decimals);
                if text.is_empty() { "-".to_owned() } else { text }
            };
            let seconds = row.time_us.map(|time_us| time_us as f64 / 1e6);
            let nodes = row.nodes_total.map(|nodes| nodes as f64);
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            vec![
                self.labels[row.config].clone(),
                or_dash(nodes.map(compact)),
                or_dash(row.nodes_geomean.map(compact)),
                dash(ratio.value, 3),
                format!("[{}, {}]", dash(ratio.low, 3), dash(ratio.high, 3)),
                dash(row.ebf, 2),
                percent(row.agreement),
                or_dash(seconds.map(|seconds| format!("{seconds:.2} s"))),
                or_dash(
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
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = [
            "config", "position", "depth", "nodes", "time_us", "score", "bestmove", "pv",
        ];
        writer.write_record(header)?;
        for search in self.searches {
            for iteration in &search.iterations {
                writer.serialize((
                    &self.labels[search.config],
                    self.lines[search.position],
                    iteration.depth,
                    iteration.nodes,
                    iteration.time_us,
                    iteration.score,
                    iteration.bestmove(),
                    iteration.pv.join(" "),
                ))?;
            }
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }

    fn columns(&self, row: &SummaryRow) -> Vec<(&'static str, Value)> {
        let fine = |value| number(value, FINE_DECIMALS);
        vec![
            ("config", Value::from(self.labels[row.config].as_str())),
            ("depth", Value::from(row.depth)),
            ("positions", Value::from(row.positions)),
            ("nodes_total", Value::from(row.nodes_total)),
            ("nodes_geomean", number(row.nodes_geomean, NODES_DECIMALS)),
            ("ratio", fine(row.ratio.value)),
            ("ratio_low", fine(row.ratio.low)),
            ("ratio_high", fine(row.ratio.high)),
            ("ebf", fine(row.ebf)),
            ("agreement", fine(row.agreement)),
        ]
    }

    fn summary_csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for (index, row) in self.summary.rows.iter().enumerate() {
            let columns = self.columns(row);
            if index == 0 {
                writer.write_record(columns.iter().map(|(name, _)| name))?;
            }
            writer.write_record(columns.iter().map(|(_, value)| cell(value)))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }

    fn counters_csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["config", "depth", "technique", "tries", "successes"])?;
        let names = Counters::names();
        for row in &self.summary.counters {
            writer.serialize((
                &self.labels[row.config],
                row.depth,
                &names[row.counter],
                row.tried.map(|tried| tried.tries),
                row.tried.map(|tried| tried.successes),
            ))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }
}

/// Rows with aligned columns: the first to the left, numbers to the right.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| {
                if column == 0 {
                    format!("{cell:width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
        cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    rows.iter().map(line).collect()
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
        let rows = text(report.summary_csv());
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
        let rows = text(report.summary_csv());
        assert_eq!(rows.lines().nth(3), Some("usi:engine,1,0,,,,,,,"));
        assert!(
            text(report.counters_csv()).contains("usi:engine,2,legality,,\n"),
            "{}",
            text(report.counters_csv())
        );
        assert!(report.describe().contains("-"));
    }
}
