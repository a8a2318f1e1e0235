//! The options of a command whose games other machines play, or whose searches they make.
//!
//! In: arguments. Out: how a command uses a fleet.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::fleet::FleetOptions;

/// Options of every command that other machines can play or search for; they change no result.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct FleetArgs {
    /// Have the machines of a fleet play or search, by this file of its coordinator (tanren cluster init makes one).
    #[arg(long, value_name = "FILE", help_heading = "Many machines")]
    cluster: Option<PathBuf>,
    /// With --cluster: runs of a higher priority are played first, 0 to 9.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=9), requires = "cluster", help_heading = "Many machines")]
    priority: u8,
    /// With --cluster: how much of the fleet this run gets beside others of its priority, 1 to 100.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100), requires = "cluster", help_heading = "Many machines")]
    weight: u32,
    /// With --cluster: how many pairs or searches are done a second time by another machine, such as 1% or 0.
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = share, requires = "cluster", help_heading = "Many machines")]
    audit: f64,
    /// With --cluster: pairs or searches that this machine does at the same time itself.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = slots, requires = "cluster", help_heading = "Many machines")]
    slots: usize,
    /// With --cluster: speak in plain text to a server on another machine; everybody on the way can read and change it.
    #[arg(long, requires = "cluster", help_heading = "Many machines")]
    insecure: bool,
}

/// As [`FleetArgs`], for commands whose games may be by time.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct ClusterArgs {
    #[command(flatten)]
    fleet: FleetArgs,
    /// With --cluster: give a machine more or less time by the speed of its built-in engine (nps), or the same to all (off).
    #[arg(long, value_name = "HOW", default_value = "nps", value_parser = ["nps", "off"], requires = "cluster", help_heading = "Many machines")]
    scale_time: String,
    /// With --cluster: the speed that limits by time are meant for, in nodes a second of the built-in engine (that of this machine).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1_000..=1_000_000_000), requires = "cluster", help_heading = "Many machines")]
    reference_nps: Option<u64>,
}

impl ClusterArgs {
    /// How a fleet is used, if one is.
    pub(in crate::cli) fn options(&self) -> Option<FleetOptions> {
        Some(FleetOptions {
            scales_time: self.scale_time == "nps",
            reference_nps: self.reference_nps,
            ..self.fleet.options()?
        })
    }
}

impl FleetArgs {
    /// How a fleet is used, if one is.
    pub(in crate::cli) fn options(&self) -> Option<FleetOptions> {
        Some(FleetOptions {
            file: self.cluster.clone()?,
            priority: self.priority,
            weight: self.weight,
            audit: self.audit,
            slots: self.slots,
            scales_time: false,
            reference_nps: None,
            is_insecure: self.insecure,
            tell: crate::report::note,
            name: None,
            own_nps: Arc::default(),
        })
    }
}

fn slots(text: &str) -> Result<usize, String> {
    let slots = text.parse().ok().filter(|&slots| slots <= 4096);
    slots.ok_or_else(|| "must be from 0 to 4096".to_owned())
}

/// A percentage, or a share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text
        .strip_suffix('%')
        .map_or((text, 1.0), |number| (number, 100.0));
    let share = number.parse::<f64>().ok().map(|number| number / unit);
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "must be a share such as 1% or 0.01".to_owned())
}
