//! Games as rows.
//!
//! In: pairs, or rows of the statements in [`schema`]. Out: rows, or games. Must not: decide what a wrong row means.

use rusqlite::{Connection, Row, params};

use super::remarks::GameRemarks;
use super::{moves, remarks, schema, turns, variations};
use crate::record::{GameOutcome, GameRecord, PairFault, PairRecord, PlayerId, Reason};

/// Stores pairs in one transaction.
pub(super) fn insert(connection: &mut Connection, pairs: &[PairRecord]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut opening = transaction.prepare_cached(schema::INSERT_OPENING)?;
        let mut pair = transaction.prepare_cached(schema::INSERT_PAIR)?;
        let mut game = transaction.prepare_cached(schema::INSERT_GAME)?;
        let mut played = transaction.prepare_cached(schema::INSERT_MOVES)?;
        let mut expected = transaction.prepare_cached(schema::INSERT_VARIATIONS)?;
        let mut remarked = transaction.prepare_cached(schema::INSERT_REMARKS)?;
        let mut excused = transaction.prepare_cached(schema::INSERT_EXCUSED)?;
        for record in pairs {
            opening.execute(params![record.opening_line, record.opening])?;
            pair.execute(params![
                record.pair as i64,
                record.opening_line,
                record.players[0],
                record.players[1],
                record.fingerprint() as i64,
                record.is_mirrored(),
            ])?;
            for (replay, fault) in (1_i64..).zip(&record.excused) {
                let (pair, reason) = (fault.pair as i64, fault.reason.name());
                excused.execute(params![pair, replay, fault.game, fault.player, reason])?;
            }
            for (index, record_of_game) in record.games.iter().enumerate() {
                let number = game_number(record.pair, index);
                insert_game(&mut game, number, record_of_game)?;
                let bits = moves::encode(&record_of_game.moves);
                played.execute(params![number, bits, turns::encode(&record_of_game.turns)])?;
                if !record_of_game.variations.is_empty() {
                    let blob = variations::encode(&record_of_game.variations);
                    expected.execute(params![number, blob])?;
                }
                if record_of_game.remarks != [None; 2] {
                    remarked.execute(params![number, remarks::encode(&record_of_game.remarks)])?;
                }
            }
        }
    }
    transaction.commit()
}

fn insert_game(
    statement: &mut rusqlite::CachedStatement<'_>,
    number: i64,
    game: &GameRecord,
) -> rusqlite::Result<()> {
    statement
        .execute(params![
            number,
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
        ])
        .map(drop)
}

/// The games of a pair have the numbers `2 * pair` (A begins) and `2 * pair + 1`.
fn game_number(pair: u64, index: usize) -> i64 {
    2 * pair as i64 + index as i64
}

/// One game with what it shares with the other game of its pair.
pub(super) struct OutcomeRow {
    pub(super) pair: u64,
    pub(super) players: [u16; 2],
    pub(super) opening_line: u32,
    pub(super) fingerprint: u64,
    pub(super) is_mirrored: bool,
    pub(super) game: GameOutcome,
}

/// Reads the columns of [`schema::SELECT_OUTCOMES`]. `None`: the values make no sense.
pub(super) fn read_outcome(row: &Row<'_>) -> rusqlite::Result<Option<OutcomeRow>> {
    let unsigned = |index| row.get::<_, i64>(index).map(|value| value as u64);
    let number: i64 = row.get(0)?;
    let Some((winner, reason)) = read_end(row, 6)? else {
        return Ok(None);
    };
    let game = GameOutcome {
        first: first_of(number),
        winner,
        reason,
        plies: row.get(8)?,
        nodes: [unsigned(9)?, unsigned(10)?],
        time_us: [unsigned(11)?, unsigned(12)?],
        depth_sum: [unsigned(13)?, unsigned(14)?],
        seed: row.get(15)?,
    };
    Ok(Some(OutcomeRow {
        pair: number as u64 / 2,
        players: [row.get(1)?, row.get(2)?],
        opening_line: row.get(3)?,
        fingerprint: unsigned(4)?,
        is_mirrored: row.get(5)?,
        game,
    }))
}

/// Who won, if anybody, and why, from the column of this index and the next one. `None`: the values make no sense.
fn read_end(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<(Option<PlayerId>, Reason)>> {
    let winner = match row.get_ref(index)?.as_str_or_null()? {
        None => None,
        Some("a") => Some(PlayerId::A),
        Some("b") => Some(PlayerId::B),
        Some(_) => return Ok(None),
    };
    let reason = Reason::from_name(row.get_ref(index + 1)?.as_str()?);
    Ok(reason.map(|reason| (winner, reason)))
}

/// Reads the columns of [`schema::SELECT_REMARKS`]. `None`: the values make no sense.
pub(super) fn read_remarks(row: &Row<'_>) -> rusqlite::Result<Option<GameRemarks>> {
    let (Some((winner, reason)), Some(remarks)) =
        (read_end(row, 3)?, remarks::decode(row.get_ref(5)?.as_blob()?))
    else {
        return Ok(None);
    };
    Ok(Some(GameRemarks {
        players: [row.get(1)?, row.get(2)?],
        winner,
        reason,
        remarks,
    }))
}

/// Reads the columns of [`schema::SELECT_EXCUSED`]. `None`: the values make no sense.
pub(super) fn read_excused(row: &Row<'_>) -> rusqlite::Result<Option<PairFault>> {
    let Some(reason) = Reason::from_name(row.get_ref(3)?.as_str()?) else {
        return Ok(None);
    };
    Ok(Some(PairFault {
        pair: row.get::<_, i64>(0)? as u64,
        game: row.get(1)?,
        player: row.get(2)?,
        reason,
    }))
}

/// The opening's position and the game, from the columns of [`schema::SELECT_GAMES`]. `None`: they make no sense.
pub(super) fn read_game(row: &Row<'_>) -> rusqlite::Result<Option<(OutcomeRow, String, GameRecord)>> {
    let Some(outcome) = read_outcome(row)? else {
        return Ok(None);
    };
    let Some(turns) = turns::decode(row.get_ref(18)?.as_blob()?) else {
        return Ok(None);
    };
    let expected = row.get_ref(19)?.as_blob_or_null()?;
    let Some(variations) = variations::decode(expected.unwrap_or_default()) else {
        return Ok(None);
    };
    let remarks = match row.get_ref(20)?.as_blob_or_null()? {
        None => Some([None; 2]),
        Some(blob) => remarks::decode(blob),
    };
    let Some(remarks) = remarks else {
        return Ok(None);
    };
    let moves = moves::decode(row.get_ref(17)?.as_blob()?);
    if moves.len() != outcome.game.plies as usize {
        return Ok(None);
    }
    let game = GameRecord {
        first: outcome.game.first,
        winner: outcome.game.winner,
        reason: outcome.game.reason,
        moves,
        turns,
        variations,
        remarks,
        nodes: outcome.game.nodes,
        time_us: outcome.game.time_us,
        depth_sum: outcome.game.depth_sum,
        seed: outcome.game.seed,
    };
    Ok(Some((outcome, row.get(16)?, game)))
}

fn first_of(game_number: i64) -> PlayerId {
    if game_number % 2 == 0 {
        PlayerId::A
    } else {
        PlayerId::B
    }
}
