//! The file of where the moves of searches lie that pruning by region judges.
//!
//! In: searches. Out: `distances.csv`. Must not: compute a number of its own.

use super::sheet::Sheet;
use crate::record::Search;
use crate::study::nodes::{DistanceRow, distances};

/// The rows of all searches, in their order; `labels` are those of the configurations, `lines` those of the positions in their file.
pub(super) fn csv(labels: &[String], lines: &[u32], searches: &[Search]) -> csv::Result<Vec<u8>> {
    let rows = searches.iter().flat_map(distances);
    sheet().csv(rows.map(|row| PlacedRow {
        config: &labels[row.config],
        line: lines[row.position],
        row,
    }))
}

/// One distance of one search.
pub(super) struct PlacedRow<'a> {
    config: &'a str,
    line: u32,
    row: DistanceRow,
}

/// The columns of `distances.csv`.
pub(super) fn sheet<'a>() -> Sheet<'a, PlacedRow<'a>> {
    Sheet::new()
        .column(
            "config",
            "what the configuration is called",
            |of: &PlacedRow<'_>| of.config.into(),
        )
        .column("position", "line of the position in its file", |of| {
            of.line.into()
        })
        .column("distance", "distance of the move in steps of a king", |of| {
            of.row.distance.into()
        })
        .column("generated", "judged moves that were generated", |of| {
            of.row.generated.into()
        })
        .column("seen", "judged moves that came up", |of| of.row.seen.into())
        .column("cuts_attack", "beta cuts by attack moves", |of| {
            of.row.cuts_attack.into()
        })
        .column("cuts_defence", "beta cuts by defence moves", |of| {
            of.row.cuts_defence.into()
        })
        .column("cuts_other", "beta cuts by other judged moves", |of| {
            of.row.cuts_other.into()
        })
}
