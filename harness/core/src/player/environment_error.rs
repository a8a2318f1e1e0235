//! What keeps a game from being played though no player is at fault.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::platform::{self, MissingResource};

/// Why a game cannot be played, or does not count, whoever plays it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// This machine has too little of something to start an engine now.
    #[error(
        "out of {}: {detail}; {}; no game was decided by it, all finished pairs are saved, and the same command goes on",
        lack.name(), lack.remedy(&platform::survey())
    )]
    MissingResource { lack: MissingResource, detail: String },
    /// This process was stopped, or the machine slept, while time counted.
    #[error("this process was stopped, or the machine slept")]
    Suspended,
    /// A program, or a file that it loads, is not what was examined before the first game.
    #[error(transparent)]
    Program(#[from] ProgramChange),
}

/// A file of a program that cannot be played on with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{}' {change}; no game was decided by it, and all finished pairs are saved: put back what was there and give the same \
     command again, or play the new one in another --out", path.display()
)]
pub struct ProgramChange {
    pub path: PathBuf,
    pub change: Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Replaced {
        /// How long ago it was written, as it says itself.
        written: Option<Duration>,
        examined: Duration,
        sha256: [String; 2],
    },
    Gone(String),
    Unstartable(String),
}

/// Digits of a digest that tell it from another one.
const DIGEST_DIGITS: usize = 12;

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Replaced {
                written,
                examined,
                sha256,
            } => {
                let [before, now] = sha256
                    .each_ref()
                    .map(|digest| &digest[..DIGEST_DIGITS.min(digest.len())]);
                f.write_str("is not the file that was examined")?;
                write!(f, " {} s ago (SHA-256 {before}…, now {now}…", examined.as_secs())?;
                match written {
                    Some(written) => write!(f, ", written {} s ago)", written.as_secs()),
                    None => f.write_str(")"),
                }
            }
            Change::Gone(error) => write!(f, "cannot be read any more: {error}"),
            Change::Unstartable(error) => write!(f, "cannot be started: {error}"),
        }
    }
}
