//! What each technique did in games of a run.

use std::path::PathBuf;

use tanren_engine::search::{Counters, Searchable};

use crate::interrupt::{Interrupt, Signal};
use crate::record::{PairRecord, PlayerId};
use crate::session::error::{ExperimentError, Result};
use crate::session::game::with_game;
use crate::session::recounter::Recounter;
use crate::session::stored::{Run, StoredSeats};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecountSpec {
    pub folder: PathBuf,
    pub pairs: Vec<u64>,
    pub games: Vec<usize>,
}

#[derive(Debug, Clone)]
pub struct RecountFindings {
    pub players: Vec<RecountedPlayer>,
    /// Games that go another way than the record says, which count for nobody.
    pub different: u64,
    pub stopped: Option<Signal>,
}

#[derive(Debug, Clone)]
pub struct RecountedPlayer {
    pub label: String,
    pub games: u64,
    pub counters: Counters,
}

pub fn recount(spec: &RecountSpec) -> Result<RecountFindings> {
    let run = Run::open(&spec.folder)?;
    let seats = run.seats()?;
    let mut records = Vec::new();
    for &pair in &spec.pairs {
        records.extend(run.ledger.pair(pair)?);
    }
    if records.is_empty() {
        let folder = spec.folder.display();
        return Err(ExperimentError::Input(format!(
            "'{folder}' holds none of the pairs asked for"
        )));
    }
    with_game!(seats.game(), recount_games(spec, &seats, &records))
}

fn recount_games<P: Searchable>(
    spec: &RecountSpec,
    seats: &StoredSeats,
    records: &[PairRecord],
) -> Result<RecountFindings> {
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let mut engines: Vec<Option<Recounter<'_, P>>> = (0..seats.players()).map(|_| None).collect();
    let mut found = RecountFindings {
        players: (0..seats.players() as u16)
            .map(|number| seats.uncounted(number))
            .collect(),
        different: 0,
        stopped: None,
    };
    for record in records {
        for id in [PlayerId::A, PlayerId::B] {
            let number = record.players[id.index()];
            let engine = engines.get_mut(usize::from(number)).ok_or_else(|| {
                ExperimentError::Input(format!(
                    "'{}' does not name all its players",
                    spec.folder.display()
                ))
            })?;
            if engine.is_none() {
                *engine = Some(seats.recounter(number).ok_or_else(|| {
                    ExperimentError::Input(format!(
                        "{}: where time decides or another program plays, a search made again is another search; \
                         nothing is counted",
                        seats.describe(number)
                    ))
                })?);
            }
        }
        for &index in &spec.games {
            if let Some(signal) = process.signal() {
                found.stopped = Some(signal);
                return Ok(found);
            }
            let mut counted = Vec::new();
            for id in [PlayerId::A, PlayerId::B] {
                let number = usize::from(record.players[id.index()]);
                let engine = engines[number].as_mut();
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

impl StoredSeats {
    fn uncounted(&self, number: u16) -> RecountedPlayer {
        RecountedPlayer {
            label: self.label(number).to_owned(),
            games: 0,
            counters: Counters::default(),
        }
    }

    fn recounter<P: Searchable>(&self, number: u16) -> Option<Recounter<'_, P>> {
        let (seat, place) = self.placed(number).filter(|_| self.is_repeatable(number))?;
        Some(Recounter::new(
            &self.conditions,
            seat.limit,
            place,
            seat.player.config()?,
        ))
    }
}
