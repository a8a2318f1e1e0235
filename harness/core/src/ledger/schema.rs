//! The file of a ledger and its tables.

pub const LEDGER_FILE: &str = "ledger.sqlite";

/// Pages of SQLite's usual 4 kB hold two packets of long games and waste a quarter. With a write-ahead log and normal synchronisation a killed process loses no transaction; a power cut may lose the
/// last ones, never part of one.
pub(super) const PRAGMAS: &str = "
    PRAGMA page_size = 8192;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
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
