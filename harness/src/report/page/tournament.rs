//! The page of a tournament.
//!
//! In: its findings. Out: sections.

use super::answer::shown;
use super::gathered::Gathered;
use super::matches::{OF_SIDES, drawn, openings, reasons};
use super::section::{Block, Row, Section, Table};
use super::text::Text;
use crate::experiment::{ExperimentError, Run, TournamentFindings};
use crate::report::plot::intervals;
use crate::report::tournament::{TournamentReport, crosstable_sheet, pairings_sheet, ratings_sheet};
use crate::report::{engines, hosts};

/// The sections of a tournament.
pub(super) fn sections(found: &TournamentFindings, run: &Run) -> Result<Vec<Section>, ExperimentError> {
    let report =
        TournamentReport::new(&found.labels, &found.crosstable, found.invalid()).anchored(found.anchor);
    let players: Vec<_> = report.players().collect();
    let rows: Vec<_> = players
        .iter()
        .map(|row| (row.label.to_owned(), row.elo))
        .collect();
    let wanted = [
        "rank", "player", "elo", "elo_low", "elo_high", "games", "points", "score",
    ];
    let ratings = vec![
        Block::Figure {
            caption: Text::new("Ratings with 95 % intervals", "レーティングと 95% 区間"),
            svg: drawn(intervals::svg("Elo", &rows))?,
        },
        Block::Table(Table::of_sheet(
            Text::new("Ratings", "レーティング"),
            &ratings_sheet(),
            &players,
            &wanted,
        )),
    ];
    let places: Vec<usize> = report.ranking().to_vec();
    let crosstable = crosstable_sheet(&found.labels, &found.crosstable);
    let wanted = [
        "a", "b", "pairs", "wins", "draws", "losses", "elo", "elo_low", "elo_high", "verdict",
    ];
    let pairings: Vec<_> = report.pairings().collect();
    let mut blocks = vec![
        Block::Table(Table::of_sheet(
            Text::new("Points against each other", "総当たり表"),
            &crosstable,
            &places,
            &[],
        )),
        Block::Table(differences(&report, &found.labels)),
        Block::Table(Table::of_sheet(
            Text::new("Pairings", "組合せ"),
            &pairings_sheet(),
            &pairings,
            &wanted,
        )),
    ];
    if !found.engines.is_empty() {
        blocks.push(Block::Table(Table::of_sheet(
            Text::new("Programs", "プログラム"),
            &engines::sheet(),
            &found.engines,
            &[],
        )));
    }
    if !found.hosts.is_empty() {
        blocks.push(Block::Table(Table::of_sheet(
            Text::new("Machines", "計算機"),
            &hosts::sheet(),
            &found.hosts,
            &[],
        )));
    }
    let mut sections = vec![
        Section::new("result", Text::new("Ratings", "レーティング"), ratings),
        Section::new("pairings", Text::new("Against each other", "対戦成績"), blocks),
    ];
    let gathered = Gathered::of_sides(run, found.counted)?;
    if !gathered.openings.is_empty() {
        sections.push(games(&gathered));
        sections.push(openings(&gathered, &OF_SIDES));
    }
    Ok(sections)
}

/// How they ended.
fn games(gathered: &Gathered) -> Section {
    let title = Text::new("What the games were like", "対局の内容");
    let reasons = vec![Block::Table(reasons(gathered, &OF_SIDES))];
    Section::new("games-summary", title, reasons)
}

/// Elo of each player above each other, a star where the interval lies above or below zero.
fn differences(report: &TournamentReport<'_>, labels: &[String]) -> Table {
    let order = report.ranking();
    let rows = order.iter().map(|&player| {
        let of = |&other: &usize| match report.difference(player, other) {
            Some(difference) if player != other => {
                let proven = difference.low.is_some_and(|low| low > 0.0)
                    || difference.high.is_some_and(|high| high < 0.0);
                format!("{}{}", shown(&difference), if proven { " *" } else { "" })
            }
            _ => String::new(),
        };
        let cells = std::iter::once(labels[player].clone()).chain(order.iter().map(of));
        Row {
            cells: cells.collect(),
            ..Row::default()
        }
    });
    let names = order
        .iter()
        .map(|&player| (Text::same(labels[player].clone()), String::new()));
    Table {
        caption: Text::new(
            "Difference in Elo, row above column; * where the interval excludes zero",
            "Elo 差(行が列より上)。* は区間が 0 を含まないもの",
        ),
        columns: std::iter::once((Text::new("player", "対局者"), String::new()))
            .chain(names)
            .collect(),
        rows: rows.collect(),
    }
}
