//! A tournament: its files, its table, its JSON.
//!
//! In: a crosstable, a ledger. Out: `ratings.csv`, `crosstable.csv`, `pairings.csv`, the games' files, text.
//! Must not: count or rate.

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value, json};
use tanren_engine::game::Position;

use super::files::{ReportError, write_atomically, write_games, write_moves, write_replayed};
use super::number::{ELO_DECIMALS, FINE_DECIMALS, cell, number, percent, signed};
use super::summary::Summary;
use super::table::{Align, table};
use super::text::interval;
use crate::config::elo_model_name;
use crate::crosstable::{Cell, Crosstable};
use crate::ledger::Ledger;
use crate::standing::Verdict;
use crate::stats::{CONFIDENCE, Estimate, Ratings};

/// What a tournament came to.
pub struct TournamentReport<'a> {
    labels: &'a [String],
    crosstable: &'a Crosstable,
    /// `None` if the likelihood has no maximum that could be found.
    ratings: Option<Ratings>,
    /// The players from best to worst: the greatest pool first.
    ranking: Vec<usize>,
}

impl<'a> TournamentReport<'a> {
    /// The report of players with these labels.
    pub fn new(labels: &'a [String], crosstable: &'a Crosstable) -> Self {
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
            ratings,
            ranking,
        }
    }

    /// Writes `ratings.csv`, `crosstable.csv`, `pairings.csv`, `games.csv` and `games.sfen` (or `games.fen`) into
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
            ("ratings.csv", csv_of(&self.rating_rows())),
            ("pairings.csv", csv_of(&self.pairing_rows())),
            ("crosstable.csv", self.crosstable_csv()),
        ] {
            write_atomically(&folder.join(name), |output| output.write_all(&bytes?))?;
        }
        Ok(())
    }

    /// One JSON object: `players` (the rows of `ratings.csv`), `pairings` (those of `pairings.csv`), the first mover's
    /// advantage and the draw ratio of the model.
    pub fn json(&self) -> Value {
        let objects = |rows: Vec<Row>| {
            let object = |row: Row| {
                let entries = row.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(entries.collect::<Map<_, _>>())
            };
            Value::Array(rows.into_iter().map(object).collect())
        };
        let advantage = self.first_move_advantage();
        let part =
            |part: fn(&Estimate) -> Option<f64>| number(advantage.as_ref().and_then(part), ELO_DECIMALS);
        json!({
            "players": objects(self.rating_rows()),
            "pairings": objects(self.pairing_rows()),
            "first_move_elo": part(|estimate| estimate.value),
            "first_move_elo_low": part(|estimate| estimate.low),
            "first_move_elo_high": part(|estimate| estimate.high),
            "draw_ratio": number(self.ratings.as_ref().map(Ratings::draw_ratio), FINE_DECIMALS),
        })
    }

    /// The table that ends a tournament.
    pub fn describe(&self) -> String {
        let mut text = self.ranking_table();
        if let Some(advantage) = self.first_move_advantage() {
            text += &format!("\nmoving first is worth {} Elo", interval(&advantage));
        }
        if let Some(ratings) = &self.ratings {
            text += &format!("; draws between equals {}\n", percent(Some(ratings.draw_ratio())));
        }
        text += &self.pools_text();
        text += "\nscore of the row against the column\n\n";
        text += &self.score_table();
        let verdicts: Vec<String> = self
            .crosstable
            .cells()
            .iter()
            .filter_map(|cell| self.verdict_text(cell))
            .collect();
        if !verdicts.is_empty() {
            text += &format!("\n{}\n", verdicts.join("\n"));
        }
        text
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
        table(&rows, Align::Left)
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
        Some(match cell.accepted {
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
            None => format!("{a} against {b}: the test is undecided"),
        })
    }

    fn names(&self, cell: &Cell) -> [String; 2] {
        cell.players
            .map(|player| self.labels[usize::from(player)].clone())
    }

    fn rating(&self, player: usize) -> Option<Estimate> {
        self.ratings.as_ref()?.rating(player, CONFIDENCE)
    }

    fn first_move_advantage(&self) -> Option<Estimate> {
        self.ratings.as_ref()?.first_move_advantage(CONFIDENCE)
    }

    fn rating_rows(&self) -> Vec<Row> {
        let rows = (1..).zip(&self.ranking).map(|(rank, &player): (usize, _)| {
            let (score, elo) = (self.crosstable.total(player), self.rating(player));
            let elo = |part: fn(&Estimate) -> Option<f64>| number(elo.as_ref().and_then(part), ELO_DECIMALS);
            let pool = pool_of(self.ratings.as_ref(), player).map(|(pool, _)| pool + 1);
            vec![
                ("rank", Value::from(rank)),
                ("player", Value::from(self.labels[player].as_str())),
                ("elo", elo(|estimate| estimate.value)),
                ("elo_low", elo(|estimate| estimate.low)),
                ("elo_high", elo(|estimate| estimate.high)),
                ("games", Value::from(score.games())),
                ("points", Value::from(score.points())),
                ("score", number(score.share(), FINE_DECIMALS)),
                ("wins", Value::from(score.wins)),
                ("losses", Value::from(score.losses)),
                ("draws", Value::from(score.draws)),
                ("pool", Value::from(pool)),
            ]
        });
        rows.collect()
    }

    /// As `summary.csv` of a match, one row a pairing; the verdict is the one that the test gave first.
    fn pairing_rows(&self) -> Vec<Row> {
        let rows = self.crosstable.cells().iter().map(|cell| {
            let mut row = Summary::new(&cell.standing, &self.names(cell)).columns();
            if let Some((verdict, pairs)) = cell.accepted {
                for (name, value) in &mut row {
                    if *name == "verdict" {
                        *value = Value::from(verdict.name());
                    }
                }
                row.push(("decided_after", Value::from(pairs)));
            } else {
                row.push(("decided_after", Value::Null));
            }
            row
        });
        rows.collect()
    }

    /// Points of the row's player against the column's, in the order of the players; empty where they do not meet.
    fn crosstable_csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(std::iter::once("player").chain(self.labels.iter().map(String::as_str)))?;
        for (player, label) in self.labels.iter().enumerate() {
            let points = (0..self.labels.len()).map(|other| {
                let score = self.crosstable.between(player, other);
                score.map_or(String::new(), |score| format!("{:.1}", score.points()))
            });
            writer.write_record(std::iter::once(label.clone()).chain(points))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }
}

type Row = Vec<(&'static str, Value)>;

fn csv_of(rows: &[Row]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if let Some(first) = rows.first() {
        writer.write_record(first.iter().map(|(name, _)| name))?;
    }
    for row in rows {
        writer.write_record(row.iter().map(|(_, value)| cell(value)))?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// The index and the size of a player's pool.
fn pool_of(ratings: Option<&Ratings>, player: usize) -> Option<(usize, usize)> {
    let pools = ratings?.pools();
    let index = pools.iter().position(|pool| pool.contains(&player))?;
    Some((index, pools[index].len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crosstable::tests::played;
    use crate::stop::StopRule;

    fn labels() -> Vec<String> {
        ["one", "two", "three"].map(str::to_owned).to_vec()
    }

    #[test]
    fn the_better_player_stands_above_and_points_add_up() {
        let (labels, crosstable) = (labels(), played(20, Some("elo0=0,elo1=100")));
        let report = TournamentReport::new(&labels, &crosstable);
        let rows = String::from_utf8(csv_of(&report.rating_rows()).unwrap()).unwrap();
        assert!(
            rows.starts_with("rank,player,elo,elo_low,elo_high,games,points,score,"),
            "{rows}"
        );
        assert!(rows.lines().nth(1).unwrap().starts_with("1,one,"), "{rows}");
        let cross = String::from_utf8(report.crosstable_csv().unwrap()).unwrap();
        assert_eq!(
            cross,
            "player,one,two,three\none,,35.0,20.0\ntwo,5.0,,25.0\nthree,20.0,15.0,\n"
        );
        let json = report.json();
        assert_eq!(json["pairings"][0]["verdict"], "accepted_h1");
        let after = json["pairings"][0]["decided_after"].as_u64().unwrap();
        assert!(after < 20, "{after}");
        let text = report.describe();
        assert!(
            text.contains("one is stronger than two by more than 0 normalized Elo"),
            "{text}"
        );
    }

    #[test]
    fn players_who_cannot_be_compared_are_said_to_be() {
        let rule = StopRule {
            sprt: None,
            pairs_max: 5,
        };
        let (labels, crosstable) = (labels(), Crosstable::new(3, &[[0, 1]], rule));
        let report = TournamentReport::new(&labels, &crosstable);
        assert!(report.describe().contains("not all players can be compared"));
        assert!(report.json()["players"][0]["elo"].is_null());
    }
}
