//! A whole ledger, read and checked. Where the file itself is damaged its units are read one by one.

use std::collections::BTreeSet;

use super::damage::{Condition, Damage, ItemDamage};
use super::units::{ALL, Part, StoredUnit};
use super::{Ledger, LedgerError};
use crate::record::{Finished, PairRecord};

impl Ledger {
    pub fn examine(&self) -> Result<Condition, LedgerError> {
        self.examine_by(|unit| self.record(unit).map(drop))
    }

    /// As [`examine`](Ledger::examine); what fits its checksums is not decoded.
    pub(super) fn examine_checksums(&self) -> Result<Condition, LedgerError> {
        self.examine_by(|_| Ok(()))
    }

    fn examine_by(
        &self,
        check: impl Fn(&StoredUnit<'_>) -> Result<(), ItemDamage>,
    ) -> Result<Condition, LedgerError> {
        let mut condition = Condition::default();
        let mut take = |unit: Result<StoredUnit<'_>, ItemDamage>| match unit.and_then(|unit| check(&unit)) {
            Ok(()) => condition.whole += 1,
            Err(damage) => condition.damaged.push(damage),
        };
        self.for_each_readable(&mut take)?;
        match self.quick_check("").and_then(|()| self.check_tally()) {
            // A unit that is named explains a tally that differs.
            Err(error) if error.is_damage() => {
                let is_named = condition
                    .damaged
                    .iter()
                    .any(|damage| error.damage() == damage.to_string());
                condition.file = (!is_named).then(|| error.damage().to_owned());
            }
            checked => checked?,
        }
        Ok(condition)
    }

    /// Hands every whole pair to `visit`, in schedule order, whatever else cannot be read.
    pub fn for_each_whole(&self, visit: &mut dyn FnMut(PairRecord)) -> Result<(), LedgerError> {
        self.for_each_readable(&mut |unit| {
            if let Ok(Finished::Pair(record)) = unit.and_then(|unit| self.record(&unit)) {
                visit(record);
            }
        })
    }

    /// Hands every unit of which anything can be found to `visit`, whatever else cannot be read.
    pub(super) fn for_each_readable(
        &self,
        visit: &mut dyn FnMut(Result<StoredUnit<'_>, ItemDamage>),
    ) -> Result<(), LedgerError> {
        let mut next = 0;
        let read = self.scan::<LedgerError>(Part::Everything, ALL, &mut |number, unit| {
            next = number.saturating_add(1);
            visit(unit);
            Ok(())
        });
        match read {
            Err(error) if error.is_damage() => {}
            read => return read,
        }
        let mut numbers = BTreeSet::new();
        for order in ["ASC", "DESC"] {
            // Whatever comes before the part that cannot be read.
            let _ = self.for_each_number(order, |number| numbers.extend([number]));
        }
        for &number in numbers.range(next..) {
            let mut found = false;
            let read = self.scan::<LedgerError>(Part::Everything, [number; 2], &mut |_, unit| {
                found = true;
                visit(unit);
                Ok(())
            });
            match read {
                Err(error) if error.is_damage() => {
                    let what = Damage::Unreadable(error.damage().to_owned());
                    visit(Err(self.damage_of(number, what)));
                }
                read if found => read?,
                _ => visit(Err(self.damage_of(number, Damage::OtherSummary))),
            }
        }
        Ok(())
    }
}
