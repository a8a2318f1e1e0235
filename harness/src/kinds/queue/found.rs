use std::path::Path;

use crate::document::Document;
use crate::document::gathered::Gathered;
use crate::kinds::queue::report;
use crate::kinds::queue::{Entry, Job};
use crate::ledger::RunKind;
use crate::session::found::Found;

#[derive(Debug, Clone)]
pub struct QueueFindings {
    pub jobs: Vec<(Job, Option<Entry>)>,
}

impl Found for QueueFindings {
    fn kind(&self) -> Option<RunKind> {
        Some(RunKind::QueueRun)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    /// It is the file of the queue, which is elsewhere.
    fn has_run_file(&self) -> bool {
        false
    }

    fn with_files(&self, text: &str, folder: &Path) -> String {
        format!("\n{text}files  {}\n", folder.display())
    }
}
