//! Who is said to have played pairs or made searches, and whether they signed them.
//!
//! In: a run. Out: proofs. Must not: know a key of its own.

use std::collections::HashMap;

use crate::ledger::encode;
use crate::record::{Finished, Origin};
use crate::session::error::ExperimentError;
use crate::session::stored::Run;

#[cfg(feature = "cluster")]
use crate::fleet::is_signed;

pub(crate) struct Signatures {
    run: String,
    origins: HashMap<u64, Origin>,
}

pub(crate) fn signatures(run: &Run) -> Result<Signatures, ExperimentError> {
    let mut origins = HashMap::new();
    let read = run.ledger().for_each_origin(|number, origin| {
        origins.insert(number, origin);
    });
    match read {
        // What is damaged is told, and proves nothing.
        Err(error) if error.is_damage() => {}
        read => read?,
    }
    Ok(Signatures {
        run: run.ledger().run_id(),
        origins,
    })
}

impl Signatures {
    /// Is this as the machine signed it that is said to have played it? What was played here is nobody else's.
    #[cfg(feature = "cluster")]
    pub(crate) fn prove(&self, finished: &Finished) -> bool {
        let origin = self.origins.get(&finished.number());
        origin.is_none_or(|origin| is_signed(&self.run, &encode(finished), origin))
    }

    #[cfg(not(feature = "cluster"))]
    pub(crate) fn prove(&self, _: &Finished) -> bool {
        let _ = (&self.run, &self.origins);
        true
    }
}
