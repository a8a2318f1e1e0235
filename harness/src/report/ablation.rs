//! The files and the text of an ablation.
//!
//! In: rows. Out: CSV, JSON and a table sorted by worth. Must not: compute a number of its own.

use std::cmp::Ordering;
use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value};

use super::ablation_plot;
use super::files::{ReportError, write_atomically};
use super::number::{ELO_DECIMALS, FINE_DECIMALS, cell, field, number, signed};
use super::table::{Align, table};
use crate::study::ablate::AblationRow;

/// The columns of `ablation.csv`, with what JSON holds for each.
fn columns(row: &AblationRow) -> Vec<(&'static str, Value)> {
    let elo = |value| number(value, ELO_DECIMALS);
    let fine = |value| number(value, FINE_DECIMALS);
    let ratio = row.nodes.as_ref().map(|nodes| nodes.ratio);
    let [ll, ld, even, dw, ww] = row.tally.pentanomial.map(Value::from);
    vec![
        ("technique", Value::from(row.variant.technique.as_str())),
        ("setting", Value::from(row.variant.setting.as_str())),
        ("pairs", Value::from(row.tally.pairs())),
        ("elo", elo(row.elo.value)),
        ("elo_low", elo(row.elo.low)),
        ("elo_high", elo(row.elo.high)),
        ("node_ratio", fine(ratio.and_then(|ratio| ratio.value))),
        ("node_ratio_low", fine(ratio.and_then(|ratio| ratio.low))),
        ("node_ratio_high", fine(ratio.and_then(|ratio| ratio.high))),
        ("verdict", Value::from(row.worth.name())),
        ("base_setting", Value::from(row.variant.base_setting.as_str())),
        ("score", fine(row.tally.score())),
        ("ptnml_0", ll),
        ("ptnml_1", ld),
        ("ptnml_2", even),
        ("ptnml_3", dw),
        ("ptnml_4", ww),
        (
            "depth",
            row.nodes
                .as_ref()
                .map_or(Value::Null, |nodes| Value::from(nodes.depth)),
        ),
        (
            "positions",
            row.nodes
                .as_ref()
                .map_or(Value::Null, |nodes| Value::from(nodes.positions)),
        ),
        ("duplicates", Value::from(row.repeated)),
    ]
}

/// Writes `ablation.csv` and `ablation.svg` into `folder`, the rows of the first in the order of the settings.
///
/// # Errors
/// A file cannot be written.
pub fn write_ablation(folder: &Path, rows: &[AblationRow]) -> Result<(), ReportError> {
    let csv = ablation_csv(rows);
    write_atomically(&folder.join("ablation.csv"), |output| output.write_all(&csv?))?;
    let svg = ablation_plot::svg(&by_worth(rows));
    write_atomically(&folder.join("ablation.svg"), |output| {
        output.write_all(svg?.as_bytes())
    })
}

fn ablation_csv(rows: &[AblationRow]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (index, row) in rows.iter().enumerate() {
        let columns = columns(row);
        if index == 0 {
            writer.write_record(columns.iter().map(|(name, _)| name))?;
        }
        writer.write_record(columns.iter().map(|(_, value)| cell(value)))?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// The rows as an array of objects, keys as the columns, `null` where there is no value.
pub fn ablation_json(rows: &[AblationRow]) -> Value {
    let object = |row| {
        let entries = columns(row).into_iter();
        Value::Object(
            entries
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<Map<_, _>>(),
        )
    };
    Value::Array(rows.iter().map(object).collect())
}

/// One row in a line.
pub fn ablation_line(row: &AblationRow) -> String {
    format!(
        "{}: Elo {} [{}, {}] after {} pairs, {}",
        row.variant.assignment(),
        signed(row.elo.value, 1),
        signed(row.elo.low, 1),
        signed(row.elo.high, 1),
        row.tally.pairs(),
        row.worth.name()
    )
}

/// The table sorted by worth, the most valuable setting first.
pub fn describe_ablation(rows: &[AblationRow]) -> String {
    let header = [
        "changed setting",
        "base has",
        "pairs",
        "Elo",
        "95 % interval",
        "nodes",
        "95 % interval",
        "verdict",
    ];
    let cells = by_worth(rows).into_iter().map(|row| {
        let ratio = row.nodes.as_ref().map(|nodes| nodes.ratio);
        let fine = |value: Option<f64>| {
            let text = field(value, 3);
            if text.is_empty() { "-".to_owned() } else { text }
        };
        vec![
            row.variant.assignment(),
            row.variant.base_setting.clone(),
            row.tally.pairs().to_string(),
            signed(row.elo.value, 1),
            format!("[{}, {}]", signed(row.elo.low, 1), signed(row.elo.high, 1)),
            fine(ratio.and_then(|ratio| ratio.value)),
            ratio.map_or("-".to_owned(), |ratio| {
                format!("[{}, {}]", fine(ratio.low), fine(ratio.high))
            }),
            row.worth.name().to_owned(),
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(header.map(str::to_owned).to_vec())
        .chain(cells)
        .collect();
    format!(
        "What each setting is worth as it stands in the base.\n\
         Elo: of the base against the changed engine; above 0 the base is stronger.\n\
         Nodes: of the changed engine over the base's at a fixed depth; above 1 the base needs fewer.\n\n{}",
        table(&rows, Align::Left)
    )
}

/// Best first; rows without a value last, all ties in the order given.
fn by_worth(rows: &[AblationRow]) -> Vec<&AblationRow> {
    let mut sorted: Vec<&AblationRow> = rows.iter().collect();
    sorted.sort_by(|one, other| match (one.elo.value, other.elo.value) {
        (Some(one), Some(other)) => other.total_cmp(&one),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    sorted
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::standing::Standing;
    use crate::standing::tests::pair;
    use crate::stats::Estimate;
    use crate::stop::StopRule;
    use crate::study::ablate::Variant;
    use crate::study::nodes::SummaryRow;
    use tanren_engine::config::Config;
    use tanren_engine::game::Game;

    /// A row of 40 pairs of which the base scores `halves` half points in each first game.
    pub(in crate::report) fn row(name: &str, value: &str, halves: usize) -> AblationRow {
        let variant = Variant::new(Game::Shogi, &Config::default(), name, value).unwrap();
        let mut standing = Standing::new(StopRule {
            sprt: None,
            pairs_max: 40,
        });
        for number in 0..40 {
            standing.count(&pair(number, [halves, number as usize % 3], 0));
        }
        let nodes = SummaryRow {
            config: 1,
            depth: 6,
            positions: 10,
            nodes_total: Some(1),
            nodes_geomean: None,
            ratio: Estimate {
                value: Some(1.5),
                low: Some(1.25),
                high: Some(1.75),
            },
            ebf: None,
            agreement: None,
            time_us: Some(1),
        };
        AblationRow::new(variant, &standing, Some(nodes))
    }

    #[test]
    fn the_file_keeps_the_order_of_the_settings_and_the_table_sorts_by_worth() {
        let rows = [row("lmr", "off", 0), row("killers", "off", 2)];
        let csv = String::from_utf8(ablation_csv(&rows).unwrap()).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].starts_with(
            "technique,setting,pairs,elo,elo_low,elo_high,node_ratio,node_ratio_low,node_ratio_high,verdict"
        ));
        assert!(lines[1].starts_with("lmr,off,40,-") && lines[1].contains(",1.5,1.25,1.75,costs,on,"));
        assert!(lines[2].starts_with("killers,off,40,") && lines[2].contains(",worth_it,on,"));
        let text = describe_ablation(&rows);
        assert!(text.find("killers=off") < text.find("lmr=off"), "{text}");
        assert_eq!(ablation_json(&rows)[1]["verdict"], "worth_it");
    }

    #[test]
    fn a_row_without_a_value_comes_last_and_is_empty_in_files() {
        let mut empty = row("lmr", "off", 2);
        empty.elo = Estimate {
            value: None,
            low: None,
            high: None,
        };
        empty.nodes = None;
        let rows = [empty, row("killers", "off", 0)];
        assert_eq!(by_worth(&rows)[0].variant.technique, "killers");
        assert_eq!(ablation_json(&rows)[0]["elo"], Value::Null);
        assert!(describe_ablation(&rows).contains("[-, -]"));
    }
}
