use std::path::Path;

use crate::config::MoveLimit;
use crate::document::Document;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::kinds::odds::plan::OddsStep;
use crate::kinds::odds::report;
use crate::ledger::RunKind;
use crate::session::found::Found;
use crate::standing::FaultCounts;

#[derive(Debug, Clone)]
pub struct OddsFindings {
    pub labels: [String; 2],
    /// What the ratio is of: `nodes` or `milliseconds`.
    pub unit: &'static str,
    /// Units a move that A has at a ratio of 1: those of B, unless it has a limit of its own.
    pub resource: u64,
    pub limit_b: Option<MoveLimit>,
    pub steps: Vec<OddsStep>,
    /// The faults of all batches, one that is invalid and makes no step included.
    pub faults: FaultCounts,
    pub invalid: Option<InvalidRun>,
}

impl Found for OddsFindings {
    fn kind(&self) -> Option<RunKind> {
        Some(RunKind::Odds)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn with_files(&self, text: &str, folder: &Path) -> String {
        format!("{text}files    {}\n", folder.display())
    }

    fn invalid(&self) -> Option<InvalidRun> {
        self.invalid.clone()
    }
}
