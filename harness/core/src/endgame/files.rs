//! The files of tables.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::TablesError;

const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const EXTENSION: &str = "rtbw";
/// They are made of blocks of so many bytes and a checksum of so many.
const BLOCK: u64 = 64;
const CHECKSUM: u64 = 16;
/// The most men of a table that anybody made.
const MEN_MAX: usize = 7;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) men_max: u32,
    pub(super) digest: String,
}

impl Listing {
    pub(super) fn of(folder: &Path) -> Result<Listing, TablesError> {
        let unreadable = |error: std::io::Error| TablesError::Unreadable {
            path: folder.to_owned(),
            reason: error.to_string(),
        };
        let mut tables = Vec::new();
        let mut men_max = 0;
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .unwrap_or_default();
            let is_table = path.extension().is_some_and(|extension| extension == EXTENSION);
            let Some(men) = men(name).filter(|_| is_table) else {
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
        Ok(Listing {
            men_max,
            digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }
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
    let mut file = File::open(path).ok()?;
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic).ok()?;
    let size = file.metadata().ok()?.len();
    (magic == MAGIC && size % BLOCK == CHECKSUM).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(matches!(
            Listing::of(&path.join("absent")),
            Err(TablesError::Unreadable { .. })
        ));
        fs::write(path.join("readme.txt"), "x").unwrap();
        fs::write(path.join("KQvK.rtbz"), "x").unwrap();
        assert_eq!(Listing::of(path), Err(TablesError::None(path.to_owned())));
        let table = path.join("KQvK.rtbw");
        let mut bytes = vec![0; 80];
        bytes[..4].copy_from_slice(&MAGIC);
        fs::write(&table, &bytes).unwrap();
        let whole = Listing::of(path).unwrap();
        assert_eq!(whole.men_max, 3);
        fs::write(&table, &bytes[..79]).unwrap();
        assert_eq!(Listing::of(path), Err(TablesError::Damaged(table.clone())));
        fs::write(&table, vec![0; 80]).unwrap();
        assert_eq!(Listing::of(path), Err(TablesError::Damaged(table.clone())));
        fs::write(&table, &bytes).unwrap();
        fs::write(path.join("KRvK.rtbw"), &bytes).unwrap();
        assert_ne!(Listing::of(path).unwrap().digest, whole.digest);
    }
}
