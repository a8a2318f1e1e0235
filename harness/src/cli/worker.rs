//! `tanren worker`.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Args;

use super::shared::CliError;
use super::test::{TrustedRepositories, default_cache};
use crate::fleet::{WorkerFile, WorkerOptions};
use crate::platform::processor;
use crate::report::note;
use crate::session::error::ExperimentError;
use crate::tools::jobs::serve_fleet;

/// Play for a fleet: the runs that others start with --cluster.
///
/// Ctrl-C hands unfinished pairs to other workers; no result is lost. It reconnects by itself.
#[derive(Debug, Args)]
pub(super) struct WorkerArgs {
    /// The file of this machine, as tanren cluster init writes them.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Pairs played at the same time (one per core).
    #[arg(long, value_name = "N")]
    slots: Option<NonZero<u16>>,
    /// Stop playing games by time when the speed of this machine changes by more than this share.
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    speed_tolerance: u16,
    /// Where builds of trusted repositories are kept (tanren/builds in the user's folder for caches).
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Connect to another machine without TLS: others can read and change it.
    #[arg(long)]
    insecure: bool,
    /// Log messages to and from the fleet in this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print only errors.
    #[arg(long)]
    quiet: bool,
}

impl WorkerArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let file = WorkerFile::open(&self.file).map_err(ExperimentError::from)?;
        let cores = available_parallelism().map_or(1, NonZero::get);
        let slots = self.slots.map_or(cores, |slots| usize::from(slots.get()));
        let is_quiet = self.quiet;
        let name = file.name.clone();
        let tell = move |text: &str| {
            if !is_quiet {
                note(&format!("{name}: {text}"));
            }
        };
        let builder = TrustedRepositories {
            addresses: file.trusted_repositories.clone(),
            cache: match (&self.cache, file.trusted_repositories.is_empty()) {
                (Some(cache), _) => cache.clone(),
                (None, true) => PathBuf::new(),
                (None, false) => default_cache()?,
            },
        };
        let options = WorkerOptions {
            file,
            slots,
            cores,
            speed_tolerance: f64::from(self.speed_tolerance) / 100.0,
            cpu: processor(),
            is_insecure: self.insecure,
            log: self.log.clone(),
        };
        Ok(serve_fleet(options, builder, tell)?)
    }
}
