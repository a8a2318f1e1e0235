use std::path::Path;

use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::kinds::match_::MatchFindings;
use crate::kinds::tune::report;
use crate::kinds::tune::spec::TuningSpec;
use crate::kinds::tune::trajectory::Trajectory;
use crate::ledger::{Ledger, RunKind};
use crate::session::found::Found;
use crate::session::hosts::HostTotals;
use crate::standing::{FaultCounts, Verdict};

#[derive(Debug)]
pub struct TuningFindings {
    pub spec: TuningSpec,
    pub trajectory: Trajectory,
    pub faults: FaultCounts,
    pub hosts: Vec<HostTotals>,
    /// The match of tuned (A) against start, if it was played.
    pub confirmation: Option<MatchFindings>,
}

impl TuningFindings {
    pub fn tuned(&self) -> Vec<f64> {
        self.spec.space.nearest(&self.trajectory.estimate)
    }

    pub fn is_finished(&self) -> bool {
        self.trajectory.applied == self.spec.plan.iterations
    }

    pub fn has_no_signal(&self) -> bool {
        let asked = self.spec.plan.method.asks_for_signal();
        let is_judged = self.is_finished() && self.invalid().is_none();
        asked && is_judged && self.tuned() == self.spec.space.start()
    }
}

impl Found for TuningFindings {
    fn kind(&self) -> Option<RunKind> {
        Some(RunKind::Tune)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn write_bulk(&self, folder: &Path, _: Option<&Ledger>) -> Result<bool, FileError> {
        report::write_tuned(folder, self)?;
        Ok(true)
    }

    fn with_files(&self, text: &str, folder: &Path) -> String {
        format!("{text}files    {}\n", folder.display())
    }

    /// `no_signal`, that of the confirming match, or `unconfirmed`.
    fn verdict_name(&self) -> Option<&'static str> {
        if self.has_no_signal() {
            return Some("no_signal");
        }
        Some(self.verdict().map_or("unconfirmed", Verdict::name))
    }

    fn pairs(&self) -> Option<u64> {
        Some(self.trajectory.applied * self.spec.plan.pairs_per_iteration)
    }

    /// If faults decided its own games or the match that confirms it.
    fn invalid(&self) -> Option<InvalidRun> {
        let is_judged = self.is_finished() || self.faults.in_a_row().is_some();
        let own = || InvalidRun::of_counts(&self.faults, &TuningSpec::SIDES.map(str::to_owned));
        let confirmation = || self.confirmation.as_ref()?.invalid();
        is_judged.then(own).flatten().or_else(confirmation)
    }

    /// What the confirming match says; `interrupted` before the tuning is finished, and nothing if no match was played.
    fn verdict(&self) -> Option<Verdict> {
        if self.invalid().is_some() {
            return Some(Verdict::Invalid);
        }
        match &self.confirmation {
            Some(found) => Some(found.standing.verdict()),
            None => (!self.is_finished()).then_some(Verdict::Interrupted),
        }
    }
}
