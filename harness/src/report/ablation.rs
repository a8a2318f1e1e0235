//! The files and the text of an ablation.
//!
//! In: rows. Out: CSV, JSON and a table sorted by worth. Must not: compute a number of its own.

use std::cmp::Ordering;
use std::io::Write;
use std::path::Path;

use serde_json::Value;

use super::cell::Cell;
use super::faults::{columns_of_both, insert_kinds};
use super::files::{ReportError, write_atomically};
use super::number::{ELO_DECIMALS, FINE_DECIMALS, or_dash, signed};
use super::plot;
use super::sheet::Sheet;
use super::table::{Align, table, wrapped};
use crate::experiment::AblationFindings;
use crate::stats::{Estimate, MIN_PAIRS};
use crate::study::ablate::{ALPHA, AblationRow, Worth};

/// The columns of `ablation.csv`.
pub(super) fn sheet() -> Sheet<'static, AblationRow> {
    let sheet = Sheet::new()
        .column(
            "technique",
            "the setting that was changed",
            |row: &AblationRow| (&row.variant.technique).into(),
        )
        .column("setting", "what it was changed to", |row| {
            (&row.variant.setting).into()
        })
        .column("pairs", "pairs of the base against the changed engine", |row| {
            row.tally.pairs().into()
        })
        .estimate(
            ["elo", "elo_low", "elo_high"],
            "Elo of the base against the changed engine",
            ELO_DECIMALS,
            |row| row.elo,
        )
        .estimate(
            ["node_ratio", "node_ratio_low", "node_ratio_high"],
            "nodes of the changed engine over the base's at a fixed depth",
            FINE_DECIMALS,
            |row| row.nodes.as_ref().map_or(Estimate::UNKNOWN, |nodes| nodes.ratio),
        )
        .column("verdict", "what the setting of the base is worth", |row| {
            row.worth.name().into()
        })
        .column("base_setting", "what the base has", |row| {
            (&row.variant.base_setting).into()
        })
        .column("score", "mean points of the base in a game", |row| {
            Cell::rounded(row.tally.score(), FINE_DECIMALS)
        })
        .pentanomial(|row| row.tally.pentanomial)
        .column("depth", "the depth at which nodes are compared", |row| {
            row.nodes.as_ref().map(|nodes| nodes.depth).into()
        })
        .column("positions", "positions that both searched to that depth", |row| {
            row.nodes.as_ref().map(|nodes| nodes.positions).into()
        })
        .column(
            "duplicates",
            "pairs that repeat an earlier one, move for move",
            |row| row.repeated.into(),
        );
    let sheet = columns_of_both(sheet, ["the base", "the changed engine"], |row| {
        row.faults.of_both()
    });
    family(sheet)
}

/// What holds for all rows together, and whether there was anything to measure.
fn family(sheet: Sheet<'static, AblationRow>) -> Sheet<'static, AblationRow> {
    sheet
        .column(
            "p_value",
            "probability that equal engines are as far apart at any look at the row",
            |row| Cell::significant(row.p),
        )
        .column(
            "p_holm",
            "the same for all rows together (Holm): the verdict is that of 0.05",
            |row| Cell::significant(row.p_holm),
        )
        .column(
            "q_value",
            "least false-discovery rate at which the row is said to differ (Benjamini and Hochberg)",
            |row| Cell::significant(row.q),
        )
        .column(
            "selected",
            "1 where the verdict chose the row for its size: its Elo is too large on average",
            |row| u64::from(row.worth.is_shown()).into(),
        )
        .column(
            "acted",
            "how often the technique acted a game, in the first games of the row",
            |row| Cell::rounded(row.acted.and_then(|acted| acted.a_game()), ELO_DECIMALS),
        )
        .column(
            "mean_depth",
            "mean depth of the base's searches in these games",
            |row| Cell::rounded(row.mean_depth, ELO_DECIMALS),
        )
        .column(
            "identical_pairs",
            "pairs whose two games went the same way, move for move: the engines never differed in them",
            |row| row.mirrored.into(),
        )
}

/// Writes `ablation.csv` and `ablation.svg` into `folder`, the rows of the first in the order of the settings.
///
/// # Errors
/// A file cannot be written.
pub fn write_ablation(folder: &Path, rows: &[AblationRow]) -> Result<(), ReportError> {
    let csv = sheet().csv_of_some(rows);
    write_atomically(&folder.join("ablation.csv"), |output| output.write_all(&csv?))?;
    let svg = plot::ablation::svg(&by_worth(rows));
    write_atomically(&folder.join("ablation.svg"), |output| {
        output.write_all(svg?.as_bytes())
    })
}

/// The rows as an array of objects, keys as the columns, `null` where there is no value.
pub fn ablation_json(rows: &[AblationRow]) -> Value {
    let objects = rows.iter().map(|row| {
        let mut object = sheet().object(row);
        insert_kinds(&mut object, &row.faults);
        Value::Object(object)
    });
    objects.collect()
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
pub fn describe_ablation(found: &AblationFindings) -> String {
    let rows = &found.rows;
    let header = [
        "changed setting",
        "base has",
        "pairs",
        "Elo",
        "95 % interval",
        "nodes",
        "95 % interval",
        "p (Holm)",
        "q",
        "acted",
        "verdict",
    ];
    let cells = by_worth(rows).into_iter().map(|row| {
        let ratio = row.nodes.as_ref().map(|nodes| nodes.ratio);
        let fine = |value| or_dash(value, 3);
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
            probability(row.p_holm),
            probability(row.q),
            or_dash(row.acted.and_then(|acted| acted.a_game()), 1),
            row.worth.name().to_owned(),
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(header.map(str::to_owned).to_vec())
        .chain(cells)
        .collect();
    let invalid = found.invalid().map_or_else(String::new, |invalid| {
        format!("\ninvalid rows say nothing: {invalid}\n")
    });
    wrapped(EXPLANATION) + &table(&rows, Align::Left) + &wrapped(&about_family(found)) + &wrapped(&invalid)
}

/// What the verdicts hold for, and what the numbers beside them do not say.
fn about_family(found: &AblationFindings) -> String {
    let count = |is: fn(&AblationRow) -> bool| found.rows.iter().filter(|row| is(row)).count();
    let (shown, planned) = (count(|row| row.worth.is_shown()), found.planned);
    let alone = count(|row| row.p.is_some_and(|p| p <= ALPHA));
    let mut text = format!(
        "\nverdicts hold for all {planned} rows together (Holm, 5 %): {shown} are shown, {alone} would be alone; q is the \
         false-discovery rate\n"
    );
    if shown > 0 {
        text +=
            "the Elo of a row that is shown is too large on average, since it was selected for its size\n";
    }
    if count(|row| row.worth == Worth::NotExercised) > 0 {
        text += "not_exercised: the technique acted less than once a game, or the engines differed in less than 5 % of the pairs; \
                 play longer games or give more nodes to measure it\n";
    }
    if count(|row| row.worth == Worth::NotShown && row.tally.pairs() < MIN_PAIRS) > 0 {
        text += &format!(
            "a row of fewer than {MIN_PAIRS} pairs has no Elo and no verdict: the same command with more --pairs goes on\n"
        );
    }
    if let [_, .., last] = found.length.looks()[..] {
        let looks = found.length.looks().len();
        text += &format!("p and intervals allow for {looks} looks at a row, up to {last} pairs (Pocock)\n");
    }
    if let Some(budget) = found.length.budget {
        let pairs = found.pairs();
        let most = found.rows.iter().map(|row| row.tally.pairs()).max().unwrap_or(0);
        let alike = most * planned as u64;
        text += &format!(
            "{pairs} of {budget} pairs spent where they decide; as many for every row as for the longest would be {alike}\n"
        );
    }
    text
}

fn probability(p: Option<f64>) -> String {
    match p {
        None => "-".to_owned(),
        Some(p) if p < 0.0001 => "<0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    }
}

const EXPLANATION: &str = "\
What each setting is worth as it stands in the base.
Elo: of the base against the changed engine; above 0 the base is stronger.
Nodes: of the changed engine over the base's at a fixed depth; above 1 the base needs fewer.

";

/// Best first; rows without a value last, all ties in the order given.
pub(super) fn by_worth(rows: &[AblationRow]) -> Vec<&AblationRow> {
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
mod tests {
    use super::super::fixtures::{ablation, ablation_row as row};
    use super::*;
    use crate::stats::Estimate;

    #[test]
    fn the_file_keeps_the_order_of_the_settings_and_the_table_sorts_by_worth() {
        let found = ablation(vec![row("lmr", "off", 0), row("killers", "off", 2)]);
        let rows = &found.rows;
        let csv = String::from_utf8(sheet().csv(rows).unwrap()).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].starts_with(
            "technique,setting,pairs,elo,elo_low,elo_high,node_ratio,node_ratio_low,node_ratio_high,verdict"
        ));
        assert!(lines[1].starts_with("lmr,off,40,-") && lines[1].contains(",1.5,1.25,1.75,costs,on,"));
        assert!(lines[2].starts_with("killers,off,40,") && lines[2].contains(",worth_it,on,"));
        assert!(lines[0].ends_with(",p_value,p_holm,q_value,selected,acted,mean_depth,identical_pairs"));
        let text = describe_ablation(&found);
        assert!(
            text.contains("for all 2 rows together (Holm, 5 %): 2 are shown"),
            "{text}"
        );
        assert!(text.find("killers=off") < text.find("lmr=off"), "{text}");
        assert_eq!(ablation_json(rows)[1]["verdict"], "worth_it");
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
        let found = ablation(vec![empty, row("killers", "off", 0)]);
        let rows = &found.rows;
        assert_eq!(by_worth(rows)[0].variant.technique, "killers");
        assert_eq!(ablation_json(rows)[0]["elo"], Value::Null);
        let text = describe_ablation(&found);
        assert!(text.contains("[-, -]") && !text.contains("fewer than"), "{text}");
    }

    #[test]
    fn a_row_of_too_few_pairs_says_what_it_lacks() {
        let mut few = row("lmr", "off", 2);
        few.tally = crate::stats::Tally::default();
        few.worth = Worth::NotShown;
        let text = describe_ablation(&ablation(vec![few]));
        assert!(text.contains("fewer than 16 pairs has no Elo"), "{text}");
    }
}
