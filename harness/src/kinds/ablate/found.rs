use crate::document::Document;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::kinds::ablate::AblationSpec;
use crate::kinds::ablate::report;
use crate::kinds::ablate::study::{AblationRow, GainOrLoss, Length};
use crate::ledger::RunKind;
use crate::session::found::Found;

#[derive(Debug, Clone)]
pub struct AblationFindings {
    pub rows: Vec<AblationRow>,
    pub planned: usize,
    pub length: Length,
}

impl AblationFindings {
    pub(crate) fn of(spec: &AblationSpec) -> AblationFindings {
        AblationFindings {
            rows: Vec::new(),
            planned: spec.rows.len(),
            length: spec.length,
        }
    }

    pub fn pairs(&self) -> u64 {
        self.rows.iter().map(|row| row.tally.pairs()).sum()
    }
}

impl Found for AblationFindings {
    fn kind(&self) -> Option<RunKind> {
        Some(RunKind::Ablation)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    /// Of the first row that faults decided.
    fn invalid(&self) -> Option<InvalidRun> {
        let row = self.rows.iter().find(|row| row.worth == GainOrLoss::Invalid)?;
        let labels = ["base".to_owned(), row.variant.assignment()];
        InvalidRun::of_counts(&row.faults, &labels)
    }
}
