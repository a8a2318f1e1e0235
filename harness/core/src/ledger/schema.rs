//! The file of a ledger and its tables, and what a file of somebody else may not do.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Result};

use crate::interrupt::Interrupt;

pub const LEDGER_FILE: &str = "ledger.sqlite";

/// Pages of SQLite's usual 4 kB hold two packets of long games and waste a quarter. With a write-ahead log and normal synchronisation a killed process loses no transaction; a power cut may lose the
/// last ones, never part of one.
pub(super) const PRAGMAS: &str = "
    PRAGMA page_size = 8192;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA busy_timeout = 5000;
    PRAGMA cell_size_check = ON;
";

/// A unit is a pair, or a search of a study. `unit` holds what every count needs, and who played it if another machine did; `packet`, by
/// far the greatest part, is read only for what shows moves or searches.
pub(super) const CREATE: &str = "
    CREATE TABLE meta (
        key   TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tally (
        id    INTEGER PRIMARY KEY CHECK (id = 0),
        units INTEGER NOT NULL,
        sums  INTEGER NOT NULL,
        sum   INTEGER NOT NULL
    );
    CREATE TABLE unit (
        number  INTEGER PRIMARY KEY CHECK (number >= 0),
        summary BLOB NOT NULL,
        origin  BLOB,
        sum     INTEGER NOT NULL
    );
    CREATE TABLE packet (
        number INTEGER PRIMARY KEY,
        packet BLOB NOT NULL,
        sum    INTEGER NOT NULL
    );
";

/// All tables but that of the packets.
pub(super) const SMALL_TABLES: [&str; 3] = ["meta", "tally", "unit"];

/// No value that is stored is longer.
const VALUE_BYTES_MAX: i32 = 1 << 26;
/// Between two looks at what a statement of SQLite has cost, in steps of its machine.
const STEPS: u32 = 100_000;
/// A whole ledger is checked in less: so many looks, and one more for so many bytes.
const LOOKS_MAX: u64 = 200;
const LOOK_BYTES: u64 = 10_000;

/// Lets nothing of a file run: no trigger, no view, no function with effects. No statement takes longer than a file of `bytes` can
/// need, or than `interrupt` lets it.
/// It counts `looks`, which is set to 0 where a statement begins and at its rows.
pub(super) fn restrain(
    connection: &mut Connection,
    bytes: u64,
    looks: &Arc<AtomicU64>,
    interrupt: Interrupt,
) -> Result<()> {
    for (config, is_on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(config, is_on)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)?;
    let (looks, looks_max) = (Arc::clone(looks), LOOKS_MAX + bytes / LOOK_BYTES);
    let stop = move || looks.fetch_add(1, Ordering::Relaxed) >= looks_max || interrupt.is_requested();
    connection.progress_handler(STEPS.cast_signed(), Some(stop))
}

/// What the tables of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tables {
    Known,
    /// Some are missing, or there are others, which nothing reads.
    Changed,
    /// What has the name of one of ours is something else, and may compute at every row.
    Foreign,
}

/// Type, name, table and statement of each part of a schema.
type Parts = Vec<[Option<String>; 4]>;

/// What has so many parts is no ledger.
const PARTS_MAX: usize = 16;

fn parts(connection: &Connection) -> Result<Parts> {
    // This name cannot be taken by a table of the file.
    let select = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid LIMIT 16";
    let mut statement = connection.prepare(select)?;
    let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    rows.collect()
}

static KNOWN: LazyLock<Parts> = LazyLock::new(|| {
    let made = Connection::open_in_memory().and_then(|connection| {
        connection.execute_batch(CREATE)?;
        parts(&connection)
    });
    made.unwrap_or_default()
});

pub(super) fn tables_of(connection: &Connection) -> Result<Tables> {
    let found = parts(connection)?;
    let lowered = |name: &Option<String>| name.as_ref().map(|name| name.to_ascii_lowercase());
    let is_ours = |part: &[Option<String>; 4]| {
        let of = [lowered(&part[1]), lowered(&part[2])];
        KNOWN.iter().any(|known| of.contains(&known[1]))
    };
    let is_forged = |part: &[Option<String>; 4]| is_ours(part) && !KNOWN.contains(part);
    Ok(if found == *KNOWN {
        Tables::Known
    } else if found.len() == PARTS_MAX || found.iter().any(is_forged) {
        Tables::Foreign
    } else {
        Tables::Changed
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_without_an_end_is_ended_by_its_cost_or_by_a_signal() {
        let endless =
            "WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";
        for is_raised in [false, true] {
            let interrupt = Interrupt::default();
            let mut connection = Connection::open_in_memory().unwrap();
            restrain(&mut connection, 0, &Arc::default(), interrupt.clone()).unwrap();
            if is_raised {
                interrupt.raise();
            }
            let ended = connection.query_row(endless, [], |row| row.get::<_, i64>(0));
            let code = ended.unwrap_err().sqlite_error_code();
            assert_eq!(code, Some(rusqlite::ErrorCode::OperationInterrupted));
        }
    }
}
