//! Which program a command runs.
//!
//! In: a [`ProcessSpec`]. Out: a digest of the files that it names. Must not: run it.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::config::ProcessSpec;

const BLOCK_BYTES: usize = 1 << 16;

/// The digest of the program and of those of its arguments that are files: what must not change if a run is to go on.
///
/// # Errors
/// The program is not there, or a file cannot be read.
pub fn program_sha256(spec: &ProcessSpec) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut block = vec![0; BLOCK_BYTES];
    for (index, path) in spec.files().enumerate() {
        let path = if index == 0 {
            locate(path)?
        } else {
            path.to_owned()
        };
        let mut file = File::open(path)?;
        loop {
            let bytes = file.read(&mut block)?;
            if bytes == 0 {
                break;
            }
            digest.update(&block[..bytes]);
        }
    }
    Ok(digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// The file of a program: a path as it is or with what the system lets its users leave out, a mere name as the system
/// finds it.
fn locate(command: &Path) -> io::Result<PathBuf> {
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
        .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
}

/// With the end that names of programs have here, if any.
fn with_suffix(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(env::consts::EXE_SUFFIX);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sha256(text: &str) -> io::Result<String> {
        program_sha256(&ProcessSpec::parse(text).unwrap().unwrap().1)
    }

    #[test]
    fn the_digest_follows_the_program_and_the_files_it_is_called_with() {
        let folder = tempfile::tempdir().unwrap();
        let (program, script) = (folder.path().join("program"), folder.path().join("script"));
        std::fs::write(&program, "one").unwrap();
        std::fs::write(&script, "two").unwrap();
        let alone = format!("usi:{}", program.display());
        let with_script = format!("usi:{} {} x", program.display(), script.display());
        let (first, second) = (sha256(&alone).unwrap(), sha256(&with_script).unwrap());
        assert_eq!(first, sha256(&alone).unwrap());
        assert_ne!(first, second);
        std::fs::write(&script, "three").unwrap();
        assert_ne!(sha256(&with_script).unwrap(), second);
        assert!(sha256("usi:no-such-program-anywhere").is_err());
    }
}
