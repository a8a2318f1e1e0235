//! A tournament: its files, its table, its JSON.
//!
//! In: a crosstable, a ledger. Out: `ratings.csv`, `crosstable.csv`, `pairings.csv`, the games' files, text.
//! Must not: count or rate.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use tanren_engine::game::Position;

use super::cell::Cell as Field;
use super::faults::{self, columns_of_one, insert_kinds, kinds_json};
use super::files::{ReportError, write_atomically, write_games, write_moves, write_replayed};
use super::number::{ELO_DECIMALS, FINE_DECIMALS, number, percent, signed};
use super::sheet::Sheet;
use super::summary::{self, Summary};
use super::table::{Align, keyed_table, table, wrapped};
use super::text::interval;
use crate::config::elo_model_name;
use crate::crosstable::{Cell, Crosstable, Score};
use crate::experiment::InvalidRun;
use crate::ledger::Ledger;
use crate::standing::Verdict;
use crate::stats::{CONFIDENCE, Corrected, Estimate, Ratings, corrected};
use crate::stop::faults::FaultTally;

/// What a tournament came to.
pub struct TournamentReport<'a> {
    labels: &'a [String],
    crosstable: &'a Crosstable,
    /// Why it is invalid, if it is.
    invalid: Option<InvalidRun>,
    /// `None` if the likelihood has no maximum that could be found.
    ratings: Option<Ratings>,
    /// The players from best to worst: the greatest pool first.
    ranking: Vec<usize>,
    /// A player whose rating is given.
    anchor: Option<(usize, f64)>,
}

impl<'a> TournamentReport<'a> {
    /// The report of players with these labels, and why what they played is invalid.
    pub fn new(labels: &'a [String], crosstable: &'a Crosstable, invalid: Option<InvalidRun>) -> Self {
        let ratings = crosstable.ratings().ok();
        let mut ranking: Vec<usize> = (0..labels.len()).collect();
        let pool_size = |player: usize| pool_of(ratings.as_ref(), player).map_or(0, |(_, size)| size);
        let value = |player: usize| {
            let estimate = ratings
                .as_ref()
                .and_then(|ratings| ratings.rating(player, CONFIDENCE));
            estimate.and_then(|estimate| estimate.value).unwrap_or(0.0)
        };
        let share = |player: usize| crosstable.total(player).share().unwrap_or(0.0);
        ranking.sort_by(|&one, &two| {
            let by_pool = pool_size(two).cmp(&pool_size(one));
            let by_value = value(two).total_cmp(&value(one));
            by_pool.then(by_value).then(share(two).total_cmp(&share(one)))
        });
        TournamentReport {
            labels,
            crosstable,
            invalid,
            ratings,
            ranking,
            anchor: None,
        }
    }

    /// The same with the rating of one player given, by its index; the others stand above or below it.
    pub fn anchored(mut self, anchor: Option<(usize, f64)>) -> Self {
        self.anchor = anchor;
        self
    }

    /// Writes `ratings.csv`, `differences.csv`, `crosstable.csv`, `pairings.csv`, `games.csv` and `games.sfen` (or `games.fen`) into
    /// `folder`; the games are the first `counted` pairs of `ledger`.
    ///
    /// # Errors
    /// The ledger cannot be read or a file not written.
    pub fn write<P: Position>(
        &self,
        folder: &Path,
        ledger: &Ledger,
        counted: u64,
    ) -> Result<(), ReportError> {
        write_games(folder, ledger, counted, Some(self.labels))?;
        write_moves::<P>(folder, ledger, counted)?;
        write_replayed(folder, ledger, self.labels)?;
        for (name, bytes) in [
            ("ratings.csv", ratings_sheet().csv_of_some(self.players())),
            (
                "differences.csv",
                differences_sheet().csv_of_some(self.differences()),
            ),
            ("pairings.csv", pairings_sheet().csv_of_some(self.pairings())),
            ("crosstable.csv", self.crosstable_csv()),
        ] {
            write_atomically(&folder.join(name), |output| output.write_all(&bytes?))?;
        }
        Ok(())
    }

    /// One JSON object: `players` (the rows of `ratings.csv`), `pairings` (those of `pairings.csv`), the first mover's
    /// advantage and the draw ratio of the model.
    pub fn json(&self) -> Value {
        let advantage = self.first_move_advantage();
        let part =
            |part: fn(&Estimate) -> Option<f64>| number(advantage.as_ref().and_then(part), ELO_DECIMALS);
        let players = self.players().map(|row| {
            let mut object = ratings_sheet().object(&row);
            object.insert("faults_kinds".to_owned(), row.kinds);
            Value::Object(object)
        });
        let pairings = self.pairings().map(|row| {
            let mut object = pairings_sheet().object(&row);
            insert_kinds(&mut object, &row.summary.faults);
            Value::Object(object)
        });
        let reason = self.invalid.as_ref().map(ToString::to_string);
        json!({
            "players": players.collect::<Value>(),
            "pairings": pairings.collect::<Value>(),
            "verdict": reason.as_ref().map(|_| Verdict::Invalid.name()),
            "verdict_reason": reason,
            "first_move_elo": part(|estimate| estimate.value),
            "first_move_elo_low": part(|estimate| estimate.low),
            "first_move_elo_high": part(|estimate| estimate.high),
            "draw_ratio": number(self.valid_ratings().map(Ratings::draw_ratio), FINE_DECIMALS),
        })
    }

    /// The table that ends a tournament.
    pub fn describe(&self) -> String {
        let mut about = String::new();
        if let Some(advantage) = self.first_move_advantage() {
            about += &format!("\nmoving first is worth {} Elo", interval(&advantage));
        }
        if let Some(ratings) = self.valid_ratings() {
            about += &format!("; draws between equals {}\n", percent(Some(ratings.draw_ratio())));
        }
        about += &self.pools_text();
        about += &self.family_text();
        about += &faults::lines(self.crosstable.faults(), self.labels);
        if let Some(invalid) = &self.invalid {
            about += &format!("verdict  invalid: {invalid}; nothing is said about strength\n");
        }
        let cells = self.crosstable.cells().iter();
        let verdicts: Vec<String> = cells.filter_map(|cell| self.verdict_text(cell)).collect();
        let verdicts = match &verdicts[..] {
            [] => String::new(),
            verdicts => format!("\n{}\n", verdicts.join("\n")),
        };
        format!(
            "{}{}\nscore of the row against the column\n\n{}{}",
            self.ranking_table(),
            wrapped(&about),
            self.score_table(),
            wrapped(&verdicts)
        )
    }

    fn ranking_table(&self) -> String {
        let header = [
            "", "player", "Elo", "low", "high", "points", "games", "won", "drawn", "lost",
        ];
        let rows = (1..).zip(&self.ranking).map(|(rank, &player)| {
            let (score, elo) = (self.crosstable.total(player), self.rating(player));
            let elo = |part: fn(&Estimate) -> Option<f64>| signed(elo.as_ref().and_then(part), 1);
            vec![
                format!("{rank}"),
                self.labels[player].clone(),
                elo(|estimate| estimate.value),
                elo(|estimate| estimate.low),
                elo(|estimate| estimate.high),
                format!("{:.1}", score.points()),
                score.games().to_string(),
                score.wins.to_string(),
                score.draws.to_string(),
                score.losses.to_string(),
            ]
        });
        let rows: Vec<Vec<String>> = std::iter::once(header.map(str::to_owned).to_vec())
            .chain(rows)
            .collect();
        table(&rows, Align::Left)
    }

    fn score_table(&self) -> String {
        let mut header = vec![String::new(), String::new()];
        header.extend((1..=self.ranking.len()).map(|rank| rank.to_string()));
        let rows = (1..).zip(&self.ranking).map(|(rank, &player)| {
            let mut row = vec![format!("{rank}"), self.labels[player].clone()];
            row.extend(self.ranking.iter().map(|&other| {
                let share = self
                    .crosstable
                    .between(player, other)
                    .and_then(|score| score.share());
                percent(share)
            }));
            row
        });
        let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
        keyed_table(&rows, Align::Left, 2)
    }

    /// What to know about players who cannot be compared.
    fn pools_text(&self) -> String {
        let Some(ratings) = &self.ratings else {
            return "no ratings: the results are too one-sided for the model\n".to_owned();
        };
        if ratings.pools().len() < 2 {
            return String::new();
        }
        let mut text =
            "not all players can be compared: between these groups one side won everything, or none met\n"
                .to_owned();
        for pool in ratings.pools() {
            let names: Vec<&str> = pool.iter().map(|&player| self.labels[player].as_str()).collect();
            text += &format!("  {}\n", names.join("; "));
        }
        text
    }

    fn verdict_text(&self, cell: &Cell) -> Option<String> {
        let sprt = cell.standing.progress().rule().sprt?;
        let [a, b] = self.names(cell);
        let model = elo_model_name(sprt.model());
        let accepted = cell.accepted;
        Some(
            match accepted.filter(|_| self.crosstable.verdict(cell) != Verdict::Invalid) {
                Some((Verdict::AcceptedH1, pairs)) => {
                    format!(
                        "{a} is stronger than {b} by more than {} {model} Elo (after {pairs} pairs)",
                        sprt.elo0()
                    )
                }
                Some((_, pairs)) => {
                    format!(
                        "{a} is not {} {model} Elo stronger than {b} (after {pairs} pairs)",
                        sprt.elo1()
                    )
                }
                None if self.crosstable.verdict(cell) == Verdict::Invalid => {
                    format!("{a} against {b}: invalid because of faults")
                }
                None => format!("{a} against {b}: the test is undecided"),
            },
        )
    }

    fn names(&self, cell: &Cell) -> [String; 2] {
        cell.players
            .map(|player| self.labels[usize::from(player)].clone())
    }

    /// The ratings, where a strength can be given honestly.
    fn valid_ratings(&self) -> Option<&Ratings> {
        self.ratings.as_ref().filter(|_| self.invalid.is_none())
    }

    /// The players from best to worst.
    pub(super) fn ranking(&self) -> &[usize] {
        &self.ranking
    }

    /// Elo of a player above another, if it can be given.
    pub(super) fn difference(&self, player: usize, other: usize) -> Option<Estimate> {
        self.valid_ratings()?.difference(player, other, CONFIDENCE)
    }

    fn rating(&self, player: usize) -> Option<Estimate> {
        let ratings = self.valid_ratings()?;
        let Some((anchor, elo)) = self.anchor else {
            return ratings.rating(player, CONFIDENCE);
        };
        // Of its pool alone there is a distance to it; the others keep the mean of their own.
        let beside = ratings.difference(player, anchor, CONFIDENCE)?;
        let above = |end: Option<f64>| end.map(|end| end + elo);
        Some(Estimate {
            value: above(beside.value),
            low: above(beside.low),
            high: above(beside.high),
        })
    }

    /// Every player above every other that it can be compared with.
    fn differences(&self) -> impl Iterator<Item = DifferenceRow<'_>> {
        let pairs = self
            .ranking
            .iter()
            .flat_map(|&one| self.ranking.iter().map(move |&other| (one, other)));
        pairs
            .filter(|(one, other)| one != other)
            .filter_map(|(one, other)| {
                Some(DifferenceRow {
                    labels: [&self.labels[one], &self.labels[other]],
                    difference: self.difference(one, other)?,
                    los: self.valid_ratings()?.los(one, other)?,
                })
            })
    }

    /// What stands out among the pairings, for all of them together.
    fn family_text(&self) -> String {
        let rows: Vec<Corrected> = self.pairings().filter_map(|row| row.family).collect();
        if rows.len() < 2 {
            return String::new();
        }
        let count = |is: fn(&Corrected) -> bool| rows.iter().filter(|row| is(row)).count();
        let (alone, family) = (count(|row| row.p <= 0.05), count(|row| row.p_holm <= 0.05));
        format!(
            "of {} pairings {alone} show a difference each for itself, {family} for all of them together (Holm, 5 %)\n",
            rows.len()
        )
    }

    fn first_move_advantage(&self) -> Option<Estimate> {
        self.valid_ratings()?.first_move_advantage(CONFIDENCE)
    }

    pub(super) fn players(&self) -> impl Iterator<Item = PlayerRow<'_>> {
        (1..).zip(&self.ranking).map(|(rank, &player)| PlayerRow {
            rank,
            label: &self.labels[player],
            elo: self.rating(player).unwrap_or(Estimate::UNKNOWN),
            total: self.crosstable.total(player),
            faults: self.crosstable.faults().of(player),
            kinds: kinds_json(self.crosstable.faults(), player),
            pool: pool_of(self.ratings.as_ref(), player).map(|(pool, _)| pool + 1),
            invalid: self.invalid.as_ref(),
        })
    }

    /// As `summary.csv` of a match, one row a pairing; the verdict is the one that the test gave first.
    pub(super) fn pairings(&self) -> impl Iterator<Item = PairingRow> {
        let p_values = self
            .crosstable
            .p_values()
            .into_iter()
            .map(|p| p.filter(|_| self.invalid.is_none()));
        let family = corrected(&p_values.collect::<Vec<_>>());
        self.crosstable.cells().iter().zip(family).map(|(cell, family)| {
            let mut summary = Summary::new(&cell.standing, &self.names(cell));
            let verdict = self.crosstable.verdict(cell);
            match &self.invalid {
                Some(invalid) if verdict == Verdict::Invalid && summary.invalid.is_none() => {
                    summary = summary.made_invalid(invalid.clone());
                }
                _ => summary.verdict = verdict,
            }
            PairingRow {
                summary,
                decided_after: cell.accepted.map(|(_, pairs)| pairs),
                family,
            }
        })
    }

    fn crosstable_csv(&self) -> csv::Result<Vec<u8>> {
        crosstable_sheet(self.labels, self.crosstable).csv(0..self.labels.len())
    }
}

/// One player above another.
pub(super) struct DifferenceRow<'a> {
    labels: [&'a str; 2],
    difference: Estimate,
    los: f64,
}

/// The columns of `differences.csv`.
pub(super) fn differences_sheet<'a>() -> Sheet<'a, DifferenceRow<'a>> {
    Sheet::new()
        .column("player", "label of the player", |row: &DifferenceRow<'_>| {
            row.labels[0].into()
        })
        .column("opponent", "label of the other", |row| row.labels[1].into())
        .column("difference", "Elo of the player above the other", |row| {
            Field::rounded(row.difference.value, ELO_DECIMALS)
        })
        .column("low", "lower end of the 95 % interval of difference", |row| {
            Field::rounded(row.difference.low, ELO_DECIMALS)
        })
        .column("high", "upper end of the 95 % interval of difference", |row| {
            Field::rounded(row.difference.high, ELO_DECIMALS)
        })
        .column("los", "probability that the player is the stronger", |row| {
            Field::rounded(row.los, FINE_DECIMALS)
        })
}

/// A player and what it came to.
pub(super) struct PlayerRow<'a> {
    rank: u64,
    pub(super) label: &'a str,
    pub(super) elo: Estimate,
    total: Score,
    faults: FaultTally,
    /// As JSON.
    kinds: Value,
    /// From 1.
    pool: Option<usize>,
    /// Why the tournament is invalid.
    invalid: Option<&'a InvalidRun>,
}

/// The columns of `ratings.csv`.
pub(super) fn ratings_sheet<'a>() -> Sheet<'a, PlayerRow<'a>> {
    let sheet = Sheet::new()
        .column(
            "rank",
            "place in the tournament, from 1",
            |row: &PlayerRow<'_>| row.rank.into(),
        )
        .column("player", "label of the player", |row| row.label.into())
        .estimate(
            ["elo", "elo_low", "elo_high"],
            "Elo against the mean of its pool",
            ELO_DECIMALS,
            |row| row.elo,
        )
        .column("games", "games played", |row| row.total.games().into())
        .column("points", "points scored", |row| row.total.points().into())
        .column("score", "mean points in a game, from 0 to 1", |row| {
            Field::rounded(row.total.share(), FINE_DECIMALS)
        })
        .column("wins", "games won", |row| row.total.wins.into())
        .column("losses", "games lost", |row| row.total.losses.into())
        .column("draws", "games drawn", |row| row.total.draws.into())
        .column(
            "pool",
            "number of its pool; only players of one pool can be compared",
            |row| row.pool.into(),
        );
    let sheet = columns_of_one(sheet, |row| row.faults);
    sheet.column("verdict_reason", "why the tournament is `invalid`", |row| {
        row.invalid.map(ToString::to_string).into()
    })
}

/// Two players who met.
pub(super) struct PairingRow {
    summary: Summary,
    decided_after: Option<u64>,
    family: Option<Corrected>,
}

/// The columns of `pairings.csv`.
pub(super) fn pairings_sheet() -> Sheet<'static, PairingRow> {
    let results = summary::results().within(|row: &PairingRow| &row.summary);
    let results = results.column(
        "decided_after",
        "pairs after which the test of the pairing accepted a hypothesis",
        |row| row.decided_after.into(),
    );
    let results = results.and(summary::validity().within(|row: &PairingRow| &row.summary));
    let results = results.and(summary::differing().within(|row: &PairingRow| &row.summary));
    results.family("all pairings", |row| row.family)
}

/// The columns of `crosstable.csv`, a row a player in the order of the players: points of the row's player against the
/// column's; empty where they do not meet.
pub(super) fn crosstable_sheet<'a>(labels: &'a [String], crosstable: &'a Crosstable) -> Sheet<'a, usize> {
    let sheet = Sheet::new().column("player", "label of the player", |&player: &usize| {
        labels[player].clone().into()
    });
    labels.iter().enumerate().fold(sheet, |sheet, (other, label)| {
        sheet.column(label, "points scored against this player", move |&player| {
            let score = crosstable.between(player, other);
            Field::fixed(score.map(|score| score.points()), 1)
        })
    })
}

/// The index and the size of a player's pool.
fn pool_of(ratings: Option<&Ratings>, player: usize) -> Option<(usize, usize)> {
    let pools = ratings?.pools();
    let index = pools.iter().position(|pool| pool.contains(&player))?;
    Some((index, pools[index].len()))
}

#[cfg(test)]
mod tests;
