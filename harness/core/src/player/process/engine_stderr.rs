//! What an engine writes to its standard error, kept up to a size however much it is.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes of the end that are kept in memory.
const TAIL_BYTES: usize = 1 << 16;
/// Bytes of the beginning that a file takes.
const FILE_BYTES_MAX: u64 = 16 << 20;
const BLOCK_BYTES: usize = 1 << 14;
/// How long the last words of an engine that ended may take to be read.
const END_LAG: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub(super) struct EngineStderr {
    tail: Arc<Mutex<VecDeque<u8>>>,
    /// Disconnected when the stream has ended.
    is_open: Receiver<()>,
}

impl EngineStderr {
    /// Reads `stream` to its end on a thread of its own, and copies it to `file`, if there is one.
    pub(super) fn follow(
        mut stream: impl Read + Send + 'static,
        file: Option<File>,
    ) -> io::Result<EngineStderr> {
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let (open, is_open) = channel();
        let kept = Arc::clone(&tail);
        let read = move || {
            let (mut file, mut left) = (file, FILE_BYTES_MAX);
            let mut block = vec![0; BLOCK_BYTES];
            while let Ok(bytes @ 1..) = stream.read(&mut block) {
                let block = &block[..bytes];
                keep(&mut kept.lock().unwrap_or_else(PoisonError::into_inner), block);
                if let Some(file) = &mut file {
                    copy(file, &mut left, block);
                }
            }
            drop(open);
        };
        thread::Builder::new()
            .name("engine-messages".to_owned())
            .spawn(read)?;
        Ok(EngineStderr { tail, is_open })
    }

    /// The end of what was said; of an engine that ended, all that it said last.
    pub(super) fn tail(&self) -> Vec<u8> {
        // Nothing is ever sent: either it is over, or the engine, or a child of it, holds the stream and may say more.
        let _ = self.is_open.recv_timeout(END_LAG);
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.iter().copied().collect()
    }
}

fn keep(tail: &mut VecDeque<u8>, block: &[u8]) {
    let too_many = (tail.len() + block.len()).saturating_sub(TAIL_BYTES);
    tail.drain(..too_many.min(tail.len()));
    tail.extend(block);
}

/// Copies a block to `file`, which may take so many bytes more. One that cannot be written is a pity, an engine that waits for it
/// would be a wrong result.
fn copy(file: &mut File, left: &mut u64, block: &[u8]) {
    if *left == 0 {
        return;
    }
    let bytes = block.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
    let _ = file.write_all(&block[..bytes]);
    *left -= bytes as u64;
    if *left == 0 {
        let mib = FILE_BYTES_MAX >> 20;
        let _ = writeln!(file, "\n[cut here: only the first {mib} MiB are kept]");
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::mpsc::RecvTimeoutError;

    use super::*;

    /// So many bytes, each the low byte of its place.
    fn counted(bytes: u64) -> Cursor<Vec<u8>> {
        Cursor::new((1..=bytes).map(|place| place as u8).collect())
    }

    fn read(messages: &EngineStderr) -> Vec<u8> {
        // However slow this machine is.
        while messages.is_open.recv_timeout(END_LAG) == Err(RecvTimeoutError::Timeout) {}
        messages.tail()
    }

    #[test]
    fn the_last_words_are_kept_and_no_more_than_fit() {
        let messages = EngineStderr::follow(&b"one\ntwo\n"[..], None).unwrap();
        assert_eq!(read(&messages), b"one\ntwo\n");
        let bytes = 3 * TAIL_BYTES as u64 + 5;
        let tail = read(&EngineStderr::follow(counted(bytes), None).unwrap());
        assert_eq!((tail.len(), tail.last()), (TAIL_BYTES, Some(&(bytes as u8))));
    }

    #[test]
    fn a_file_ends_with_a_note_where_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a-1.stderr");
        let messages = EngineStderr::follow(counted(FILE_BYTES_MAX + 9), Some(File::create(&path).unwrap()));
        read(&messages.unwrap());
        let written = std::fs::read(&path).unwrap();
        let (kept, note) = written.split_at(FILE_BYTES_MAX as usize);
        assert_eq!(kept.last(), Some(&(FILE_BYTES_MAX as u8)));
        assert_eq!(note, b"\n[cut here: only the first 16 MiB are kept]\n");
    }
}
