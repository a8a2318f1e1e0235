//! What was said to and by one engine, in a file.
//!
//! In: lines both ways. Out: `SECONDS > told` and `SECONDS < heard`. Must not: let a full disk end a game.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::foreign;

/// Numbers the engines of this process, so that no two write to the same file.
static STARTED: AtomicU64 = AtomicU64::new(1);

/// The log of one engine.
#[derive(Debug)]
pub(super) struct Log {
    file: BufWriter<File>,
    stderr: PathBuf,
    began: Instant,
}

impl Log {
    /// Opens the next `NAME-NUMBER.log` in `folder`.
    pub(super) fn open(folder: &Path, name: &str) -> io::Result<Log> {
        std::fs::create_dir_all(folder)?;
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{name}-{number}.log"));
        Ok(Log {
            stderr: path.with_extension("stderr"),
            file: BufWriter::new(File::create(path)?),
            began: Instant::now(),
        })
    }

    /// Where the engine's messages go.
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

    fn write(&mut self, direction: char, line: &[u8]) {
        let seconds = self.began.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(line);
        let text = foreign::line(&text);
        // A log that cannot be written is a pity, a game that ends for it would be a wrong result.
        let _ = writeln!(self.file, "{seconds:.6} {direction} {text}");
    }
}
