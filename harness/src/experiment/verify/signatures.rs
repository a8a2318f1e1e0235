//! Who is said to have played pairs, and whether they signed them.
//!
//! In: a run. Out: proofs. Must not: know a key of its own.

use std::collections::HashMap;

use crate::experiment::ExperimentError;
use crate::experiment::run::Run;
#[cfg(feature = "cluster")]
use crate::fleet::is_signed;
use crate::ledger::Signed;
use crate::record::PairRecord;

/// The signatures of a run's pairs.
pub(super) struct Signatures {
    run: String,
    signed: HashMap<u64, Signed>,
}

/// Those of `run`.
pub(super) fn signatures(run: &Run) -> Result<Signatures, ExperimentError> {
    let mut signed = HashMap::new();
    run.ledger().for_each_signature(|pair, by| {
        signed.insert(pair, by);
    })?;
    Ok(Signatures {
        run: run.ledger().run_id(),
        signed,
    })
}

impl Signatures {
    /// Is this pair as the machine signed it that is said to have played it? One that was played here is nobody else's.
    #[cfg(feature = "cluster")]
    pub(super) fn prove(&self, record: &PairRecord) -> bool {
        let signed = self.signed.get(&record.pair);
        signed.is_none_or(|by| is_signed(&self.run, record, by))
    }

    /// Without the feature `cluster` nobody can tell.
    #[cfg(not(feature = "cluster"))]
    pub(super) fn prove(&self, _: &PairRecord) -> bool {
        let _ = (&self.run, &self.signed);
        true
    }
}
