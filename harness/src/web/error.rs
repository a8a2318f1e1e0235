//! Why there is no server.
//!
//! In: failures of the system. Out: [`WebError`].

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A server that cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// Others could listen.
    #[error(
        "--host {0} is not of this machine alone, and what is said there can be read on the way: give --tls-cert FILE, --tls-key FILE and --token, \
         or --socket PATH for a reverse proxy with TLS, or leave --host at 127.0.0.1 and use 'ssh -L'"
    )]
    Exposed(SocketAddr),
    /// Every address of this machine, and no name.
    #[error(
        "--host {0} is every address of this machine: say with --name NAME what browsers call it, as its certificate does"
    )]
    Nameless(SocketAddr),
    /// A certificate or a key that cannot be used.
    #[error("'{}' cannot be used for TLS: {why}", path.display())]
    Certificate {
        /// Which file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The address is taken, or not allowed.
    #[error("cannot listen on {place}: {source}")]
    Listen {
        /// Where.
        place: String,
        /// Why.
        source: io::Error,
    },
    /// Something that is no socket is where one was to be.
    #[error("'{}' exists: give another --socket, or remove it", .0.display())]
    Occupied(PathBuf),
    /// This system has no such sockets.
    #[cfg(not(unix))]
    #[error("this system has no Unix sockets: give --host and --port")]
    NoSockets,
    /// No folder to serve.
    #[error("'{}' is no folder: give the folder that holds runs", .0.display())]
    NoFolder(PathBuf),
    /// A thread, a clock, randomness.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

impl WebError {
    /// Is it the user's input?
    pub fn is_input(&self) -> bool {
        !matches!(self, WebError::Listen { .. } | WebError::System(_))
    }
}
