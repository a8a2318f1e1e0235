//! The columns of the CSV files.

use tanren_engine::search::Counters;

use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::number::FINE_DECIMALS;
use crate::kinds::nodes::{Comparison, CounterRow, DistanceRow, NodesFindings, SummaryRow};
use crate::record::SearchIteration;

const NODES_DECIMALS: usize = 1;

pub(super) type IterationRow<'a> = (&'a str, u32, &'a SearchIteration);

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

pub(super) type ComparisonRow<'a> = (&'a [String], u32, usize, &'a Comparison);

pub(super) fn comparison_rows(found: &NodesFindings) -> impl Iterator<Item = ComparisonRow<'_>> {
    let deepest = found
        .summary
        .deepest()
        .first()
        .map_or((0, 0), |row| (row.depth, row.positions));
    let comparisons = found.summary.comparisons.iter();
    comparisons.map(move |comparison| (&found.labels[..], deepest.0, deepest.1, comparison))
}

pub(crate) fn comparison_columns<'a>() -> Columns<'a, ComparisonRow<'a>> {
    columns! { of: ComparisonRow<'a>;
        "config", "what the configuration is called" => &of.0[of.3.config];
        "other", "what it is compared with" => &of.0[of.3.other];
        "depth", "depth in plies, the last one that every configuration finished" => of.1;
        "positions", "positions that every configuration finished at this depth" => of.2;
        "fewer_in", "positions in which it needs fewer nodes" => of.3.fewer_in;
    }
    .estimate(
        ["ratio", "ratio_low", "ratio_high"],
        "geometric mean of nodes over nodes of the other",
        "the 95 % interval",
        FINE_DECIMALS,
        |of| of.3.ratio,
    )
    .and(columns! { of: ComparisonRow<'a>;
        "p_value", "probability of a ratio so far from 1 if the nodes are alike on average, two-sided, for itself"
            => Cell::significant(of.3.test.map(|test| test.p));
        "p_holm", "the same for all comparisons together (Holm)"
            => Cell::significant(of.3.test.map(|test| test.p_holm));
    })
}

pub(super) type DepthRow<'a> = (&'a str, &'a SummaryRow);

pub(super) fn summary_rows(found: &NodesFindings) -> impl Iterator<Item = DepthRow<'_>> {
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

pub(super) type TriedRow<'a> = (&'a str, String, &'a CounterRow);

pub(super) fn counter_rows(found: &NodesFindings) -> impl Iterator<Item = TriedRow<'_>> {
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

pub(super) type PlacedRow<'a> = (&'a str, u32, DistanceRow);

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
