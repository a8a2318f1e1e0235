//! The file of a ledger and its tables.

pub const LEDGER_FILE: &str = "ledger.sqlite";

pub(super) const KIND: &str = "kind";
pub(super) const IDENTITY: &str = "identity";
pub(super) const SPEC: &str = "specification";
/// The version of the program that wrote it: who cannot read it is told.
pub(super) const PROGRAM: &str = "program";
/// The checksum of the description.
pub(super) const CHECKSUM: &str = "checksum";

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

/// A unit is a pair, or a search of a study. `unit` holds what every count needs; `packet`, by far the greatest part, is read only for
/// what shows moves or searches.
pub(super) const CREATE: &str = "
    CREATE TABLE meta (
        key   TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE player (
        player INTEGER PRIMARY KEY,
        label  TEXT NOT NULL
    );
    CREATE TABLE positions (
        position INTEGER PRIMARY KEY,
        line     INTEGER NOT NULL,
        text     TEXT NOT NULL
    );
    CREATE TABLE host (
        host       INTEGER PRIMARY KEY,
        name       TEXT NOT NULL,
        key        TEXT NOT NULL,
        cpu        TEXT NOT NULL,
        version    TEXT NOT NULL,
        distrusted TEXT,
        UNIQUE (name, key, cpu, version)
    );
    CREATE TABLE counted (
        id    INTEGER PRIMARY KEY CHECK (id = 0),
        pairs INTEGER NOT NULL
    );
    CREATE TABLE tally (
        id    INTEGER PRIMARY KEY CHECK (id = 0),
        units INTEGER NOT NULL,
        sums  INTEGER NOT NULL,
        sum   INTEGER NOT NULL
    );
    CREATE TABLE unit (
        number  INTEGER PRIMARY KEY CHECK (number >= 0),
        summary BLOB NOT NULL,
        sum     INTEGER NOT NULL
    );
    CREATE TABLE packet (
        number INTEGER PRIMARY KEY,
        packet BLOB NOT NULL,
        sum    INTEGER NOT NULL
    );
    CREATE TABLE origin (
        number        INTEGER PRIMARY KEY,
        host          INTEGER NOT NULL,
        table_digest  TEXT NOT NULL,
        signature     BLOB NOT NULL,
        nps           INTEGER,
        reference_nps INTEGER
    );
";

/// All tables but that of the packets.
pub(super) const SMALL_TABLES: [&str; 8] = [
    "meta",
    "player",
    "positions",
    "host",
    "counted",
    "tally",
    "unit",
    "origin",
];

/// What a ledger says about itself, and its own checksum covers.
pub(super) const DESCRIPTION: [&str; 6] = [
    "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
    "SELECT * FROM meta WHERE key <> 'checksum' ORDER BY key",
    "SELECT * FROM player ORDER BY player",
    "SELECT * FROM counted ORDER BY id",
    "SELECT * FROM positions ORDER BY position",
    "SELECT * FROM host ORDER BY host",
];
