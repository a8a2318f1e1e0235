//! What each kind of run found: plain data, no judgement that the statistics have not made.
//!
//! In: counts. Out: a struct for each kind of run, and [`Found`], any of them.

use tanren_engine::game::Game;

use super::InvalidRun;
use super::ablation::AblationSpec;
use super::engines::EngineTotals;
use super::hosts::HostTotals;
use super::tuning::spec::TuningSpec;
use super::tuning::trajectory::Trajectory;
use crate::config::MoveLimit;
use crate::crosstable::Crosstable;
use crate::event::Warning;
use crate::queue::{Entry, Job};
use crate::record::Search;
use crate::standing::{FaultCounts, Standing, Verdict};
use crate::study::ablate::{AblationRow, Length, Worth};
use crate::study::nodes::NodesSummary;
use crate::study::odds::OddsStep;

/// What was found, by kind of run.
#[derive(Debug, Clone, Copy)]
pub enum Found<'a> {
    /// A match.
    Match(&'a MatchFindings),
    /// A tournament.
    Tournament(&'a TournamentFindings),
    /// A tuning.
    Tuning(&'a TuningFindings),
    /// A study of odds.
    Odds(&'a OddsFindings),
    /// An ablation.
    Ablation(&'a AblationFindings),
    /// A count of nodes.
    Nodes(&'a NodesFindings),
    /// A night's queue.
    Night(&'a NightFindings),
    /// The check of a suite.
    Suite(&'a SuiteFindings),
}

/// What a match found.
#[derive(Debug)]
pub struct MatchFindings {
    /// What was played.
    pub game: Game,
    /// What A and B are called.
    pub labels: [String; 2],
    /// The count.
    pub standing: Standing,
    /// What the players that are programs did beside their results.
    pub engines: Vec<EngineTotals>,
    /// What the machines of a fleet did.
    pub hosts: Vec<HostTotals>,
}

impl MatchFindings {
    /// Why it says nothing about strength, if faults decided it.
    pub fn invalid(&self) -> Option<InvalidRun> {
        InvalidRun::of_match(&self.standing, &self.labels)
    }
}

/// What a tournament found.
#[derive(Debug)]
pub struct TournamentFindings {
    /// What was played.
    pub game: Game,
    /// What the players are called.
    pub labels: Vec<String>,
    /// A player whose rating is given, by its index.
    pub anchor: Option<(usize, f64)>,
    /// The count of every pairing.
    pub crosstable: Crosstable,
    /// Pairs of all pairings, in the order of the schedule without a gap.
    pub counted: u64,
    /// What the players that are programs did beside their results.
    pub engines: Vec<EngineTotals>,
    /// What the machines of a fleet did.
    pub hosts: Vec<HostTotals>,
}

impl TournamentFindings {
    /// Why it says nothing about strength, if it is over and faults decided it or one of its pairings.
    pub fn invalid(&self) -> Option<InvalidRun> {
        if !self.crosstable.is_over() {
            return None;
        }
        let of_cells = || {
            let mut cells = self.crosstable.cells().iter();
            cells.find_map(|cell| {
                let labels = cell
                    .players
                    .map(|player| self.labels[usize::from(player)].clone());
                InvalidRun::of_counts(cell.standing.faults(), &labels)
            })
        };
        InvalidRun::of_counts(self.crosstable.faults(), &self.labels).or_else(of_cells)
    }
}

/// What a tuning found.
#[derive(Debug)]
pub struct TuningFindings {
    /// What was tuned, and how.
    pub spec: TuningSpec,
    /// How the values moved.
    pub trajectory: Trajectory,
    /// The faults of the games of the tuning itself, A being plus and B minus.
    pub faults: FaultCounts,
    /// What the machines of a fleet did.
    pub hosts: Vec<HostTotals>,
    /// The match of tuned (A) against start, if it was played.
    pub confirmation: Option<MatchFindings>,
}

impl TuningFindings {
    /// The values found, as the parameters take them.
    pub fn tuned(&self) -> Vec<f64> {
        self.spec.space.nearest(&self.trajectory.estimate)
    }

    /// Was the last iteration applied?
    pub fn is_finished(&self) -> bool {
        self.trajectory.applied == self.spec.plan.iterations
    }

    /// Did its method look for something to gain, and keep the start for want of it?
    pub fn has_no_signal(&self) -> bool {
        let asked = self.spec.plan.method.asks_for_signal();
        let is_judged = self.is_finished() && self.invalid().is_none();
        asked && is_judged && self.tuned() == self.spec.space.start()
    }

    /// The verdict in files: `no_signal`, that of the confirming match, or `unconfirmed`.
    pub fn verdict_name(&self) -> &'static str {
        if self.has_no_signal() {
            return "no_signal";
        }
        self.verdict().map_or("unconfirmed", Verdict::name)
    }

    /// Pairs of the tuning itself.
    pub fn pairs(&self) -> u64 {
        self.trajectory.applied * self.spec.plan.pairs_per_iteration
    }

    /// Why it says nothing, if faults decided its own games or the match that confirms it.
    pub fn invalid(&self) -> Option<InvalidRun> {
        let is_judged = self.is_finished() || self.faults.faults().in_a_row().is_some();
        let own = || InvalidRun::of_counts(&self.faults, &TuningSpec::SIDES.map(str::to_owned));
        let confirmation = || self.confirmation.as_ref()?.invalid();
        is_judged.then(own).flatten().or_else(confirmation)
    }

    /// What the confirming match says; `interrupted` before the tuning is finished, and nothing if no match was played.
    pub fn verdict(&self) -> Option<Verdict> {
        if self.invalid().is_some() {
            return Some(Verdict::Invalid);
        }
        match &self.confirmation {
            Some(found) => Some(found.standing.verdict()),
            None => (!self.is_finished()).then_some(Verdict::Interrupted),
        }
    }
}

/// What a study of odds found.
#[derive(Debug, Clone)]
pub struct OddsFindings {
    /// What A and B are called.
    pub labels: [String; 2],
    /// What the ratio is of: `nodes` or `milliseconds`.
    pub unit: &'static str,
    /// Units a move that A has at a ratio of 1: those of B, unless it has a limit of its own.
    pub resource: u64,
    /// B's own limit, of another kind.
    pub limit_b: Option<MoveLimit>,
    /// The batches, in order.
    pub steps: Vec<OddsStep>,
    /// The faults of all batches, one that is invalid and makes no step included.
    pub faults: FaultCounts,
    /// Why it says nothing, if faults decided it or a batch; then no further one is played.
    pub invalid: Option<InvalidRun>,
}

/// What an ablation found.
#[derive(Debug, Clone)]
pub struct AblationFindings {
    /// Its rows, in the order of the settings.
    pub rows: Vec<AblationRow>,
    /// How many rows there are to be.
    pub planned: usize,
    /// How many pairs each was to have.
    pub length: Length,
}

impl AblationFindings {
    /// Nothing yet.
    pub(super) fn of(spec: &AblationSpec) -> AblationFindings {
        AblationFindings {
            rows: Vec::new(),
            planned: spec.rows.len(),
            length: spec.length,
        }
    }

    /// Pairs of all rows together.
    pub fn pairs(&self) -> u64 {
        self.rows.iter().map(|row| row.tally.pairs()).sum()
    }

    /// Why a row says nothing, of the first that faults decided.
    pub fn invalid(&self) -> Option<InvalidRun> {
        let row = self.rows.iter().find(|row| row.worth == Worth::Invalid)?;
        let labels = ["base".to_owned(), row.variant.assignment()];
        InvalidRun::of_counts(&row.faults, &labels)
    }
}

/// What a count of nodes found.
#[derive(Debug, Clone)]
pub struct NodesFindings {
    /// What each player is called.
    pub labels: Vec<String>,
    /// The line of each position in its file.
    pub lines: Vec<u32>,
    /// By player and position.
    pub searches: Vec<Search>,
    /// What they say together.
    pub summary: NodesSummary,
    /// What the machines of a fleet did.
    pub hosts: Vec<HostTotals>,
}

impl NodesFindings {
    /// The programs that failed on positions.
    pub fn warnings(&self) -> Vec<Warning<'_>> {
        let of_config = |(config, label)| {
            let failed = self.searches.iter().filter(move |search| search.config == config);
            let mut failed = failed.filter_map(|search| Some((search, search.fault.as_deref()?)));
            let (first, fault) = failed.next()?;
            Some(Warning::FailedSearches {
                label,
                failed: 1 + failed.count(),
                line: self.lines[first.position],
                fault,
            })
        };
        let labels = self.labels.iter().map(String::as_str);
        labels.enumerate().filter_map(of_config).collect()
    }
}

/// What became of a night.
#[derive(Debug, Clone)]
pub struct NightFindings {
    /// Every job in file order with what is known of it.
    pub jobs: Vec<(Job, Option<Entry>)>,
}

/// A suite in which every line is a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFindings {
    /// The file, or what stands for it.
    pub origin: String,
    /// Distinct positions.
    pub positions: usize,
    /// Lines that repeat an earlier one, each with that one.
    pub duplicates: Vec<(u32, u32)>,
}
