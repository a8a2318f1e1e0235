use std::io::Write;
use std::path::Path;

use tanren_engine::search::Counters;

use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::file::{FileError, write_atomically};
use crate::document::number::{FINE_DECIMALS, compact, or_dash, percent};
use crate::document::table::{Align, table, titled_table, wrapped};
use crate::document::text::Text;
use crate::document::{Block, Document, Section, Table};
use crate::kinds::nodes::NodesFindings;
use crate::kinds::nodes::plot;
use crate::kinds::nodes::{CounterRow, DistanceRow, SummaryRow, distances};
use crate::kinds::odds::report::ratio_texts;
use crate::record::SearchIteration;
use crate::session::hosts;

const NODES_DECIMALS: usize = 1;
const DEPTHS_SHOWN: usize = 10;

pub(crate) fn document(found: &NodesFindings) -> Document<'_> {
    let lines = match hosts::lines(&found.hosts) {
        lines if lines.is_empty() => describe(found),
        lines => format!("{}\n{lines}", describe(found)),
    };
    let summary = Table::of(&summary_columns(), summary_rows(found));
    let mut blocks = vec![
        Block::Lines(lines),
        Block::named_figure(
            "nodes.svg",
            Text::new("Nodes to each depth and their ratio to the first"),
            || plot::svg(&found.summary, &found.labels),
        ),
        Block::Table(
            summary
                .key("")
                .caption(Text::new("By depth"))
                .file("nodes_summary.csv"),
        ),
    ];
    blocks.extend(hosts::table(&found.hosts).map(Block::Table));
    let counters = Table::of(&counter_columns(), counter_rows(found)).file("counters.csv");
    let is_counted = !found.summary.counters.is_empty();
    let counters = if is_counted {
        counters.caption(Text::new("Counters"))
    } else {
        counters
    };
    Document {
        title: found.labels.join(", "),
        answer: Answer::new(State::Counted, headline(found)),
        sections: vec![
            Section::new("result", Text::new("Nodes to each depth"), blocks),
            Section::new(
                "counters",
                Text::new("How often each technique acted"),
                vec![Block::Table(counters)],
            ),
        ],
    }
}

fn headline(found: &NodesFindings) -> Text {
    let rows = found.summary.rows.iter().filter(|row| row.config == 1);
    let deepest = rows
        .max_by_key(|row| row.depth)
        .filter(|row| row.ratio.value.is_some());
    let (Some(row), [first, second, ..]) = (deepest, &found.labels[..]) else {
        return Text::new("Nodes to each depth.");
    };
    let [value, range] = ratio_texts(&row.ratio);
    Text::filled(
        "At depth {depth} {second} takes {value} {range} times the nodes of {first}.",
        &[
            ("depth", &row.depth),
            ("second", &second),
            ("value", &value),
            ("range", &range),
            ("first", &first),
        ],
    )
}

pub(crate) fn write_searches(folder: &Path, found: &NodesFindings) -> Result<(), FileError> {
    let searches = found.searches.iter().flat_map(|search| {
        let (config, line) = (&found.labels[search.config], found.lines[search.position]);
        search
            .iterations
            .iter()
            .map(move |iteration| (config.as_str(), line, iteration))
    });
    let placed = found.searches.iter().flat_map(distances);
    let placed = placed.map(|row| (found.labels[row.config].as_str(), found.lines[row.position], row));
    for (name, bytes) in [
        ("nodes.csv", iteration_columns().csv(searches)),
        ("distances.csv", distance_columns().csv(placed)),
    ] {
        write_atomically(&folder.join(name), |output| output.write_all(&bytes?))?;
    }
    Ok(())
}

fn describe(found: &NodesFindings) -> String {
    let Some(depth) = found.summary.depth_compared() else {
        return "no position was searched by every configuration\n".to_owned();
    };
    let rows = found.summary.rows.iter().filter(|row| row.depth == depth);
    let rows: Vec<&SummaryRow> = rows.collect();
    let positions = rows.first().map_or(0, |row| row.positions);
    let about = format!(
        "depth {depth}, {positions} positions; ratio of nodes to the first, geometric mean [95 % interval]\n"
    );
    format!(
        "{}\n{}\nnodes to each depth, geometric mean\n\n{}",
        wrapped(&about),
        deepest(found, &rows),
        table(&growth(found, depth), Align::FirstLeft)
    )
}

fn deepest(found: &NodesFindings, rows: &[&SummaryRow]) -> String {
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
    let text_or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let cells = rows.iter().map(|row| {
        let ratio = &row.ratio;
        let seconds = row.time_us.map(|time_us| time_us as f64 / 1e6);
        let nodes = row.nodes_total.map(|nodes| nodes as f64);
        let speed = nodes
            .zip(seconds)
            .map(|(nodes, seconds)| nodes / seconds.max(1e-6));
        vec![
            found.labels[row.config].clone(),
            text_or_dash(nodes.map(compact)),
            text_or_dash(row.nodes_geomean.map(compact)),
            or_dash(ratio.value, 3),
            format!("[{}, {}]", or_dash(ratio.low, 3), or_dash(ratio.high, 3)),
            or_dash(row.ebf, 2),
            percent(row.agreement),
            text_or_dash(seconds.map(|seconds| format!("{seconds:.2} s"))),
            text_or_dash(speed.map(compact)),
        ]
    });
    titled_table(&header, cells, Align::FirstLeft)
}

fn growth(found: &NodesFindings, depth: u32) -> Vec<Vec<String>> {
    let from = depth.saturating_sub(DEPTHS_SHOWN as u32 - 1).max(1);
    let depths = (from..=depth).map(|depth| depth.to_string());
    let header = std::iter::once("depth".to_owned()).chain(depths).collect();
    let of_config = |(config, label): (usize, &String)| {
        let rows = found.summary.rows_of(config);
        let rows = rows.filter(|row| (from..=depth).contains(&row.depth));
        let means = rows.map(|row| row.nodes_geomean.map_or("-".to_owned(), compact));
        std::iter::once(label.clone()).chain(means).collect()
    };
    std::iter::once(header)
        .chain(found.labels.iter().enumerate().map(of_config))
        .collect()
}

/// Configuration, line of the position in its file, and one depth of the search.
type IterationRow<'a> = (&'a str, u32, &'a SearchIteration);

pub(crate) fn iteration_columns<'a>() -> Columns<'a, IterationRow<'a>> {
    columns! { of: IterationRow<'a>;
        "config", "what the configuration is called" => of.0;
        "position", "line of the position in its file" => of.1;
        "depth", "depth in plies" => of.2.depth;
        "nodes", "nodes since the search began" => of.2.nodes;
        "time_us", "microseconds since the search began" => of.2.time_us;
        "score", "score in centipawns, from the side to move's view" => of.2.score;
        "bestmove", "the best move" => of.2.bestmove();
        "pv", "principal variation" => of.2.pv.join(" ");
    }
}

type DepthRow<'a> = (&'a str, &'a SummaryRow);

fn summary_rows(found: &NodesFindings) -> impl Iterator<Item = DepthRow<'_>> {
    let rows = found.summary.rows.iter();
    rows.map(|row| (found.labels[row.config].as_str(), row))
}

pub(crate) fn summary_columns<'a>() -> Columns<'a, DepthRow<'a>> {
    columns! { of: DepthRow<'a>;
        "config", "what the configuration is called" => of.0;
        "depth", "depth in plies" => of.1.depth;
        "positions", "positions that every configuration finished at this depth" => of.1.positions;
        "nodes_total", "their nodes from depth 1 on" => of.1.nodes_total;
        "nodes_geomean", "geometric mean of their nodes" => Cell::rounded(of.1.nodes_geomean, NODES_DECIMALS);
    }
    .estimate(
        ["ratio", "ratio_low", "ratio_high"],
        "geometric mean of nodes over nodes of the first configuration",
        "the 95 % interval",
        FINE_DECIMALS,
        |of| of.1.ratio,
    )
    .and(columns! { of: DepthRow<'a>;
        "ebf", "effective branching factor: geometric mean of nodes over nodes of the depth before"
            => Cell::rounded(of.1.ebf, FINE_DECIMALS);
        "agreement", "share of positions with the best move of the first configuration"
            => Cell::rounded(of.1.agreement, FINE_DECIMALS);
    })
}

type TriedRow<'a> = (&'a str, String, &'a CounterRow);

fn counter_rows(found: &NodesFindings) -> impl Iterator<Item = TriedRow<'_>> {
    let names = Counters::names();
    let rows = found.summary.counters.iter();
    rows.map(move |row| {
        (
            found.labels[row.config].as_str(),
            names[row.counter].to_string(),
            row,
        )
    })
}

pub(crate) fn counter_columns<'a>() -> Columns<'a, TriedRow<'a>> {
    columns! { of: TriedRow<'a>;
        "config", "what the configuration is called" => of.0;
        "depth", "depth in plies; the iteration of this depth alone" => of.2.depth;
        "technique", "what was counted" => &of.1;
        "tries", "how often it was tried" => of.2.tried.map(|tried| tried.tries);
        "successes", "how often that did what it is for" => of.2.tried.map(|tried| tried.successes);
    }
}

type PlacedRow<'a> = (&'a str, u32, DistanceRow);

pub(crate) fn distance_columns<'a>() -> Columns<'a, PlacedRow<'a>> {
    columns! { of: PlacedRow<'a>;
        "config", "what the configuration is called" => of.0;
        "position", "line of the position in its file" => of.1;
        "distance", "distance of the move in steps of a king" => of.2.distance;
        "generated", "judged moves that were generated" => of.2.generated;
        "seen", "judged moves that came up" => of.2.seen;
        "cuts_attack", "beta cuts by attack moves" => of.2.cuts_attack;
        "cuts_defence", "beta cuts by defence moves" => of.2.cuts_defence;
        "cuts_other", "beta cuts by other judged moves" => of.2.cuts_other;
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::nodes::NodesSummary;
    use crate::kinds::nodes::report::*;
    use crate::kinds::nodes::summary::tests::search;
    use crate::record::Search;

    fn found(labels: &[&str], searches: Vec<Search>, is_external: &[bool], depth: u32) -> NodesFindings {
        NodesFindings {
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            lines: vec![7],
            summary: NodesSummary::new(&searches, is_external, depth),
            searches,
            hosts: Vec::new(),
        }
    }

    fn files(found: &NodesFindings) -> impl Fn(&str) -> String {
        let folder = tempfile::tempdir().unwrap();
        document(found).write(folder.path()).unwrap();
        write_searches(folder.path(), found).unwrap();
        move |name| std::fs::read_to_string(folder.path().join(name)).unwrap()
    }

    #[test]
    fn labels_with_commas_are_quoted_and_absent_numbers_are_empty() {
        let searches = vec![
            search(0, 0, &[(10, "7g7f"), (40, "7g7f")]),
            search(1, 0, &[(20, "7g7f"), (90, "7g7f")]),
        ];
        let found = found(&["base", "base,lmr=off"], searches, &[false; 2], 2);
        let file = files(&found);
        let row = "\"base,lmr=off\",7,1,20,200,0,7g7f,7g7f";
        assert_eq!(file("nodes.csv").lines().nth(3), Some(row));
        let row = "\"base,lmr=off\",1,1,20,20.0,2.0,,,,1.0";
        assert_eq!(file("nodes_summary.csv").lines().nth(3), Some(row));
        let json = document(&found).json();
        assert!(
            json[3]["ratio"] == 2.25 && json[3]["ratio_low"].is_null(),
            "{json}"
        );
        assert!(document(&found).text().contains("[-, -]"));
    }

    #[test]
    fn a_count_without_a_finished_position_says_so() {
        let found = found(&["base"], Vec::new(), &[false], 3);
        assert!(document(&found).text().contains("no position"));
        assert_eq!(document(&found).json().as_array().unwrap().len(), 3);
    }

    #[test]
    fn what_an_external_engine_does_not_tell_is_an_empty_cell() {
        let mut external = search(1, 0, &[(20, "a"), (90, "a")]);
        external.iterations.remove(0);
        external.iterations[0].time_us = None;
        external.iterations[0].score = None;
        external.iterations[0].pv.clear();
        let found = found(
            &["base", "usi:engine"],
            vec![search(0, 0, &[(10, "a"), (40, "a")]), external],
            &[false, true],
            2,
        );
        let file = files(&found);
        assert_eq!(file("nodes.csv").lines().nth(3), Some("usi:engine,7,2,90,,,,"));
        assert_eq!(
            file("nodes_summary.csv").lines().nth(3),
            Some("usi:engine,1,0,,,,,,,")
        );
        assert!(file("counters.csv").contains("usi:engine,2,legality,,\n"));
    }
}
