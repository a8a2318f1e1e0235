//! A whole ledger, read and checked. Where the file itself is damaged its units are read one by one.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use super::units::{ALL, OTHER_SUMMARY, Part, StoredUnit};
use super::{Ledger, LedgerError};
use crate::record::{Finished, PairRecord};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A pair by its place in the schedule, from 0; not the place of a pair at all if that is what is damaged.
    Pair(i64),
    /// A search by the numbers of its configuration and position, from 0.
    Search([i64; 2]),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Pair(pair) => write!(f, "pair {}", pair.saturating_add(1)),
            Item::Search([config, position]) => {
                let [config, position] = [config, position].map(|number| number.saturating_add(1));
                write!(f, "the search of position {position} by configuration {config}")
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{item}: {what}")]
pub struct ItemDamage {
    pub item: Item,
    pub what: String,
}

/// What an examination of a whole ledger found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examination {
    /// Units that are whole.
    pub whole: u64,
    /// Those that are not, in their order.
    pub damaged: Vec<ItemDamage>,
    /// What is wrong with the file itself, or missing from it.
    pub file: Option<String>,
}

impl Examination {
    pub fn is_whole(&self) -> bool {
        self.damaged.is_empty() && self.file.is_none()
    }
}

/// What was done about a damaged ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    pub damaged_file: PathBuf,
    pub why: String,
    /// Units that are whole and were taken over.
    pub kept: u64,
}

/// How many damages are named one by one.
const NAMED: usize = 3;

impl fmt::Display for Examination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut named: Vec<String> = self.file.iter().cloned().collect();
        named.extend(self.damaged.iter().take(NAMED).map(ToString::to_string));
        if self.damaged.len() > NAMED {
            named.push(format!("and {} more", self.damaged.len() - NAMED));
        }
        f.write_str(&named.join("; "))
    }
}

impl Ledger {
    pub fn examine(&self) -> Result<Examination, LedgerError> {
        self.examine_by(|unit| self.record(unit).map(drop))
    }

    /// As [`examine`](Ledger::examine); what fits its checksums is not decoded.
    pub(super) fn examine_checksums(&self) -> Result<Examination, LedgerError> {
        self.examine_by(|_| Ok(()))
    }

    fn examine_by(
        &self,
        check: impl Fn(&StoredUnit<'_>) -> Result<(), ItemDamage>,
    ) -> Result<Examination, LedgerError> {
        let mut condition = Examination::default();
        let mut take = |unit: Result<StoredUnit<'_>, ItemDamage>| match unit.and_then(|unit| check(&unit)) {
            Ok(()) => condition.whole += 1,
            Err(damage) => condition.damaged.push(damage),
        };
        self.for_each_readable(&mut take)?;
        let checked = self.check_tables().and_then(|()| self.quick_check(""));
        match checked.and_then(|()| self.check_tally()) {
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
                    let what = format!("it cannot be read: {}", error.damage());
                    visit(Err(self.damage_of(number, what)));
                }
                read if found => read?,
                _ => visit(Err(self.damage_of(number, OTHER_SUMMARY))),
            }
        }
        Ok(())
    }
}
