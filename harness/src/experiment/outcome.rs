//! What a run came to, as one plain value: the command line prints it, a queue decides by it, files are made from it.
//!
//! In: counts and findings of a run that went on, or of a folder that was read. Out: [`Outcome`].

use std::path::{Path, PathBuf};

use super::InvalidRun;
use super::error::StoppedByFault;
use super::findings::{
    AblationFindings, Found, MatchFindings, NightFindings, NodesFindings, OddsFindings, SuiteFindings,
    TournamentFindings, TuningFindings,
};
use crate::interrupt::Signal;
use crate::ledger::RunKind;
use crate::record::PairFault;
use crate::standing::Verdict;

/// A run as far as it went.
#[derive(Debug)]
pub struct Outcome {
    /// Where its files are.
    pub folder: PathBuf,
    /// Why nothing more is played now.
    pub ending: Ending,
    /// What it found.
    pub findings: Findings,
}

/// Why a run goes no further.
#[derive(Debug)]
pub enum Ending {
    /// There is nothing more to play.
    Complete,
    /// It paused where the user wanted it to.
    Paused,
    /// A signal stopped it.
    Stopped {
        /// Which.
        signal: Signal,
        /// How far it was.
        progress: Progress,
    },
    /// A fault after which the user wants it to stop.
    Fault(StoppedByFault),
    /// Faults decided it, and not strength: nothing more is played, and nothing is accepted.
    Invalid(InvalidRun),
}

/// How much of a run is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Finished.
    pub done: u64,
    /// Planned.
    pub of: u64,
    /// Pairs, searches, rows, ….
    pub unit: Unit,
}

/// What a run is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Pairs of games.
    Pairs,
    /// Batches of pairs.
    Batches,
    /// Rows of an ablation.
    Rows,
    /// Iterations of a tuning.
    Iterations,
    /// Searches.
    Searches,
    /// Jobs of a queue.
    Jobs,
}

/// What was found, by kind of run.
#[derive(Debug)]
pub enum Findings {
    /// A match.
    Match(Box<MatchFindings>),
    /// A tournament.
    Tournament(TournamentFindings),
    /// A tuning.
    Tuning(Box<TuningFindings>),
    /// A study of odds.
    Odds(OddsFindings),
    /// An ablation.
    Ablation(AblationFindings),
    /// A count of nodes.
    Nodes(NodesFindings),
    /// A night's queue.
    Night(NightFindings),
    /// The check of a suite of openings.
    Suite(SuiteFindings),
}

impl Findings {
    /// The same by reference.
    pub fn found(&self) -> Found<'_> {
        match self {
            Findings::Match(found) => Found::Match(found),
            Findings::Tournament(found) => Found::Tournament(found),
            Findings::Tuning(found) => Found::Tuning(found),
            Findings::Odds(found) => Found::Odds(found),
            Findings::Ablation(found) => Found::Ablation(found),
            Findings::Nodes(found) => Found::Nodes(found),
            Findings::Night(found) => Found::Night(found),
            Findings::Suite(found) => Found::Suite(found),
        }
    }
}

impl Findings {
    /// Why it says nothing about strength, if faults decided it.
    pub fn invalid(&self) -> Option<InvalidRun> {
        match self {
            Findings::Match(found) => found.invalid(),
            Findings::Tournament(found) => found.invalid(),
            Findings::Tuning(found) => found.invalid(),
            Findings::Odds(found) => found.invalid.clone(),
            Findings::Ablation(found) => found.invalid(),
            Findings::Nodes(_) | Findings::Night(_) | Findings::Suite(_) => None,
        }
    }
}

impl Ending {
    /// Of the fault of one of the players with these labels.
    pub(super) fn of_fault(labels: &[String], fault: PairFault) -> Ending {
        let label = labels.get(usize::from(fault.player));
        let label = label
            .cloned()
            .unwrap_or_else(|| format!("player {}", fault.player));
        Ending::Fault(StoppedByFault { label, fault })
    }

    /// Complete, unless a signal came before everything was done.
    pub(super) fn of_progress(signal: Option<Signal>, progress: Progress) -> Ending {
        match signal {
            Some(signal) if progress.done < progress.of => Ending::Stopped { signal, progress },
            _ => Ending::Complete,
        }
    }

    /// Of what is over and may be invalid.
    pub(super) fn of_validity(invalid: Option<InvalidRun>) -> Ending {
        invalid.map_or(Ending::Complete, Ending::Invalid)
    }
}

impl Outcome {
    /// The probability that equal players are as far apart, of a match that is over.
    pub fn p_value(&self) -> Option<f64> {
        match &self.findings {
            Findings::Match(found) if found.standing.is_decided() => found.standing.p_value(),
            _ => None,
        }
    }

    /// Where its files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The kind of run; a check of openings has no folder and no kind.
    pub fn kind(&self) -> Option<RunKind> {
        match &self.findings {
            Findings::Match(_) => Some(RunKind::Match),
            Findings::Tournament(_) => Some(RunKind::Tournament),
            Findings::Tuning(_) => Some(RunKind::Tune),
            Findings::Odds(_) => Some(RunKind::Odds),
            Findings::Ablation(_) => Some(RunKind::Ablation),
            Findings::Nodes(_) => Some(RunKind::Nodes),
            Findings::Night(_) => Some(RunKind::Night),
            Findings::Suite(_) => None,
        }
    }

    /// What the run says as a whole; only a match, a tuning that ended with one, and what is invalid say something.
    pub fn verdict(&self) -> Option<Verdict> {
        match &self.findings {
            Findings::Match(found) => Some(found.standing.verdict()),
            Findings::Tuning(found) => found.verdict(),
            findings => findings.invalid().map(|_| Verdict::Invalid),
        }
    }

    /// The name of the verdict in files; a tuning that kept its start is `no_signal`, and one without a match
    /// `unconfirmed`.
    pub fn verdict_name(&self) -> Option<&'static str> {
        match (&self.findings, self.verdict()) {
            (Findings::Tuning(found), _) => Some(found.verdict_name()),
            (_, verdict) => verdict.map(Verdict::name),
        }
    }

    /// Pairs counted, if it is counted in pairs.
    pub fn pairs(&self) -> Option<u64> {
        match &self.findings {
            Findings::Match(found) => Some(found.standing.tally().pairs()),
            Findings::Tournament(found) => Some(found.counted),
            Findings::Tuning(found) => Some(found.pairs()),
            _ => None,
        }
    }
}
