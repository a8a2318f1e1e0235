//! Are the searches of a study those that machines signed?
//!
//! In: a run. Out: problems. Must not: search again.

use super::findings::{LedgerVerification, Problem};
use super::signatures::signatures;

use crate::ledger::{Item, RunKind};
use crate::record::Finished;
use crate::session::error::ExperimentError;
use crate::session::stored::Run;

/// Adds to `found` every search that another machine is said to have made and did not sign.
pub(crate) fn check_searches(run: &Run, found: &mut LedgerVerification) -> Result<(), ExperimentError> {
    // What is damaged was told, and proves nothing.
    if run.kind() != RunKind::Nodes || !found.problems.is_empty() {
        return Ok(());
    }
    let signatures = signatures(run)?;
    let positions = run.ledger().positions()?.len();
    for search in run.ledger().searches()? {
        let (config, position) = search.job();
        if !signatures.prove(&Finished::Search(search.finished(positions))) {
            found.problems.push(Problem::UnsignedSearch {
                search: Item::Search([config as i64, position as i64]),
            });
        }
    }
    Ok(())
}
