//! Why a fleet cannot be set up, or a machine not take part in it.
//!
//! In: the errors of files, certificates and connections. Out: one type that says what to do and tells bad input from failure.
//! Must not: hold a secret.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{ConfigError, Mistakes};

/// Why something about a fleet does not work.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// A file of a machine that cannot be read, or says what cannot be.
    #[error(transparent)]
    File(#[from] ConfigError),
    /// The folder for a new fleet has something in it.
    #[error(
        "'{}' is not empty: the keys of a fleet are made once; name a new folder, or remove this one and with it its keys",
        .0.display()
    )]
    Occupied(PathBuf),
    /// The folder for a new fleet has a name that not every file can hold.
    #[error(
        "'{}' holds {character:?}, which the files of other programs could misunderstand; choose a folder without it", folder.display()
    )]
    BadFolder {
        /// The folder, absolute.
        folder: PathBuf,
        /// What is in its way.
        character: char,
    },
    /// What is neither a name of a host nor an address.
    #[error("host '{0}' is neither a name such as club.example.org nor an address such as 192.0.2.7")]
    BadHost(String),
    /// A file that cannot be written.
    #[error("cannot write '{}': {source}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A certificate that cannot be made.
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
    /// A key that cannot be made or used.
    #[error("cannot use a key: {0}")]
    Key(#[from] nkeys::error::Error),
    /// What is no address of a server.
    #[error("url '{url}': {message}; write tls://HOST:4222")]
    BadAddress {
        /// As it was given.
        url: String,
        /// What is wrong with it.
        message: String,
    },
    /// A certificate of an authority that is none.
    #[error("ca: {0}; copy the text of the fleet's ca.pem, with its BEGIN and END lines")]
    BadAuthority(String),
    /// Others on the way could read and change everything.
    #[error(
        "'{0}' is another machine and would be spoken to in plain text; write tls:// and give the ca of the fleet, or say \
         --insecure if nobody else is on the way"
    )]
    PlainText(String),
    /// Nothing that speaks NATS is there.
    #[error(
        "no NATS server at '{url}': {message}; is it running (`tanren cluster up`), and is the url of this machine's file right?"
    )]
    NoServer {
        /// Where it should be.
        url: String,
        /// What happened instead.
        message: String,
    },
    /// The server is there, but is not the one that the ca speaks for, or speaks in plain text.
    #[error(
        "the server at '{url}' does not prove who it is: {message}; are url and ca of this machine's file those of the fleet?"
    )]
    Untrusted {
        /// Where it is.
        url: String,
        /// What the TLS library says.
        message: String,
    },
    /// The server does not know the key.
    #[error(
        "the server at '{url}' refuses the key of '{name}': is it in server.conf, and was the server started again since?"
    )]
    Refused {
        /// Where it is.
        url: String,
        /// Who wanted to come in.
        name: String,
    },
    /// There is no fleet in the folder.
    #[error("there is no server.conf in '{}'; `tanren cluster init` makes one", .0.display())]
    NoFleet(PathBuf),
    /// The program of the server is not there.
    #[error(
        "there is no nats-server on the PATH: install the package nats-server (Debian), or take the one program from \
         https://github.com/nats-io/nats-server/releases"
    )]
    NoServerProgram,
    /// The program of the server does not start.
    #[error("cannot start nats-server: {0}")]
    ServerProgram(io::Error),
    /// The server, or the way to it, fails.
    #[error(
        "cannot {action} at the NATS server: {source}; what was played is saved, and the same command goes on"
    )]
    Server {
        /// What was to be done.
        action: &'static str,
        /// What became of it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Its storage may not grow as far as a fleet's may.
    #[error(
        "the NATS server has no room for a fleet ({0}); write more at max_file_store in server.conf, 6GB at least, and start it again"
    )]
    NoRoom(String),
    /// Somebody else coordinates the same run.
    #[error(
        "run {0} is coordinated by another process already: the same run cannot be played twice at a time on one fleet"
    )]
    Coordinated(String),
    /// The user said so.
    #[error("stopped by `tanren cluster stop`; all finished pairs are saved, and the same command goes on")]
    ToldToStop,
    /// Nobody has that name.
    #[error("'{0}' is no worker of this fleet: the file of the coordinator has no key of that name")]
    UnknownWorker(String),
    /// Nothing has that name.
    #[error("'{0}' is no run; `tanren cluster status` shows their names, 16 hexadecimal digits")]
    UnknownRun(String),
    /// The run cannot be told to others.
    #[error("this run cannot be played by other machines: {0}")]
    Untellable(String),
    /// The system refuses what is needed to talk.
    #[error("cannot start what talks to the server: {0}")]
    System(io::Error),
}

impl FleetError {
    /// From the failure of the server to do something.
    pub(super) fn server<E: Error + Send + Sync + 'static>(action: &'static str, source: E) -> FleetError {
        FleetError::Server {
            action,
            source: Box::new(source),
        }
    }

    /// From the failure to write at `path`.
    pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> FleetError {
        let path = path.to_owned();
        move |source| FleetError::Unwritable { path, source }
    }

    /// May it be otherwise in a moment, without anybody doing anything about this machine?
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, FleetError::NoServer { .. } | FleetError::Server { .. })
    }

    /// Is it something that the user must change, known before anything was done?
    pub fn is_input(&self) -> bool {
        match self {
            FleetError::File(_)
            | FleetError::Occupied(_)
            | FleetError::BadFolder { .. }
            | FleetError::BadHost(_)
            | FleetError::Unwritable { .. }
            | FleetError::BadAddress { .. }
            | FleetError::BadAuthority(_)
            | FleetError::PlainText(_)
            | FleetError::Untellable(_)
            | FleetError::UnknownWorker(_)
            | FleetError::UnknownRun(_)
            | FleetError::NoFleet(_)
            | FleetError::NoServerProgram => true,
            FleetError::Certificate(_)
            | FleetError::Server { .. }
            | FleetError::NoRoom(_)
            | FleetError::Coordinated(_)
            | FleetError::ToldToStop
            | FleetError::System(_)
            | FleetError::Key(_)
            | FleetError::NoServer { .. }
            | FleetError::Untrusted { .. }
            | FleetError::Refused { .. }
            | FleetError::ServerProgram(_) => false,
        }
    }
}

impl From<Mistakes> for FleetError {
    fn from(mistakes: Mistakes) -> FleetError {
        FleetError::File(mistakes.into())
    }
}
