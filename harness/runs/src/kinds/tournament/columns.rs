//! The columns of the CSV files.

use crate::crosstable::{Crosstable, WinDrawLoss};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::invalid::InvalidRun;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS};
use crate::document::summary::{self, Summary};
use crate::stats::{Corrected, Estimate};
use crate::stop::faults::FaultTally;

pub(crate) struct DifferenceRow<'a> {
    pub(super) labels: [&'a str; 2],
    pub(super) difference: Estimate,
    pub(super) los: f64,
}

pub(crate) fn differences_columns<'a>() -> Columns<'a, DifferenceRow<'a>> {
    columns! { row: DifferenceRow<'a>;
        "player", "label of the player" => row.labels[0];
        "opponent", "label of the other" => row.labels[1];
    }
    .estimate(
        ["difference", "low", "high"],
        "Elo of the player above the other",
        "the 95 % interval",
        ELO_DECIMALS,
        |row| row.difference,
    )
    .and(columns! { row: DifferenceRow<'a>;
        "los", "likelihood of superiority" => Cell::rounded(row.los, FINE_DECIMALS);
    })
}

pub(crate) struct PlayerRow<'a> {
    pub(super) player: usize,
    pub(super) rank: u64,
    pub(super) label: &'a str,
    pub(super) elo: Estimate,
    pub(super) total: WinDrawLoss,
    pub(super) faults: FaultTally,
    pub(super) pool: Option<usize>,
    pub(super) invalid: Option<&'a InvalidRun>,
}

pub(crate) fn ratings_columns<'a>() -> Columns<'a, PlayerRow<'a>> {
    columns! { row: PlayerRow<'a>;
        "rank", "place in the tournament, from 1" => row.rank;
        "player", "label of the player" => row.label;
    }
    .estimate(
        ["elo", "elo_low", "elo_high"],
        "Elo against the mean of its pool, or on the scale of --anchor; a bound if the player won or lost every game",
        "the 95 % interval",
        ELO_DECIMALS,
        |row| row.elo,
    )
    .and(columns! { row: PlayerRow<'a>;
        "games", "games played" => row.total.games();
        "points", "points scored" => row.total.points();
        "score", "mean points in a game, from 0 to 1" => Cell::rounded(row.total.share(), FINE_DECIMALS);
        "wins", "games won" => row.total.wins;
        "losses", "games lost" => row.total.losses;
        "draws", "games drawn" => row.total.draws;
        "pool", "number of its pool; only players of one pool can be compared" => row.pool;
    })
    .and(faults::of_player(|row: &PlayerRow<'a>| row.faults))
    .and(columns! { row: PlayerRow<'a>;
        "verdict_reason", "why the tournament is `invalid`" => row.invalid.map(ToString::to_string);
    })
}

pub(crate) struct PairingRow {
    pub(super) summary: Summary,
    pub(super) decided_after: Option<u64>,
    pub(super) family: Option<Corrected>,
}

pub(crate) fn pairings_columns() -> Columns<'static, PairingRow> {
    summary::results()
        .within(|row: &PairingRow| &row.summary)
        .and(columns! { row: PairingRow;
            "decided_after", "pairs after which the test of the pairing accepted a hypothesis, or --adaptive knew the order" => row.decided_after;
        })
        .and(summary::validity().and(summary::differing()).within(|row: &PairingRow| &row.summary))
        .family("all pairings", |row| row.family)
}

pub(crate) fn crosstable_columns<'a>(labels: &'a [String], crosstable: &'a Crosstable) -> Columns<'a, usize> {
    let columns = columns! { player: usize;
        "player", "label of the player" => labels[*player].clone();
    };
    labels
        .iter()
        .enumerate()
        .fold(columns, |columns, (other, label)| {
            columns.column(label, "points scored against this player", move |&player| {
                let score = crosstable.between(player, other);
                Cell::fixed(score.map(|score| score.points()), 1)
            })
        })
}
