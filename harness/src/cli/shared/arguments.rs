//! Options of every command that plays or searches; none changes a result.

use std::num::NonZero;
use std::path::{Path, PathBuf};
#[cfg(feature = "cluster")]
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;
use tanren_engine::game::Game;

use super::CliError;
use super::finish::Printing;
use super::notify::NotifyArgs;
use crate::config::{ADVANCED, Conditions, Mistakes, OpeningSource};
#[cfg(feature = "cluster")]
use crate::fleet::FleetOptions;
use crate::platform::allowed;
use crate::report::{LivePgn, OldPgn};
use crate::session::options::RunOptions;
use crate::shard::Shard;
#[cfg(feature = "cluster")]
use crate::tools::jobs::JobTables;

/// Who works on a run, and how many at a time.
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[command(next_help_heading = "Running")]
#[serde(default)]
pub(in crate::cli) struct WorkKeys {
    /// Games or searches in parallel (one per core).
    #[arg(long, value_name = "N")]
    pub(in crate::cli) concurrency: Option<NonZero<usize>>,
    /// Log what external engines say and get, one file per start.
    #[arg(long, value_name = "DIR")]
    engine_log: Option<PathBuf>,
    /// Keep each worker on one core.
    #[arg(long, hide = true, help_heading = ADVANCED)]
    pin_cores: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    #[serde(flatten)]
    fleet: FleetKeys,
}

/// As [`WorkKeys`], where games may be by time.
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[command(next_help_heading = ADVANCED)]
#[serde(default)]
pub(in crate::cli) struct PlayKeys {
    #[command(flatten)]
    #[serde(flatten)]
    work: WorkKeys,
    /// Play more games by time than there are cores, at the risk of losses on time.
    #[arg(long, hide = true)]
    oversubscribe: bool,
    /// With --cluster: scale time limits by machine speed (nps) or not (off) (nps).
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "HOW", hide = true)]
    scale_time: Option<String>,
    /// With --cluster: the reference speed for time limits, in nodes per second (this machine's).
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "N", hide = true)]
    reference_nps: Option<u64>,
}

/// As [`PlayKeys`], of a run that may stop before its end.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PlayArgs {
    #[command(flatten)]
    pub(in crate::cli) keys: PlayKeys,
    /// Stop after so many pairs; the same command resumes.
    #[arg(long, value_name = "PAIRS", help_heading = "Running")]
    pause_after: Option<NonZero<u64>>,
}

impl Work for PlayArgs {
    fn options(&self, wrong: &mut Mistakes) -> RunOptions {
        RunOptions {
            pause_after: self.pause_after,
            ..self.keys.options(wrong)
        }
    }
}

/// As [`PlayArgs`], of a run whose pairs may be divided.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct ShardArgs {
    #[command(flatten)]
    pub(in crate::cli) play: PlayArgs,
    /// Play only share I of N of the pairs, such as 2/3; tanren merge makes one run of all N.
    ///
    /// A pair belongs to share I if its number, from 1, leaves I when divided by N (0 for I = N). A share under --sprt plays all its pairs or up to
    /// --pause-after: the test is decided in the merged run.
    #[arg(long, value_name = "I/N", hide = true, help_heading = ADVANCED)]
    pub(in crate::cli) shard: Option<Shard>,
}

impl Work for ShardArgs {
    fn options(&self, wrong: &mut Mistakes) -> RunOptions {
        RunOptions {
            shard: self.shard.unwrap_or_default(),
            ..self.play.options(wrong)
        }
    }
}

#[cfg(feature = "cluster")]
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[command(next_help_heading = ADVANCED)]
#[serde(default)]
struct FleetKeys {
    /// Play on a fleet, by its coordinator's file.
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    cluster: Option<PathBuf>,
    /// With --cluster: priority among runs, 0 to 9 (5).
    #[arg(long, value_name = "N", hide = true)]
    priority: Option<u8>,
    /// With --cluster: share of the fleet among runs of one priority, 1 to 100 (1).
    #[arg(long, value_name = "N", hide = true)]
    weight: Option<u32>,
    /// With --cluster: share of pairs or searches repeated here to detect wrong results (1%).
    #[arg(long, value_name = "SHARE", hide = true)]
    audit: Option<String>,
    /// With --cluster: pairs or searches at the same time on this machine (0).
    #[arg(long, value_name = "N", hide = true)]
    slots: Option<usize>,
    /// With --cluster: connect to another machine without TLS: others can read and change it.
    #[arg(long, hide = true)]
    insecure: bool,
    /// With --cluster: log messages to and from other machines in this file.
    #[arg(long, value_name = "FILE", hide = true)]
    log: Option<PathBuf>,
}

/// Keys of how a run is played, which change no result.
pub(in crate::cli) trait Work: Args {
    fn options(&self, wrong: &mut Mistakes) -> RunOptions;

    /// The options of a run whose results go to `out`.
    fn run_options(&self, out: Option<&Path>) -> Result<RunOptions, CliError> {
        let mut wrong = Mistakes::default();
        let options = self.options(&mut wrong);
        wrong.check()?;
        Ok(RunOptions {
            out: out.map(Path::to_owned),
            ..options
        })
    }
}

impl Work for WorkKeys {
    fn options(&self, wrong: &mut Mistakes) -> RunOptions {
        RunOptions {
            concurrency: self.concurrency,
            engine_log: allowed_path(&self.engine_log, "engine_log", wrong),
            pin_cores: self.pin_cores,
            #[cfg(feature = "cluster")]
            fleet: self.fleet.options(wrong),
            ..RunOptions::default()
        }
    }
}

#[cfg(feature = "cluster")]
impl PlayKeys {
    pub(in crate::cli) fn is_on_fleet(&self) -> bool {
        self.work.fleet.cluster.is_some()
    }

    /// Do all machines of a fleet play by the same time?
    pub(in crate::cli) fn is_same_time_for_all(&self) -> bool {
        self.scale_time.as_deref() == Some("off")
    }
}

impl Work for PlayKeys {
    fn options(&self, wrong: &mut Mistakes) -> RunOptions {
        #[cfg_attr(
            not(feature = "cluster"),
            expect(unused_mut, reason = "only a fleet is told more")
        )]
        let mut options = RunOptions {
            oversubscribe: self.oversubscribe,
            ..self.work.options(wrong)
        };
        #[cfg(feature = "cluster")]
        {
            let given = [
                ("scale_time", self.scale_time.is_some()),
                ("reference_nps", self.reference_nps.is_some()),
            ];
            refuse_without_fleet(&options.fleet, &given, wrong);
            let scale = self.scale_time.as_deref().unwrap_or("nps");
            wrong.unless(["nps", "off"].contains(&scale), "scale_time", || {
                format!("scale_time is '{scale}', but must be nps or off")
            });
            if let Some(nps) = self.reference_nps {
                wrong.unless((1_000..=1_000_000_000).contains(&nps), "reference_nps", || {
                    format!("reference_nps is {nps}, but must be from 1000 to 1000000000")
                });
            }
            if let Some(fleet) = &mut options.fleet {
                fleet.scales_time = scale == "nps";
                fleet.reference_nps = self.reference_nps;
            }
        }
        options
    }
}

/// A path, if a page may name it.
fn allowed_path(path: &Option<PathBuf>, key: &str, wrong: &mut Mistakes) -> Option<PathBuf> {
    let path = path.as_deref()?;
    let allowed = allowed(path).map_err(|error| format!("{key} '{}': {error}", path.display()));
    wrong.take(key, allowed).map(Path::to_owned)
}

#[cfg(feature = "cluster")]
fn refuse_without_fleet(fleet: &Option<FleetOptions>, given: &[(&str, bool)], wrong: &mut Mistakes) {
    for (key, is_given) in given {
        wrong.unless(fleet.is_some() || !is_given, key, || {
            format!("{key} is about the machines of a fleet: give cluster, or leave it out")
        });
    }
}

#[cfg(feature = "cluster")]
impl FleetKeys {
    /// How a fleet is used, if one is.
    fn options(&self, wrong: &mut Mistakes) -> Option<FleetOptions> {
        let priority = self.priority.unwrap_or(5);
        wrong.unless(priority <= 9, "priority", || {
            format!("priority is {priority}, but must be from 0 to 9")
        });
        let weight = self.weight.unwrap_or(1);
        wrong.unless((1..=100).contains(&weight), "weight", || {
            format!("weight is {weight}, but must be from 1 to 100")
        });
        let slots = self.slots.unwrap_or(0);
        wrong.unless(slots <= 4096, "slots", || {
            format!("slots is {slots}, but must be from 0 to 4096")
        });
        let audit = self.audit.as_deref().unwrap_or("1%");
        let audit = wrong.take("audit", share(audit)).unwrap_or_default();
        let file = allowed_path(&self.cluster, "cluster", wrong);
        let fleet = file.map(|file| FleetOptions {
            file,
            priority,
            weight,
            audit,
            slots,
            scales_time: false,
            reference_nps: None,
            pace: None,
            is_insecure: self.insecure,
            log: allowed_path(&self.log, "log", wrong),
            tell: crate::report::note,
            make_tables: || Arc::new(JobTables::default()),
            name: None,
            measured_nps: Arc::default(),
            run_nps: Arc::default(),
        });
        let given = [
            ("priority", self.priority.is_some()),
            ("weight", self.weight.is_some()),
            ("audit", self.audit.is_some()),
            ("slots", self.slots.is_some()),
            ("insecure", self.insecure),
            ("log", self.log.is_some()),
        ];
        refuse_without_fleet(&fleet, &given, wrong);
        fleet
    }
}

/// A percentage, or a share from 0 to 1.
#[cfg(feature = "cluster")]
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text
        .strip_suffix('%')
        .map_or((text, 1.0), |number| (number, 100.0));
    let share = number.parse::<f64>().ok().map(|number| number / unit);
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("audit is '{text}', but must be a share such as 1% or 0.01"))
}

/// Where results go and how they are shown.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct OutputArgs {
    /// Folder of the run (results/<date>-<name>); the same command resumes it.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Print the result as JSON on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress or text.
    #[arg(long)]
    quiet: bool,
    /// Print the other estimates too: uncorrected, anytime-valid, normalized.
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    notify: NotifyArgs,
}

impl OutputArgs {
    /// Is the result printed as text?
    pub(in crate::cli) fn is_text(&self) -> bool {
        !self.json && !self.quiet
    }

    pub(in crate::cli) fn printing(&self) -> Printing {
        Printing {
            is_quiet: self.quiet,
            is_json: self.json,
            is_verbose: self.verbose,
            is_on_stderr: false,
            command: None,
            notify: self.notify.clone(),
        }
    }
}

/// A PGN that grows while games are played.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct PgnArgs {
    /// Write each game of chess to this PGN as soon as it is counted.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Replace the file of --pgn.
    #[arg(long, requires = "pgn", hide = true, help_heading = ADVANCED)]
    force: bool,
    /// Keep what other runs wrote in the file of --pgn, and add to it.
    #[arg(long, requires = "pgn", conflicts_with = "force", hide = true, help_heading = ADVANCED)]
    append: bool,
}

impl PgnArgs {
    /// The file, if one is wanted, of a run under `conditions` that goes to `out`.
    pub(in crate::cli) fn live(
        &self,
        conditions: &Conditions,
        out: Option<&Path>,
    ) -> Result<Option<LivePgn>, CliError> {
        let Some(path) = &self.pgn else {
            return Ok(None);
        };
        if conditions.game != Game::Chess {
            return Err(CliError::input(
                "--pgn is for chess: the games of shogi are written by tanren report DIR --records csa,kif",
            ));
        }
        if let OpeningSource::File(book) = &conditions.openings
            && let (Ok(book), Ok(own)) = (book.canonicalize(), path.canonicalize())
            && book == own
        {
            return Err(CliError::input(format!(
                "--pgn '{}': the openings are read from this file: name another",
                path.display()
            )));
        }
        let old = match (self.force, self.append) {
            (true, _) => OldPgn::Replaced,
            (false, true) => OldPgn::Kept,
            (false, false) => OldPgn::Refused,
        };
        Ok(Some(LivePgn::prepare(path, out, old)?))
    }
}
