//! The tables of a ledger, and every statement that is run on them.
//!
//! In: nothing. Out: SQL. Must not: run it.

/// Stored as SQLite's `user_version`.
pub(super) const VERSION: i64 = 1;

pub(super) const IDENTITY: &str = "identity";
pub(super) const SPEC: &str = "specification";
pub(super) const LABEL_A: &str = "label of a";
pub(super) const LABEL_B: &str = "label of b";

/// With a write-ahead log and normal synchronisation a killed process loses no transaction; a power cut may lose the
/// last ones, never part of one.
pub(super) const PRAGMAS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
";

pub(super) const CREATE: &str = "
    CREATE TABLE meta (
        key   TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE opening (
        line     INTEGER PRIMARY KEY,
        position TEXT NOT NULL
    );
    CREATE TABLE game (
        pair        INTEGER NOT NULL CHECK (pair >= 0),
        game        INTEGER NOT NULL CHECK (game IN (0, 1)),
        opening     INTEGER NOT NULL REFERENCES opening (line),
        winner      TEXT CHECK (winner IN ('a', 'b')),
        reason      TEXT NOT NULL,
        nodes_a     INTEGER NOT NULL,
        nodes_b     INTEGER NOT NULL,
        time_a_us   INTEGER NOT NULL,
        time_b_us   INTEGER NOT NULL,
        depth_a_sum INTEGER NOT NULL,
        depth_b_sum INTEGER NOT NULL,
        seed        INTEGER NOT NULL,
        moves       BLOB NOT NULL,
        PRIMARY KEY (pair, game)
    ) WITHOUT ROWID;
    CREATE TABLE counted (
        id    INTEGER PRIMARY KEY CHECK (id = 0),
        pairs INTEGER NOT NULL
    );
    CREATE VIEW pair AS
        SELECT pair, pair < (SELECT pairs FROM counted) AS is_counted FROM game WHERE game = 0;
    PRAGMA user_version = 1;
";

pub(super) const SELECT_META: &str = "SELECT value FROM meta WHERE key = ?1";
pub(super) const UPSERT_META: &str =
    "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
pub(super) const MARK_COUNTED: &str =
    "INSERT INTO counted (id, pairs) VALUES (0, ?1) ON CONFLICT (id) DO UPDATE SET pairs = excluded.pairs";
pub(super) const INSERT_OPENING: &str = "INSERT OR IGNORE INTO opening (line, position) VALUES (?1, ?2)";
pub(super) const INSERT_GAME: &str = "
    INSERT INTO game (pair, game, opening, winner, reason, nodes_a, nodes_b, time_a_us, time_b_us,
                      depth_a_sum, depth_b_sum, seed, moves)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
";
pub(super) const SELECT_PAIRS: &str = "SELECT pair FROM game WHERE game = 0";
pub(super) const SELECT_GAMES: &str = "
    SELECT pair, game, opening, position, winner, reason, nodes_a, nodes_b, time_a_us, time_b_us,
           depth_a_sum, depth_b_sum, seed, moves
    FROM game JOIN opening ON opening.line = game.opening
    ORDER BY pair, game
";
