//! Why a fleet cannot be set up, or a machine not take part in it. No message holds a secret.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::ConfigError;

#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    #[error(transparent)]
    File(#[from] ConfigError),
    #[error(
        "'{}' is not empty: the keys of a fleet are made once; name a new folder, or remove this one and with it its keys",
        .0.display()
    )]
    Occupied(PathBuf),
    #[error(
        "'{}' holds {character:?}, which other tools could misread; choose a folder without it", folder.display()
    )]
    BadFolder { folder: PathBuf, character: char },
    #[error("host '{0}' is neither a name such as club.example.org nor an address such as 192.0.2.7")]
    BadHost(String),
    #[error("cannot write '{}': {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
    #[error("cannot use a key: {0}")]
    Key(#[from] nkeys::error::Error),
    #[error("url '{url}': {message}; write tls://HOST:4222")]
    BadAddress { url: String, message: String },
    #[error("ca: {0}; copy the text of the fleet's ca.pem, with its BEGIN and END lines")]
    BadAuthority(String),
    #[error(
        "the connection to '{0}' would not be encrypted: write tls:// and give the ca of the fleet, or pass \
         --insecure on a trusted network"
    )]
    PlainText(String),
    #[error(
        "no NATS server at '{url}': {message}; is it running (`tanren cluster up`), and is the url of this machine's file right?"
    )]
    NoServer { url: String, message: String },
    #[error(
        "cannot verify the certificate of the server at '{url}': {message}; check that url and ca in this machine's file are those of the fleet"
    )]
    Untrusted { url: String, message: String },
    #[error(
        "the server at '{url}' refuses the key of '{name}': is it in server.conf, and was the server started again since?"
    )]
    Refused { url: String, name: String },
    #[error("there is no server.conf in '{}'; `tanren cluster init` makes one", .0.display())]
    NoFleet(PathBuf),
    #[error(
        "there is no nats-server on the PATH: install the package nats-server (Debian), or take the one program from \
         https://github.com/nats-io/nats-server/releases"
    )]
    NoServerProgram,
    #[error("cannot start nats-server: {0}")]
    ServerProgram(io::Error),
    #[error(
        "cannot {action} at the NATS server: {source}; what was played is saved, and the same command resumes"
    )]
    Server {
        action: &'static str,
        source: Box<dyn Error + Send + Sync>,
    },
    #[error(
        "the NATS server has too little storage for a fleet ({0}); raise max_file_store in server.conf to at least 6GB and restart the server"
    )]
    NoRoom(String),
    #[error(
        "run {0} is coordinated by another process already: the same run cannot be played twice at a time on one fleet"
    )]
    Coordinated(String),
    #[error(
        "another process already uses the key of '{0}': give each machine its own worker file from `tanren cluster init`, or stop that process"
    )]
    KeyInUse(String),
    #[error("stopped by `tanren cluster stop`; all finished pairs are saved, and the same command resumes")]
    ToldToStop,
    #[error("'{0}' is no worker of this fleet: the file of the coordinator has no key of that name")]
    UnknownWorker(String),
    #[error("'{0}' is no run; `tanren cluster status` shows their names, 16 hexadecimal digits")]
    UnknownRun(String),
    #[error("worker '{0}' is not connected; `tanren cluster status` shows those that are")]
    AbsentWorker(String),
    #[error("run {0} is not being played; `tanren cluster status` shows those that are")]
    AbsentRun(String),
    #[error("this run cannot be played by other machines: {0}")]
    Untellable(String),
    #[error(
        "this run began with {before}, and {now} would change its time control: pass {before}, or a new folder with --out"
    )]
    OtherReference { before: String, now: String },
    #[error("cannot start what talks to the server: {0}")]
    System(io::Error),
}

impl FleetError {
    pub(super) fn server<E: Error + Send + Sync + 'static>(action: &'static str, source: E) -> FleetError {
        FleetError::Server {
            action,
            source: Box::new(source),
        }
    }

    pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> FleetError {
        let path = path.to_owned();
        move |source| FleetError::Unwritable { path, source }
    }

    /// May the same call succeed in a moment?
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, FleetError::NoServer { .. } | FleetError::Server { .. })
    }

    pub fn is_input(&self) -> bool {
        !matches!(
            self,
            FleetError::Certificate(_)
                | FleetError::Server { .. }
                | FleetError::NoRoom(_)
                | FleetError::Coordinated(_)
                | FleetError::KeyInUse(_)
                | FleetError::ToldToStop
                | FleetError::AbsentWorker(_)
                | FleetError::AbsentRun(_)
                | FleetError::System(_)
                | FleetError::Key(_)
                | FleetError::NoServer { .. }
                | FleetError::Untrusted { .. }
                | FleetError::Refused { .. }
                | FleetError::ServerProgram(_)
        )
    }
}
