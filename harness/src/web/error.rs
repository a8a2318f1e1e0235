use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum WebError {
    #[error(
        "--host {0} is not of this machine alone, and its traffic can be read on the way; give --tls-cert FILE, --tls-key FILE and --token, \
         or leave --host at 127.0.0.1 and use 'ssh -L' or a reverse proxy with TLS"
    )]
    Exposed(SocketAddr),
    #[error(
        "--host {0} is every address of this machine: say with --name NAME what browsers call it, as its certificate does"
    )]
    Nameless(SocketAddr),
    #[error("'{}' cannot be used for TLS: {why}", path.display())]
    Certificate { path: PathBuf, why: String },
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("'{}' is not a folder: give the folder that holds runs", .0.display())]
    NoFolder(PathBuf),
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

impl WebError {
    pub fn is_input(&self) -> bool {
        !matches!(self, WebError::Listen { .. } | WebError::System(_))
    }
}
