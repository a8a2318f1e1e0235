//! Endings that are known: Syzygy tables of chess.

use std::any::Any;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};
use tanren_engine::chess::{self, Board};
pub use tanren_engine::game::Known;
use tanren_engine::game::Position;

use crate::platform::{allowed, lock, open_named};

/// The most men of a table that anybody made.
const MEN_MAX: usize = 7;

/// Tables that are open; the library opens those of one folder in a process.
static OPEN: Mutex<Option<Tables>> = Mutex::new(None);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    #[error("cannot read the folder '{}' of --syzygy: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("there are no Syzygy tables in '{}': --syzygy is the folder with the files KQvK.rtbw, KRvK.rtbw, …", .0.display())]
    None(PathBuf),
    #[error("'{}' is no whole Syzygy table: get it again, or take it out of its folder", .0.display())]
    Damaged(PathBuf),
    /// The library parts folders there.
    #[error("the folder '{}' of --syzygy has a ':' or no UTF-8 in its name: give it another, or a relative path", .0.display())]
    Name(PathBuf),
    /// Tables are open once in a process.
    #[error("the tables in '{}' are in use: one process plays with those of one folder", .0.display())]
    InUse(PathBuf),
    #[error("--syzygy is there on x86-64 only")]
    Unsupported,
}

#[derive(Debug, Clone)]
pub struct Tables(Arc<OpenFolder>);

struct OpenFolder {
    path: PathBuf,
    digest: String,
    library: chess::Tables,
}

impl std::fmt::Debug for OpenFolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.path.fmt(f)
    }
}

impl Tables {
    pub fn open(folder: &Path) -> Result<Tables, TablesError> {
        let (_, digest) = examine(folder)?;
        let mut open = lock(&OPEN);
        if let Some(tables) = open.as_ref() {
            if tables.0.path == folder && tables.0.digest == digest {
                return Ok(tables.clone());
            }
            if Arc::strong_count(&tables.0) > 1 {
                return Err(TablesError::InUse(tables.0.path.clone()));
            }
            *open = None;
        }
        let tables = Tables(Arc::new(OpenFolder::new(folder, digest)?));
        *open = Some(tables.clone());
        Ok(tables)
    }

    pub fn digest(&self) -> &str {
        &self.0.digest
    }

    /// What `position` is worth, if that is known: only where nothing but what stands on the board counts.
    pub fn known<P: Position>(&self, position: &P) -> Option<Known> {
        self.0
            .library
            .known((position as &dyn Any).downcast_ref::<Board>()?)
    }
}

/// The most men of the tables in `folder`.
///
/// # Errors
/// It has none, or cannot be read.
pub fn men_max(folder: &Path) -> Result<u32, TablesError> {
    examine(folder).map(|(men_max, _)| men_max)
}

/// The most men of the tables in `folder`, and a digest of their names and sizes.
fn examine(folder: &Path) -> Result<(u32, String), TablesError> {
    let unreadable = |error: std::io::Error| TablesError::Unreadable {
        path: folder.to_owned(),
        reason: error.to_string(),
    };
    let mut tables = Vec::new();
    let mut men_max = 0;
    for entry in fs::read_dir(allowed(folder).map_err(unreadable)?).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let file = path.file_name().and_then(|name| name.to_str());
        let name = file.and_then(|name| name.strip_suffix(".rtbw"));
        let Some((name, men)) = name.and_then(|name| Some((name, men(name)?))) else {
            continue;
        };
        let size = checked_size(&path).ok_or_else(|| TablesError::Damaged(path.clone()))?;
        men_max = men_max.max(men);
        tables.push(format!("{name} {size}\n"));
    }
    if tables.is_empty() {
        return Err(TablesError::None(folder.to_owned()));
    }
    tables.sort();
    let digest = Sha256::digest(tables.concat());
    Ok((men_max, digest.iter().map(|byte| format!("{byte:02x}")).collect()))
}

/// How many men the table of this name has: `KQvKR` four.
fn men(name: &str) -> Option<u32> {
    let (white, black) = name.split_once('v')?;
    let is_side = |side: &str| {
        side.strip_prefix('K')
            .is_some_and(|men| men.bytes().all(|man| b"QRBNP".contains(&man)))
    };
    let count = white.len() + black.len();
    (is_side(white) && is_side(black) && (3..=MEN_MAX).contains(&count)).then_some(count as u32)
}

fn checked_size(path: &Path) -> Option<u64> {
    chess::table_size(&open_named(path).ok()?, "rtbw")
}

impl OpenFolder {
    fn new(folder: &Path, digest: String) -> Result<OpenFolder, TablesError> {
        let name = folder.to_str().filter(|name| !name.contains(':'));
        let name = name.ok_or_else(|| TablesError::Name(folder.to_owned()))?;
        let library = chess::Tables::open(name).map_err(|error| match error {
            chess::TablesError::Damaged(path) => TablesError::Damaged(path),
            chess::TablesError::Unsupported => TablesError::Unsupported,
            chess::TablesError::Unreadable { path, reason } => TablesError::Unreadable { path, reason },
            chess::TablesError::None(_) => TablesError::None(folder.to_owned()),
        })?;
        Ok(OpenFolder {
            path: folder.to_owned(),
            digest,
            library,
        })
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use tanren_engine::game::Side;
    use tanren_engine::shogi;

    use super::*;

    const FOLDER: &str = "../tests/syzygy";
    const POSITIONS: &str = include_str!("../../../tests/syzygy/positions.csv");

    fn open() -> Tables {
        Tables::open(Path::new(FOLDER)).expect("the tables of the tests")
    }

    #[test]
    fn positions_are_worth_what_another_program_reads_in_the_same_tables() {
        let tables = open();
        let mut found = [0; 3];
        for line in POSITIONS.lines().skip(1) {
            let (position, winner) = line.split_once(',').unwrap();
            let (kind, expected) = match winner {
                "white" => (0, Known::Won(Side::First)),
                "black" => (1, Known::Won(Side::Second)),
                _ => (2, Known::Drawn),
            };
            found[kind] += 1;
            let known = tables.known(&Board::parse(position).unwrap());
            assert_eq!(known, Some(expected), "{position}");
        }
        assert!(found.iter().all(|&count| count >= 25), "{found:?}");
        for (position, why) in [
            ("8/8/8/8/8/k7/8/K6Q b - - 1 1", "a counter"),
            ("8/8/8/8/8/k7/8/4K2R b K - 0 1", "castling"),
            ("8/8/8/8/8/k7/7r/K6Q b - - 0 1", "four men"),
        ] {
            assert_eq!(tables.known(&Board::parse(position).unwrap()), None, "{why}");
        }
        assert_eq!(tables.known(&shogi::Board::start()), None);
    }

    #[test]
    fn a_folder_is_opened_once_and_no_other_while_it_is_in_use() {
        let tables = open();
        assert_eq!(tables.digest(), open().digest());
        let other = tempfile::tempdir().unwrap();
        fs::copy(
            Path::new(FOLDER).join("KQvK.rtbw"),
            other.path().join("KQvK.rtbw"),
        )
        .unwrap();
        let in_use = Tables::open(other.path()).unwrap_err();
        assert_eq!(in_use, TablesError::InUse(PathBuf::from(FOLDER)));
    }

    #[test]
    fn a_name_tells_how_many_men_a_table_has() {
        for (name, expected) in [
            ("KQvK", Some(3)),
            ("KRPvKR", Some(5)),
            ("KQQQQQvKQ", None),
            ("KvK", None),
            ("KQvKX", None),
            ("QKvK", None),
            ("notes", None),
        ] {
            assert_eq!(men(name), expected, "{name}");
        }
    }

    #[test]
    fn a_folder_without_tables_or_with_a_damaged_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let missing = Tables::open(&path.join("absent")).unwrap_err();
        assert!(missing.to_string().contains("absent"), "{missing}");
        fs::write(path.join("readme.txt"), "x").unwrap();
        fs::write(path.join("KQvK.rtbz"), "x").unwrap();
        assert_eq!(examine(path), Err(TablesError::None(path.to_owned())));
        let table = path.join("KQvK.rtbw");
        let bytes = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
        for damaged in [&bytes[..79], &[0; 80]] {
            fs::write(&table, damaged).unwrap();
            assert_eq!(examine(path), Err(TablesError::Damaged(table.clone())));
        }
        fs::write(&table, &bytes).unwrap();
        let (men_max, digest) = examine(path).unwrap();
        assert_eq!(men_max, 3);
        fs::write(path.join("KRvK.rtbw"), &bytes).unwrap();
        assert_ne!(examine(path).unwrap().1, digest);
    }
}
