//! Units, stored and read one by one: nothing is kept in memory but what the caller keeps, and nothing of a damaged unit is handed
//! out.

use std::collections::HashSet;

use rusqlite::{OptionalExtension, Row, params};
use std::sync::atomic::Ordering;

use super::checksum::UnitTally;
use super::codec::{FORMAT, encode, of_bytes, to_bytes};
use super::examine::{Item, ItemDamage};
use super::origins::{bytes_of, origin_of};
use super::{Ledger, LedgerError, upgrade};
use crate::record::{Finished, Origin, PairOutcome, PairRecord, Search};

/// The numbers of all units.
pub(super) const ALL: [i64; 2] = [0, i64::MAX];

pub(super) const OTHER_SUMMARY: &str = "its result, times, opening or machine do not fit its checksum";
const OTHER_PACKET: &str = "its moves or what was searched do not fit their checksum";
const NO_PACKET: &str = "its moves or what was searched are missing";
/// Units that are read into memory at a time.
const BATCH_UNITS: usize = 1000;
const SENSELESS: &str = "it has values that cannot be";
const CONTRADICTION: &str = "its result does not follow from what was played";

/// A unit that is as it was stored.
pub(super) struct StoredUnit<'r> {
    number: i64,
    summary: &'r [u8],
    /// Who played it, if another machine did.
    origin: Option<&'r [u8]>,
    /// Empty if summaries alone are read.
    packet: &'r [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Summaries,
    Everything,
}

/// Hears the number of a unit and the unit, or what is wrong with it.
pub(super) type VisitUnit<'v, E> = dyn FnMut(i64, Result<StoredUnit<'_>, ItemDamage>) -> Result<(), E> + 'v;

impl Ledger {
    /// Stores what was finished, and who played what another machine played, in one transaction: all of it or nothing.
    pub fn insert(&mut self, units: &[(Finished, Option<Origin>)]) -> Result<(), LedgerError> {
        self.check_place()?;
        let salt = self.salt;
        self.looks.store(0, Ordering::Relaxed);
        let stored = self.connection.transaction().and_then(|transaction| {
            let mut tally = UnitTally::read(&transaction, salt)?;
            for (finished, origin) in units {
                let number = finished.number() as i64;
                let (summary, packet) = (summary(finished), encode(finished));
                let origin = origin.as_ref().map(bytes_of);
                let sum = salt.sum_of_unit(number, &summary, origin.as_deref());
                transaction
                    .prepare_cached("INSERT INTO unit VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![number, summary, origin, sum])?;
                transaction
                    .prepare_cached("INSERT INTO packet VALUES (?1, ?2, ?3)")?
                    .execute(params![number, packet, salt.sum(number, &packet)])?;
                tally.add(sum);
            }
            tally.write(&transaction, salt)?;
            transaction.commit()
        });
        stored.map_err(|source| self.sqlite(source))
    }

    /// Stores the units of a ledger of the same run that are not stored here, as they are there.
    ///
    /// # Errors
    ///
    /// As of [`missing`](Ledger::missing); then none is stored.
    pub fn take_from(&mut self, other: &Ledger) -> Result<(), LedgerError> {
        self.check_place()?;
        for numbers in self.missing(other)?.chunks(BATCH_UNITS) {
            let mut units = Vec::new();
            for &number in numbers {
                units.extend(other.unit(number as u64)?);
            }
            self.insert(&units)?;
        }
        if other.is_extended()? {
            self.mark_extended()?;
        }
        Ok(())
    }

    /// The numbers of the units of a ledger of the same run that are not stored here.
    ///
    /// # Errors
    ///
    /// If one that is stored here is another one there.
    pub fn missing(&self, other: &Ledger) -> Result<Vec<i64>, LedgerError> {
        let (salt, known) = (self.salt, self.finished()?);
        let mut conflict = None;
        let mut new = Vec::new();
        other.scan::<LedgerError>(Part::Summaries, ALL, &mut |number, unit| {
            let unit = unit.map_err(|damage| other.damaged(&damage))?;
            if !known.contains(&(number as u64)) {
                new.push(number);
            } else if self.sum(number)? != Some(salt.sum_of_unit(number, unit.summary, unit.origin)) {
                conflict.get_or_insert(number);
            }
            Ok(())
        })?;
        if let Some(number) = conflict {
            let [path, other] = [&self.path, &other.path].map(|path| path.with_file_name(""));
            return Err(LedgerError::Overlap {
                path,
                other,
                pair: number + 1,
            });
        }
        Ok(new)
    }

    fn sum(&self, number: i64) -> Result<Option<i64>, LedgerError> {
        let select = "SELECT sum FROM unit WHERE number = ?1";
        let found = self.connection().query_row(select, [number], |row| row.get(0));
        found.optional().map_err(|source| self.sqlite(source))
    }

    /// Hands what every stored pair came to to `visit`, in schedule order; moves are not read.
    pub fn for_each_outcome(&self, mut visit: impl FnMut(PairOutcome)) -> Result<(), LedgerError> {
        self.scan(Part::Summaries, ALL, &mut |_, unit| {
            let unit = unit.map_err(|damage| self.damaged(&damage))?;
            visit(self.outcome(&unit).map_err(|damage| self.damaged(&damage))?);
            Ok(())
        })
    }

    /// Hands what the first `counted` pairs of the share came to to `visit`, in schedule order.
    pub fn for_each_counted(
        &self,
        counted: u64,
        mut visit: impl FnMut(PairOutcome),
    ) -> Result<(), LedgerError> {
        let below = self.shard.below(counted);
        self.for_each_outcome(|outcome| {
            if outcome.pair < below {
                visit(outcome);
            }
        })
    }

    /// Hands the first `counted` pairs of the share to `visit`, in schedule order.
    pub fn for_each_pair<E: From<LedgerError>>(
        &self,
        counted: u64,
        mut visit: impl FnMut(PairRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let last = i64::try_from(self.shard.below(counted)).unwrap_or(i64::MAX) - 1;
        self.for_each_finished([0, last], |finished, _| match finished {
            Finished::Pair(record) => visit(record),
            Finished::Search(_) | Finished::Stopped(_) => Ok(()),
        })
    }

    /// The pair of this number, from 0, if it is stored.
    pub fn pair(&self, number: u64) -> Result<Option<PairRecord>, LedgerError> {
        Ok(self.unit(number)?.and_then(|(finished, _)| match finished {
            Finished::Pair(record) => Some(record),
            Finished::Search(_) | Finished::Stopped(_) => None,
        }))
    }

    /// The first pair that is stored from this number on.
    pub fn pair_from(&self, number: u64) -> Result<Option<PairRecord>, LedgerError> {
        let first = "SELECT MIN(number) FROM unit WHERE number >= ?1";
        let from = i64::try_from(number).unwrap_or(i64::MAX);
        let first = self
            .connection()
            .query_row(first, [from], |row| row.get::<_, Option<i64>>(0));
        match first.map_err(|source| self.sqlite(source))? {
            Some(number) => self.pair(number as u64),
            None => Ok(None),
        }
    }

    /// What is stored under this number, from 0, and who played it, if another machine did.
    pub fn unit(&self, number: u64) -> Result<Option<(Finished, Option<Origin>)>, LedgerError> {
        let mut found = None;
        if let Ok(number) = i64::try_from(number) {
            self.for_each_finished([number; 2], |finished, origin| {
                found = Some((finished, origin));
                Ok::<(), LedgerError>(())
            })?;
        }
        Ok(found)
    }

    /// All searches, by configuration and position.
    pub fn searches(&self) -> Result<Vec<Search>, LedgerError> {
        let mut searches = Vec::new();
        self.for_each_finished(ALL, |finished, _| {
            if let Finished::Search(search) = finished {
                searches.push(search.among(self.positions));
            }
            Ok::<(), LedgerError>(())
        })?;
        Ok(searches)
    }

    /// The numbers of all units that are stored.
    pub fn finished(&self) -> Result<HashSet<u64>, LedgerError> {
        let mut numbers = HashSet::new();
        self.for_each_number("ASC", |number| numbers.extend([number as u64]))?;
        Ok(numbers)
    }

    pub(super) fn for_each_number(&self, order: &str, mut visit: impl FnMut(i64)) -> Result<(), LedgerError> {
        let sqlite = |source| self.sqlite(source);
        let select = format!("SELECT number FROM unit ORDER BY number {order}");
        let mut statement = self.connection().prepare(&select).map_err(sqlite)?;
        let mut rows = statement.query([]).map_err(sqlite)?;
        let mut before = None;
        while let Some(row) = rows.next().map_err(sqlite)? {
            let number = row.get(0).map_err(sqlite)?;
            let (low, high) = match order {
                "ASC" => (before.unwrap_or(-1), number),
                _ => (number, before.unwrap_or(i64::MAX)),
            };
            self.go_on(low, high)?;
            before = Some(number);
            visit(number);
        }
        Ok(())
    }

    fn for_each_finished<E: From<LedgerError>>(
        &self,
        numbers: [i64; 2],
        mut visit: impl FnMut(Finished, Option<Origin>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.scan(Part::Everything, numbers, &mut |_, unit| {
            let unit = unit.map_err(|damage| self.damaged(&damage))?;
            let finished = self.record(&unit).map_err(|damage| self.damaged(&damage))?;
            let origin = self.origin(&unit).map_err(|damage| self.damaged(&damage))?;
            visit(finished, origin)
        })
    }

    /// Reads the units of these numbers, from first to last, and proves each.
    pub(super) fn scan<E: From<LedgerError>>(
        &self,
        part: Part,
        numbers: [i64; 2],
        visit: &mut VisitUnit<'_, E>,
    ) -> Result<(), E> {
        let sqlite = |source| E::from(self.sqlite(source));
        // One state of the file for all tables, also while a run is going on.
        let _snapshot = self.connection().unchecked_transaction().map_err(sqlite)?;
        let join = match part {
            Part::Summaries => "",
            Part::Everything => "LEFT JOIN packet USING (number)",
        };
        let select = format!("SELECT * FROM unit {join} WHERE number BETWEEN ?1 AND ?2 ORDER BY number");
        let mut statement = self.connection().prepare_cached(&select).map_err(sqlite)?;
        let mut rows = statement.query(numbers).map_err(sqlite)?;
        let mut before = -1;
        while let Some(row) = rows.next().map_err(sqlite)? {
            let number = row.get(0).map_err(sqlite)?;
            self.go_on(before, number)?;
            before = number;
            let unit = self.prove(number, row, part);
            visit(number, unit.map_err(|what| self.damage_of(number, what)))?;
        }
        Ok(())
    }

    fn prove<'r>(&self, number: i64, row: &'r Row<'_>, part: Part) -> Result<StoredUnit<'r>, &'static str> {
        let blob = |column| {
            row.get_ref(column)
                .ok()
                .and_then(|value| value.as_blob_or_null().ok())
        };
        let is_sum = |column, sum| row.get(column).ok() == Some(sum);
        let summary = blob(1).flatten().ok_or(OTHER_SUMMARY)?;
        let origin = blob(2).ok_or(OTHER_SUMMARY)?;
        if !is_sum(3, self.salt.sum_of_unit(number, summary, origin)) {
            return Err(OTHER_SUMMARY);
        }
        let packet = match part {
            Part::Summaries => &[],
            Part::Everything => blob(4).flatten().ok_or(NO_PACKET)?,
        };
        if part == Part::Everything && !is_sum(5, self.salt.sum(number, packet)) {
            return Err(OTHER_PACKET);
        }
        Ok(StoredUnit {
            number,
            summary,
            origin,
            packet,
        })
    }

    pub(super) fn origin(&self, unit: &StoredUnit<'_>) -> Result<Option<Origin>, ItemDamage> {
        let origin = unit.origin.map(|bytes| origin_of(bytes).ok_or(SENSELESS));
        origin
            .transpose()
            .map_err(|what| self.damage_of(unit.number, what))
    }

    fn outcome(&self, unit: &StoredUnit<'_>) -> Result<PairOutcome, ItemDamage> {
        of_bytes(unit.summary)
            .filter(|outcome: &PairOutcome| {
                outcome.pair as i64 == unit.number && self.has_players(outcome.players)
            })
            .ok_or_else(|| self.damage_of(unit.number, SENSELESS))
    }

    /// What was finished, if it makes sense and fits its summary.
    pub(super) fn record(&self, unit: &StoredUnit<'_>) -> Result<Finished, ItemDamage> {
        let is_known = |finished: &Finished| match finished {
            Finished::Pair(record) => self.has_players(record.players),
            Finished::Search(search) => search.number < (self.players * self.positions) as u64,
            Finished::Stopped(_) => false,
        };
        let found = upgrade::read(self.format, unit.packet)
            .filter(|finished: &Finished| finished.number() as i64 == unit.number && is_known(finished))
            .ok_or_else(|| self.damage_of(unit.number, SENSELESS))?;
        // That of an older format is made anew.
        if self.format == FORMAT && summary(&found) != unit.summary {
            return Err(self.damage_of(unit.number, CONTRADICTION));
        }
        Ok(found)
    }

    fn has_players(&self, players: [u16; 2]) -> bool {
        players
            .into_iter()
            .all(|player| usize::from(player) < self.players)
    }

    pub(super) fn damage_of(&self, number: i64, what: impl Into<String>) -> ItemDamage {
        let item = match self.positions as i64 {
            0 => Item::Pair(number),
            positions => Item::Search([number / positions, number % positions]),
        };
        let what = what.into();
        ItemDamage { item, what }
    }
}

/// All that counts need of it.
fn summary(finished: &Finished) -> Vec<u8> {
    match finished {
        Finished::Pair(record) => to_bytes(&PairOutcome::from(record)),
        Finished::Search(_) | Finished::Stopped(_) => Vec::new(),
    }
}
