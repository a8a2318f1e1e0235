//! `tanren serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;

use super::shared::CliError;
use crate::interrupt::Interrupt;
use crate::platform::show_in_browser;
use crate::report::{Language, note, print_data};
use crate::web::{Certificate, Control, ServeOptions, WebError, new_token, serve};

/// Where runs are written unless --out says otherwise.
const RESULTS: &str = "results";

/// Show runs in a browser while they go on: a list of all, a page of each that follows it, JSON and metrics.
///
/// Nothing is written without --control, and no run waits for it; runs of other processes are followed. It listens to this machine alone if
/// nothing else is said, and ends with Ctrl-C.
#[derive(Debug, Args)]
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
    /// Refuse who has not the token that stands in the printed address, such as other users of this machine.
    #[arg(long)]
    token: bool,
    /// Let who has the token queue, pause, resume and stop runs from the page; --token goes without saying.
    #[arg(long)]
    control: bool,
    /// With --control: files that are queued from a page may name programs of this machine, as who types commands here may.
    #[arg(long, requires = "control")]
    control_programs: bool,
    /// Speak HTTPS with this certificate (PEM), so that --host may be an address that others reach; with --token.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of --tls-cert (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// What others call this machine, as its certificate does; once for each name.
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Open the address in a browser.
    #[arg(long)]
    open: bool,
    /// The language that pages begin in; they hold both, and a switch.
    #[arg(long, value_enum, default_value_t)]
    lang: Language,
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
        let options = ServeOptions {
            folder,
            address: SocketAddr::new(self.host, self.port.unwrap_or(0)),
            token: (self.token || self.control).then(new_token).transpose()?,
            tls: self
                .tls_cert
                .clone()
                .zip(self.tls_key.clone())
                .map(|(chain, key)| Certificate { chain, key }),
            names: self.name.clone(),
            control: self.control.then(|| self.control()).transpose()?,
            language: self.lang,
        };
        let interrupt = Interrupt::install().map_err(CliError::system("listen for signals"))?;
        serve(options, &interrupt, |address| self.say(address))?;
        match interrupt.signal() {
            Some(signal) => Err(CliError::Stopped(signal)),
            None => Ok(()),
        }
    }

    fn control(&self) -> Result<Control, CliError> {
        let program = std::env::current_exe().map_err(CliError::system("find this program"))?;
        Ok(Control {
            program,
            allows_programs: self.control_programs,
        })
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
