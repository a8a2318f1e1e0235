//! Games as rows.
//!
//! In: pairs, or rows of the statements in [`schema`]. Out: rows, or games. Must not: decide what a wrong row means.

use std::sync::Arc;

use rusqlite::{CachedStatement, Connection, Row, ToSql, Transaction, params};

use super::checksum::{Checksum, Salt};
use super::machines::{Origins, introduce};
use super::{moves, remarks, schema, turns, variations};
use crate::record::{
    GameOutcome, GameRecord, Host, Origin, Pace, PairFault, PairOutcome, PairRecord, PlayerId, Reason,
};

/// Stores pairs and who played them in one transaction, each with its checksums.
pub(super) fn insert(
    connection: &mut Connection,
    salt: Salt,
    pairs: &[PairRecord],
    origins: &Origins,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    let hosts = introduce(&transaction, origins)?;
    let mut inserter = Inserter::new(&transaction, salt)?;
    pairs.iter().try_for_each(|record| {
        let origin = origins.get(&record.pair);
        inserter.insert(record, origin.map(|origin| (hosts[&origin.host], origin)))
    })?;
    drop(inserter);
    transaction.commit()
}

/// A statement that fills one row of a table.
struct Filler<'t> {
    table: &'static str,
    statement: CachedStatement<'t>,
}

impl<'t> Filler<'t> {
    fn new(
        transaction: &'t Transaction<'_>,
        table: &'static str,
        statement: &str,
    ) -> rusqlite::Result<Filler<'t>> {
        Ok(Filler {
            table,
            statement: transaction.prepare_cached(statement)?,
        })
    }

    /// Stores a row, all columns in their order, and takes it into `checksum`.
    fn fill(&mut self, checksum: &mut Checksum, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        checksum.stored(self.table, values)?;
        self.statement.execute(values).map(drop)
    }
}

/// The statements that store a pair.
struct Inserter<'t> {
    salt: Salt,
    checksum: Checksum,
    opening: CachedStatement<'t>,
    pair: Filler<'t>,
    excused: Filler<'t>,
    game: Filler<'t>,
    origin: Filler<'t>,
    moves: Filler<'t>,
    variations: Filler<'t>,
    remarks: Filler<'t>,
    checksums: CachedStatement<'t>,
}

impl<'t> Inserter<'t> {
    fn new(transaction: &'t Transaction<'_>, salt: Salt) -> rusqlite::Result<Inserter<'t>> {
        let filler = |table, statement| Filler::new(transaction, table, statement);
        Ok(Inserter {
            salt,
            checksum: Checksum::default(),
            opening: transaction.prepare_cached(schema::INSERT_OPENING)?,
            pair: filler(schema::PAIR, schema::INSERT_PAIR)?,
            excused: filler(schema::EXCUSED, schema::INSERT_EXCUSED)?,
            game: filler(schema::GAME, schema::INSERT_GAME)?,
            origin: filler(schema::ORIGIN, schema::INSERT_ORIGIN)?,
            moves: filler(schema::MOVES, schema::INSERT_MOVES)?,
            variations: filler(schema::VARIATIONS, schema::INSERT_VARIATIONS)?,
            remarks: filler(schema::REMARKS, schema::INSERT_REMARKS)?,
            checksums: transaction.prepare_cached(schema::INSERT_CHECKSUM)?,
        })
    }

    /// `origin`: the number of the machine that played it, and its word.
    fn insert(&mut self, record: &PairRecord, origin: Option<(i64, &Origin)>) -> rusqlite::Result<()> {
        self.checksum.begin(self.salt);
        self.insert_outcome(record)?;
        if let Some((host, origin)) = origin {
            self.insert_origin(record.pair, host, origin)?;
        }
        let of_outcome = self.checksum.value();
        self.checksum.begin(self.salt);
        self.insert_moves(record)?;
        let checksums = params![record.pair as i64, of_outcome, self.checksum.value()];
        self.checksums.execute(checksums).map(drop)
    }

    fn insert_outcome(&mut self, record: &PairRecord) -> rusqlite::Result<()> {
        let opening = params![record.opening_line, record.opening];
        self.opening.execute(opening)?;
        let values = params![
            record.pair as i64,
            record.opening_line,
            record.players[0],
            record.players[1],
            record.fingerprint() as i64,
            record.is_mirrored(),
        ];
        self.pair.fill(&mut self.checksum, values)?;
        self.checksum.stored(schema::OPENING, opening)?;
        for (replay, fault) in (1_i64..).zip(&record.excused) {
            let (pair, reason) = (fault.pair as i64, fault.reason.name());
            let values = params![pair, replay, fault.game, fault.player, reason];
            self.excused.fill(&mut self.checksum, values)?;
        }
        for (index, game) in record.games.iter().enumerate() {
            let values = params![
                game_number(record.pair, index),
                game.winner.map(PlayerId::letter),
                game.reason.name(),
                game.moves.len() as i64,
                game.nodes[0] as i64,
                game.nodes[1] as i64,
                game.time_us[0] as i64,
                game.time_us[1] as i64,
                game.depth_sum[0] as i64,
                game.depth_sum[1] as i64,
                game.seed,
            ];
            self.game.fill(&mut self.checksum, values)?;
        }
        Ok(())
    }

    fn insert_origin(&mut self, pair: u64, number: i64, origin: &Origin) -> rusqlite::Result<()> {
        let nps = origin.pace.map(|pace| pace.nps as i64);
        let reference_nps = origin.pace.map(|pace| pace.reference_nps as i64);
        let values = params![
            pair as i64,
            number,
            origin.table,
            origin.signature,
            nps,
            reference_nps
        ];
        self.origin.fill(&mut self.checksum, values)?;
        let host = &origin.host;
        let of_host = params![number, host.name, host.key, host.cpu, host.version];
        self.checksum.stored(schema::HOST, of_host)
    }

    fn insert_moves(&mut self, record: &PairRecord) -> rusqlite::Result<()> {
        for (index, game) in record.games.iter().enumerate() {
            let (bits, turns) = (moves::encode(&game.moves), turns::encode(&game.turns));
            let values = params![game_number(record.pair, index), bits, turns];
            self.moves.fill(&mut self.checksum, values)?;
        }
        for (index, game) in record.games.iter().enumerate() {
            if !game.variations.is_empty() {
                let blob = variations::encode(&game.variations);
                let values = params![game_number(record.pair, index), blob];
                self.variations.fill(&mut self.checksum, values)?;
            }
        }
        for (index, game) in record.games.iter().enumerate() {
            if game.remarks != [None; 2] {
                let blob = remarks::encode(&game.remarks);
                let values = params![game_number(record.pair, index), blob];
                self.remarks.fill(&mut self.checksum, values)?;
            }
        }
        Ok(())
    }
}

/// The games of a pair have the numbers `2 * pair` (A begins) and `2 * pair + 1`.
fn game_number(pair: u64, index: usize) -> i64 {
    2 * pair as i64 + index as i64
}

/// What the games of a pair share.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairRow {
    pub(super) players: [u16; 2],
    pub(super) opening_line: u32,
    pub(super) fingerprint: u64,
    pub(super) is_mirrored: bool,
}

/// What is stored of a game as bytes.
#[derive(Debug, Default)]
pub(super) struct Blobs {
    pub(super) moves: Vec<u8>,
    pub(super) turns: Vec<u8>,
    pub(super) variations: Vec<u8>,
    pub(super) remarks: Vec<u8>,
}

impl Blobs {
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.turns.clear();
        self.variations.clear();
        self.remarks.clear();
    }
}

/// Reads a row of the pairs. `None`: the values make no sense; so below.
pub(super) fn read_pair(row: &Row<'_>) -> Option<PairRow> {
    Some(PairRow {
        opening_line: row.get(1).ok()?,
        players: [row.get(2).ok()?, row.get(3).ok()?],
        fingerprint: unsigned(row, 4)?,
        is_mirrored: row.get(5).ok()?,
    })
}

/// Reads a row of the games.
pub(super) fn read_game(row: &Row<'_>) -> Option<GameOutcome> {
    let number: i64 = row.get(0).ok()?;
    Some(GameOutcome {
        first: first_of(number),
        winner: match row.get_ref(1).ok()?.as_str_or_null().ok()? {
            None => None,
            Some("a") => Some(PlayerId::A),
            Some("b") => Some(PlayerId::B),
            Some(_) => return None,
        },
        reason: Reason::from_name(row.get_ref(2).ok()?.as_str().ok()?)?,
        plies: row.get(3).ok()?,
        nodes: [unsigned(row, 4)?, unsigned(row, 5)?],
        time_us: [unsigned(row, 6)?, unsigned(row, 7)?],
        depth_sum: [unsigned(row, 8)?, unsigned(row, 9)?],
        seed: row.get(10).ok()?,
    })
}

/// Reads a row of the origins: the number of a machine, and its word without its name.
pub(super) fn read_origin(row: &Row<'_>) -> Option<(i64, Origin)> {
    let origin = Origin {
        host: Arc::default(),
        table: row.get(2).ok()?,
        signature: row.get(3).ok()?,
        pace: read_pace(row, 4).ok()?,
    };
    Some((row.get(1).ok()?, origin))
}

/// Reads what time was worth, from this column on.
pub(super) fn read_pace(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Pace>> {
    let (nps, reference_nps): (Option<i64>, Option<i64>) = (row.get(column)?, row.get(column + 1)?);
    Ok(nps.zip(reference_nps).map(|(nps, reference_nps)| Pace {
        nps: nps as u64,
        reference_nps: reference_nps as u64,
    }))
}

/// Reads a row of the machines, from its name on.
pub(super) fn read_host(row: &Row<'_>) -> rusqlite::Result<Arc<Host>> {
    Ok(Arc::new(Host {
        name: row.get(0)?,
        key: row.get(1)?,
        cpu: row.get(2)?,
        version: row.get(3)?,
    }))
}

/// Reads a row of the replays.
pub(super) fn read_excused(row: &Row<'_>) -> Option<PairFault> {
    Some(PairFault {
        pair: unsigned(row, 0)?,
        game: row.get(2).ok()?,
        player: row.get(3).ok()?,
        reason: Reason::from_name(row.get_ref(4).ok()?.as_str().ok()?)?,
    })
}

/// Takes a row of the moves into the blobs of its pair. `false`: the values make no sense; so below.
pub(super) fn read_moves(row: &Row<'_>, blobs: &mut [Blobs; 2]) -> bool {
    let Ok(number) = row.get::<_, i64>(0) else {
        return false;
    };
    let blobs = &mut blobs[number.rem_euclid(2) as usize];
    copy(row, 1, &mut blobs.moves) && copy(row, 2, &mut blobs.turns)
}

/// Takes a row of the variations into the blobs of its pair.
pub(super) fn read_variations(row: &Row<'_>, blobs: &mut [Blobs; 2]) -> bool {
    let Ok(number) = row.get::<_, i64>(0) else {
        return false;
    };
    copy(row, 1, &mut blobs[number.rem_euclid(2) as usize].variations)
}

/// Takes a row of the remarks into the blobs of its pair.
pub(super) fn read_remarks(row: &Row<'_>, blobs: &mut [Blobs; 2]) -> bool {
    let Ok(number) = row.get::<_, i64>(0) else {
        return false;
    };
    copy(row, 1, &mut blobs[number.rem_euclid(2) as usize].remarks)
}

/// A pair from what it came to and its blobs.
pub(super) fn decode(outcome: &PairOutcome, opening: &str, blobs: &[Blobs; 2]) -> Option<PairRecord> {
    let [first, second] = [0, 1].map(|index| decode_game(&outcome.games[index], &blobs[index]));
    Some(PairRecord {
        pair: outcome.pair,
        players: outcome.players,
        opening_line: outcome.opening_line,
        opening: opening.to_owned(),
        games: [first?, second?],
        excused: outcome.excused.clone(),
    })
}

fn decode_game(outcome: &GameOutcome, blobs: &Blobs) -> Option<GameRecord> {
    let moves = moves::decode(&blobs.moves);
    if moves.len() != outcome.plies as usize || !blobs.moves.len().is_multiple_of(2) {
        return None;
    }
    Some(GameRecord {
        first: outcome.first,
        winner: outcome.winner,
        reason: outcome.reason,
        moves,
        turns: turns::decode(&blobs.turns)?,
        variations: variations::decode(&blobs.variations)?,
        remarks: match &blobs.remarks[..] {
            [] => [None; 2],
            blob => remarks::decode(blob)?,
        },
        nodes: outcome.nodes,
        time_us: outcome.time_us,
        depth_sum: outcome.depth_sum,
        seed: outcome.seed,
    })
}

fn copy(row: &Row<'_>, column: usize, bytes: &mut Vec<u8>) -> bool {
    let blob = row.get_ref(column).ok().and_then(|value| value.as_blob().ok());
    bytes.extend(blob.unwrap_or_default());
    blob.is_some()
}

fn unsigned(row: &Row<'_>, column: usize) -> Option<u64> {
    row.get::<_, i64>(column).ok().map(|value| value as u64)
}

fn first_of(game_number: i64) -> PlayerId {
    if game_number % 2 == 0 {
        PlayerId::A
    } else {
        PlayerId::B
    }
}
