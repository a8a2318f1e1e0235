//! The speed that time limits of a run are meant for on a fleet. The ledger keeps it, so that a resumed run plays on by the same time.

use crate::ledger::Ledger;
use crate::session::SharedSession;
use crate::session::error::Result;

const REFERENCE_NPS: &str = "reference nps";

impl SharedSession {
    /// Decides it before the first game, or refuses another one than the run began with.
    pub(super) fn settle_reference(&self, ledger: &mut Ledger) -> Result<()> {
        let Some(fleet) = self.options.fleet.as_ref().filter(|_| self.is_timed) else {
            return Ok(());
        };
        let kept = ledger.kept(REFERENCE_NPS)?.and_then(|nps| nps.parse().ok());
        let nps = fleet.settle_reference(kept)?;
        if kept.is_none() {
            ledger.keep(REFERENCE_NPS, &nps.to_string())?;
        }
        let is_of_this_machine = kept.is_none() && fleet.reference_nps.is_none();
        if fleet.slots > 0 && nps > 0 && !is_of_this_machine {
            self.programs.set_pace(|| fleet.own_pace(nps));
        }
        Ok(())
    }
}
