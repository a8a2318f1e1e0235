//! The files of a command, and their digests.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::Sha256;

const BLOCK_BYTES: usize = 1 << 16;

#[derive(Default)]
pub(super) struct Digest(Sha256);

impl Digest {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        sha2::Digest::update(&mut self.0, bytes);
    }

    pub(super) fn text(self) -> String {
        let bytes = sha2::Digest::finalize(self.0);
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The digest of the file at `path`, whose content is added to `into` as well.
pub(super) fn file_sha256(path: &Path, mut into: Option<&mut Digest>) -> io::Result<String> {
    let mut digest = Digest::default();
    let mut block = vec![0; BLOCK_BYTES];
    let mut file = File::open(path)?;
    loop {
        let bytes = match file.read(&mut block)? {
            0 => return Ok(digest.text()),
            bytes => &block[..bytes],
        };
        digest.update(bytes);
        if let Some(into) = &mut into {
            into.update(bytes);
        }
    }
}

/// The file of a program: a path as it is or with what the system lets its users leave out, a mere name as the system
/// finds it.
pub(super) fn locate(command: &Path) -> io::Result<PathBuf> {
    if command.components().count() > 1 {
        let is_whole = command.is_file();
        return Ok(if is_whole {
            command.to_owned()
        } else {
            with_suffix(command)
        });
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let named = |folder: PathBuf| {
        let plain = folder.join(command);
        [with_suffix(&plain), plain]
    };
    env::split_paths(&folders)
        .flat_map(named)
        .find(|path| path.is_file())
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, unfound(command)))
}

fn unfound(command: &Path) -> String {
    let text = command.to_string_lossy();
    let hint = match text.split_once(',') {
        Some((_, rest)) if rest.contains('=') => {
            "what follows the comma is no key of a program: options of an engine are option.NAME=value, its limits are those of the \
             command, such as --nodes-a"
        }
        _ => "a program elsewhere needs its path, such as ./engine",
    };
    format!("no folder of PATH holds a file of that name ({hint})")
}

fn with_suffix(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(env::consts::EXE_SUFFIX);
    name.into()
}
