//! Who is said to have played pairs or made searches, and whether they signed them.
//!
//! In: a run. Out: proofs. Must not: know a key of its own.

use std::collections::HashMap;

use crate::experiment::ExperimentError;
use crate::experiment::run::Run;
#[cfg(feature = "cluster")]
use crate::fleet::is_signed;
use crate::ledger::{Signed, pack, pack_finished};
use crate::record::{Finished, FinishedSearch, PairRecord};

/// The signatures of a run's pairs or searches.
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
    pub(super) fn prove(&self, record: &PairRecord) -> bool {
        self.prove_packet(record.pair, || pack(record))
    }

    /// As [`prove`](Signatures::prove), of a search.
    pub(super) fn prove_search(&self, search: FinishedSearch) -> bool {
        self.prove_packet(search.number, || pack_finished(&Finished::Search(search)))
    }

    #[cfg(feature = "cluster")]
    fn prove_packet(&self, number: u64, packet: impl FnOnce() -> Vec<u8>) -> bool {
        let signed = self.signed.get(&number);
        signed.is_none_or(|by| is_signed(&self.run, &packet(), by))
    }

    /// Without the feature `cluster` nobody can tell.
    #[cfg(not(feature = "cluster"))]
    fn prove_packet(&self, _: u64, _: impl FnOnce() -> Vec<u8>) -> bool {
        let _ = (&self.run, &self.signed);
        true
    }
}
