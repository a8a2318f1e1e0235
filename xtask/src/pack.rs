//! Archives that are the same whoever packs them, and checksums.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use tar::{Builder, EntryType, Header};

use crate::Result;

/// A file of an archive.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) source: PathBuf,
    pub(crate) is_program: bool,
}

/// Packs the files below `folder` with one time and no owner.
pub(crate) fn tar_gz(path: &Path, folder: &str, entries: &[Entry], time: u64) -> Result<()> {
    let file = io::BufWriter::new(File::create(path)?);
    // The time of a gzip file has 32 bits, and none is written here.
    let mut tar = Builder::new(GzBuilder::new().mtime(0).write(file, Compression::best()));
    for entry in entries {
        let bytes = read(&entry.source)?;
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(bytes.len() as u64);
        header.set_mode(if entry.is_program { 0o755 } else { 0o644 });
        header.set_mtime(time);
        tar.append_data(&mut header, format!("{folder}/{}", entry.name), bytes.as_slice())?;
    }
    tar.into_inner()?.finish()?.flush()?;
    Ok(())
}

/// Writes `SHA256SUMS` for the files of a folder, as `sha256sum --check` reads it.
pub(crate) fn sums(folder: &Path) -> Result<()> {
    let mut lines = String::new();
    for path in files(folder)? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name == "SHA256SUMS" {
            continue;
        }
        for byte in Sha256::digest(read(&path)?) {
            write!(lines, "{byte:02x}")?;
        }
        writeln!(lines, "  {name}")?;
    }
    fs::write(folder.join("SHA256SUMS"), lines)?;
    Ok(())
}

/// The files of a folder, by name.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        if path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()).into())
}
