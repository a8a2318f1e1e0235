//! Files that a text names: regular ones alone. In a process that works for a page none outside of the page's folder, and no program
//! if the server was not told that pages may.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::library_folder;

#[derive(Debug)]
struct Page {
    /// Without links.
    folder: PathBuf,
    starts_programs: bool,
}

/// Of one file that a page names.
const PAGE_BYTES_MAX: u64 = 1 << 26;

static PAGE: OnceLock<Page> = OnceLock::new();

/// Works for somebody at a page from now on: files that a specification names lie below `folder`, and their words are not told.
pub fn work_for_page(folder: &Path, starts_programs: bool) -> io::Result<()> {
    let folder = folder.canonicalize()?;
    PAGE.get_or_init(|| Page {
        folder,
        starts_programs,
    });
    Ok(())
}

pub fn works_for_page() -> bool {
    PAGE.get().is_some()
}

pub fn may_start_programs() -> bool {
    PAGE.get().is_none_or(|page| page.starts_programs)
}

/// `path`, unless a page must not name it; what is behind links counts.
pub fn allowed(path: &Path) -> io::Result<&Path> {
    match PAGE.get() {
        Some(page) if !(leads_into(path, &page.folder) || page.starts_programs && is_of_library(path)) => {
            let message =
                "it is outside of the folder that is served, and a file from a page names none there";
            Err(io::Error::new(ErrorKind::PermissionDenied, message))
        }
        _ => Ok(path),
    }
}

/// Is it in the engine library, whose programs a page may start as any other?
fn is_of_library(path: &Path) -> bool {
    let folder = library_folder().and_then(|folder| folder.canonicalize().ok());
    folder.is_some_and(|folder| leads_into(path, &folder))
}

/// A path that leads nowhere is judged by the part of it that is there, so that nobody learns what else there is.
fn leads_into(path: &Path, folder: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else {
        return false;
    };
    let real = path.ancestors().find_map(|there| {
        let rest = path.strip_prefix(there).ok()?;
        Some((there.canonicalize().ok()?, rest))
    });
    real.is_some_and(|(there, rest)| {
        let goes_up = rest.components().any(|part| part.as_os_str() == "..");
        there.starts_with(folder) && !goes_up
    })
}

/// Opens a file that is named by somebody's text, if a page may name it.
pub fn open_named(path: &Path) -> io::Result<File> {
    open_regular(allowed(path)?)
}

/// Opens a file to read it. A pipe or a device may have no end, and opening one may wait for ever.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let refuse = || {
        let message = "it is no regular file: copy what it holds into one";
        io::Error::new(ErrorKind::InvalidInput, message)
    };
    let kind = path.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is a folder, no regular file",
        ));
    }
    if !kind.is_file() {
        return Err(refuse());
    }
    let mut options = OpenOptions::new();
    options.read(true);
    // It may have been replaced meanwhile.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(refuse())
    }
}

/// All of a file that is named by somebody's text, if a page may name it and it has at most `bytes_max`.
pub fn read_named(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let bytes_max = if works_for_page() {
        bytes_max.min(PAGE_BYTES_MAX)
    } else {
        bytes_max
    };
    read_regular(allowed(path)?, bytes_max)
}

pub fn read_regular(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        let message = format!("it is longer than {bytes_max} bytes");
        return Err(io::Error::new(ErrorKind::InvalidData, message));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_leads_out_of_a_folder_is_told_from_what_stays_in_it() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().canonicalize().unwrap();
        let folder = root.join("served");
        fs::create_dir_all(folder.join("deep")).unwrap();
        for file in ["served/in", "out", "served-too"] {
            fs::write(root.join(file), "").unwrap();
        }
        for (to, link) in [
            ("../out", "link"),
            ("in", "good"),
            ("..", "up"),
            ("../none", "dead"),
        ] {
            symlink(to, folder.join(link)).unwrap();
        }
        let cases = [
            ("in", true),
            ("deep/../in", true),
            ("good", true),
            ("none", true),
            ("deep/none", true),
            ("../out", false),
            ("../served-too", false),
            ("../none", false),
            ("deep/../../out", false),
            ("none/../../out", false),
            ("link", false),
            ("up/out", false),
            ("up/none", false),
            ("up/served/in", true),
            ("/etc/passwd", false),
            ("/dev/stdin", false),
            ("/none/at/all", false),
        ];
        for (path, expected) in cases {
            assert_eq!(leads_into(&folder.join(path), &folder), expected, "{path}");
        }
    }

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [
            &*pipe,
            folder.path(),
            Path::new("/dev/zero"),
            Path::new("/dev/null"),
        ] {
            let refused = open_regular(path).unwrap_err().to_string();
            assert!(
                refused.contains("no regular file"),
                "{}: {refused}",
                path.display()
            );
        }
        let file = folder.path().join("file");
        fs::write(&file, "12345").unwrap();
        assert_eq!(read_named(&file, 5).unwrap(), b"12345");
        assert!(read_named(&file, 4).unwrap_err().to_string().contains("longer"));
    }
}
