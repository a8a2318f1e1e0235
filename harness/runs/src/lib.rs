//! The harness half of Tanren: matches between engines, and everything else that is counted in games.
//!
//! A run is one value. An [`Experiment`] holds everything that is to be played, every key checked; running it gives an
//! [`Outcome`] and leaves a folder, which [`Run::open`] reads again. A match in twenty lines:
//!
//! ```
//! use tanren_runs::{Console, Experiment, Manner, MatchFindings, RunOptions, describe};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let experiment = Experiment::from_toml(
//!     r#"
//!     command = "match"
//!     a = "base"
//!     b = "base,null_move=off"
//!     nodes = 100
//!     pairs = 4
//!     "#,
//! )?;
//! let options = RunOptions { out: Some(folder.join("null-move")), ..RunOptions::default() };
//! let outcome = experiment.run(&options, &mut Console::new(Manner::FilesAlone))?;
//! let found = outcome.findings.of::<MatchFindings>().unwrap();
//! println!("{}: {:?}", found.match_state.verdict().name(), found.match_state.estimates().elo);
//! print!("{}", describe(&*outcome.findings));
//! assert_eq!(outcome.findings.pairs(), Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Running it again resumes where it stopped, and `tanren_runs::Run::open(folder)?.outcome(...)` counts it from its ledger
//! alone. To follow a run, implement [`RunObserver`]; [`Console`] is the one of a terminal, and [`NoObserver`] shows and
//! writes nothing. [`stats`] is a crate of its own: tests, estimates and ratings as pure functions of counts.
//!
//! Inside, `tanren_core` has what is played and stored, up to `runner`. Above it:
//!
//! 1. `fleet`: the workers of other machines.
//! 2. `session`: what every run begins with, and what any run tells and finds.
//! 3. `kinds`: a folder for each kind of run, and the registry of all. `tools`: what is done beside playing runs.
//! 4. `report`: everything that is formatted. `web`: pages of it that a server gives. `cli`: arguments to runs.
//!
//! `interrupt` is the wish to stop, which players and the runner ask for; `platform` is what the system does about processes,
//! priorities and cores.

#![allow(
    missing_docs,
    reason = "internal: what users write against is small and documented where it is exported"
)]
#![expect(
    unreachable_pub,
    reason = "modules are private; `pub` inside them is what a stage offers to the next"
)]

pub mod document;
pub mod kinds;
pub mod report;
pub mod session;
pub mod tools;

#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;

pub use kinds::match_::MatchFindings;
pub use match_state::Verdict;
pub use report::{Console, Manner, describe};
pub use session::error::ExperimentError;
pub use session::found::Found;
pub use session::kind::Experiment;
pub use session::observer::{NoObserver, RunEvent, RunObserver};
pub use session::options::RunOptions;
pub use session::outcome::{Outcome, RunEnding};
pub use session::stored::Run;
use tanren_core::{
    config, crosstable, endgame, event, interrupt, ledger, match_state, openings, platform, play, player,
    record, runner, sanitize, schedule, shard, stop,
};
#[cfg(feature = "cluster")]
use tanren_fleet as fleet;
pub use tanren_stats as stats;
use tanren_stats::random;

/// What the benches and the tests of whole stages measure and call; no part of the interface.
#[doc(hidden)]
pub mod internals {
    pub use crate::config::{
        ClockRules, Identity, MoveLimit, PlayerKind, PlayerSpec, ProcessSpec, Rules, Timeouts,
    };
    #[cfg(feature = "cluster")]
    pub use crate::fleet::{
        Access, Announcement, COORDINATOR, CoordinatorFile, FleetError, Heartbeat, Job, JobPair, MakeTables,
        PlayJobs, SignedPair, WorkerFile, connect, connect_and_hear, digest_of, signed_bytes,
        worker_jetstream,
    };
    pub use crate::interrupt::Interrupt;
    pub use crate::kinds::match_::MatchFindings;
    pub use crate::ledger::{LEDGER_FILE, Ledger, LedgerError, Manifest, encode};
    pub use crate::match_state::MatchState;
    pub use crate::openings::{Opening, built_in as built_in_openings};
    pub use crate::platform::Cores;
    pub use crate::play::GameTable;
    pub use crate::player::{
        Action, Clocks, ExaminedFiles, FaultLog, Launch, Player, Process, ProcessRules, Thought,
    };
    pub use crate::record::{Finished, GameRecord, PairRecord, PlayerId, Reason, Score, Turn};
    pub use crate::report::write_files;
    pub use crate::runner::{LocalExecutor, PairRun, play, recount};
    pub use crate::stop::{FaultLimits, StopRule};
    #[cfg(feature = "cluster")]
    pub use crate::tools::jobs::JobTables;
}
