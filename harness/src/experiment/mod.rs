//! What a command is once its arguments are checked: a run as one value.
//!
//! In: an [`Experiment`], every key of it checked, or the folder of a stored [`Run`]. Out: an [`Outcome`], and on the way
//! [`News`] for an [`Audience`] that shows them and writes files.
//! Must not: know arguments, print, or format a number.

pub mod ablation;
mod capacity;
mod compliance;
mod engines;
mod error;
#[expect(
    clippy::module_inception,
    reason = "the noun of the file is the noun of the stage"
)]
mod experiment;
mod file;
mod findings;
mod folder;
mod forecast;
mod game;
mod generation;
mod hosts;
mod idle;
mod inspection;
mod invalid;
#[cfg(feature = "cluster")]
mod jobs;
mod r#match;
mod mending;
mod methods;
mod news;
pub mod night;
mod nodes;
mod odds;
mod options;
mod out;
mod outcome;
mod perft;
mod programs;
pub(crate) mod recount;
mod recounter;
pub(crate) mod replay;
mod run;
mod searching;
mod seating;
mod shortage;
mod simulation;
mod suite;
mod tournament;
mod tuning;
mod verify;
mod workers;

pub use ablation::{AblationSpec, NodesComparison};
pub use compliance::{ComplianceSpec, examine};
pub use engines::EngineTotals;
pub use error::{ExperimentError, StoppedByFault};
pub use experiment::Experiment;
pub use file::{FileError, write_atomically, write_text};
pub(crate) use file::{check_writable, place_of};
pub use findings::{
    AblationFindings, Found, MatchFindings, NightFindings, NodesFindings, OddsFindings, SuiteFindings,
    TournamentFindings, TuningFindings,
};
pub use forecast::{ForecastRow, ForecastSpec, forecast};
pub(crate) use game::with_game;
pub use generation::{GeneratedSuite, GenerationSpec, StartsSpec, generate_suite, start_positions};
pub use hosts::HostTotals;
pub use inspection::{Inspection, NamedFile, NamedProgram, Role, inspect};
pub use invalid::InvalidRun;
#[cfg(feature = "cluster")]
pub use jobs::{JobTables, serve_fleet};
pub use methods::{MethodsProgress, compare_methods};
pub use news::{Audience, Begins, News, Silent};
pub use night::{JobForecast, NightSpec, PlannedJob};
pub use odds::OddsSpec;
pub use options::RunOptions;
pub use out::check_out;
pub use outcome::{Ending, Findings, Outcome, Unit};
pub use perft::{PerftFindings, PerftSpec, count_moves};
pub use recount::{RecountFindings, RecountSpec, RecountedPlayer, recount};
pub use replay::{
    ReplayEnding, ReplayFindings, ReplaySpec, ReplayVerdict, ReplayedGame, ReplayedTurn, replay,
};
pub use run::Run;
pub use searching::NodesSpec;
pub use simulation::{SimulationGrid, SimulationNews, SimulationRow, pairs_of, simulate};
pub use suite::{SuiteSpec, SuiteStatistics, deduplicate, suite_statistics};
pub use tuning::power::{GAINS as POWER_GAINS, Power};
pub use tuning::{Trajectory, TuningSpec};
#[cfg(test)]
pub use verify::Problem;
pub use verify::{LedgerVerification, Verification, VerifySpec, verify};
