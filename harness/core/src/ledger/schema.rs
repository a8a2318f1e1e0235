//! The file of a ledger, its tables, and every statement that is run on them.
//!
//! In: nothing. Out: SQL. Must not: run it.

/// The ledger's file name in its folder.
pub const LEDGER_FILE: &str = "ledger.sqlite";

/// Stored as SQLite's `user_version`.
pub(super) const VERSION: i64 = 3;

pub(super) const KIND: &str = "kind";
pub(super) const IDENTITY: &str = "identity";
pub(super) const SPEC: &str = "specification";

/// With a write-ahead log and normal synchronisation a killed process loses no transaction; a power cut may lose the
/// last ones, never part of one.
pub(super) const PRAGMAS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
";

/// What every ledger has.
pub(super) const CREATE: &str = "
    CREATE TABLE meta (
        key   TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE player (
        player INTEGER PRIMARY KEY,
        label  TEXT NOT NULL
    );
    PRAGMA user_version = 3;
";

/// `pair` and `game` hold what every count needs; `moves`, by far the greatest part, is read only for what shows moves.
/// Game numbers are `2 * pair` (A begins) and `2 * pair + 1`. `turns` is the blob of [`super::turns`].
pub(super) const CREATE_PAIRS: &str = "
    CREATE TABLE opening (
        line     INTEGER PRIMARY KEY,
        position TEXT NOT NULL
    );
    CREATE TABLE pair (
        pair        INTEGER PRIMARY KEY CHECK (pair >= 0),
        opening     INTEGER NOT NULL REFERENCES opening (line),
        player_a    INTEGER NOT NULL,
        player_b    INTEGER NOT NULL,
        fingerprint INTEGER NOT NULL,
        is_mirrored INTEGER NOT NULL
    );
    CREATE TABLE game (
        game        INTEGER PRIMARY KEY,
        winner      TEXT CHECK (winner IN ('a', 'b')),
        reason      TEXT NOT NULL,
        plies       INTEGER NOT NULL,
        nodes_a     INTEGER NOT NULL,
        nodes_b     INTEGER NOT NULL,
        time_a_us   INTEGER NOT NULL,
        time_b_us   INTEGER NOT NULL,
        depth_a_sum INTEGER NOT NULL,
        depth_b_sum INTEGER NOT NULL,
        seed        INTEGER NOT NULL
    );
    CREATE TABLE moves (
        game  INTEGER PRIMARY KEY,
        moves BLOB NOT NULL,
        turns BLOB NOT NULL
    );
    CREATE TABLE counted (
        id    INTEGER PRIMARY KEY CHECK (id = 0),
        pairs INTEGER NOT NULL
    );
    CREATE VIEW counted_game AS
        SELECT pair.*, game.* FROM game JOIN pair ON pair.pair = game.game / 2
        WHERE pair.pair < (SELECT pairs FROM counted);
";

/// The checksums of every pair: of the rows of `pair`, `opening`, `excused`, `game`, `origin` and `host`; of those of
/// `moves`, `variations` and `remarks`.
pub(super) const CREATE_CHECKSUM: &str = "
    CREATE TABLE checksum (
        pair    INTEGER PRIMARY KEY,
        outcome INTEGER NOT NULL,
        moves   INTEGER NOT NULL
    );
";
/// The checksum of every search, its iterations, and its rows of `origin` and `host`.
pub(super) const CREATE_SEARCH_CHECKSUM: &str = "
    CREATE TABLE checksum (
        config   INTEGER NOT NULL,
        position INTEGER NOT NULL,
        search   INTEGER NOT NULL,
        PRIMARY KEY (config, position)
    ) WITHOUT ROWID;
";

/// Configurations are numbered as the players. `pv` holds moves between spaces, `tried` is the blob of [`super::searches`].
pub(super) const CREATE_SEARCHES: &str = "
    CREATE TABLE positions (
        position INTEGER PRIMARY KEY,
        line     INTEGER NOT NULL,
        text     TEXT NOT NULL
    );
    CREATE TABLE searches (
        config   INTEGER NOT NULL,
        position INTEGER NOT NULL,
        fault    TEXT,
        PRIMARY KEY (config, position)
    ) WITHOUT ROWID;
    CREATE TABLE iterations (
        config   INTEGER NOT NULL,
        position INTEGER NOT NULL,
        depth    INTEGER NOT NULL,
        nodes    INTEGER NOT NULL,
        time_us  INTEGER,
        score    INTEGER,
        pv       TEXT NOT NULL,
        tried    BLOB NOT NULL,
        PRIMARY KEY (config, position, depth)
    ) WITHOUT ROWID;
";

/// All tables of pairs but that of the moves.
pub(super) const SMALL_TABLES: [&str; 6] = ["meta", "player", "opening", "pair", "game", "counted"];
/// All tables of a study.
pub(super) const STUDY_TABLES: [&str; 5] = ["meta", "player", "positions", "searches", "iterations"];

/// The tables that hold what a ledger says about itself, and the rows of them that its own checksum covers.
pub(super) const DESCRIPTION: [(&str, &str); 5] = [
    ("meta", "SELECT * FROM meta WHERE key <> 'checksum' ORDER BY key"),
    ("player", "SELECT * FROM player ORDER BY player"),
    ("counted", "SELECT * FROM counted ORDER BY id"),
    ("positions", "SELECT * FROM positions ORDER BY position"),
    (HOST, "SELECT * FROM host ORDER BY host"),
];
pub(super) const SELECT_SCHEMA: &str =
    "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
/// Under this key `meta` holds the checksum of the description.
pub(super) const DESCRIPTION_CHECKSUM: &str = "checksum";
pub(super) const SELECT_META: &str = "SELECT value FROM meta WHERE key = ?1";
pub(super) const UPSERT_META: &str =
    "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
pub(super) const SELECT_COUNTED: &str = "SELECT pairs FROM counted";
pub(super) const MARK_COUNTED: &str =
    "INSERT INTO counted (id, pairs) VALUES (0, ?1) ON CONFLICT (id) DO UPDATE SET pairs = excluded.pairs";
pub(super) const INSERT_OPENING: &str = "INSERT OR IGNORE INTO opening (line, position) VALUES (?1, ?2)";
pub(super) const INSERT_PAIR: &str = "
    INSERT INTO pair (pair, opening, player_a, player_b, fingerprint, is_mirrored) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
";
pub(super) const INSERT_GAME: &str = "
    INSERT INTO game (game, winner, reason, plies, nodes_a, nodes_b, time_a_us, time_b_us, depth_a_sum, depth_b_sum,
                      seed)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
";
pub(super) const INSERT_MOVES: &str = "INSERT INTO moves (game, moves, turns) VALUES (?1, ?2, ?3)";
pub(super) const INSERT_VARIATIONS: &str = "INSERT INTO variations (game, variations) VALUES (?1, ?2)";
pub(super) const INSERT_REMARKS: &str = "INSERT INTO remarks (game, remarks) VALUES (?1, ?2)";

pub(super) const INSERT_CHECKSUM: &str = "INSERT INTO checksum (pair, outcome, moves) VALUES (?1, ?2, ?3)";
pub(super) const INSERT_SEARCH_CHECKSUM: &str =
    "INSERT INTO checksum (config, position, search) VALUES (?1, ?2, ?3)";

pub(super) const PAIR: &str = "pair";
pub(super) const OPENING: &str = "opening";
pub(super) const GAME: &str = "game";
pub(super) const MOVES: &str = "moves";
pub(super) const CHECKSUM: &str = "checksum";
pub(super) const SEARCHES: &str = "searches";
pub(super) const ITERATIONS: &str = "iterations";
pub(super) const EXCUSED: &str = "excused";
pub(super) const VARIATIONS: &str = "variations";
pub(super) const REMARKS: &str = "remarks";
pub(super) const HOST: &str = "host";
pub(super) const ORIGIN: &str = "origin";
pub(super) const INSERT_HOST: &str =
    "INSERT OR IGNORE INTO host (name, key, cpu, version) VALUES (?1, ?2, ?3, ?4)";
pub(super) const SELECT_HOST: &str =
    "SELECT host FROM host WHERE name = ?1 AND key = ?2 AND cpu = ?3 AND version = ?4";
pub(super) const INSERT_ORIGIN: &str = "INSERT INTO origin (pair, host, table_digest, signature, nps, reference_nps) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
pub(super) const SELECT_HOST_OF: &str = "SELECT name, key, cpu, version FROM host WHERE host = ?1";
pub(super) const SELECT_HOSTS: &str = "
    SELECT name, key, cpu, version, distrusted, count(pair.pair)
    FROM host LEFT JOIN origin USING (host) LEFT JOIN pair ON pair.pair = origin.pair
    GROUP BY host ORDER BY host
";
/// As [`SELECT_HOSTS`], of searches.
pub(super) const SELECT_HOSTS_OF_SEARCHES: &str = "
    SELECT name, key, cpu, version, distrusted, count(pair)
    FROM host LEFT JOIN origin USING (host) GROUP BY host ORDER BY host
";
/// The place of a machine in [`SELECT_HOSTS`] is its number less 1: none is ever deleted.
pub(super) const SELECT_ORIGINS: &str = "SELECT pair, host, nps, reference_nps FROM origin ORDER BY pair";
/// Who made searches: the rows of `origin`, each with the machine's own columns.
pub(super) const SELECT_SEARCH_ORIGINS: &str = "
    SELECT pair, host, table_digest, signature, nps, reference_nps, name, key, cpu, version
    FROM origin LEFT JOIN host USING (host) ORDER BY pair
";
/// As [`SELECT_SEARCH_ORIGINS`], of one search.
pub(super) const SELECT_SEARCH_ORIGIN: &str = "
    SELECT pair, host, table_digest, signature, nps, reference_nps, name, key, cpu, version
    FROM origin LEFT JOIN host USING (host) WHERE pair = ?1
";
pub(super) const SELECT_SIGNATURES: &str = "SELECT pair, key, table_digest, signature, nps, reference_nps FROM origin JOIN host USING (host) ORDER BY pair";
pub(super) const DISTRUST: &str = "UPDATE host SET distrusted = ?2 WHERE key = ?1";
pub(super) const DELETE_COUNTED: &str = "DELETE FROM counted";
/// The pairs of a machine's key, and those after the first of them if the second parameter says so.
pub(super) const CREATE_TAKEN_OUT: &str = "CREATE TEMPORARY TABLE taken_out (pair INTEGER PRIMARY KEY)";
pub(super) const INSERT_TAKEN_OUT: &str = "
    INSERT INTO taken_out
    WITH own AS (SELECT pair FROM origin JOIN host USING (host) JOIN pair USING (pair) WHERE key = ?1)
    SELECT pair FROM own UNION SELECT pair FROM pair WHERE ?2 AND pair > (SELECT min(pair) FROM own)
";
/// The searches of a machine's key, by their numbers.
pub(super) const INSERT_TAKEN_OUT_SEARCHES: &str =
    "INSERT INTO taken_out SELECT pair FROM origin JOIN host USING (host) WHERE key = ?1";
/// Everything of the searches that are taken out, but for those themselves.
pub(super) const DELETE_TAKEN_OUT_OF_SEARCHES: [&str; 3] = [
    "DELETE FROM iterations WHERE config * (SELECT count(*) FROM positions) + position IN taken_out",
    "DELETE FROM checksum WHERE config * (SELECT count(*) FROM positions) + position IN taken_out",
    "DELETE FROM origin WHERE pair IN taken_out",
];
pub(super) const DELETE_TAKEN_OUT_SEARCHES: &str =
    "DELETE FROM searches WHERE config * (SELECT count(*) FROM positions) + position IN taken_out";
pub(super) const COUNT_POSITIONS: &str = "SELECT count(*) FROM positions";
pub(super) const DROP_TAKEN_OUT: &str = "DROP TABLE taken_out";
/// Everything of the pairs that are taken out, but for those themselves.
pub(super) const DELETE_TAKEN_OUT: [&str; 7] = [
    "DELETE FROM moves WHERE game / 2 IN taken_out",
    "DELETE FROM variations WHERE game / 2 IN taken_out",
    "DELETE FROM remarks WHERE game / 2 IN taken_out",
    "DELETE FROM excused WHERE pair IN taken_out",
    "DELETE FROM checksum WHERE pair IN taken_out",
    "DELETE FROM game WHERE game / 2 IN taken_out",
    "DELETE FROM origin WHERE pair IN taken_out",
];
pub(super) const DELETE_TAKEN_OUT_PAIRS: &str = "DELETE FROM pair WHERE pair IN taken_out";
/// Ledgers that are older than one of these tables have nothing for it, and get it when they are played on. `excused` holds
/// the faults after each of which a pair was played again, `variations` the blob of [`super::variations`] of the games
/// that have one, `remarks` the blob of [`super::remarks`] of the games that programs played in.
pub(super) const LATER_TABLES: [(&str, &str); 5] = [
    (EXCUSED, CREATE_EXCUSED),
    (VARIATIONS, CREATE_VARIATIONS),
    (REMARKS, CREATE_REMARKS),
    (HOST, CREATE_HOST),
    (ORIGIN, CREATE_ORIGIN),
];
/// A study has these as soon as another machine searches for it; the number of a search stands in the place of that of a pair.
pub(super) const MACHINE_TABLES: [&str; 2] = [CREATE_HOST, CREATE_ORIGIN];
const CREATE_HOST: &str = "
    CREATE TABLE IF NOT EXISTS host (
        host       INTEGER PRIMARY KEY,
        name       TEXT NOT NULL,
        key        TEXT NOT NULL,
        cpu        TEXT NOT NULL,
        version    TEXT NOT NULL,
        distrusted TEXT,
        UNIQUE (name, key, cpu, version)
    );
";
const CREATE_ORIGIN: &str = "
    CREATE TABLE IF NOT EXISTS origin (
        pair      INTEGER PRIMARY KEY,
        host      INTEGER NOT NULL,
        table_digest TEXT NOT NULL,
        signature BLOB NOT NULL,
        nps           INTEGER,
        reference_nps INTEGER
    );
";
const CREATE_EXCUSED: &str = "
    CREATE TABLE IF NOT EXISTS excused (
        pair   INTEGER NOT NULL,
        replay INTEGER NOT NULL,
        game   INTEGER NOT NULL,
        player INTEGER NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (pair, replay)
    ) WITHOUT ROWID;
";
const CREATE_VARIATIONS: &str = "
    CREATE TABLE IF NOT EXISTS variations (
        game       INTEGER PRIMARY KEY,
        variations BLOB NOT NULL
    );
";
const CREATE_REMARKS: &str = "
    CREATE TABLE IF NOT EXISTS remarks (
        game    INTEGER PRIMARY KEY,
        remarks BLOB NOT NULL
    );
";
pub(super) const HAS_TABLE: &str =
    "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1)";
pub(super) const INSERT_EXCUSED: &str =
    "INSERT INTO excused (pair, replay, game, player, reason) VALUES (?1, ?2, ?3, ?4, ?5)";
pub(super) const DELETE_PLAYERS: &str = "DELETE FROM player";
pub(super) const INSERT_PLAYER: &str = "INSERT INTO player (player, label) VALUES (?1, ?2)";
pub(super) const SELECT_PLAYERS: &str = "SELECT label FROM player ORDER BY player";
pub(super) const INSERT_POSITION: &str = "INSERT INTO positions (position, line, text) VALUES (?1, ?2, ?3)";
pub(super) const SELECT_POSITIONS: &str = "SELECT line, text FROM positions ORDER BY position";
pub(super) const INSERT_SEARCH: &str = "INSERT INTO searches (config, position, fault) VALUES (?1, ?2, ?3)";
pub(super) const INSERT_ITERATION: &str = "
    INSERT INTO iterations (config, position, depth, nodes, time_us, score, pv, tried)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
";
pub(super) const SELECT_PAIRS: &str = "SELECT pair FROM pair";
pub(super) const SELECT_OPENING: &str = "SELECT position FROM opening WHERE line = ?1";

/// All columns of the rows of `table` whose key is from `?1` to `?2`, in the order of the key.
pub(super) fn select_rows(table: &str, key: &str) -> String {
    format!("SELECT * FROM {table} WHERE {key} BETWEEN ?1 AND ?2 ORDER BY {key}")
}

/// The end of a statement that selects rows of studies: all of them, or those of one configuration and position. The third
/// column is the depth of an iteration.
pub(super) fn of_job(is_one: bool) -> &'static str {
    if is_one {
        "WHERE config = ?1 AND position = ?2 ORDER BY 1, 2, 3"
    } else {
        "ORDER BY 1, 2, 3"
    }
}
