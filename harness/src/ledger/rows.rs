//! Games as rows.
//!
//! In: pairs, or rows of [`schema::SELECT_GAMES`]. Out: rows, or games. Must not: decide what a wrong row means.

use rusqlite::{Connection, Row, params};

use super::schema;
use crate::record::{GameRecord, PairRecord, PlayerId, Reason};

/// Stores pairs in one transaction.
pub(super) fn insert(connection: &mut Connection, pairs: &[PairRecord]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut opening = transaction.prepare_cached(schema::INSERT_OPENING)?;
        let mut game = transaction.prepare_cached(schema::INSERT_GAME)?;
        for pair in pairs {
            opening.execute(params![pair.opening_line, pair.opening])?;
            for (number, record) in pair.games.iter().enumerate() {
                let moves: Vec<u8> = record.moves.iter().flat_map(|bits| bits.to_le_bytes()).collect();
                game.execute(params![
                    pair.pair as i64,
                    number as i64,
                    pair.opening_line,
                    record.winner.map(PlayerId::letter),
                    record.reason.name(),
                    record.nodes[0] as i64,
                    record.nodes[1] as i64,
                    record.time_us[0] as i64,
                    record.time_us[1] as i64,
                    record.depth_sum[0] as i64,
                    record.depth_sum[1] as i64,
                    record.seed,
                    moves,
                ])?;
            }
        }
    }
    transaction.commit()
}

/// Pair, line and position of the opening, and the game. `None`: the values make no sense.
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Option<(u64, u32, String, GameRecord)>> {
    let unsigned = |index| row.get::<_, i64>(index).map(|value| value as u64);
    let first = if row.get::<_, i64>(1)? == 0 {
        PlayerId::A
    } else {
        PlayerId::B
    };
    let winner = match row.get_ref(4)?.as_str_or_null()? {
        None => None,
        Some("a") => Some(PlayerId::A),
        Some("b") => Some(PlayerId::B),
        Some(_) => return Ok(None),
    };
    let Some(reason) = Reason::from_name(row.get_ref(5)?.as_str()?) else {
        return Ok(None);
    };
    let moves = row.get_ref(13)?.as_blob()?.chunks_exact(2);
    let record = GameRecord {
        first,
        winner,
        reason,
        moves: moves.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        nodes: [unsigned(6)?, unsigned(7)?],
        time_us: [unsigned(8)?, unsigned(9)?],
        depth_sum: [unsigned(10)?, unsigned(11)?],
        seed: row.get(12)?,
    };
    Ok(Some((unsigned(0)?, row.get(2)?, row.get(3)?, record)))
}
