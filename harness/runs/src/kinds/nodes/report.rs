use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use tanren_engine::search::Counters;

use crate::document::answer::{Answer, State};
use crate::document::file::{FileError, write_atomically};
use crate::document::language::said;
use crate::document::number::{compact, or_dash, p_text, percent, plural};
use crate::document::table::{Align, table, titled_table};
use crate::document::text::Text;
use crate::document::{Block, Document, Figure, Section, Table};
use crate::kinds::nodes::NodesFindings;
use crate::kinds::nodes::columns::{
    comparison_columns, comparison_rows, counter_columns, counter_rows, distance_columns, iteration_columns,
    summary_columns, summary_rows,
};
use crate::kinds::nodes::plot;
use crate::kinds::nodes::{Comparison, CounterRow, SummaryRow, distances};
use crate::record::TechniqueCounts;
use crate::session::hosts;
use crate::stats::{Corrected, Estimate};

const DEPTHS_SHOWN: usize = 10;
/// With more configurations than this, tables show each against the first only, and ratios without nodes.
const ALL_SHOWN_MAX: usize = 5;
/// Configurations that the answer names.
const NAMED_MAX: usize = 4;

pub(crate) fn document(found: &NodesFindings) -> Document<'_> {
    let lines = match hosts::lines(&found.hosts) {
        lines if lines.is_empty() => describe(found),
        lines => format!("{}\n{lines}", describe(found)),
    };
    let comparisons = Table::of(&comparison_columns(), comparison_rows(found));
    let summary = Table::of(&summary_columns(), summary_rows(found));
    let mut blocks = vec![
        Block::Lines(lines),
        Block::Table(comparisons.key("comparisons").file("comparisons.csv")),
        Block::Table(summary.key("depths").file("nodes_summary.csv")),
        Block::Table(Table::of(&counter_columns(), counter_rows(found)).file("counters.csv")),
    ];
    if found.labels.len() > 1 {
        let caption = Text::filled("Nodes compared with {first}", &[("first", &found.labels[0])]);
        let figure = Figure::new(caption, || plot::ratios(&found.summary, &found.labels));
        let about = Text::new("over depth in plies: geometric mean and 95 % interval");
        blocks.push(Block::Figure(figure.about(about).file("nodes.svg")));
        blocks.extend(each_against_each(found));
    }
    blocks.push(Block::Table(totals(found)));
    blocks.extend(hosts::table(&found.hosts).map(Block::Table));
    Document {
        title: found.labels.join(", "),
        answer: Answer::new(State::Counted, headline(found)),
        sections: vec![
            Section::new("result", Text::new("Nodes to each depth"), blocks),
            Section::new(
                "depths",
                Text::new("By depth"),
                vec![Block::Table(by_depth(found))],
            ),
            Section::folded(
                "counters",
                Text::new("How often each technique acted"),
                counted(found),
            ),
        ],
    }
}

/// What every configuration needs compared with the first one, and of three what the others need compared with each other.
fn headline(found: &NodesFindings) -> Text {
    let deepest = found.summary.deepest();
    let Some(row) = deepest.first() else {
        return Text::new("No position was searched by every configuration.");
    };
    let positions = plural(row.positions as u64, "position");
    let at: [(&str, &dyn Display); 3] = [
        ("depth", &row.depth),
        ("positions", &positions),
        ("count", &row.positions),
    ];
    let [first, others @ ..] = &found.labels[..] else {
        return Text::plain("");
    };
    let mut compared: Vec<&Comparison> = found.summary.comparisons.iter().collect();
    match (&compared[..], others) {
        ([], _) => {
            let nodes = row.nodes_geomean.map_or("-".to_owned(), compact);
            let values = [&at[..], &[("config", first), ("nodes", &nodes)]].concat();
            Text::filled(
                "{config} needs {nodes} nodes to depth {depth}, geometric mean over {positions}.",
                &values,
            )
        }
        ([only], [second]) => {
            let [ratio, low, high] = ratio_ends(&only.ratio);
            let said = in_words(only, second, first);
            let numbers: [(&str, &dyn Display); 5] = [
                ("said", &said.en),
                ("said_ja", &said.ja),
                ("ratio", &ratio),
                ("low", &low),
                ("high", &high),
            ];
            Text::filled(
                "{said} to depth {depth}: ratio {ratio} (95 % CI {low} to {high}), {positions}.",
                &[&at[..], &numbers].concat(),
            )
        }
        _ => {
            compared.retain(|comparison| comparison.other == 0);
            compared.sort_by(|one, other| f64::total_cmp(&order(one), &order(other)));
            let mut named: Vec<Text> = compared
                .iter()
                .take(NAMED_MAX)
                .map(|comparison| in_words(comparison, &found.labels[comparison.config], first))
                .collect();
            let more = compared.len().saturating_sub(NAMED_MAX);
            if more > 0 {
                named.push(Text::filled("{count} more below", &[("count", &more)]));
            }
            if let [one, other] = others
                && let Some(last) = found.summary.comparisons.last()
            {
                named.push(in_words(last, other, one));
            }
            let (en, ja): (Vec<String>, Vec<String>) =
                named.into_iter().map(|text| (text.en, text.ja)).unzip();
            let (en, ja) = (en.join("; "), ja.join("、"));
            let said: [(&str, &dyn Display); 2] = [("said", &en), ("said_ja", &ja)];
            Text::filled("To depth {depth}: {said}.", &[&at[..], &said].concat())
        }
    }
}

/// Fewest nodes first, and what is not significant behind the others.
fn order(comparison: &Comparison) -> f64 {
    let ratio = comparison.ratio.value.unwrap_or(f64::MAX);
    if comparison.is_significant() {
        ratio
    } else {
        f64::MAX
    }
}

/// `b needs 8 % fewer nodes than a`
fn in_words(comparison: &Comparison, config: &str, other: &str) -> Text {
    let ratio = comparison.ratio.value.unwrap_or(1.0);
    let percent = 100.0 * (ratio - 1.0).abs();
    let percent = format!("{percent:.*}", usize::from(percent < 0.95));
    let values: [(&str, &dyn Display); 3] = [("config", &config), ("other", &other), ("percent", &percent)];
    match comparison.is_significant() {
        true if ratio < 1.0 => Text::filled("{config} needs {percent} % fewer nodes than {other}", &values),
        true => Text::filled("{config} needs {percent} % more nodes than {other}", &values),
        false => Text::filled("{config} does not differ significantly from {other}", &values),
    }
}

/// `0.92` and `0.88 to 0.97`
fn ratio_texts(ratio: &Estimate) -> [String; 2] {
    let [value, low, high] = ratio_ends(ratio);
    [value, format!("{low} to {high}")]
}

fn ratio_ends(ratio: &Estimate) -> [String; 3] {
    [ratio.value, ratio.low, ratio.high].map(|end| or_dash(end, 2))
}

fn shown_comparisons(found: &NodesFindings) -> impl Iterator<Item = &Comparison> {
    let shows_all = found.labels.len() <= ALL_SHOWN_MAX;
    let comparisons = found.summary.comparisons.iter();
    comparisons.filter(move |comparison| shows_all || comparison.other == 0)
}

const COMPARISON_NAMES: [&str; 7] = [
    "nodes",
    "ratio",
    "95 % CI",
    "fewer in",
    "p",
    "p (Holm)",
    "significant",
];

fn comparison_cells(found: &NodesFindings, comparison: &Comparison, positions: usize) -> [String; 7] {
    let [ratio, interval] = ratio_texts(&comparison.ratio);
    let p_of = |of: fn(&Corrected) -> f64| p_text(comparison.test.as_ref().map(of));
    [
        format!(
            "{} ÷ {}",
            found.labels[comparison.config], found.labels[comparison.other]
        ),
        ratio,
        interval,
        format!("{} of {positions}", comparison.fewer_in),
        p_of(|test| test.p),
        p_of(|test| test.p_holm),
        if comparison.is_significant() { "yes" } else { "no" }.to_owned(),
    ]
}

fn compared_rows(found: &NodesFindings) -> Vec<[String; 7]> {
    let positions = found.summary.deepest().first().map_or(0, |row| row.positions);
    let rows = shown_comparisons(found).map(|comparison| comparison_cells(found, comparison, positions));
    rows.collect()
}

fn each_against_each(found: &NodesFindings) -> [Block<'static>; 2] {
    let names = COMPARISON_NAMES.map(Text::plain);
    let rows = compared_rows(found).into_iter().map(Vec::from);
    let note = Text::filled(
        "Geometric mean of the ratio over positions, with intervals from resampled positions. Significant is p (Holm) below 0.05, which allows for all {count} comparisons.",
        &[("count", &found.summary.comparisons.len())],
    );
    [
        Block::Table(Table::page(Text::new("Each against each"), names, rows)),
        Block::Note(note),
    ]
}

/// Of one configuration at the depth that is compared.
fn total_cells(row: &SummaryRow) -> [String; 6] {
    let text_or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let seconds = row.time_us.map(|time_us| time_us as f64 / 1e6);
    let nodes = row.nodes_total.map(|nodes| nodes as f64);
    let speed = nodes
        .zip(seconds)
        .map(|(nodes, seconds)| nodes / seconds.max(1e-6));
    [
        text_or_dash(nodes.map(compact)),
        text_or_dash(row.nodes_geomean.map(compact)),
        or_dash(row.ebf, 2),
        percent(row.agreement),
        text_or_dash(seconds.map(|seconds| format!("{seconds:.2} s"))),
        text_or_dash(speed.map(compact)),
    ]
}

fn total_rows(found: &NodesFindings) -> Vec<Vec<String>> {
    let rows = found.summary.deepest().into_iter();
    let rows = rows.map(|row| [&[found.labels[row.config].clone()][..], &total_cells(row)].concat());
    rows.collect()
}

const TOTAL_HEADER: [&str; 7] = [
    "configuration",
    "nodes",
    "mean",
    "EBF",
    "same move",
    "time",
    "nodes/s",
];

fn totals(found: &NodesFindings) -> Table {
    Table::page(
        Text::new("Totals"),
        TOTAL_HEADER.map(Text::plain),
        total_rows(found),
    )
}

fn by_depth(found: &NodesFindings) -> Table {
    let configs = found.labels.len();
    let shows_all = configs <= ALL_SHOWN_MAX;
    let shown = if shows_all { 0..configs } else { 0..0 };
    let mut names = vec!["depth".to_owned()];
    names.extend(
        found.labels[shown.clone()]
            .iter()
            .map(|label| format!("nodes of {label}")),
    );
    for label in &found.labels[1..] {
        names.push(format!("{label} ratio"));
        names.extend(shows_all.then(|| "95 % CI".to_owned()));
    }
    let cell = |config: usize, depth: u32| {
        let mut rows = found.summary.rows_of(config);
        rows.find(|row| row.depth == depth)
    };
    let row = |depth: u32| {
        let nodes = shown.clone().map(|config| {
            let mean = cell(config, depth).and_then(|row| row.nodes_geomean);
            mean.map_or("-".to_owned(), compact)
        });
        let ratios = (1..configs).flat_map(|config| {
            let ratio = cell(config, depth).map_or(Estimate::UNKNOWN, |row| row.ratio);
            ratio_texts(&ratio)
                .into_iter()
                .take(if shows_all { 2 } else { 1 })
        });
        std::iter::once(depth.to_string())
            .chain(nodes)
            .chain(ratios)
            .collect()
    };
    let depths = 1..=found.summary.depth_compared().unwrap_or(0);
    Table::page(
        Text::new("Geometric mean over positions"),
        names.into_iter().map(Text::plain),
        depths.map(row),
    )
}

/// The techniques that acted, at the deepest depth; buckets of distributions are in the file alone.
fn counted(found: &NodesFindings) -> Vec<Block<'static>> {
    let names = Counters::names();
    let depth = found.summary.depth_compared();
    let counters = found.summary.counters.iter();
    let deepest: Vec<&CounterRow> = counters.filter(|row| Some(row.depth) == depth).collect();
    let tried = |counter: usize| {
        let of_counter = deepest.iter().filter(move |row| row.counter == counter);
        of_counter
            .map(|row| row.tried.unwrap_or_default())
            .collect::<Vec<_>>()
    };
    let mut techniques: Vec<(usize, Vec<TechniqueCounts>)> = (0..names.len())
        .map(|counter| (counter, tried(counter)))
        .collect();
    techniques.retain(|(counter, tried)| {
        !names[*counter].contains('.') && tried.iter().any(|counts| counts.tries > 0)
    });
    techniques.sort_by_key(|(_, tried)| std::cmp::Reverse(tried.iter().map(|counts| counts.tries).max()));
    if techniques.is_empty() {
        return Vec::new();
    }
    let heads = found
        .labels
        .iter()
        .flat_map(|label| [format!("{label} tries"), "succeed".to_owned()]);
    let heads = std::iter::once("technique".to_owned()).chain(heads);
    let cells = techniques.into_iter().map(|(counter, tried)| {
        let counts = tried.into_iter().flat_map(|counts| {
            let share = (counts.tries > 0).then(|| counts.successes as f64 / counts.tries as f64);
            [counts.tries.to_string(), percent(share)]
        });
        std::iter::once(names[counter].replace('_', " "))
            .chain(counts)
            .collect()
    });
    let caption = Text::filled(
        "Iterations of depth {depth}; counters.csv has all depths",
        &[("depth", &depth.unwrap_or(0))],
    );
    vec![Block::Table(Table::page(caption, heads.map(Text::plain), cells))]
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
    let mut text = String::new();
    if found.labels.len() > 1 {
        let (names, rows) = (COMPARISON_NAMES, compared_rows(found));
        // One comparison has nothing to be corrected for.
        let kept = |column: &usize| *column != if rows.len() > 1 { 4 } else { 5 };
        let kept: Vec<usize> = (0..names.len()).filter(kept).collect();
        let cells = |row: &[String; 7]| {
            kept.iter()
                .map(|&column| said(&row[column]).into_owned())
                .collect::<Vec<_>>()
        };
        let names: Vec<&str> = kept.iter().map(|&column| names[column]).collect();
        text += &titled_table(&names, rows.iter().map(cells), Align::Keyed(1));
        let hidden = found.summary.comparisons.len() - rows.len();
        if hidden > 0 {
            text += &format!(
                "{} without {} are in comparisons.csv\n",
                plural(hidden as u64, "comparison"),
                found.labels[0]
            );
        }
        text.push('\n');
    }
    let totals = titled_table(&TOTAL_HEADER, total_rows(found), Align::Keyed(1));
    let growth = table(&growth(found, depth), Align::Keyed(1));
    text + &totals + "\nnodes to each depth, geometric mean\n\n" + &growth
}

fn growth(found: &NodesFindings, depth: u32) -> Vec<Vec<String>> {
    let from = depth.saturating_sub(DEPTHS_SHOWN as u32 - 1).max(1);
    let depths = (from..=depth).map(|depth| depth.to_string());
    let header = std::iter::once(said("depth").into_owned())
        .chain(depths)
        .collect();
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
#[cfg(test)]
mod tests {
    use crate::kinds::nodes::NodesSummary;
    use crate::kinds::nodes::report::*;
    use crate::kinds::nodes::summary::tests::search;
    use crate::record::Search;

    fn found(labels: &[&str], searches: Vec<Search>, is_external: &[bool], depth: u32) -> NodesFindings {
        NodesFindings {
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            lines: (7..17).collect(),
            summary: NodesSummary::new(&searches, is_external, depth),
            searches,
            hosts: Vec::new(),
        }
    }

    fn files(found: &NodesFindings) -> impl Fn(&str) -> String + use<> {
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
            json["depths"][3]["ratio"] == 2.25 && json["depths"][3]["ratio_low"].is_null(),
            "{json}"
        );
        assert!(document(&found).text().contains("- to -"));
    }

    /// Over ten positions the second needs a tenth less at each, the third now more and now less.
    #[test]
    fn the_answer_names_every_configuration() {
        let nodes = |config: usize, position: u64| match config {
            0 => 100 + position,
            1 => 90 + position,
            _ => 80 + 40 * (position % 2) + position,
        };
        let found = |labels: &[&str]| {
            let jobs = (0..labels.len()).flat_map(|config| (0..10).map(move |position| (config, position)));
            let searches = jobs
                .map(|(config, position)| search(config, position, &[(nodes(config, position as u64), "a")]));
            found(labels, searches.collect(), &vec![false; labels.len()], 1)
        };
        let answers = [&["x"][..], &["x", "y"], &["x", "y", "z"]]
            .map(|labels| document(&found(labels)).answer.sentence.en);
        assert_eq!(
            answers,
            [
                "x needs 104 nodes to depth 1, geometric mean over 10 positions.",
                "y needs 10 % fewer nodes than x to depth 1: ratio 0.90 (95 % CI 0.90 to 0.91), 10 positions.",
                "To depth 1: y needs 10 % fewer nodes than x; z does not differ significantly from x; z does not differ significantly from y.",
            ]
        );
        let many = document(&found(&["x", "b", "c", "d", "e", "f", "g"]))
            .answer
            .sentence
            .en;
        assert!(many.ends_with("; 2 more below."), "{many}");
        let files = files(&found(&["x", "y", "z"]));
        let rows: Vec<String> = files("comparisons.csv")
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect();
        assert!(
            rows.len() == 3 && rows[0].starts_with("y,x,1,10,10,0.9"),
            "{rows:?}"
        );
        assert!(rows[2].starts_with("z,y,1,10,5,"), "{rows:?}");
    }

    #[test]
    fn a_count_without_a_finished_position_says_so() {
        let found = found(&["base"], Vec::new(), &[false], 3);
        assert!(document(&found).text().contains("no position"));
        assert_eq!(document(&found).json()["depths"].as_array().unwrap().len(), 3);
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
