use std::path::Path;

use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::event::Warning;
use crate::kinds::nodes::report;
use crate::kinds::nodes::study::NodesSummary;
use crate::ledger::{Ledger, RunKind};
use crate::record::Search;
use crate::session::found::Found;
use crate::session::hosts::HostTotals;

#[derive(Debug, Clone)]
pub struct NodesFindings {
    pub labels: Vec<String>,
    pub lines: Vec<u32>,
    pub searches: Vec<Search>,
    pub summary: NodesSummary,
    pub hosts: Vec<HostTotals>,
}

impl Found for NodesFindings {
    fn kind(&self) -> Option<RunKind> {
        Some(RunKind::Nodes)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn write_bulk(&self, folder: &Path, _: Option<&Ledger>) -> Result<bool, FileError> {
        report::write_searches(folder, self)?;
        Ok(true)
    }
}

impl NodesFindings {
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
