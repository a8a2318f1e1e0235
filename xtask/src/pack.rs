//! Archives that are the same whoever packs them, and checksums.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use tar::{Builder, EntryType, Header};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::Result;

/// A file of an archive.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    is_program: bool,
}

impl Entry {
    pub(crate) fn text(name: impl Into<String>, text: impl Into<String>) -> Entry {
        Entry {
            name: name.into(),
            bytes: text.into().into_bytes(),
            is_program: false,
        }
    }

    pub(crate) fn file(name: impl Into<String>, source: &Path) -> Result<Entry> {
        Ok(Entry {
            name: name.into(),
            bytes: read(source)?,
            is_program: false,
        })
    }

    pub(crate) fn program(name: impl Into<String>, source: &Path) -> Result<Entry> {
        Ok(Entry {
            is_program: true,
            ..Entry::file(name, source)?
        })
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Files below one folder, with one time and no owner.
pub(crate) fn tar_gz(path: &Path, folder: &str, entries: &[Entry], time: u64) -> Result<()> {
    let file = BufWriter::new(File::create(path)?);
    let mut tar = Builder::new(GzBuilder::new().mtime(0).write(file, Compression::best()));
    for entry in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode());
        header.set_mtime(time);
        tar.append_data(
            &mut header,
            format!("{folder}/{}", entry.name),
            entry.bytes.as_slice(),
        )?;
    }
    tar.into_inner()?.finish()?.flush()?;
    Ok(())
}

/// Files below `folder` (or none), with the first time that the format knows.
pub(crate) fn zip(path: &Path, folder: &str, entries: &[Entry]) -> Result<()> {
    let mut zip = ZipWriter::new(BufWriter::new(File::create(path)?));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(entry.mode());
        zip.start_file_from_path(Path::new(folder).join(&entry.name), options)?;
        zip.write_all(&entry.bytes)?;
    }
    zip.finish()?.flush()?;
    Ok(())
}

/// Writes `SHA256SUMS` for the files of a folder, as `sha256sum --check` reads it.
pub(crate) fn sums(folder: &Path) -> Result<()> {
    let mut lines = String::new();
    for path in files(folder)? {
        let name = name(&path);
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

/// The last part of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_archives() {
        let folder = std::env::temp_dir().join(format!("tanren-xtask-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let made = ["first", "second"].map(|name| {
            let folder = folder.join(name);
            fs::create_dir_all(&folder).expect("a folder");
            let entries = [
                Entry::text("README.md", "text"),
                Entry {
                    is_program: true,
                    ..Entry::text("bin/tanren", "program")
                },
            ];
            tar_gz(&folder.join("a.tar.gz"), "tanren-1", &entries, 1_700_000_000).expect("an archive");
            zip(&folder.join("a.zip"), "tanren-1", &entries).expect("an archive");
            sums(&folder).expect("checksums");
            fs::read_to_string(folder.join("SHA256SUMS")).expect("checksums")
        });
        fs::remove_dir_all(&folder).expect("our own folder");
        assert_eq!(made[0], made[1]);
        let names: Vec<&str> = made[0].lines().map(|line| line.split_at(64).1).collect();
        assert_eq!(names, ["  a.tar.gz", "  a.zip"]);
    }
}
