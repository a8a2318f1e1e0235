//! Keeps the tables of columns in the manual equal to the sheets.
//!
//! `TANREN_REWRITE_DOCS=1 cargo test -p tanren-runs --lib report::tests` writes them anew.

use std::collections::BTreeMap;
use std::fs;

use crate::crosstable::Crosstable;
use crate::document::summary;
use crate::kinds::match_::game_files;
use crate::kinds::tune::optimizer::Space;
use crate::kinds::{ablate, match_, nodes, odds, queue, tournament, tune};
use crate::session::{engines, hosts};
use crate::stop::StopRule;
use crate::tools::methods;
use crate::tools::simulation::table as simulation;

const MANUAL: &str = "../../docs/src/files.md";
const REWRITE: &str = "TANREN_REWRITE_DOCS";
const BEGIN: &str = "<!-- columns: ";
const END: &str = "<!-- end -->";

fn tables() -> BTreeMap<&'static str, String> {
    let players = ["PLAYER".to_owned()];
    let space = Space::parse("NAME, 0, -1, 1", "", None).unwrap();
    let rule = StopRule::new(None, 1);
    let crosstable = Crosstable::new(players.len(), &[], rule);
    BTreeMap::from([
        ("ablation.csv", further(&ablate::report::columns().markdown())),
        ("comparisons.csv", nodes::columns::comparison_columns().markdown()),
        ("counters.csv", nodes::columns::counter_columns().markdown()),
        (
            "crosstable.csv",
            tournament::columns::crosstable_columns(&players, &crosstable).markdown(),
        ),
        ("distances.csv", nodes::columns::distance_columns().markdown()),
        (
            "differences.csv",
            tournament::columns::differences_columns().markdown(),
        ),
        ("engines.csv", engines::columns().markdown()),
        ("hosts.csv", hosts::columns().markdown()),
        ("games.csv", game_files::columns(Some(&players)).markdown()),
        ("methods.csv", methods::columns().markdown()),
        (
            "limits.csv",
            beyond(
                &ablate::report::limit_columns().markdown(),
                &ablate::report::columns().markdown(),
            ),
        ),
        ("nodes.csv", nodes::columns::iteration_columns().markdown()),
        ("nodes_summary.csv", nodes::columns::summary_columns().markdown()),
        ("odds.csv", further(&odds::report::columns().markdown())),
        (
            "pairings.csv",
            further(&tournament::columns::pairings_columns().markdown()),
        ),
        ("ratings.csv", tournament::columns::ratings_columns().markdown()),
        ("queue.csv", queue::report::columns().markdown()),
        (
            "replayed.csv",
            match_::report::replayed_columns(&players).markdown(),
        ),
        ("simulate.csv", simulation::columns().markdown()),
        (
            "spsa.csv",
            tune::report::step_columns(&space.parameters).markdown(),
        ),
        ("sprt.csv", match_::report::step_columns().markdown()),
        ("summary.csv", summary::columns().markdown()),
        ("summary.csv of a tuning", tune::report::columns().markdown()),
    ])
}

/// The columns that `summary.csv` has not.
fn further(pairings: &str) -> String {
    beyond(pairings, &summary::columns().markdown())
}

fn beyond(columns: &str, known: &str) -> String {
    let lines = columns
        .lines()
        .filter(|line| !known.lines().any(|known| known == *line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// `text` with the tables between its markers made anew, and the names of the markers.
fn renewed(text: &str, tables: &BTreeMap<&str, String>) -> (String, Vec<String>) {
    let (mut renewed, mut names) = (String::new(), Vec::new());
    let mut is_within = false;
    for line in text.lines() {
        if line == END {
            is_within = false;
        }
        if !is_within {
            renewed += &format!("{line}\n");
        }
        if let Some(name) = line
            .strip_prefix(BEGIN)
            .and_then(|rest| rest.strip_suffix(" -->"))
        {
            is_within = true;
            names.push(name.to_owned());
            let table = tables.get(name);
            renewed += &format!(
                "\n{}\n",
                table.unwrap_or_else(|| panic!("there is no sheet of {name}"))
            );
        }
    }
    assert!(!is_within, "a table has no end");
    (renewed, names)
}

#[test]
fn the_manual_describes_every_column_of_every_file() {
    let text = fs::read_to_string(MANUAL).unwrap();
    let tables = tables();
    let (renewed, names) = renewed(&text, &tables);
    for name in tables.keys() {
        assert!(
            names.iter().any(|named| named == name),
            "{name} is not in {MANUAL}"
        );
    }
    if std::env::var_os(REWRITE).is_some() {
        fs::write(MANUAL, &renewed).unwrap();
    } else {
        assert!(
            text == renewed,
            "{MANUAL} is not as the sheets are: set {REWRITE}=1 and run this test again"
        );
    }
}
