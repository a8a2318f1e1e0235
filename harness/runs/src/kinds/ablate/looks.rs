//! The numbers of pairs at which rows of an ablation were shown, in its ledger: an ablation that is extended counts them as looks.

use super::spec::AblationSpec;
use crate::kinds::ablate::study::Length;
use crate::ledger::Ledger;
use crate::session::error::{ExperimentError, Result};

const KEPT: &str = "looks";

pub(super) fn keep(ledger: &mut Ledger, length: &Length) -> Result<()> {
    let text =
        serde_json::to_string(&length.looks()).map_err(ExperimentError::system("describe the looks"))?;
    if ledger.kept(KEPT)?.as_ref() != Some(&text) {
        ledger.keep(KEPT, &text)?;
    }
    Ok(())
}

/// `spec` with the looks that `ledger` keeps.
pub(super) fn with_earlier(spec: &AblationSpec, ledger: &Ledger) -> Result<AblationSpec> {
    let mut spec = spec.clone();
    let kept = ledger.kept(KEPT)?;
    spec.length.earlier = kept
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    Ok(spec)
}
