//! Ledgers of older formats, written anew in that of today. Nothing else reads them.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::checksum::Salt;
use super::codec::{FORMAT, of_bytes};
use super::repair::rewrite;
use super::{FolderLock, Holds, LEDGER_FILE, Ledger, LedgerError};
use crate::config::Identity;
use crate::record::{
    EngineWarnings, Finished, FinishedSearch, GameRecord, PairFault, PairRecord, PlayerId, Reason, TimeSpan,
    Turn, Variations, packed,
};

/// What became of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgraded {
    /// The format that it had.
    pub from: u32,
    /// The ledger as it was.
    pub old_file: PathBuf,
    /// Pairs or searches that were taken over.
    pub units: u64,
}

/// Can a ledger of this format be upgraded?
pub(super) fn is_older(format: i64) -> bool {
    format == 7
}

/// What a packet of this format holds.
pub(super) fn read(format: u32, packet: &[u8]) -> Option<Finished> {
    match format {
        7 => of_bytes(packet).map(Finished7::into_finished),
        _ => of_bytes(packet),
    }
}

/// What the checksums of a ledger of this format begin with.
pub(super) fn salt_of(format: u32, identity: &Identity) -> Salt {
    match format {
        7 => Salt::of_format_7(identity),
        _ => Salt::of(identity),
    }
}

impl Ledger {
    /// Writes the ledger in `folder` anew if it has an older format; the old file stays next to it. Units that are damaged are left out:
    /// the run plays them again.
    pub fn upgrade(folder: &Path) -> Result<Option<Upgraded>, LedgerError> {
        let path = folder.join(LEDGER_FILE);
        let (from, manifest) = {
            let mut old = Ledger::connect_to_read(folder)?;
            let format = old.version()?;
            if !is_older(format) {
                return old.check_version().map(|()| None);
            }
            old.format = format as u32;
            old.check_tables()?;
            let described = old.check_description().and_then(|()| old.manifest());
            (old.format, described.map_err(LedgerError::beyond_repair)?)
        };
        let _lock = FolderLock::acquire(folder)?;
        let rewritten = rewrite(&path, &manifest, Holds::Among, &format!("format-{from}"))?;
        Ok(rewritten.map(|(old_file, units)| Upgraded {
            from,
            old_file,
            units,
        }))
    }
}

/// Under which the format is kept that a ledger had first.
const FIRST_FORMAT: &str = "format";

impl Ledger {
    /// The format that it had before it was upgraded, if it was: signatures are of the bytes of that.
    pub fn first_format(&self) -> Result<Option<String>, LedgerError> {
        self.kept(FIRST_FORMAT)
    }

    pub(super) fn keep_format_of(&mut self, old: &Ledger) -> Result<(), LedgerError> {
        match old.format {
            FORMAT => Ok(()),
            format if self.first_format()?.is_none() => self.keep(FIRST_FORMAT, &format.to_string()),
            _ => Ok(()),
        }
    }
}

/// Before games had times and comments, and pairs the moves of a book.
#[derive(Deserialize)]
enum Finished7 {
    Pair(Box<PairRecord7>),
    Search(FinishedSearch),
    Stopped(PairFault),
}

#[derive(Deserialize)]
struct PairRecord7 {
    pair: u64,
    players: [u16; 2],
    opening_line: u32,
    opening: String,
    games: [GameRecord7; 2],
    replayed: Vec<PairFault>,
}

#[derive(Deserialize)]
struct GameRecord7 {
    first: PlayerId,
    winner: Option<PlayerId>,
    reason: Reason,
    #[serde(with = "packed")]
    moves: Vec<u16>,
    #[serde(with = "packed")]
    turns: Vec<Turn>,
    #[serde(with = "packed")]
    variations: Variations,
    warnings: [Option<EngineWarnings7>; 2],
    nodes: [u64; 2],
    time_us: [u64; 2],
    depth_sum: [u64; 2],
    seed: u32,
}

#[derive(Deserialize)]
struct EngineWarnings7 {
    starts: u32,
    illegal_variations: u32,
    contradicted_mates: u32,
    late_stops: u32,
    latency_turns: u32,
    latency_us: u64,
    latency_max_us: u64,
    time_left_ms: Option<u64>,
}

impl Finished7 {
    fn into_finished(self) -> Finished {
        match self {
            Finished7::Pair(old) => Finished::Pair(PairRecord {
                pair: old.pair,
                players: old.players,
                opening_line: old.opening_line,
                opening: old.opening,
                book: String::new(),
                games: old.games.map(GameRecord7::into_game),
                replayed: old.replayed,
            }),
            Finished7::Search(search) => Finished::Search(search),
            Finished7::Stopped(fault) => Finished::Stopped(fault),
        }
    }
}

impl GameRecord7 {
    fn into_game(self) -> GameRecord {
        let warnings = |old: EngineWarnings7| EngineWarnings {
            starts: old.starts,
            illegal_variations: old.illegal_variations,
            contradicted_mates: old.contradicted_mates,
            late_stops: old.late_stops,
            latency_turns: old.latency_turns,
            latency_us: old.latency_us,
            latency_max_us: old.latency_max_us,
            time_left_ms: old.time_left_ms,
            ..EngineWarnings::default()
        };
        GameRecord {
            first: self.first,
            winner: self.winner,
            reason: self.reason,
            moves: self.moves,
            turns: self.turns,
            variations: self.variations,
            comments: Vec::new(),
            span: TimeSpan::default(),
            warnings: self.warnings.map(|of| of.map(warnings)),
            nodes: self.nodes,
            time_us: self.time_us,
            depth_sum: self.depth_sum,
            seed: self.seed,
        }
    }
}
