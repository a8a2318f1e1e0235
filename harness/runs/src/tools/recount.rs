//! What each technique did in games of a run.

use std::path::Path;

use serde_json::{Value, json};
use tanren_engine::search::{Counters, Searchable, Technique};

use crate::config::Seat;
use crate::document::Document;
use crate::document::table::{Align, table};
use crate::interrupt::{Interrupt, Signal};
use crate::record::{PairRecord, PlayerId};
use crate::session::error::{ExperimentError, Result};
use crate::session::game::with_game;
use crate::session::recounter::Recounter;
use crate::session::stored::{Run, StoredSeats};

struct Recount<'a> {
    players: Vec<RecountedPlayer<'a>>,
    /// Games that go another way than the record says, which count for nobody.
    different: u64,
    stopped: Option<Signal>,
}

struct RecountedPlayer<'a> {
    label: &'a str,
    games: u64,
    counters: Counters,
}

/// Searches these games of these pairs again; a signal that ended it early is returned too.
pub fn recount(folder: &Path, pairs: &[u64], games: &[usize]) -> Result<(Document<'static>, Option<Signal>)> {
    let run = Run::open(folder)?;
    let seats = run.seats()?;
    let mut records = Vec::new();
    for &pair in pairs {
        records.extend(run.ledger.pair(pair)?);
    }
    let folder = folder.display();
    if records.is_empty() {
        let message = format!("'{folder}' holds none of the pairs asked for");
        return Err(ExperimentError::Input(message));
    }
    if records
        .iter()
        .flat_map(|record| record.players)
        .any(|number| usize::from(number) >= seats.seats.len())
    {
        return Err(ExperimentError::Input(format!(
            "'{folder}' does not name all its players"
        )));
    }
    let found = with_game!(seats.conditions.game, recount_games(&seats, &records, games))?;
    Ok((Document::of_text(found.text(), found.values()), found.stopped))
}

fn recount_games<'a, P: Searchable>(
    seats: &'a StoredSeats,
    records: &[PairRecord],
    games: &[usize],
) -> Result<Recount<'a>> {
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let mut engines: Vec<Option<Recounter<'_, P>>> = (0..seats.seats.len()).map(|_| None).collect();
    let player = |seat: &'a Seat| RecountedPlayer {
        label: &seat.player.label,
        games: 0,
        counters: Counters::default(),
    };
    let mut found = Recount {
        players: seats.seats.iter().map(player).collect(),
        different: 0,
        stopped: None,
    };
    for record in records {
        for number in record.players {
            let engine = &mut engines[usize::from(number)];
            if engine.is_none() {
                *engine = Some(recounter(seats, number)?);
            }
        }
        for &index in games.iter().filter(|&&index| record.games[index].is_played()) {
            if let Some(signal) = process.signal() {
                found.stopped = Some(signal);
                return Ok(found);
            }
            let mut counted = Vec::new();
            for id in [PlayerId::A, PlayerId::B] {
                let engine = engines[usize::from(record.players[id.index()])].as_mut();
                counted.extend(engine.and_then(|engine| engine.count(record, &record.games[index], id)));
            }
            let [a, b] = counted[..] else {
                found.different += 1;
                continue;
            };
            for (number, counters) in record.players.into_iter().zip([a, b]) {
                let player = &mut found.players[usize::from(number)];
                player.games += 1;
                player.counters.add_all(&counters);
            }
        }
    }
    Ok(found)
}

fn recounter<P: Searchable>(seats: &StoredSeats, number: u16) -> Result<Recounter<'_, P>> {
    let seat = seats.seat(number).filter(|_| seats.is_repeatable(number));
    let made = seat.and_then(|seat| {
        Some(Recounter::new(
            &seats.conditions,
            seat.limit,
            seat.player.config()?,
        ))
    });
    made.ok_or_else(|| {
        ExperimentError::Input(format!(
            "{}: searches by time or of an external engine are not reproducible; nothing is counted",
            seats.describe(number)
        ))
    })
}

impl Recount<'_> {
    /// Tries and successes a game of every technique that was tried, the players side by side.
    fn text(&self) -> String {
        let players: Vec<&RecountedPlayer<'_>> =
            self.players.iter().filter(|player| player.games > 0).collect();
        if players.is_empty() {
            return "every game goes another way now: nothing was counted\n".to_owned();
        }
        let games: u64 = players.iter().map(|player| player.games).sum::<u64>() / 2;
        let mut text = format!("{games} games searched again; tries and successes of a player a game\n");
        if self.different > 0 {
            text += &format!(
                "{} games go another way now and are not counted\n",
                self.different
            );
        }
        let mut rows = vec![vec!["technique".to_owned()]];
        for player in &players {
            rows[0].extend([player.label.to_owned(), "successes".to_owned()]);
        }
        let is_tried = |technique: &&Technique| {
            players
                .iter()
                .any(|player| player.counters.tries(**technique) > 0)
        };
        for &technique in Technique::ALL.iter().filter(is_tried) {
            let mut row = vec![technique.name().to_owned()];
            for player in &players {
                let counts = [
                    player.counters.tries(technique),
                    player.counters.successes(technique),
                ];
                row.extend(counts.map(|count| format!("{:.1}", count as f64 / player.games as f64)));
            }
            rows.push(row);
        }
        format!("{text}\n{}", table(&rows, Align::Keyed(1)))
    }

    fn values(&self) -> Value {
        let names = Counters::names();
        let rows = self.players.iter().flat_map(|player| {
            let rows = names.iter().zip(player.counters.rows());
            rows.map(move |(name, (tries, successes))| {
                json!({
                    "player": player.label,
                    "games": player.games,
                    "technique": name,
                    "tries": tries,
                    "successes": successes,
                })
            })
        });
        rows.collect()
    }
}
