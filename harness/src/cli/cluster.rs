//! `tanren cluster`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::shared::{CliError, print_document};
use crate::fleet::{CoordinatorFile, FleetError, FleetSpec, NewFleet, drain, status, stop, up};
use crate::report::{fleet_document, note, quote};

/// Make a fleet of many machines, and run its server.
#[derive(Debug, Subcommand)]
pub(super) enum ClusterCommand {
    /// Write the files of a new fleet: one for every machine, and all that its NATS server needs.
    Init(InitArgs),
    /// Run the server of a fleet with the nats-server of this machine, in the place of this process.
    Up(UpArgs),
    /// Show which workers are there, and what they play for whom.
    Status(StatusArgs),
    /// Tell a worker to finish its pairs, take no new ones, and exit.
    Drain(DrainArgs),
    /// Stop the coordinator of a run, as Ctrl-C would; its command resumes it.
    Stop(StopArgs),
}

/// Who gives orders.
#[derive(Debug, Args)]
struct CoordinatorArgs {
    /// The file of the coordinator.
    #[arg(value_name = "COORDINATOR.toml")]
    file: PathBuf,
    /// Connect to another machine without TLS: others can read and change it.
    #[arg(long)]
    insecure: bool,
}

impl CoordinatorArgs {
    fn open(&self) -> Result<CoordinatorFile, FleetError> {
        Ok(CoordinatorFile::open(&self.file)?)
    }
}

#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    coordinator: CoordinatorArgs,
    /// Print it as one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DrainArgs {
    #[command(flatten)]
    coordinator: CoordinatorArgs,
    /// The worker, as its file names it.
    #[arg(value_name = "WORKER")]
    worker: String,
}

#[derive(Debug, Args)]
pub(super) struct StopArgs {
    #[command(flatten)]
    coordinator: CoordinatorArgs,
    /// The run, as `tanren cluster status` names it.
    #[arg(value_name = "RUN")]
    run: String,
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The folder to write: a new one, or an empty one.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How many machines get a worker's file.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    workers: u32,
    /// A name or address of the server; repeatable, machines use the first. With `localhost` only this machine can connect.
    #[arg(long = "host", value_name = "HOST", default_value = "localhost")]
    hosts: Vec<String>,
    /// Where the server listens.
    #[arg(long, value_name = "N", default_value = "4222")]
    port: NonZero<u16>,
}

#[derive(Debug, Args)]
pub(super) struct UpArgs {
    /// The folder of the fleet.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl ClusterCommand {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match self {
            ClusterCommand::Init(args) => args.run(),
            ClusterCommand::Up(args) => Err(up(&args.folder).into()),
            ClusterCommand::Status(args) => args.run(),
            ClusterCommand::Drain(args) => {
                drain(&args.coordinator.open()?, &args.worker, args.coordinator.insecure)?;
                note(&format!("asked {} to finish its pairs and exit", args.worker));
                Ok(())
            }
            ClusterCommand::Stop(args) => {
                stop(&args.coordinator.open()?, &args.run, args.coordinator.insecure)?;
                note(&format!("run {} is told to stop", args.run));
                Ok(())
            }
        }
    }
}

impl StatusArgs {
    fn run(&self) -> Result<(), CliError> {
        let found = status(&self.coordinator.open()?, self.coordinator.insecure)?;
        print_document(self.json, &fleet_document(&found))
    }
}

impl InitArgs {
    fn run(&self) -> Result<(), CliError> {
        let spec = FleetSpec {
            folder: self.folder.clone(),
            workers: self.workers,
            hosts: self.hosts.clone(),
            port: self.port.get(),
        };
        let made = spec.init()?;
        note(&described(&spec, &made));
        Ok(())
    }
}

/// What was written, and what to do next.
fn described(spec: &FleetSpec, made: &NewFleet) -> String {
    let folder = &spec.folder;
    let command =
        |command: &str, path: &Path| format!("  tanren {command} {}", quote(&path.to_string_lossy()));
    let server = made.server.map_or_else(
        || "there is no nats-server on this machine; server.conf is for one of 2.10 or later".to_owned(),
        |version| format!("server.conf is for nats-server {version}"),
    );
    let others = if spec.is_local() {
        "only this machine can connect; to let others connect, give the server's name or address with --host"
    } else {
        "give each machine its own file and keep them secret"
    };
    let next = [
        command("cluster up", folder),
        command("worker", &folder.join("worker-1.toml")),
        command(
            "match --a base --b foundation --nodes 1000 --cluster",
            &folder.join("coordinator.toml"),
        ),
    ];
    format!(
        "written to {}: {}\n{server}; {others}\nnext:\n{}",
        folder.display(),
        made.files.join(", "),
        next.join("\n")
    )
}
