//! What keeps a game from being played though no player is at fault.

use std::path::PathBuf;
use std::time::Duration;

use crate::platform::{self, MissingResource};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// This machine has too little of something to start an engine now.
    #[error(
        "out of {}: {detail}; {}; no game was decided by it, all finished pairs are saved, and the same command resumes",
        lack.name(), lack.remedy(&platform::survey())
    )]
    MissingResource { lack: MissingResource, detail: String },
    /// This process was stopped, or the machine slept, while time counted.
    #[error("this process was stopped, or the machine slept")]
    Suspended,
    /// The connection to the machine of an engine, which `ssh` holds, broke or did not come about.
    #[error(
        "{detail}: the connection by ssh failed; no game was decided by it, all finished pairs are saved, and the same command \
         resumes"
    )]
    Connection { detail: String },
    /// A program, or a file that it loads, is not what was examined before the first game.
    #[error(transparent)]
    Program(#[from] ProgramChange),
}

/// A file of a program that cannot be played on with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{}' {change}; no game was decided by it, and all finished pairs are saved; put back what was there and give the same \
     command again, or play the new one in another --out", path.display()
)]
pub struct ProgramChange {
    pub path: PathBuf,
    pub change: ProgramChangeKind,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramChangeKind {
    #[error(
        "is not the file that was examined {} s ago (SHA-256 {}…, now {}…{})",
        examined.as_secs(), digits(&sha256[0]), digits(&sha256[1]),
        written.map_or_else(String::new, |written| format!(", written {} s ago", written.as_secs()))
    )]
    Replaced {
        /// How long ago it was written, as it says itself.
        written: Option<Duration>,
        examined: Duration,
        /// When it was examined, and now.
        sha256: [String; 2],
    },
    #[error("cannot be read any more: {0}")]
    Gone(String),
    #[error("cannot be started: {0}")]
    Unstartable(String),
}

/// Enough of a digest to tell it from another one.
fn digits(sha256: &str) -> &str {
    &sha256[..12.min(sha256.len())]
}
