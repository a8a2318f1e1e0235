//! What a ledger holds, read row by row: nothing is kept in memory but what the caller keeps.
//!
//! In: a ledger. Out: outcomes, records and moves, in schedule order, each checked as it is read. Must not: write, or hand
//! out anything of a damaged pair.

use std::collections::HashSet;

use rusqlite::{Params, Row};

use super::damage::{Damage, Item, ItemDamage};
use super::remarks::GameRemarks;
use super::scan::{Extent, Part, ScanError, StoredPair, scan};
use super::{Ledger, LedgerError, rows, schema};
use crate::record::{Origin, PairFault, PairOutcome, PairRecord};

/// Greatest number of a pair whose games have numbers.
pub(super) const PAIR_MAX: i64 = i64::MAX / 2 - 1;

/// The moves of one game.
#[derive(Debug, Clone, Copy)]
pub struct GameMoves<'a> {
    /// Place of its pair in the schedule, from 0.
    pub pair: u64,
    /// The opening position, in the game's notation.
    pub opening: &'a str,
    /// The moves' bits, two bytes each, lowest first.
    pub moves: &'a [u8],
}

impl Ledger {
    /// Hands what every stored pair came to to `visit`, in schedule order; moves are not read.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn for_each_outcome(&self, mut visit: impl FnMut(PairOutcome)) -> Result<(), LedgerError> {
        self.each_stored(Part::Outcomes, [0, PAIR_MAX], |stored| {
            visit(stored.outcome);
            Ok(())
        })
    }

    /// Hands every stored pair to `visit`, in schedule order.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn for_each_pair(&self, visit: impl FnMut(PairRecord)) -> Result<(), LedgerError> {
        self.pairs_between([0, PAIR_MAX], visit)
    }

    /// The pair of this number, from 0, if it is stored.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn pair(&self, number: u64) -> Result<Option<PairRecord>, LedgerError> {
        let number = i64::try_from(number).ok();
        let Some(number) = number.filter(|&number| number <= PAIR_MAX) else {
            return Ok(None);
        };
        let mut found = None;
        self.pairs_between([number, number], |record| found = Some(record))?;
        Ok(found)
    }

    /// The pair of this number, and who played it, if another machine did.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn played_elsewhere(&self, number: u64) -> Result<Option<(PairRecord, Origin)>, LedgerError> {
        let Ok(number) = i64::try_from(number) else {
            return Ok(None);
        };
        let mut found = None;
        self.each_stored(Part::Everything, [number, number], |stored| {
            let record = record(&stored).map_err(|damage| self.damaged_pair(&damage))?;
            found = stored.origin.map(|origin| (record, origin.clone()));
            Ok::<(), LedgerError>(())
        })?;
        Ok(found)
    }

    /// Hands the moves of every game of the first `pairs` pairs to `visit`, in schedule order.
    ///
    /// # Errors
    /// Unreadable or damaged rows, or what `visit` returns.
    pub fn for_each_moves<E: From<LedgerError>>(
        &self,
        pairs: u64,
        mut visit: impl FnMut(GameMoves<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(last) = pairs.checked_sub(1) else {
            return Ok(());
        };
        let last = i64::try_from(last).map_or(PAIR_MAX, |last| last.min(PAIR_MAX));
        self.each_stored(Part::Everything, [0, last], |stored| {
            stored.blobs.iter().try_for_each(|blobs| {
                visit(GameMoves {
                    pair: stored.outcome.pair,
                    opening: stored.opening,
                    moves: &blobs.moves,
                })
            })
        })
    }

    /// The pairs that are stored, by number.
    ///
    /// # Errors
    /// Unreadable.
    pub fn finished(&self) -> Result<HashSet<u64>, LedgerError> {
        let mut numbers = HashSet::new();
        self.each_row(schema::SELECT_PAIRS, [], |row| {
            let number: i64 = row.get(0).map_err(|source| self.sqlite(source))?;
            numbers.insert(number as u64);
            Ok::<(), LedgerError>(())
        })?;
        Ok(numbers)
    }

    /// The faults after each of which a pair was played again, in schedule order.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn excused(&self) -> Result<Vec<PairFault>, LedgerError> {
        let mut faults = Vec::new();
        if self.has_table(schema::EXCUSED)? && self.has_rows(schema::EXCUSED)? {
            self.each_stored(Part::Outcomes, [0, PAIR_MAX], |stored| {
                faults.extend(stored.outcome.excused);
                Ok::<(), LedgerError>(())
            })?;
        }
        Ok(faults)
    }

    /// Hands what was remarked in every game of the first `pairs` pairs that a program played in to `visit`, in schedule order.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn for_each_remarks(
        &self,
        pairs: u64,
        mut visit: impl FnMut(GameRemarks),
    ) -> Result<(), LedgerError> {
        if !self.has_table(schema::REMARKS)? || !self.has_rows(schema::REMARKS)? {
            return Ok(());
        }
        let Some(last) = pairs.checked_sub(1) else {
            return Ok(());
        };
        let last = i64::try_from(last).map_or(PAIR_MAX, |last| last.min(PAIR_MAX));
        self.each_stored(Part::Everything, [0, last], |stored| {
            let pair = record(&stored).map_err(|damage| self.damaged_pair(&damage))?;
            for game in pair.games.iter().filter(|game| game.remarks != [None; 2]) {
                visit(GameRemarks {
                    players: pair.players,
                    winner: game.winner,
                    reason: game.reason,
                    remarks: game.remarks,
                });
            }
            Ok(())
        })
    }

    fn pairs_between(&self, pairs: [i64; 2], mut visit: impl FnMut(PairRecord)) -> Result<(), LedgerError> {
        self.each_stored(Part::Everything, pairs, |stored| {
            visit(record(&stored).map_err(|damage| self.damaged_pair(&damage))?);
            Ok(())
        })
    }

    /// The first damaged pair ends it.
    fn each_stored<E: From<LedgerError>>(
        &self,
        part: Part,
        pairs: [i64; 2],
        mut visit: impl FnMut(StoredPair<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let extent = self.extent(part, pairs)?;
        let scanned = scan(&self.connection, extent, |stored| {
            let stored = stored.map_err(|damage| Ended::Reader(self.damaged_pair(&damage).into()))?;
            visit(stored).map_err(Ended::Reader)
        });
        scanned.map_err(|ended| match ended {
            Ended::Reader(error) => error,
            Ended::Scan(error) => self.scan_error(error).into(),
        })
    }

    pub(super) fn extent(&self, part: Part, pairs: [i64; 2]) -> Result<Extent, LedgerError> {
        let mut has_later = [false; schema::LATER_TABLES.len()];
        for (has, (name, _)) in has_later.iter_mut().zip(schema::LATER_TABLES) {
            *has = self.has_table(name)?;
        }
        Ok(Extent {
            part,
            pairs,
            salt: self.salt,
            has_later,
            players: self.players,
        })
    }

    pub(super) fn scan_error(&self, error: ScanError) -> LedgerError {
        match error {
            ScanError::Sqlite(source) => self.sqlite(source),
            ScanError::Order(table) => {
                self.damaged(&format_args!("the rows of '{table}' are not in their order"))
            }
        }
    }

    fn damaged_pair(&self, damage: &ItemDamage) -> LedgerError {
        self.damaged(damage)
    }

    /// Ledgers of earlier versions lack the tables that came later.
    pub(super) fn has_table(&self, name: &str) -> Result<bool, LedgerError> {
        let found = self
            .connection
            .query_row(schema::HAS_TABLE, [name], |row| row.get(0));
        found.map_err(|source| self.sqlite(source))
    }

    fn has_rows(&self, table: &str) -> Result<bool, LedgerError> {
        let statement = format!("SELECT EXISTS (SELECT 1 FROM {table})");
        let found = self.connection.query_row(&statement, [], |row| row.get(0));
        found.map_err(|source| self.sqlite(source))
    }

    pub(super) fn each_row<E: From<LedgerError>>(
        &self,
        statement: &str,
        parameters: impl Params,
        mut visit: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let to_error = |source| self.sqlite(source);
        let mut statement = self.connection.prepare(statement).map_err(to_error)?;
        let mut rows = statement.query(parameters).map_err(to_error)?;
        while let Some(row) = rows.next().map_err(to_error)? {
            visit(row)?;
        }
        Ok(())
    }
}

/// What ended a scan: what reads it, or the file.
enum Ended<E> {
    Reader(E),
    Scan(ScanError),
}

impl<E> From<ScanError> for Ended<E> {
    fn from(error: ScanError) -> Self {
        Ended::Scan(error)
    }
}

/// All that is stored of a pair.
pub(super) fn record(stored: &StoredPair<'_>) -> Result<PairRecord, ItemDamage> {
    let record = rows::decode(&stored.outcome, stored.opening, stored.blobs);
    record.ok_or(ItemDamage {
        item: Item::Pair(stored.outcome.pair as i64),
        what: Damage::Senseless,
    })
}
