//! `tanren serve`.
//!
//! In: a folder of runs, where to listen. Out: pages for a browser, until a signal.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;

use super::shared::{CliError, LanguageArg};
use crate::interrupt::Interrupt;
use crate::platform::show_in_browser;
use crate::report::{note, print_data};
use crate::web::{Place, ServeOptions, WebError, new_token, serve};

const EXAMPLES: &str = "\
Examples:
  tanren serve --open
      all runs in results/ in a browser, while they go on
  tanren serve results/night --port 8000
      the jobs of a night, at an address that stays the same
  tanren serve --socket /run/tanren.sock
      behind a reverse proxy, which has TLS and knows who may look";

/// Where runs are written unless --out says otherwise.
const RESULTS: &str = "results";

/// Show runs in a browser while they go on: a list of all, a page of each that follows it, JSON and metrics.
///
/// Nothing is written, and no run waits for it; runs of other processes are followed. It listens to this machine alone, and ends with
/// Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ServeArgs {
    /// The folder that holds runs, at any depth to 6 (results).
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Listen at this address of this machine; every other is refused.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Listen at this port (any that is free).
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen at a new Unix socket instead, for a reverse proxy of this machine.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["host", "port", "open"])]
    socket: Option<PathBuf>,
    /// Refuse who has not the token that stands in the printed address, such as other users of this machine.
    #[arg(long)]
    token: bool,
    /// Open the address in a browser.
    #[arg(long)]
    open: bool,
    /// The language that pages begin in; they hold both, and a switch.
    #[arg(long, value_enum, default_value_t = LanguageArg::En)]
    lang: LanguageArg,
}

impl ServeArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let folder = self
            .folder
            .clone()
            .unwrap_or_else(|| Path::new(RESULTS).to_owned());
        if self.folder.is_some() && !folder.is_dir() {
            return Err(WebError::NoFolder(folder).into());
        }
        let place = match &self.socket {
            Some(path) => Place::Socket(path.clone()),
            None => Place::Address(SocketAddr::new(self.host, self.port.unwrap_or(0))),
        };
        let options = ServeOptions {
            folder,
            place,
            token: self.token.then(new_token).transpose()?,
            language: self.lang.language(),
        };
        let interrupt = Interrupt::install().map_err(CliError::system("listen for signals"))?;
        serve(options, &interrupt, |address| self.say(address))?;
        match interrupt.signal() {
            Some(signal) => Err(CliError::Stopped(signal)),
            None => Ok(()),
        }
    }

    fn say(&self, address: &str) {
        // A reader that has gone away does not end the server.
        drop(print_data(&format!("{address}\n")));
        if self.open
            && let Err(error) = show_in_browser(address)
        {
            note(&format!("warning: no browser can be opened: {error}"));
        }
    }
}
