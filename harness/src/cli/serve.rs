//! `tanren serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;

use super::shared::CliError;
use crate::interrupt::Interrupt;
use crate::platform::show_in_browser;
use crate::report::{note, print_data};
use crate::web::{Certificate, Control, ServeOptions, WebError, new_token, serve};

/// Where runs are written unless --out says otherwise.
const RESULTS: &str = "results";

/// Show runs in a browser, live: a list, a page for each, JSON and metrics.
///
/// It writes nothing without --control and slows no run. It listens on this machine only, unless --host says otherwise. Ctrl-C ends it.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Folder with runs, at most 6 levels deep (results).
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Listen on this address only.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Listen on this port (a free one).
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Require the access token printed in the URL.
    #[arg(long)]
    token: bool,
    /// Allow token holders to queue, pause, resume and stop runs (implies --token).
    #[arg(long)]
    control: bool,
    /// With --control: queued files may name programs of this machine.
    #[arg(long, requires = "control")]
    control_programs: bool,
    /// Use HTTPS with this certificate (PEM), for an address that others reach; needs --token.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of --tls-cert (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// A host name of this machine, as in its certificate; repeatable.
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Open the address in a browser.
    #[arg(long)]
    open: bool,
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
