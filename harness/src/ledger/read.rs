//! What a ledger holds, read row by row: nothing is kept in memory but what the caller keeps.
//!
//! In: a ledger. Out: outcomes, records and moves, in schedule order. Must not: write.

use std::collections::HashSet;

use rusqlite::{Params, Row};

use super::remarks::GameRemarks;
use super::{Ledger, LedgerError, rows, schema};
use crate::record::{PairFault, PairOutcome, PairRecord, PlayerId};

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
        let mut first: Option<rows::OutcomeRow> = None;
        let mut excused = self.excused()?.into_iter().peekable();
        self.each_row(schema::SELECT_OUTCOMES, [], |row| {
            let row = self.sensible(rows::read_outcome(row))?;
            let Some(one) = first.take() else {
                first = Some(row);
                return Ok(());
            };
            self.check_pair(&one, &row)?;
            // Both are in schedule order; what belongs to no stored pair is passed over.
            while excused.next_if(|fault| fault.pair < one.pair).is_some() {}
            let of_pair = || excused.next_if(|fault| fault.pair == one.pair);
            visit(PairOutcome {
                excused: std::iter::from_fn(of_pair).collect(),
                pair: one.pair,
                players: one.players,
                opening_line: one.opening_line,
                fingerprint: one.fingerprint,
                is_mirrored: one.is_mirrored,
                games: [one.game, row.game],
            });
            Ok(())
        })?;
        first.map_or(Ok(()), |one| Err(self.half(one.pair)))
    }

    /// Hands every stored pair to `visit`, in schedule order.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn for_each_pair(&self, visit: impl FnMut(PairRecord)) -> Result<(), LedgerError> {
        self.pairs_between(0, i64::MAX, visit)
    }

    /// The pair of this number, from 0, if it is stored.
    ///
    /// # Errors
    /// Unreadable or damaged rows.
    pub fn pair(&self, number: u64) -> Result<Option<PairRecord>, LedgerError> {
        let Some(first) = i64::try_from(number)
            .ok()
            .and_then(|number| number.checked_mul(2))
        else {
            return Ok(None);
        };
        let mut found = None;
        self.pairs_between(first, first.saturating_add(1), |record| found = Some(record))?;
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
        let games_end = i64::try_from(pairs).unwrap_or(i64::MAX).saturating_mul(2);
        self.each_row(schema::SELECT_MOVES, [games_end], |row| {
            let read = || -> rusqlite::Result<_> {
                let game: i64 = row.get(0)?;
                Ok((
                    game as u64 / 2,
                    row.get_ref(1)?.as_str()?,
                    row.get_ref(2)?.as_blob()?,
                ))
            };
            let (pair, opening, moves) = read().map_err(|source| self.sqlite(source))?;
            visit(GameMoves { pair, opening, moves })
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
        if self.has_table(schema::EXCUSED)? {
            self.each_row(schema::SELECT_EXCUSED, [], |row| {
                faults.push(self.sensible(rows::read_excused(row))?);
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
        if !self.has_table(schema::REMARKS)? {
            return Ok(());
        }
        let games_end = i64::try_from(pairs).unwrap_or(i64::MAX).saturating_mul(2);
        self.each_row(schema::SELECT_REMARKS, [games_end], |row| {
            visit(self.sensible(rows::read_remarks(row))?);
            Ok(())
        })
    }

    fn pairs_between(
        &self,
        first: i64,
        last: i64,
        mut visit: impl FnMut(PairRecord),
    ) -> Result<(), LedgerError> {
        let all_excused = self.excused()?;
        let mut waiting = None;
        let games = if self.has_table(schema::REMARKS)? {
            schema::SELECT_GAMES
        } else if self.has_table(schema::VARIATIONS)? {
            schema::SELECT_GAMES_UNREMARKED
        } else {
            schema::SELECT_GAMES_ALONE
        };
        self.each_row(games, [first, last], |row| {
            let (row, opening, game) = self.sensible(rows::read_game(row))?;
            let Some((one, first_game)) = waiting.take() else {
                waiting = Some((row, game));
                return Ok(());
            };
            self.check_pair(&one, &row)?;
            let excused = all_excused.iter().filter(|fault| fault.pair == one.pair);
            visit(PairRecord {
                excused: excused.copied().collect(),
                pair: one.pair,
                players: one.players,
                opening_line: one.opening_line,
                opening,
                games: [first_game, game],
            });
            Ok(())
        })?;
        waiting.map_or(Ok(()), |(one, _)| Err(self.half(one.pair)))
    }

    /// Ledgers of earlier versions lack the tables that came later.
    pub(super) fn has_table(&self, name: &str) -> Result<bool, LedgerError> {
        let found = self
            .connection
            .query_row(schema::HAS_TABLE, [name], |row| row.get(0));
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

    fn sensible<T>(&self, read: rusqlite::Result<Option<T>>) -> Result<T, LedgerError> {
        let value = read.map_err(|source| self.sqlite(source))?;
        value.ok_or_else(|| self.damaged(&"a game has values that no game can have"))
    }

    fn check_pair(&self, one: &rows::OutcomeRow, two: &rows::OutcomeRow) -> Result<(), LedgerError> {
        let is_pair = one.pair == two.pair && one.game.first == PlayerId::A && two.game.first == PlayerId::B;
        if is_pair { Ok(()) } else { Err(self.half(one.pair)) }
    }

    fn half(&self, pair: u64) -> LedgerError {
        self.damaged(&format_args!("pair {} is not two games", pair + 1))
    }
}
