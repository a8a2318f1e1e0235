//! What was said to and by one engine, in a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::sanitize;

static STARTED: AtomicU64 = AtomicU64::new(1);

#[derive(Debug)]
pub(super) struct Log {
    file: BufWriter<File>,
    stderr: PathBuf,
    began: Instant,
}

impl Log {
    /// Opens the next `NAME-NUMBER.log` in `folder`; the numbers go on after those that are there.
    pub(super) fn open(folder: &Path, name: &str) -> io::Result<Log> {
        std::fs::create_dir_all(folder)?;
        if STARTED.load(Ordering::Relaxed) == 1 {
            STARTED.fetch_max(last_number(folder)? + 1, Ordering::Relaxed);
        }
        loop {
            let number = STARTED.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{name}-{number}.log"));
            match File::create_new(&path) {
                // What an earlier process wrote down is evidence.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    STARTED.fetch_max(last_number(folder)? + 1, Ordering::Relaxed);
                }
                file => {
                    return Ok(Log {
                        stderr: path.with_extension("stderr"),
                        file: BufWriter::new(file?),
                        began: Instant::now(),
                    });
                }
            }
        }
    }

    pub(super) fn stderr(&self) -> Option<File> {
        File::create(&self.stderr).ok()
    }

    pub(super) fn told(&mut self, bytes: &[u8]) {
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            self.write('>', line);
        }
    }

    pub(super) fn heard(&mut self, line: &[u8]) {
        self.write('<', line);
    }

    pub(super) fn note(&mut self, text: &str) {
        self.write('#', text.as_bytes());
    }

    fn write(&mut self, direction: char, line: &[u8]) {
        let seconds = self.began.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(line);
        let text = sanitize::line(&text);
        // A log that cannot be written is a pity, a game that ends for it would be a wrong result.
        let _ = writeln!(self.file, "{seconds:.6} {direction} {text}");
    }
}

fn last_number(folder: &Path) -> io::Result<u64> {
    let mut last = 0;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let stem = name.to_str().and_then(|name| name.strip_suffix(".log"));
        let number = stem.and_then(|stem| stem.rsplit_once('-'));
        last = last.max(number.and_then(|(_, number)| number.parse().ok()).unwrap_or(0));
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_never_replaces_another_and_its_number_is_the_next() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a-7000001.log", "b-7000002.log", "notes.txt", "x-y.log"] {
            std::fs::write(folder.path().join(name), "evidence").unwrap();
        }
        STARTED.fetch_max(7_000_001, Ordering::Relaxed);
        drop(Log::open(folder.path(), "a").unwrap());
        let path = folder.path().join("a-7000001.log");
        assert_eq!(std::fs::read_to_string(path).unwrap(), "evidence");
        assert!(last_number(folder.path()).unwrap() > 7_000_002);
    }
}
