//! Stored pairs, one after the other, each put together from the rows of all tables and checked.
//!
//! In: a connection. Out: pairs that fit their checksums, and what is wrong with those that do not, in schedule order.
//! Must not: stop at a damaged pair; only rows out of order and a file that SQLite cannot read end a scan.

use std::sync::Arc;

use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, Rows, Statement};

use super::checksum::{Checksum, Salt, values};
use super::damage::{Damage, Item, ItemDamage};
use super::lookup::Lookups;
use super::{rows, schema};
use crate::record::{GameOutcome, Origin, PairFault, PairOutcome};

/// How much of each pair is read and checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// What it came to.
    Outcomes,
    /// The moves and what the players thought as well.
    Everything,
}

/// What is scanned, and how it is checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) part: Part,
    /// First and last number of a pair.
    pub(super) pairs: [i64; 2],
    pub(super) salt: Salt,
    /// Has the ledger the table of this number in [`schema::LATER_TABLES`]?
    pub(super) has_later: [bool; schema::LATER_TABLES.len()],
    pub(super) players: usize,
}

/// A pair that is as it was stored, as far as it was read.
pub(super) struct StoredPair<'s> {
    pub(super) outcome: PairOutcome,
    pub(super) opening: &'s str,
    /// Who played it, if another machine did.
    pub(super) origin: Option<&'s Origin>,
    /// Empty if [`Part::Outcomes`] was asked for.
    pub(super) blobs: &'s [rows::Blobs; 2],
}

/// Why a scan ended before its end.
pub(super) enum ScanError {
    Sqlite(rusqlite::Error),
    /// A table's rows are not in the order of their keys.
    Order(&'static str),
}

impl From<rusqlite::Error> for ScanError {
    fn from(error: rusqlite::Error) -> Self {
        ScanError::Sqlite(error)
    }
}

/// A table, read row by row in the order of its key.
struct Cursor<'s> {
    table: &'static str,
    rows: Rows<'s>,
    /// Rows of a pair are those whose key is its number, or one of its two games'.
    is_of_games: bool,
    last: Option<i64>,
}

impl<'s> Cursor<'s> {
    fn begin(
        table: &'static str,
        is_of_games: bool,
        statement: &'s mut Statement<'_>,
        [first, last]: [i64; 2],
    ) -> Result<Cursor<'s>, ScanError> {
        let keys = if is_of_games {
            [2 * first, 2 * last + 1]
        } else {
            [first, last]
        };
        let mut cursor = Cursor {
            table,
            rows: statement.query(keys)?,
            is_of_games,
            last: None,
        };
        cursor.advance()?;
        Ok(cursor)
    }

    fn advance(&mut self) -> Result<(), ScanError> {
        self.rows.advance()?;
        let Some(row) = self.rows.get() else {
            return Ok(());
        };
        let key: i64 = row.get(0)?;
        // Several faults may have been excused in one pair.
        let least = self
            .last
            .map(|last| last.saturating_add(i64::from(self.table != schema::EXCUSED)));
        if least.is_some_and(|least| key < least) {
            return Err(ScanError::Order(self.table));
        }
        self.last = Some(key);
        Ok(())
    }

    /// The pair of the row that is next.
    fn pair(&self) -> Option<i64> {
        self.rows.get()?;
        self.last
            .map(|key| if self.is_of_games { key.div_euclid(2) } else { key })
    }

    /// Hands the rows of `pair` to `visit`.
    fn each(&mut self, pair: i64, mut visit: impl FnMut(&Row<'_>)) -> Result<(), ScanError> {
        while self.pair() == Some(pair) {
            if let Some(row) = self.rows.get() {
                visit(row);
            }
            self.advance()?;
        }
        Ok(())
    }
}

/// Hands every stored pair of `extent` to `visit`.
pub(super) fn scan<E: From<ScanError>>(
    connection: &Connection,
    extent: Extent,
    mut visit: impl FnMut(Result<StoredPair<'_>, ItemDamage>) -> Result<(), E>,
) -> Result<(), E> {
    // One state of the file for all tables, also while a run goes on.
    let _snapshot = connection.unchecked_transaction().map_err(ScanError::from)?;
    let tables = tables(extent);
    let statements: Result<Vec<Statement<'_>>, _> = tables
        .iter()
        .map(|(table, key)| connection.prepare(&schema::select_rows(table, key)))
        .collect();
    let mut statements = statements.map_err(ScanError::from)?;
    let cursors: Result<Vec<Cursor<'_>>, ScanError> = tables
        .iter()
        .zip(&mut statements)
        .map(|((table, key), statement)| Cursor::begin(table, *key == "game", statement, extent.pairs))
        .collect();
    let mut cursors = cursors?;
    let mut lookups = Lookups::new(connection);
    let mut assembly = Assembly::default();
    while let Some(pair) = cursors.iter().filter_map(Cursor::pair).min() {
        let wrong = assembly.read(pair, extent, &mut cursors, &mut lookups)?;
        let stored = wrong.map_or_else(|| assembly.pair(pair, &lookups), Err);
        let item = Item::Pair(pair);
        visit(stored.map_err(|what| ItemDamage { item, what }))?;
    }
    Ok(())
}

/// Tables and their keys, in the order in which their rows enter a checksum.
fn tables(extent: Extent) -> Vec<(&'static str, &'static str)> {
    let mut tables = vec![(schema::PAIR, "pair")];
    let [has_excused, has_variations, has_remarks, _, has_origins] = extent.has_later;
    if has_excused {
        tables.push((schema::EXCUSED, "pair"));
    }
    tables.push((schema::GAME, "game"));
    if has_origins {
        tables.push((schema::ORIGIN, "pair"));
    }
    if extent.part == Part::Everything {
        tables.push((schema::MOVES, "game"));
        if has_variations {
            tables.push((schema::VARIATIONS, "game"));
        }
        if has_remarks {
            tables.push((schema::REMARKS, "game"));
        }
    }
    tables.push((schema::CHECKSUM, "pair"));
    tables
}

/// The rows of one pair; its room is used again for the next.
#[derive(Default)]
struct Assembly {
    checksum: Checksum,
    pair: Option<rows::PairRow>,
    excused: Vec<PairFault>,
    games: Vec<GameOutcome>,
    /// The number of a machine, and its word.
    origin: Option<(i64, Origin)>,
    blobs: [rows::Blobs; 2],
    /// A value that nothing of a pair can have.
    is_senseless: bool,
    sums: [Option<i64>; 2],
}

impl Assembly {
    /// Takes the rows of `pair` out of the cursors. What is wrong with them, if anything is.
    fn read(
        &mut self,
        pair: i64,
        extent: Extent,
        cursors: &mut [Cursor<'_>],
        lookups: &mut Lookups<'_>,
    ) -> Result<Option<Damage>, ScanError> {
        let salt = extent.salt;
        let mut found = Found::default();
        self.forget();
        self.checksum.begin(salt);
        for cursor in cursors {
            let table = cursor.table;
            if table == schema::CHECKSUM {
                cursor.each(pair, |row| found.sums = Some([row.get(1).ok(), row.get(2).ok()]))?;
                continue;
            }
            if table == schema::MOVES {
                self.sums[0] = Some(self.checksum.value());
                self.checksum.begin(salt);
            }
            cursor.each(pair, |row| {
                self.checksum.row(table, values(row));
                self.take(table, row, &mut found);
            })?;
            match table {
                schema::PAIR => self.look_up_opening(lookups, &mut found)?,
                schema::ORIGIN => self.look_up_host(lookups, &mut found)?,
                _ => {}
            }
        }
        let last = usize::from(self.sums[0].is_some());
        self.sums[last] = Some(self.checksum.value());
        let is_foreign = |of_pair: &rows::PairRow| {
            let players = of_pair.players.map(usize::from);
            players.iter().any(|&player| player >= extent.players)
        };
        self.is_senseless |= pair < 0 || self.pair.as_ref().is_some_and(is_foreign);
        Ok(found.judge(self.sums, extent, self.is_senseless))
    }

    fn look_up_opening(&mut self, lookups: &mut Lookups<'_>, found: &mut Found) -> Result<(), ScanError> {
        let Some(of_pair) = &self.pair else {
            return Ok(());
        };
        let line = i64::from(of_pair.opening_line);
        let text = lookups.openings.find(line, |row| row.get(0))?;
        found.has_opening = text.is_some();
        let text = ValueRef::from(text.map_or("", String::as_str));
        self.checksum
            .row(schema::OPENING, [ValueRef::Integer(line), text]);
        Ok(())
    }

    fn look_up_host(&mut self, lookups: &mut Lookups<'_>, found: &mut Found) -> Result<(), ScanError> {
        let Some((number, origin)) = &mut self.origin else {
            return Ok(());
        };
        let Some(host) = lookups.hosts.find(*number, rows::read_host)? else {
            found.lacks_host = true;
            return Ok(());
        };
        origin.host = Arc::clone(host);
        let texts = [&host.name, &host.key, &host.cpu, &host.version];
        let texts = texts.map(|text| ValueRef::from(text.as_str()));
        let values = [ValueRef::Integer(*number)].into_iter().chain(texts);
        self.checksum.row(schema::HOST, values);
        Ok(())
    }

    fn forget(&mut self) {
        self.pair = None;
        self.excused.clear();
        self.games.clear();
        self.origin = None;
        self.blobs.iter_mut().for_each(rows::Blobs::clear);
        self.is_senseless = false;
        self.sums = [None; 2];
    }

    fn take(&mut self, table: &str, row: &Row<'_>, found: &mut Found) {
        let is_sensible = match table {
            schema::PAIR => {
                found.pairs += 1;
                self.pair = rows::read_pair(row);
                self.pair.is_some()
            }
            schema::EXCUSED => {
                let fault = rows::read_excused(row);
                self.excused.extend(fault);
                fault.is_some()
            }
            schema::GAME => {
                found.games += 1;
                let game = rows::read_game(row);
                self.games.extend(game);
                game.is_some()
            }
            schema::ORIGIN => {
                self.origin = rows::read_origin(row);
                self.origin.is_some()
            }
            schema::MOVES => {
                found.moves += 1;
                rows::read_moves(row, &mut self.blobs)
            }
            schema::VARIATIONS => rows::read_variations(row, &mut self.blobs),
            _ => rows::read_remarks(row, &mut self.blobs),
        };
        self.is_senseless |= !is_sensible;
    }

    fn pair<'s>(&'s self, pair: i64, lookups: &'s Lookups<'_>) -> Result<StoredPair<'s>, Damage> {
        let (Some(of_pair), &[first, second]) = (&self.pair, &self.games[..]) else {
            return Err(Damage::NotTwoGames);
        };
        let opening = lookups.openings.known.get(&of_pair.opening_line.into());
        Ok(StoredPair {
            outcome: PairOutcome {
                pair: pair as u64,
                players: of_pair.players,
                opening_line: of_pair.opening_line,
                fingerprint: of_pair.fingerprint,
                is_mirrored: of_pair.is_mirrored,
                games: [first, second],
                excused: self.excused.clone(),
            },
            opening: opening.and_then(Option::as_deref).ok_or(Damage::NoOpening)?,
            origin: self.origin.as_ref().map(|(_, origin)| origin),
            blobs: &self.blobs,
        })
    }
}

/// Which rows there were.
#[derive(Default)]
struct Found {
    pairs: usize,
    has_opening: bool,
    lacks_host: bool,
    games: usize,
    moves: usize,
    /// As stored, of what it came to and of its moves.
    sums: Option<[Option<i64>; 2]>,
}

impl Found {
    fn judge(&self, sums: [Option<i64>; 2], extent: Extent, is_senseless: bool) -> Option<Damage> {
        let is_whole = extent.part == Part::Everything;
        if self.pairs != 1 || self.games != 2 {
            return Some(Damage::NotTwoGames);
        }
        if is_whole && self.moves != 2 {
            return Some(Damage::NoMoves);
        }
        if !self.has_opening {
            return Some(Damage::NoOpening);
        }
        if self.lacks_host {
            return Some(Damage::NoHost);
        }
        let Some(stored) = self.sums else {
            return Some(Damage::NoChecksum);
        };
        if stored[0] != sums[0] {
            return Some(Damage::OtherResult);
        }
        if is_whole && stored[1] != sums[1] {
            return Some(Damage::OtherMoves);
        }
        is_senseless.then_some(Damage::Senseless)
    }
}
