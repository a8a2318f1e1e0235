//! A word about a ledger that was damaged.
//!
//! In: a ledger that was opened for playing. Out: a warning to the audience if not all of it was whole.

use super::FileError;
use super::news::{Audience, News};
use crate::event::Warning;
use crate::ledger::Ledger;

/// Says what was done about damage to `ledger`, if there was any.
pub(super) fn tell_mended(ledger: &Ledger, audience: &mut dyn Audience) -> Result<(), FileError> {
    let Some(mended) = ledger.mended() else {
        return Ok(());
    };
    audience.hear(News::Warning(Warning::MendedLedger {
        file: &mended.damaged_file,
        why: &mended.why,
        kept: mended.kept,
    }))
}
